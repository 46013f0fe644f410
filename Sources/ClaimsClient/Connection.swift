// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
import ClaimsPlatform

/// A connection to the daemon, for one thread.
///
/// Requests are gathered by `request` and go out together when an answer is awaited, so several cost one write.
/// Answers may come in any order; each is kept until it is asked for.
public final class Connection {
    /// The id of a request on this connection.
    public typealias RequestID = Int64

    /// How long an answer may take; `nil` for as long as it takes. From one arrival on the wire to the next.
    public var timeout: Duration?

    private let socket: FileDescriptor
    private var lastID: RequestID = 0
    private var writer = JSONWriter()
    private var input = LineBuffer()
    private var answers: [RequestID: AnswerDocument] = [:]
    /// An error that belongs to no request, such as `busy`, ends all of them.
    private var farewell: AnswerDocument?

    /// Connects to the socket at `path`, within `timeout` or, where that is `nil`, within 30 s.
    public init(path: String, timeout: Duration? = .seconds(30)) throws(ClientError) {
        do throws(SystemError) {
            socket = try UnixSocket.connect(path: path, timeout: timeout ?? .seconds(30))
        } catch {
            throw .unreachable(path: path, error)
        }
        self.timeout = timeout
    }

    /// Notes a request; it is sent with the next flush.
    public func request(
        _ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }
    ) -> RequestID {
        lastID += 1
        writer.beginObject()
        writer.member("id", lastID)
        writer.member("method", method)
        writer.key("params")
        writer.beginObject()
        parameters(&writer)
        writer.endObject()
        writer.endObject()
        writer.newline()
        return lastID
    }

    /// The result of a request made before; `.refused` where the daemon answered with an error.
    ///
    /// `whileWaiting` is called about every tenth of a second as long as no answer has come.
    public func answer(
        to id: RequestID, whileWaiting: (() -> Void)? = nil, onNotification: ((AnswerValue) -> Void)? = nil
    ) throws(ClientError) -> AnswerValue {
        try flush()
        while true {
            if let document = answers.removeValue(forKey: id) ?? farewell { return try Self.result(of: document) }
            guard let line = try line(whileWaiting) else { throw .closed }
            try take(line, onNotification)
        }
    }

    /// Sends a request and waits for its result.
    public func call(
        _ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }
    ) throws(ClientError) -> AnswerValue {
        try answer(to: request(method, parameters))
    }

    /// Sends a request with parameters made beforehand (an object) and waits for its result.
    public func call(_ method: String, _ parameters: JSONValue) throws(ClientError) -> AnswerValue {
        try call(method) { writer in
            for member in parameters.object?.members ?? [] {
                writer.key(member.key)
                member.value.write(to: &writer)
            }
        }
    }

    private func take(_ line: [UInt8], _ onNotification: ((AnswerValue) -> Void)?) throws(ClientError) {
        let document: AnswerDocument
        do throws(JSONError) {
            document = try AnswerDocument(line)
        } catch {
            throw .malformed("the daemon sent what is no JSON: \(error.message)")
        }
        let root = document.root
        if let id = root["id"]?.integer {
            answers[id] = document
        } else if root["method"] != nil {
            onNotification?(root)
        } else if root["error"] != nil {
            farewell = document
        } else {
            throw .malformed("the daemon sent what is no answer")
        }
    }

    private static func result(of document: AnswerDocument) throws(ClientError) -> AnswerValue {
        if let result = document.root["result"] { return result }
        guard let error = document.root["error"] else { throw .malformed("the daemon's answer has no result") }
        throw .refused(Refusal(error))
    }
}

extension Connection {
    /// Notes a line as it is (without its newline); it is sent with the next flush.
    public func send(line: [UInt8]) {
        writer.raw(line)
        writer.newline()
    }

    /// The next line as it came, without its newline; `nil` once the daemon has closed.
    public func line(_ whileWaiting: (() -> Void)? = nil) throws(ClientError) -> [UInt8]? {
        try flush()
        while true {
            if let line = input.nextLine() { return line }
            try awaitInput(whileWaiting)
            guard try receive() else { return nil }
        }
    }

    /// The next line that has already arrived; `nil` where none has.
    public func lineAtHand() -> [UInt8]? { input.nextLine() }

    /// The socket, to wait for it together with others. Never read from it, nor close it.
    public var descriptor: Int32 { socket.raw }

    /// Takes in what has arrived; false once the daemon has closed.
    public func receive() throws(ClientError) -> Bool {
        do throws(SystemError) {
            switch try input.receive(from: socket.raw) {
            case .bytes, .wouldBlock: return true
            case .closed: return false
            }
        } catch {
            throw .closed
        }
    }

    /// Sends what has been noted. While the daemon takes nothing, its answers are taken in, so that neither waits for
    /// the other for ever.
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
        let start = Clocks.monotonic
        while try !wait(for: .read, .milliseconds(100)) {
            whileWaiting()
            if let timeout, Clocks.monotonic - start > timeout.wholeNanoseconds { throw .timedOut(timeout) }
        }
    }
}
