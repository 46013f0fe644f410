// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// One event loop with its connections, and the buffers that they share one after the other.
///
/// Invariant behind the unchecked conformance: `loop` apart, every member that changes is touched on the thread of
/// the loop only; other threads reach it through ``perform(_:)``.
final class ServingLoop: @unchecked Sendable {
    let loop: EventLoop
    private(set) var limits: ServingLimits
    let context: ServingContext
    private let registry: ConnectionRegistry

    /// What the connection being served is about to be sent.
    private var outgoing = JSONWriter()
    private var incoming = [UInt8](repeating: 0, count: ServingLoop.receiveBytes)
    private var tape = JSONTape()
    private var isRelieving = false

    /// How many bytes one receive takes at most.
    static let receiveBytes = 1 << 16
    /// How many bytes of room the shared buffers keep.
    private static let kept = 1 << 20
    /// For how many nodes the shared tape keeps room.
    private static let keptNodes = 1 << 12
    /// How often stalled peers are looked for while there are too many of them.
    private static let reliefPause = Duration.seconds(1)

    init(name: String, context: ServingContext, registry: ConnectionRegistry) throws(SystemError) {
        self.loop = try EventLoop(name: name)
        self.context = context
        self.limits = context.configuration.limits
        self.registry = registry
    }

    /// Runs `work` on the loop's thread, soon.
    func perform(_ work: @escaping @Sendable () -> Void) {
        loop.post(work)
    }

    /// Begins to serve a connection that has been admitted.
    func adopt(_ session: Session) {
        do throws(SystemError) {
            try loop.add(session.descriptor, .read, handler: session)
        } catch {
            session.close()
        }
    }

    /// Applies another configuration; called on the loop's thread.
    func reconfigure(_ configuration: ServerConfiguration) {
        context.configuration = configuration
        limits = configuration.limits
    }

    /// The budgets that this loop's connections share with all others.
    var unsent: BufferBudget { registry.unsent }
    var unread: BufferBudget { registry.unread }

    /// Sees to it that the budget of unsent answers is relieved, soon, of peers that take nothing.
    func relieveSoon() {
        guard !isRelieving else { return }
        isRelieving = true
        loop.schedule(after: Self.reliefPause) { [self] in
            isRelieving = false
            guard unsent.isExhausted else { return }
            registry.relieve(now: Clocks.monotonic)
            relieveSoon()
        }
    }

    func forget(_ session: Session) {
        registry.forget(session)
    }

    // MARK: - What a session borrows

    /// How many bytes of answers have not been handed to the kernel or to a queue.
    var pendingOutput: Int { outgoing.bytes.count }

    /// Starts with empty buffers and a current clock and catalog.
    func beginTurn() {
        context.refresh()
    }

    /// Throws away what was written for a connection that is gone.
    func discardTurn() {
        outgoing.removeAll()
    }

    func receive(_ socket: Int32, into input: inout LineBuffer) throws(SystemError) -> Transfer {
        let transfer = try UnixSocket.receive(socket, into: &incoming, at: 0)
        if case .bytes(let count) = transfer { input.append(incoming, count: count) }
        return transfer
    }

    /// Sends what has been written, after what waits in the queue; what the peer does not take goes to the queue.
    ///
    /// - Returns: false where the peer is gone.
    func send(_ socket: Int32, _ queue: inout OutputQueue) throws(SystemError) -> Bool {
        var isGone = false
        func push(_ bytes: [UInt8], _ start: Int) throws(SystemError) -> Int {
            switch try UnixSocket.send(socket, bytes, from: start) {
            case .bytes(let count): return count
            case .wouldBlock: return 0
            case .closed:
                isGone = true
                return 0
            }
        }
        try queue.drain(push)
        var sent = 0
        if queue.count == 0 {
            while sent < outgoing.bytes.count {
                let count = try push(outgoing.bytes, sent)
                if count == 0 { break }
                sent += count
            }
        }
        if sent < outgoing.bytes.count { queue.append(outgoing.bytes, from: sent) }
        if outgoing.bytes.capacity > Self.kept {
            outgoing = JSONWriter()
        } else {
            outgoing.removeAll()
        }
        return !isGone
    }

