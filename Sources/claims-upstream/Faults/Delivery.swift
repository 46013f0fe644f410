// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Sends one response, with faults in time, length and framing.
struct Delivery {
    private var response: UpstreamResponse
    private let behaviour: Behaviour

    init(_ response: UpstreamResponse, _ behaviour: Behaviour) {
        self.response = response
        self.behaviour = behaviour
    }

    func send(_ connection: borrowing UpstreamConnection) throws(UpstreamConnection.HangUp) {
        guard response.hasBody else { return try connection.send(response.head + "\r\n") }
        let body = response.body
        switch behaviour.fault {
        case .slowHeaders:
            for byte in head(length: body.count).utf8 {
                try connection.send([byte])
                try connection.pause(.milliseconds(behaviour.delay))
            }
            try connection.send(body)
        case .drip:
            try connection.send(head(length: body.count))
            let size = min(behaviour.bytes ?? 1, 1 << 20)
            for start in stride(from: 0, to: body.count, by: size) {
                try connection.send(Array(body[start..<min(start + size, body.count)]))
                try connection.pause(.milliseconds(behaviour.delay))
            }
        case .hangAfterHeaders:
            try connection.send(head(length: body.count))
            try connection.hang()
        case .closeMidHeaders:
            try connection.send(String(head(length: body.count).dropLast(8)))
            throw UpstreamConnection.HangUp()
        case .closeMidBody, .resetMidBody:
            try connection.send(head(length: body.count))
            try connection.send(Array(body.prefix(body.count / 2)))
            if behaviour.fault == .resetMidBody { try connection.reset() }
            throw UpstreamConnection.HangUp()
        case .lengthLong, .lengthShort:
            try connection.send(head(length: behaviour.fault == .lengthLong ? body.count + 1000 : body.count / 2))
            try connection.send(body)
            throw UpstreamConnection.HangUp()
        case .lengthInvalid, .lengthTwice:
            let lengths = behaviour.fault == .lengthInvalid ? ["plenty"] : ["\(body.count)", "\(body.count + 1)"]
            try connection.send(response.head + lengths.map { "Content-Length: \($0)\r\n" }.joined() + "\r\n")
            try connection.send(body)
            throw UpstreamConnection.HangUp()
        case .noLength:
            try connection.send(response.head + "Connection: close\r\n\r\n")
            try connection.send(body)
            throw UpstreamConnection.HangUp()
        case .chunked, .chunkedBroken, .chunkedCut:
            try sendChunks(connection)
        case .endlessBody:
            try connection.send(response.head + "Connection: close\r\n\r\n[")
            let part = Array(String(repeating: "{\"id\":1},", count: 4096).utf8)
            let end = SystemClock.monotonic &+ UpstreamConnection.maxHang.wholeNanoseconds
            while SystemClock.monotonic < end { try connection.send(part) }
            throw UpstreamConnection.HangUp()
        default:
            try connection.send(head(length: body.count))
            try connection.send(body)
        }
    }

    private func head(length: Int) -> String {
        // A test may lie about the length itself.
        response["Content-Length"] == nil
            ? response.head + "Content-Length: \(length)\r\n\r\n" : response.head + "\r\n"
    }

    private func sendChunks(_ connection: borrowing UpstreamConnection) throws(UpstreamConnection.HangUp) {
        try connection.send(response.head + "Transfer-Encoding: chunked\r\n\r\n")
        let half = response.body.count / 2
        for part in [response.body[..<half], response.body[half...]] where !part.isEmpty {
            try connection.send("\(String(part.count, radix: 16))\r\n")
            try connection.send(Array(part))
            try connection.send("\r\n")
            if behaviour.fault == .chunkedBroken { try connection.send("no number\r\n") }
            if behaviour.fault != .chunked { try connection.send("ff\r\nhalf") }
            if behaviour.fault != .chunked { throw UpstreamConnection.HangUp() }
        }
        try connection.send("0\r\n\r\n")
    }
}
