// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsPlatform
public import ClaimsProtocol

/// A connection to the daemon, for one thread.
///
/// ```swift
/// let connection = try ClientConnection(path: SocketPath.standard(environment))
/// var parameters = CountParameters()
/// parameters.selection.filter = "water"
/// let answer = try connection.answer(to: connection.request(.count, parameters))
/// print(answer[CountResult.total] ?? 0)
/// ```
/// Requests are gathered and go out together when an answer is awaited, so that several cost one write. Answers may come
/// in any order; each is kept until it is asked for.
public final class ClientConnection {
    /// The `id` of a request on this connection: 1 for the first, and one more for each that follows.
    public typealias RequestNumber = Int64

    /// The maximum time between two arrivals on the socket while a call waits; `nil` waits without limit.
    ///
    /// A call that waits longer throws `ClientError.timedOut`.
    public var timeout: Duration?

    private let socket: FileDescriptor
    private var lastID: RequestNumber = 0
    private var writer = JSONWriter()
    private var input = LineBuffer(maxLength: .max)
    /// The buffer of one call of recv(2), before its bytes are cut into lines.
    private var received = [UInt8](repeating: 0, count: 1 << 16)
    /// The answers that nobody has asked for yet, in the order of arrival; few, so they are searched one by one.
    private var answers: [(id: RequestNumber, document: AnswerDocument)] = []
    /// An error that belongs to no request, such as `busy`, ends all of them.
    private var lastError: AnswerDocument?

    /// Connects to the Unix domain socket at `path`.
    ///
    /// - Parameters:
    ///   - path: the file system path of the socket.
    ///   - timeout: the maximum time for connecting, and the first value of ``timeout``; `nil` allows 30 s to connect.
    /// - Throws: `ClientError.unreachable`. Nothing has been sent, and the caller may try again.
    public init(path: String, timeout: Duration? = .seconds(30)) throws(ClientError) {
        do throws(SystemError) {
            socket = try UnixSocket.connect(path: path, timeout: timeout ?? .seconds(30))
        } catch {
            throw .unreachable(path: path, error)
        }
        self.timeout = timeout
    }

    /// Buffers a request and returns its number, with which ``answer(to:whileWaiting:onNotification:)`` finds the
    /// result.
    ///
    /// The buffer is sent by the next flush or wait. Several requests in one buffer cost one write.
    public func request<Parameters: MethodParameters>(
        _ method: Method, _ parameters: Parameters
    ) -> RequestNumber {
        lastID += 1
        writer.beginObject()
        writer.member("id", lastID)
        writer.member("method", method.name)
        writer.key("params")
        writer.beginObject()
        parameters.write(to: &writer)
        writer.endObject()
        writer.endObject()
        writer.newline()
        return lastID
    }

    /// Sends what is buffered, waits for the answer to a request, and returns its `result`.
    ///
    /// The answer to another request that arrives meanwhile is kept until it is asked for. Each answer is returned
    /// once.
    ///
    /// - Parameters:
    ///   - id: the number that `request` returned.
    ///   - whileWaiting: called about ten times a second as long as nothing arrives.
    ///   - onNotification: called for each notification, such as the `records` of a stream, in the order of arrival.
    /// - Throws: `ClientError.refused` with the daemon's error; the connection stays usable. After any other error the
    ///   caller closes the connection.
    public func answer(
        to id: RequestNumber, whileWaiting: (() -> Void)? = nil, onNotification: ((AnswerValue) -> Void)? = nil
    ) throws(ClientError) -> AnswerValue {
        try flush()
        if let index = answers.firstIndex(where: { $0.id == id }) {
            return try Self.result(of: answers.remove(at: index).document)
        }
        while true {
            if let lastError { return try Self.result(of: lastError) }
            guard let line = try line(whileWaiting) else { throw .closed }
            if let document = try take(line, awaited: id, onNotification) { return try Self.result(of: document) }
        }
    }

    /// Whether the answer to a request has arrived and not been returned yet.
    public func hasAnswer(to id: RequestNumber) -> Bool { answers.contains { $0.id == id } }

    /// Sends a request, waits for its answer, and returns the `result`.
    ///
    /// - Throws: `ClientError.refused` with the daemon's error; the connection stays usable. After any other error the
    ///   caller closes the connection.
    public func call<Parameters: MethodParameters>(
        _ method: Method, _ parameters: Parameters
    ) throws(ClientError) -> AnswerValue {
        try answer(to: request(method, parameters))
    }

