// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform

// Lines, out and in.

extension ClientConnection {
    /// Buffers a request line that the caller has written, without its newline; the next flush or wait sends it.
    public func send(line: [UInt8]) {
        writer.raw(line)
        writer.newline()
        pending.addRawLine()
    }

    /// The document of a line from the daemon, in which the members of answers to requests, of errors and of
    /// notifications have the types of the protocol.
    ///
    /// - Throws: `ClientError.malformed` for a line that is no JSON or has other types, or `ClientError.hostFailed` for
    ///   one from another host that is no JSON object, as a login script prints it.
    public func document(of line: [UInt8]) throws(ClientError) -> AnswerDocument { try read(line).document }

    /// As ``document(of:)``; tells, too, whether the line answers a request that waited for it, or is a part of that.
    func read(_ line: [UInt8]) throws(ClientError) -> (document: AnswerDocument, isExpected: Bool) {
        let document: AnswerDocument
        do throws(JSONError) {
            document = try AnswerDocument(line)
        } catch {
            throw program?.failure(line: line) ?? .malformed(.noJSON(error))
        }
        let root = document.root
        if let program, root.kind != .object { throw program.failure(line: line) }
        let request = (root["id"] ?? root["params"]?["request"])?.integer
        let method = request.flatMap { pending.method(of: $0) }
        if let objection = shapes.objection(to: root, answering: method) { throw .malformed(objection) }
        if let request, root["id"] == nil { pending.begun(request) } else if let request { pending.answered(request) }
        return (document, method != nil)
    }

    /// The error of a connection that has ended; waits for the end of the program that reached another host.
    public func loss() -> ClientError {
        program?.failure(mayBeDone: pending.mayChange) ?? .closed(mayBeDone: pending.mayChange)
    }

    /// Sends what is buffered, waits for a line, and returns its bytes without the newline.
    ///
    /// - Parameters:
    ///   - limit: the time that this may take; nil for ``timeout``.
    ///   - whileWaiting: called about ten times a second as long as nothing arrives.
    /// - Returns: `nil` when the daemon has closed the connection.
    /// - Throws: `ClientError.timedOut`, or `ClientError.closed` for a connection that broke.
    public func line(
        within limit: TimeLimit? = nil, _ whileWaiting: (() -> Void)? = nil
    ) throws(ClientError) -> [UInt8]? {
        let limit = limit ?? TimeLimit(timeout)
        try flush(within: limit)
        return try awaitLine(within: limit, whileWaiting)
    }

    /// Waits for a line without sending anything.
    private func awaitLine(
        within limit: TimeLimit, _ whileWaiting: (() -> Void)?
    ) throws(ClientError) -> [UInt8]? {
        if let line = lineAtHand() { return line }
        while true {
            try awaitInput(within: limit, whileWaiting)
            guard try receive() else { return nil }
            if let line = lineAtHand() { return line }
            // Bytes may come without end, and no line with them.
            try limit.check()
        }
    }

    /// The next complete line among the bytes already received, without its newline; `nil` when there is none.
    ///
    /// This call never reads the socket. ``receive()`` does.
    public func lineAtHand() -> [UInt8]? {
        guard case .line(let range) = input.next() else { return nil }
        return Array(input.bytes[range])
    }

    /// The file descriptor of the socket, for poll(2) or epoll(7). The connection owns it: a caller must neither read
    /// from it nor close it.
    public var descriptor: Int32 { socket.raw }

    /// Reads once from the socket, without blocking, and keeps the bytes for ``lineAtHand()``.
    ///
    /// - Returns: false when the daemon has closed the connection.
    /// - Throws: `ClientError.closed` for a connection that broke, or `ClientError.malformed` for a line longer than
    ///   ``maxLine``.
    public func receive() throws(ClientError) -> Bool {
        let transfer: Transfer
        do throws(SystemError) {
            transfer = try UnixSocket.receive(socket.raw, into: &received, at: 0)
        } catch {
            throw .closed(mayBeDone: pending.mayChange)
        }
        switch transfer {
        case .bytes(let count):
            input.append(received[..<count])
            program?.hasAnswered = true
            guard input.count <= Self.maxLine || input.hasLine else { throw .malformed(Self.longLine) }
            return true
        case .wouldBlock: return true
        case .closed: return false
        }
    }

