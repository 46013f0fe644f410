// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import Synchronization

/// One connection: cuts what comes into lines, has each answered in turn, and sends the answers.
///
/// Invariant behind the unchecked conformance: the atomics apart, every member is touched on the thread of its
/// loop only; other threads reach a session through ``ServingLoop/perform(_:)``.
final class Session: EventHandler, @unchecked Sendable {
    let peer: PeerCredentials
    let roles: RoleSet
    /// Its number in the registry.
    let token = Atomic<UInt64>(0)
    /// Since when no line has come whole and the peer has taken nothing, in nanoseconds of the monotonic clock; 0
    /// while a request is in flight.
    let idleSince: Atomic<UInt64>
    /// Whether a whole line has ever come.
    let hasAsked = Atomic<Bool>(false)
    /// How many bytes of answers the peer has not taken, and may still get.
    let heldBack = Atomic<Int>(0)

    private let socket: FileDescriptor
    /// The loop lets go of a session when that closes, which ends this circle.
    private let owner: ServingLoop
    private let limits: ServingLimits
    private var input: LineBuffer
    private var output = OutputQueue()
    private(set) var inFlight: [InFlight] = []
    private var streams: [RecordStream] = []
    /// The ids of requests taken back, which wait for their answers.
    private var cancelled: [[UInt8]] = []
    private var nextWork: UInt64 = 1
    private var hasPeerFinished = false
    /// The peer reads no more: only what has an effect is still done.
    private(set) var isPeerGone = false
    private var isClosed = false
    /// Whether it waits for its turn; the loop's business.
    var isWaiting = false
    /// Whether the connection failed, and ends after its turn.
    private var hasFailed = false
    /// What the budgets know of.
    private var countedUnread = 0
    /// Whether a line came whole, or the peer took something, since the last time it was noted.
    private var hasProgressed = false
    private var interest: EventMask = .read

    init(_ socket: consuming FileDescriptor, peer: PeerCredentials, roles: RoleSet, owner: ServingLoop) {
        self.socket = socket
        self.peer = peer
        self.roles = roles
        self.owner = owner
        self.limits = owner.limits
        self.input = LineBuffer(longest: owner.limits.line)
        self.idleSince = Atomic(Clocks.monotonic)
    }

    /// Who is served, as far as the turns go.
    var asker: Asker { Asker(process: peer.pid, connection: token.load(ordering: .relaxed)) }

    /// The descriptor's number, for registering with the loop.
    var descriptor: Int32 { socket.raw }

    /// Refuses where the peer lacks a role.
    ///
    /// - Parameter action: what the role is needed for, for the sentence.
    func require(_ role: Role, for action: String) throws(RequestError) {
        guard !roles.has(role) else { return }
        throw RequestError(
            .forbidden, "\(action) needs the role '\(role.rawValue)', which your user does not have",
            hint: "an administrator grants it in claimsd.json5, under roles",
            details: [RequestError.detail("role", role.rawValue)])
    }

    // MARK: - Events

    func ready(_ events: EventMask, on loop: EventLoop) {
        if events.contains(.hangUp) { isPeerGone = true }
        if events.contains(.write) { flush() }
        if events.contains(.error) { hasFailed = true }
        // What is there is reported again and again until it is taken.
        if isClosed || isWaiting && !isPeerGone && !hasFailed { return }
        if events.contains(.read) || events.contains(.hangUp) { receive() }
        if isClosed { return }
        // Of who is gone there is little to do, and nobody to wait for it.
        if isPeerGone || hasFailed { takeTurn() } else { owner.serve(self) }
    }

    /// Answers what came; called by the loop when it is this connection's turn.
    func takeTurn() {
        advance()
        // Nobody is left to read an answer, and the hang-up would be reported again at once. Of what came before it,
        // and could be started, what has an effect has been done.
        if isPeerGone || hasFailed { close() }
    }

