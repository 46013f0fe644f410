// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
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

    /// The maximum time that a call waits for an answer as a whole, whatever comes meanwhile; `nil` waits without limit.
    ///
    /// A call that waits longer throws `ClientError.timedOut`. The time that the caller takes for notifications does not
    /// count.
    public var timeout: Duration?

    /// Whether the time of ``timeout`` begins anew with each line that is a part of an answer, such as the `records` of a
    /// stream. What belongs to no request, such as the events of a subscription, never prolongs it, and neither does a
    /// line that has no end yet.
    public var isProlongedByParts = true

    /// The language of the answers to requests that name none, such as `pl`; nil for the daemon's setting.
    public var language: String?

    /// The purpose of all requests, told before the first one; nil tells none. One that the daemon refuses fails them.
    public var purpose: Purpose? {
        get { introduction.purpose }
        set { introduction.purpose = newValue }
    }
    private var introduction = Introduction()

    /// The location of the daemon.
    public let address: DaemonAddress

    var socket: FileDescriptor
    /// The program at the other end of the socket, where the daemon is on another host.
    var program: RemoteProgram?
    private var lastID: RequestNumber = 0
    var pending = PendingRequests()
    var writer = JSONWriter()
    var input = LineBuffer(maxLength: .max)
    var shapes = AnswerShapes()
    /// The buffer of one call of recv(2), before its bytes are cut into lines.
    var received = [UInt8](repeating: 0, count: 1 << 16)
    /// The answers that nobody has asked for yet, in the order of arrival; few, so they are searched one by one.
    private var answers: [(id: RequestNumber, document: AnswerDocument)] = []
    /// An error that belongs to no request, such as `busy`, ends all of them.
    var lastError: AnswerDocument?

    /// The longest line that is taken, in bytes. The daemon ends a page before that.
    static let maxLine = (16 << 20) + (64 << 10)

    /// Connects to the Unix domain socket at `path`.
    ///
    /// - Parameters:
    ///   - path: the file system path of the socket.
    ///   - timeout: the maximum time for connecting, and the first value of ``timeout``; `nil` allows 30 s to connect.
    /// - Throws: `ClientError.unreachable`. Nothing has been sent, and the caller may try again.
    public convenience init(path: String, timeout: Duration? = maxConnectTime) throws(ClientError) {
        try self.init(.socket(path), timeout: timeout)
    }

    /// The time that connecting may take where nothing else is said.
    public static let maxConnectTime: Duration = .seconds(30)

    /// Connects to the daemon at an address. The program that reaches another host is started, and not waited for.
    ///
    /// - Parameter timeout: the maximum time for connecting to a socket, and the first value of ``timeout``; `nil`
    ///   allows ``maxConnectTime`` to connect.
    /// - Throws: `ClientError.unreachable` or `ClientError.hostFailed`. Nothing has been sent, and the caller may try
    ///   again.
    public init(_ address: DaemonAddress, timeout: Duration? = maxConnectTime) throws(ClientError) {
        self.address = address
        self.timeout = timeout
        let link = try Self.open(address, timeout)
        program = link.program
        socket = link.keepSocket()
    }

    deinit {
        // The program at the other end learns that nobody asks it any more.
        if program != nil { UnixSocket.shutDown(socket.raw, .both) }
    }

    /// Gives the connection up for lost: a program that reaches another host is not waited for, but stopped.
    public func giveUp() { program?.hasAnswered = false }

    /// Ends the connection while an answer is awaited, which then fails.
    public func hangUp() {
        program?.hasAnswered = false
        UnixSocket.shutDown(socket.raw, .both)
    }

    private static func open(_ address: DaemonAddress, _ timeout: Duration?) throws(ClientError) -> DaemonLink {
        switch address {
        case .host(let host): return try RemoteProgram.start(host)
        case .socket(let path):
            do throws(SystemError) {
                let socket = try UnixSocket.connect(path: path, timeout: timeout ?? maxConnectTime)
                return DaemonLink(socket: socket, program: nil)
            } catch {
                throw .unreachable(path: path, error)
            }
        }
    }

    /// Takes the place of a connection that has ended with a new one.
    private func reopen() throws(ClientError) {
        let link = try Self.open(address, timeout)
        program = link.program
        socket = link.keepSocket()
        input = LineBuffer(maxLength: .max)
        writer.removeAll()
        introduction.isSent = false
    }

    /// Buffers a request and returns its number, with which ``answer(to:whileWaiting:onNotification:)`` finds the
    /// result.
    ///
    /// The buffer is sent by the next flush or wait. Several requests in one buffer cost one write.
    public func request<Parameters: MethodParameters>(
        _ method: Method, _ parameters: Parameters
    ) -> RequestNumber {
        var parameters = parameters
        if parameters.language == nil { parameters.language = language }
        introduction.write(to: &writer, in: language)
        lastID += 1
        let start = writer.bytes.count
        writer.request(method, parameters) { $0.integer(lastID) }
        pending.add(lastID, method, line: Array(writer.bytes[start...]))
        return lastID
    }

    /// Sends what is buffered, waits for the answer to a request, and returns its `result`.
    ///
    /// Where the connection ends before the first byte of an answer, and all requests without one only read, they are
    /// sent once more on a new connection. The answer to another request that arrives meanwhile is kept until it is
    /// asked for. Each answer is returned once.
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
        var limit = TimeLimit(timeout)
        try flush(within: limit)
        if let index = answers.firstIndex(where: { $0.id == id }) {
            return try Self.result(of: answers.remove(at: index).document)
        }
        if isProlongedByParts { limit = TimeLimit(timeout) }
        let notify = onNotification.map { notify in
            { (notification: AnswerValue) in limit.pausing { notify(notification) } }
        }
        while true {
            if let lastError { return try Self.result(of: lastError) }
            guard let line = try lineOrEnd(within: limit, whileWaiting) else {
                try askAgain()
                if isProlongedByParts { limit = TimeLimit(timeout) }
                try flush(within: limit)
                continue
            }
            switch try accept(line, awaited: id, notify) {
            case .awaited(let document): return try Self.result(of: document)
            case .part where isProlongedByParts: limit = TimeLimit(timeout)
            case .part, .other: try limit.check()
            }
        }
    }

    /// The concern of a line.
    private enum Arrival {
        /// The answer that is awaited.
        case awaited(AnswerDocument)
        /// A part of that or of another answer.
        case part
        /// No request.
        case other
    }

    /// The next line; nil at the end of the connection, however it ended.
    private func lineOrEnd(
        within limit: TimeLimit, _ whileWaiting: (() -> Void)?
    ) throws(ClientError) -> [UInt8]? {
        do throws(ClientError) {
            return try line(within: limit, whileWaiting)
        } catch {
            if case .closed = error { return nil }
            throw error
        }
    }

    /// Sends the requests without an answer on a new connection, where that does no harm.
    ///
    /// - Throws: the error of the connection that has ended, or that of the new one.
    private func askAgain() throws(ClientError) {
        let failure = loss()
        guard case .closed = failure, input.count == 0, let lines = pending.beginRepeat() else { throw failure }
        try reopen()
        introduction.write(to: &writer, in: language)
        writer.raw(lines.dropLast())
        writer.newline()
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

    /// Reads one line, and keeps what is not awaited.
    private func accept(
        _ line: [UInt8], awaited: RequestNumber, _ onNotification: ((AnswerValue) -> Void)?
    ) throws(ClientError) -> Arrival {
        let (document, isExpected) = try read(line)
        let root = document.root
        if let id = root["id"]?.integer {
            if id == awaited { return .awaited(document) }
            // An answer that nobody asks for would be kept for ever.
            if isExpected { answers.append((id, document)) }
            return isExpected ? .part : .other
        }
        if root["method"] != nil {
            onNotification?(root)
            return isExpected ? .part : .other
        }
        guard root["error"] != nil else {
            throw .malformed(
                TranslatedText(
                    en: "the daemon sent what is no answer", pl: "demon przysłał coś, co nie jest odpowiedzią"))
        }
        lastError = document
        return .part
    }

    private static func result(of document: AnswerDocument) throws(ClientError) -> AnswerValue {
        if let result = document.root["result"] { return result }
        guard let error = document.root["error"] else {
            throw .malformed(
                TranslatedText(en: "the daemon's answer has no result", pl: "odpowiedź demona nie ma wyniku"))
        }
        throw .refused(Refusal(error))
    }
}

// Lines, out and in.

extension ClientConnection {
    /// Buffers a request line that the caller has written, without its newline; the next flush or wait sends it.
    public func send(line: [UInt8]) {
        introduction.write(to: &writer, in: language)
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
        while case .line(let range) = input.next() {
            let line = Array(input.bytes[range])
            if !introduction.isAnswered(by: line) { return line }
        }
        return nil
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

    private static var longLine: TranslatedText {
        let size = maxLine >> 20
        return TranslatedText(
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
