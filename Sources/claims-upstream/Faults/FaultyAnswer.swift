// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The answer to one request, with the fault that its path has.
struct FaultyAnswer {
    let request: UpstreamRequest
    let visit: Visit
    let file: ServedFile?
    /// The answer of a store to a write, without the fault; nil if the request was none.
    let written: UpstreamResponse?
    /// A part of the records, without the fault; nil if the request is for all of them.
    let page: UpstreamResponse?

    private var behaviour: Behaviour { visit.behaviour }

    /// Sends the answer; the connection may be used again unless this throws.
    func send(_ connection: borrowing UpstreamConnection) throws(UpstreamConnection.HangUp) {
        if let refusal = visit.refusal { return try send(refusal, connection) }
        switch behaviour.fault {
        case .hang: try connection.hang()
        case .close: throw UpstreamConnection.HangUp()
        case .reset: try connection.reset()
        case .status: try send(UpstreamResponse(status: behaviour.status ?? 500), connection)
        case .redirect: try sendRedirect(connection)
        case .notModified: try send(UpstreamResponse(status: 304, hasBody: false), connection)
        case .noContent: try send(UpstreamResponse(status: 204, hasBody: false), connection)
        case .endlessHeaders, .hugeHeader, .endlessInterim, .notHTTP: try sendBadHead(connection)
        case .html, .empty, .truncatedJSON, .garbage, .nan, .deep, .longString, .duplicateKeys, .manyRecords:
            let body = BadBodies.body(behaviour, original: content ?? [])
            try send(UpstreamResponse(status: written?.status ?? 200, body: body), connection)
        case .gzip, .gzipWrong, .gzipCut, .gzipBomb, .unknownEncoding: try sendEncoded(connection)
        default:
            guard let page else { return try serve(connection) }
            try send(page, connection)
        }
    }

    /// The content without the fault.
    private var content: [UInt8]? { behaviour.body ?? written?.body ?? file?.bytes }

    /// Sends the content with its validators, or 304, with faults of the transfer.
    private func serve(_ connection: borrowing UpstreamConnection) throws(UpstreamConnection.HangUp) {
        if let written { return try sendWritten(written, connection) }
        guard visit.isRead(request) else { return try send(UpstreamResponse(status: 405), connection) }
        guard let content else { return try send(UpstreamResponse(status: 404), connection) }
        // At the end of its redirects, a path is as it should be.
        let status = behaviour.fault == .redirect ? 200 : behaviour.status ?? 200
        var response = UpstreamResponse(status: status, body: content)
        let served = ServedFile(bytes: content, modified: file?.modified, tag: file?.tag ?? .strong)
        if behaviour.fault == .etagChanges {
            response["ETag"] = "\"\(RandomBytes.hexadecimal(8))\""
        } else {
            response["ETag"] = served.etag
            response["Last-Modified"] = served.lastModified
        }
        response.apply(visit.headers)
        response.apply(behaviour.headers)
        if response.status == 200 && behaviour.fault.respectsConditions && isUnchanged(response) {
            response.status = 304
            response.body = []
            response.hasBody = false
            response["Content-Type"] = nil
        }
        try Delivery(response, behaviour).send(connection)
    }

    /// Sends the answer to a write, with another status and body if the step has them.
    private func sendWritten(
        _ written: UpstreamResponse, _ connection: borrowing UpstreamConnection
    ) throws(UpstreamConnection.HangUp) {
        var response = written
        response.status = behaviour.status ?? written.status
        if let body = behaviour.body {
            response.body = body
            response.hasBody = true
        }
        try send(response, connection)
    }

    /// Whether the client's copy is current (RFC 9110, section 13.2.2), by the validators of `response`.
    private func isUnchanged(_ response: UpstreamResponse) -> Bool {
        if let asked = request["if-none-match"] {
            guard let etag = response["ETag"] else { return false }
            let bare = { (tag: Substring) in
                let tag = tag.drop { character in character == " " }
                return tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : String(tag)
            }
            return asked == "*" || asked.split(separator: ",").map(bare).contains(bare(etag[...]))
        }
        guard let asked = request["if-modified-since"], let date = response["Last-Modified"] else { return false }
        return asked == date
    }

    private func send(
        _ response: UpstreamResponse, _ connection: borrowing UpstreamConnection
    ) throws(UpstreamConnection.HangUp) {
        var response = response
        if response.hasBody && response.body.isEmpty && response.status >= 400 {
            response.body = behaviour.body ?? Array("\(response.status)\n".utf8)
        }
        response.apply(visit.headers)
        response.apply(behaviour.headers)
        try Delivery(response, behaviour).send(connection)
    }

    private func sendRedirect(_ connection: borrowing UpstreamConnection) throws(UpstreamConnection.HangUp) {
        let hop = Int(request.parameters["hop"] ?? "") ?? 0
        if behaviour.location == nil, let count = behaviour.count, hop >= count { return try serve(connection) }
        var response = UpstreamResponse(status: behaviour.status ?? 302, body: Array("elsewhere\n".utf8))
        response["Location"] = behaviour.location ?? "\(request.path)?hop=\(hop + 1)"
        try send(response, connection)
    }

    private func sendEncoded(_ connection: borrowing UpstreamConnection) throws(UpstreamConnection.HangUp) {
        let plain = content ?? Array("[]".utf8)
        var response = UpstreamResponse(status: written?.status ?? 200)
        response["Content-Encoding"] = behaviour.fault == .unknownEncoding ? "rot13" : "gzip"
        switch behaviour.fault {
        case .gzip: response.body = Gzip.stored(plain)
        case .gzipCut:
            let whole = Gzip.stored(plain)
            response.body = Array(whole.prefix(whole.count / 2))
        case .gzipBomb: response.body = Gzip.bomb(count: behaviour.bytes ?? 1 << 30)
        default: response.body = plain
        }
        try send(response, connection)
    }

    private func sendBadHead(_ connection: borrowing UpstreamConnection) throws(UpstreamConnection.HangUp) {
        switch behaviour.fault {
        case .notHTTP:
            try connection.send("{\"this\": \"is not HTTP\"}\n")
        case .hugeHeader:
            try connection.send("HTTP/1.1 200 OK\r\nX-Huge: ")
            let part = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
            var left = behaviour.bytes ?? 1 << 20
            while left > 0 {
                try connection.send(Array(part.prefix(left)))
                left -= part.count
            }
            try connection.send("\r\nContent-Length: 2\r\n\r\n[]")
        default:
            let isInterim = behaviour.fault == .endlessInterim
            if !isInterim { try connection.send("HTTP/1.1 200 OK\r\n") }
            let end = SystemClock.monotonic &+ UpstreamConnection.maxHang.wholeNanoseconds
            var number = 0
            while SystemClock.monotonic < end {
                number += 1
                let line = isInterim ? "HTTP/1.1 103 Early Hints\r\n\r\n" : "X-Header-\(number): \(number)\r\n"
                try connection.send(line)
            }
        }
        throw UpstreamConnection.HangUp()
    }
}