    /// Ends the connection because its place is needed; called on any thread.
    ///
    /// It counted as idle, but a request may have come meanwhile: what is there is answered first.
    func makeRoom() {
        owner.perform { [self] in
            if !isClosed { isPeerGone = UnixSocket.hasHungUp(socket.raw) }
            if !isClosed { receive() }
            if !isClosed { advance() }
            close()
        }
    }

    /// Stops receiving; the connection ends once what came is answered and sent, also what the kernel still holds.
    /// Called on any thread.
    func windDown() {
        owner.perform { [self] in
            receive()
            hasPeerFinished = true
            advance()
        }
    }

    private func receive() {
        guard !isClosed, !hasPeerFinished, canStart else { return }
        do throws(SystemError) {
            for _ in 0..<Self.receivesPerTurn {
                switch try owner.receive(socket.raw, into: &input) {
                case .bytes(let count): if count < ServingLoop.receiveBytes { return }
                case .wouldBlock: return
                case .closed:
                    hasPeerFinished = true
                    return
                }
                count()
                if input.count > limits.line || input.hasLine { return }
            }
        } catch {
            close()
        }
    }

    /// Answers lines until there is none, no further one may start, or others should have their turn.
    private func advance() {
        guard !isClosed else { return }
        owner.beginTurn()
        let deadline = Clocks.monotonic &+ Self.turn
        serving: while canStart {
            switch input.next() {
            case .incomplete:
                refuseLongLine()
                break serving
            case .tooLong:
                owner.writeError(
                    RequestError(
                        .tooLarge, "a line is longer than \(limits.line) bytes",
                        hint: "split the request; the rest of that line was skipped"), id: nil)
            case .line(let range):
                hasProgressed = true
                answer(range)
            }
            if owner.pendingOutput >= (owner.unsent.isExhausted ? 1 : Self.flushAt) { flush() }
            if isClosed { return }
            if Clocks.monotonic >= deadline, input.mayHoldLine {
                owner.wait(self)
                break
            }
        }
        continueStreams()
        flush()
        settle()
    }

    /// Gives up a line that has begun where all connections together wait for too much.
    private func refuseLongLine() {
        guard input.count > BufferBudget.share, owner.unread.isExhausted else { return }
        input.abandonLine()
        owner.writeError(
            RequestError(
                .busy, "too much waits to be read, and this line is long",
                hint: "send it again later; the rest of it is skipped",
                details: [RequestError.detail("retry_after_ms", 1_000)]), id: nil)
    }

    private func answer(_ range: Range<Int>) {
        hasAsked.store(true, ordering: .relaxed)
        // The array is held here, so that the line stays put whatever the handler does with the session.
        let bytes = input.bytes
        owner.answer(bytes.rawSpan.extracting(range), session: self)
        if !cancelled.isEmpty { answerCancelled() }
    }

    // MARK: - Work that goes on elsewhere

    /// Whether a request with that id is not answered yet.
    func isInFlight(_ id: RawSpan) -> Bool {
        !inFlight.isEmpty && inFlight.contains { ByteComparison.areEqual(id, $0.id) }
    }

    /// Notes a request whose answer comes later, and begins the work.
    func begin(
        _ id: [UInt8], cancellation: Cancellation?,
        start: (@escaping @Sendable (Disposition.Outcome) -> Void) -> Void
    ) {
        let work = nextWork
        nextWork += 1
        inFlight.append(InFlight(id: id, token: work, cancellation: cancellation))
        let owner = owner
        start { [self] outcome in
            owner.perform { [self] in complete(work, outcome) }
        }
    }

    /// Notes a stream, whose parts are sent as the peer takes them.
    func begin(_ stream: RecordStream, id: [UInt8]) {
        let work = nextWork
        nextWork += 1
        inFlight.append(InFlight(id: id, token: work, cancellation: stream.cancellation))
        stream.work = work
        streams.append(stream)
    }

    private func complete(_ work: UInt64, _ outcome: Disposition.Outcome) {
        guard !isClosed, let index = inFlight.firstIndex(where: { $0.token == work }) else { return }
        let id = inFlight.remove(at: index).id
        owner.beginTurn()
        owner.write(outcome, id: id)
        flush()
        if !isClosed { owner.serve(self) }
    }