    private static var longLine: ErrorText {
        let size = maxLine >> 20
        return ErrorText(
            en: "the daemon's answer is longer than \(size) MiB", pl: "odpowiedź demona ma ponad \(size) MiB")
    }

    /// Sends every buffered line, and waits as long as the socket's buffer is full.
    ///
    /// While it waits, it receives answers as well, so that daemon and client never block each other. If the daemon
    /// closes the connection, the rest is discarded without an error; the daemon's last answer may tell the reason.
    ///
    /// - Throws: `ClientError.timedOut` after ``timeout``, or `ClientError.closed` for a connection that broke.
    public func flush() throws(ClientError) { try flush(within: TimeLimit(timeout)) }

    func flush(within limit: TimeLimit) throws(ClientError) {
        guard !writer.bytes.isEmpty else { return }
        try awaitFirstAnswer(within: limit)
        try sendBuffered(within: limit)
    }

    /// Sends what the socket takes of the buffered lines, without waiting.
    ///
    /// - Returns: whether nothing is left.
    /// - Throws: `ClientError.closed` for a connection that broke.
    public func sendSome() throws(ClientError) -> Bool {
        var sent = 0
        while sent < writer.bytes.count {
            switch try transfer(sending: sent) {
            case .bytes(let count): sent += count
            case .closed:
                // Its last words may say why.
                writer.removeAll()
                return true
            case .wouldBlock:
                // Each line ends with a newline, and so does the rest.
                let rest = Array(writer.bytes[sent...].dropLast())
                writer.removeAll()
                writer.raw(rest)
                writer.newline()
                return false
            }
        }
        writer.removeAll()
        return true
    }

    private func sendBuffered(within limit: TimeLimit) throws(ClientError) {
        var limit = limit
        var sent = 0
        while sent < writer.bytes.count {
            switch try transfer(sending: sent) {
            case .bytes(let count):
                sent += count
                if isProlongedByParts { limit = TimeLimit(timeout) }
            case .closed:
                // Its last words may say why.
                writer.removeAll()
                return
            case .wouldBlock:
                guard try wait(for: [.read, .write], before: limit.deadline) else { throw limit.passed }
                _ = try receive()
                try limit.check()
            }
        }
        writer.removeAll()
    }

    /// Waits for a first answer from another host before anything is sent that changes something there: a connection
    /// that ends before has changed nothing, and one that ends later may have.
    private func awaitFirstAnswer(within limit: TimeLimit) throws(ClientError) {
        guard let program, !program.hasAnswered, pending.mayChange else { return }
        let requests = writer.bytes
        writer.removeAll()
        writer.raw(Self.firstRequest)
        writer.newline()
        try sendBuffered(within: limit)
        guard let line = try awaitLine(within: limit, nil) else { throw program.failure(mayBeDone: false) }
        let document = try document(of: line)
        // The daemon may refuse the connection.
        if document.root["id"] == nil, document.root["error"] != nil { lastError = document }
        writer.raw(requests.dropLast())
        writer.newline()
    }

    /// A request of which nothing but an answer is wanted. No other one has its id.
    private static let firstRequest = Array(#"{"id":0,"method":"ping"}"#.utf8)

    private func transfer(sending start: Int) throws(ClientError) -> Transfer {
        do throws(SystemError) {
            return try UnixSocket.send(socket.raw, writer.bytes, from: start)
        } catch {
            throw .closed(mayBeDone: pending.mayChange)
        }
    }

    private func wait(for events: EventMask, before deadline: UInt64?) throws(ClientError) -> Bool {
        do throws(SystemError) {
            return try BorrowedDescriptor(socket.raw).wait(for: events, before: deadline)
        } catch {
            throw .closed(mayBeDone: pending.mayChange)
        }
    }

    private func awaitInput(within limit: TimeLimit, _ whileWaiting: (() -> Void)?) throws(ClientError) {
        guard let whileWaiting else {
            if try wait(for: .read, before: limit.deadline) { return }
            throw limit.passed
        }
        while true {
            let next = SystemClock.monotonic(after: .milliseconds(100))
            if try wait(for: .read, before: min(next, limit.deadline ?? .max)) { return }
            try limit.check()
            whileWaiting()
        }
    }
}