    /// Reads one line, and returns its document if it is the awaited answer.
    private func take(
        _ line: [UInt8], awaited: RequestNumber, _ onNotification: ((AnswerValue) -> Void)?
    ) throws(ClientError) -> AnswerDocument? {
        let document: AnswerDocument
        do throws(JSONError) {
            document = try AnswerDocument(line)
        } catch {
            throw .malformed("the daemon sent what is no JSON: \(error.message)")
        }
        let root = document.root
        if let id = root["id"]?.integer {
            if id == awaited { return document }
            answers.append((id, document))
        } else if root["method"] != nil {
            onNotification?(root)
        } else if root["error"] != nil {
            lastError = document
        } else {
            throw .malformed("the daemon sent what is no answer")
        }
        return nil
    }

    private static func result(of document: AnswerDocument) throws(ClientError) -> AnswerValue {
        if let result = document.root["result"] { return result }
        guard let error = document.root["error"] else { throw .malformed("the daemon's answer has no result") }
        throw .refused(Refusal(error))
    }
}

extension ClientConnection {
    /// Buffers a request line that the caller has written, without its newline; the next flush or wait sends it.
    public func send(line: [UInt8]) {
        writer.raw(line)
        writer.newline()
    }

    /// Sends what is buffered, waits for a line, and returns its bytes without the newline.
    ///
    /// - Parameter whileWaiting: called about ten times a second as long as nothing arrives.
    /// - Returns: `nil` when the daemon has closed the connection.
    /// - Throws: `ClientError.timedOut` after ``timeout``, or `ClientError.closed` for a connection that broke.
    public func line(_ whileWaiting: (() -> Void)? = nil) throws(ClientError) -> [UInt8]? {
        try flush()
        while true {
            if let line = lineAtHand() { return line }
            try awaitInput(whileWaiting)
            guard try receive() else { return nil }
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
    /// - Throws: `ClientError.closed` for a connection that broke.
    public func receive() throws(ClientError) -> Bool {
        do throws(SystemError) {
            switch try UnixSocket.receive(socket.raw, into: &received, at: 0) {
            case .bytes(let count):
                input.append(received[..<count])
                return true
            case .wouldBlock: return true
            case .closed: return false
            }
        } catch {
            throw .closed
        }
    }

    /// Sends every buffered line, and waits as long as the socket's buffer is full.
    ///
    /// While it waits, it receives answers as well, so that daemon and client never block each other. If the daemon
    /// closes the connection, the rest is discarded without an error; the daemon's last answer may tell the reason.
    ///
    /// - Throws: `ClientError.timedOut` when nothing moves within ``timeout``, or `ClientError.closed` for a connection
    ///   that broke.
    public func flush() throws(ClientError) {
        guard !writer.bytes.isEmpty else { return }
        var sent = 0
        while sent < writer.bytes.count {
            switch try transfer(sending: sent) {
            case .bytes(let count): sent += count
            case .closed:
                // Its last words may say why.
                writer.removeAll()
                return
            case .wouldBlock:
                guard try wait(for: [.read, .write], timeout) else { throw .timedOut(timeout ?? .zero) }
                _ = try receive()
            }
        }
        writer.removeAll()
    }

    private func transfer(sending start: Int) throws(ClientError) -> Transfer {
        do throws(SystemError) {
            return try UnixSocket.send(socket.raw, writer.bytes, from: start)
        } catch {
            throw .closed
        }
    }

    private func wait(for events: EventMask, _ timeout: Duration?) throws(ClientError) -> Bool {
        do throws(SystemError) {
            return try socket.wait(for: events, timeout: timeout)
        } catch {
            throw .closed
        }
    }

    private func awaitInput(_ whileWaiting: (() -> Void)?) throws(ClientError) {
        guard let whileWaiting else {
            if try wait(for: .read, timeout) { return }
            throw .timedOut(timeout ?? .zero)
        }
        let start = SystemClock.monotonic
        while true {
            let waited = Duration.nanoseconds(SystemClock.monotonic - start)
            if let timeout, waited >= timeout { throw .timedOut(timeout) }
            if try wait(for: .read, min(.milliseconds(100), timeout.map { $0 - waited } ?? .seconds(1))) { return }
            whileWaiting()
        }
    }
}