    /// Takes a request back: it answers `cancelled`.
    func cancel(_ id: [UInt8]) throws(RequestError) {
        guard let index = inFlight.firstIndex(where: { $0.id == id }) else {
            throw RequestError(.notFound, "no request with this id is in flight")
        }
        guard let cancellation = inFlight[index].cancellation else {
            throw RequestError(
                .conflict, "that request is a change that is being written, and cannot be taken back",
                hint: "wait for its answer")
        }
        cancellation.cancel()
        let entry = inFlight.remove(at: index)
        streams.removeAll { $0.work == entry.token }
        cancelled.append(entry.id)
    }

    /// Answers the requests that the one just answered has taken back.
    private func answerCancelled() {
        for id in cancelled {
            owner.write(.failure(RequestError(.cancelled, "the request was cancelled")), id: id)
        }
        cancelled = []
    }

    private func continueStreams() {
        while let stream = streams.first, unsent < Self.flushAt {
            guard let index = inFlight.firstIndex(where: { $0.token == stream.work }) else {
                streams.removeFirst()
                continue
            }
            if let outcome = owner.writePart(of: stream, id: inFlight[index].id) {
                let id = inFlight.remove(at: index).id
                streams.removeFirst()
                owner.write(outcome, id: id)
            }
            flush()
            if isClosed { return }
        }
    }

    // MARK: - Sending

    private var unsent: Int { output.count + owner.pendingOutput }

    private var canStart: Bool {
        if owner.unsent.isExhausted { return inFlight.isEmpty && output.count == 0 }
        return inFlight.count < limits.inFlight && output.count < limits.unsent
    }

    /// Tells the budgets what this connection holds back.
    private func count() {
        let unsent = isClosed ? 0 : output.count + inFlight.count * BufferBudget.share
        let change = unsent - heldBack.exchange(unsent, ordering: .relaxed)
        if change != 0 { owner.unsent.change(by: change) }
        if change > 0, owner.unsent.isExhausted { owner.relieveSoon() }
        let unread = isClosed ? 0 : input.count
        if unread != countedUnread { owner.unread.change(by: unread - countedUnread) }
        countedUnread = unread
    }

    private func flush() {
        guard !isClosed else { return }
        do throws(SystemError) {
            let waiting = output.count
            if try !owner.send(socket.raw, &output) { return close() }
            if output.count < waiting { hasProgressed = true }
        } catch {
            return close()
        }
        count()
    }

    private func settle() {
        guard !isClosed else { return }
        let hasLines = canStart && input.mayHoldLine
        if hasPeerFinished, !hasLines, inFlight.isEmpty, output.count == 0 { return close() }
        var wanted: EventMask = []
        if !hasPeerFinished, canStart { wanted.insert(.read) }
        if output.count > 0 { wanted.insert(.write) }
        if wanted != interest {
            interest = wanted
            do throws(SystemError) {
                try owner.loop.modify(socket.raw, wanted)
            } catch {
                return close()
            }
        }
        if !inFlight.isEmpty {
            idleSince.store(0, ordering: .relaxed)
        } else if hasProgressed || idleSince.load(ordering: .relaxed) == 0 {
            idleSince.store(Clocks.monotonic, ordering: .relaxed)
        }
        hasProgressed = false
    }

    /// Ends the connection at once.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        for request in inFlight { request.cancellation?.cancel() }
        inFlight = []
        streams = []
        count()
        owner.discardTurn()
        owner.loop.remove(socket.raw)
        owner.forget(self)
    }

    /// How many times one event receives, before others have their turn.
    private static let receivesPerTurn = 4
    /// How long one connection is served before others have their turn, in nanoseconds.
    private static let turn: UInt64 = 1_000_000
    /// At how many bytes answers are sent although more lines wait.
    private static let flushAt = 1 << 17
}
