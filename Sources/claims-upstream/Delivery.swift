// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Sends one response over the wire, in the way the fault says.
struct Delivery {
    private var response: Response
    private let behaviour: Behaviour

    init(_ response: Response, _ behaviour: Behaviour) {
        self.response = response
        self.behaviour = behaviour
    }

    func send(_ connection: borrowing Connection) throws(Connection.Gone) {
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
            throw Connection.Gone()
        case .closeMidBody, .resetMidBody:
            try connection.send(head(length: body.count))
            try connection.send(Array(body.prefix(body.count / 2)))
            if behaviour.fault == .resetMidBody { try connection.reset() }
            throw Connection.Gone()
        case .lengthLong, .lengthShort:
            try connection.send(head(length: behaviour.fault == .lengthLong ? body.count + 1000 : body.count / 2))
            try connection.send(body)
            throw Connection.Gone()
        case .lengthInvalid, .lengthTwice:
            let lengths = behaviour.fault == .lengthInvalid ? ["plenty"] : ["\(body.count)", "\(body.count + 1)"]
            try connection.send(response.head + lengths.map { "Content-Length: \($0)\r\n" }.joined() + "\r\n")
            try connection.send(body)
            throw Connection.Gone()
        case .noLength:
            try connection.send(response.head + "Connection: close\r\n\r\n")
            try connection.send(body)
            throw Connection.Gone()
        case .chunked, .chunkedBroken, .chunkedCut:
            try sendChunks(connection)
        case .endlessBody:
            try connection.send(response.head + "Connection: close\r\n\r\n[")
            let part = Array(String(repeating: "{\"id\":1},", count: 4096).utf8)
            let end = Clocks.monotonic &+ Connection.longest.wholeNanoseconds
            while Clocks.monotonic < end { try connection.send(part) }
            throw Connection.Gone()
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

    private func sendChunks(_ connection: borrowing Connection) throws(Connection.Gone) {
        try connection.send(response.head + "Transfer-Encoding: chunked\r\n\r\n")
        let half = response.body.count / 2
        for part in [response.body[..<half], response.body[half...]] where !part.isEmpty {
            try connection.send("\(String(part.count, radix: 16))\r\n")
            try connection.send(Array(part))
            try connection.send("\r\n")
            if behaviour.fault == .chunkedBroken { try connection.send("no number\r\n") }
            if behaviour.fault != .chunked { try connection.send("ff\r\nhalf") }
            if behaviour.fault != .chunked { throw Connection.Gone() }
        }
        try connection.send("0\r\n\r\n")
    }
}