    // MARK: - Answering

    /// Answers one line, or begins the work that will.
    func answer(_ line: RawSpan, session: Session) {
        defer {
            if tape.capacity > Self.keptNodes { tape = JSONTape() }
        }
        do throws(JSONError) {
            _ = try tape.parse(line, from: 0, depth: limits.depth, as: .document)
        } catch {
            let tooDeep = error.code == .tooDeep
            return writeError(
                RequestError(
                    .parseError, "the line is not JSON: \(error.message)",
                    hint: tooDeep ? "at most \(limits.depth) levels" : "send one JSON object a line, in UTF-8"), id: nil
            )
        }
        let envelope: RequestEnvelope
        do throws(RequestEnvelope.Failure) {
            envelope = try RequestEnvelope(tape, line)
        } catch {
            return writeError(error.error, id: error.id.map { bytes(of: $0, line) })
        }
        let node = tape[envelope.id]
        if session.isInFlight(line.extracting(node.start..<node.end)) {
            return writeError(
                RequestError(
                    .invalidRequest, "a request with this id is still in flight",
                    hint: "number the requests: 1, 2, 3"), id: bytes(of: envelope.id, line))
        }
        let start = outgoing.bytes.count
        appendPrefix(line.extracting(node.start..<node.end))
        do throws(RequestError) {
            let arguments = try Arguments(tape, line, object: envelope.params, method: envelope.method)
            let disposition = try RequestRouter.answer(
                envelope.method, arguments, session, context, to: &outgoing)
            if case .answered = disposition { return appendSuffix() }
            outgoing.removeAll(after: start)
            switch disposition {
            case .answered: break
            case .later(let cancellation, let begin):
                session.begin(bytes(of: envelope.id, line), cancellation: cancellation, start: begin)
            case .stream(let stream):
                session.begin(stream, id: bytes(of: envelope.id, line))
            }
        } catch {
            outgoing.removeAll(after: start)
            writeError(error, id: bytes(of: envelope.id, line))
        }
    }

    private func bytes(of node: Int, _ line: RawSpan) -> [UInt8] {
        var out: [UInt8] = []
        tape.appendSource(node, in: line, to: &out)
        return out
    }

    /// Writes the answer of work that went on elsewhere.
    func write(_ outcome: Disposition.Outcome, id: [UInt8]) {
        switch outcome {
        case .success(let result):
            appendPrefix(id.rawSpan)
            outgoing.bytes.append(contentsOf: result)
            appendSuffix()
        case .failure(let error): writeError(error, id: id)
        }
    }

    /// Writes an error; without an id it answers a line that was no request.
    func writeError(_ error: RequestError, id: [UInt8]?) {
        outgoing.bytes.append(contentsOf: error.line(id: id))
    }

    /// Writes the next part of a stream.
    ///
    /// - Returns: the outcome to answer with, once the stream has ended.
    func writePart(of stream: RecordStream, id: [UInt8]) -> Disposition.Outcome? {
        let start = outgoing.bytes.count
        outgoing.beginValue()
        do throws(RequestError) {
            switch try stream.next(context, id: id, to: &outgoing) {
            case .part:
                outgoing.newline()
                return nil
            case .end(let result): return .success(result)
            }
        } catch {
            outgoing.removeAll(after: start)
            return .failure(error)
        }
    }

    private func appendPrefix(_ id: RawSpan) {
        outgoing.bytes.append(contentsOf: Self.opening)
        // The span is valid for the call, and copied out of it.
        unsafe id.withUnsafeBytes { unsafe outgoing.bytes.append(contentsOf: $0) }
        outgoing.bytes.append(contentsOf: Self.resultMember)
        outgoing.beginValue()
    }

    private func appendSuffix() {
        outgoing.bytes.append(UInt8(ascii: "}"))
        outgoing.bytes.append(UInt8(ascii: "\n"))
    }

    private static let opening = Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8)
    private static let resultMember = Array(",\"result\":".utf8)
}
