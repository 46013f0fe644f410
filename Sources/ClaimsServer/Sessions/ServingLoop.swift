// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore
import Glibc
import Synchronization

/// One event loop with its connections, and the buffers that they share one after the other.
///
/// Invariant behind the unchecked conformance: `loop` apart, every member that changes is touched on the thread of
/// the loop only; other threads reach it through ``perform(_:)``.
final class ServingLoop: @unchecked Sendable {
    let loop: EventLoop
    /// Its place in the team.
    let number: Int
    /// All loops; set before they run, and let go of once none runs any more.
    var team: LoopTeam?
    private(set) var limits: ServingLimits
    let context: ServingContext
    private let registry: ConnectionRegistry

    private var responder = Responder()
    private var isRelieving = false
    /// Connections that wait for their turn.
    private var waiting = FairQueue<Session>()
    private var isServing = false

    /// How long a turn of the loop serves whoever is ready before all others have to queue, in nanoseconds.
    private static let unqueued: UInt64 = 4_000_000
    /// How long the loop serves the queue before it looks for others, in nanoseconds.
    private static let slice: UInt64 = 1_000_000
    /// A turn that took less is not worth noting.
    private static let notable: UInt64 = 50_000
    /// How often stalled peers are looked for while there are too many of them.
    private static let reliefPause = Duration.seconds(1)

    init(number: Int, context: ServingContext, registry: ConnectionRegistry) throws(SystemError) {
        self.loop = try EventLoop(name: "serve-\(number)")
        self.number = number
        self.context = context
        self.limits = context.configuration.limits
        self.registry = registry
        loop.afterReports { [unowned self] in answerGathered() }
    }

    /// Runs `work` on the loop's thread, soon.
    func perform(_ work: @escaping @Sendable () -> Void) {
        loop.post(work)
    }

    /// Begins to serve a connection that has been admitted, or that another loop has let go of.
    func adopt(_ session: Session) {
        do throws(SystemError) {
            try loop.add(session.descriptor, .read, handler: session)
        } catch {
            return session.close()
        }
        // Who comes has most often asked already: there is no need to go round for that.
        let events = UnixSocket.readiness(of: session.descriptor)
        if !events.isEmpty { session.ready(events, on: loop) }
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

    // MARK: - Whose turn it is

    /// Since when a connection may be served that is ready: now, in nanoseconds of the monotonic clock; nil where others
    /// wait for their turns.
    var start: UInt64? {
        let now = Clocks.monotonic
        return waiting.isEmpty && now &- loop.now < Self.unqueued ? now : nil
    }

    /// Serves a connection that has something to be answered: now, or in its turn where others wait.
    func serve(_ session: Session) {
        if let start { give(session, at: start) } else { wait(session) }
    }

    /// Has a connection wait for its turn, once.
    func wait(_ session: Session) {
        guard !session.isWaiting else { return }
        session.isWaiting = true
        waiting.add(session, of: session.asker, at: Clocks.monotonic)
        serveSoon()
    }

    private func serveSoon() {
        guard !isServing else { return }
        isServing = true
        // What is posted comes after the events of a turn, and newcomers are among those.
        perform { [self] in
            isServing = false
            let start = Clocks.monotonic
            var now = start
            while now &- start < Self.slice, let (session, _) = waiting.next(at: now) {
                give(session, at: now)
                now = Clocks.monotonic
            }
            if !waiting.isEmpty { serveSoon() }
        }
    }

    private func give(_ session: Session, at start: UInt64) {
        session.isWaiting = false
        session.takeTurn()
        note(session, since: start)
    }

    /// Notes what a turn has cost, and sees whether the connection is served best here.
    func note(_ session: Session, since start: UInt64) {
        note(session, Clocks.monotonic &- start)
    }

    private func note(_ session: Session, _ time: UInt64) {
        if time >= Self.notable { waiting.charge(time, to: session.asker, at: Clocks.monotonic) }
        let wasHeavy = session.load.isHeavy
        guard session.isOpen, session.load.note(time), let team else { return }
        let isHeavy = session.load.isHeavy
        if isHeavy != wasHeavy { team.count(isHeavy ? 1 : -1, heavyOf: number) }
        guard session.isMovable,
            let place = team.place(isHeavy: isHeavy, token: session.token.load(ordering: .relaxed), now: number)
        else { return }
        release(session)
        loop.remove(session.descriptor)
        if isHeavy { team.count(1, heavyOf: place.number) }
        session.move(to: place)
    }

    /// Lets go of a connection that has closed.
    func forget(_ session: Session) {
        release(session)
        registry.forget(session)
    }

    private func release(_ session: Session) {
        waiting.forget(session.asker)
        if session.load.isHeavy { team?.count(-1, heavyOf: number) }
    }

    // MARK: - What a session borrows

    /// How many bytes of answers have not been handed to the kernel or to a queue.
    var pendingOutput: Int { responder.pending }

    /// Starts with empty buffers and a current clock and catalog.
    func beginTurn() {
        context.refresh()
    }

    /// Throws away what was written for a connection that is gone.
    func discardTurn() {
        responder.discard()
    }

    /// Receives what has come; it is put behind what waits to be read.
    func receive(_ socket: Int32, into input: inout LineBuffer) throws(SystemError) -> Transfer {
        try responder.receive(socket, into: &input)
    }

    /// Receives what has come where nothing waits to be read, and answers those lines that ask as one before did, or
    /// gathers them. What is left waits in `input` and `output`.
    ///
    /// - Returns: what was done; what was received is `closed` also where the peer takes no answers any more.
    func serve(
        _ session: Session, _ repeated: borrowing RepeatedDetail, _ input: inout LineBuffer,
        _ output: inout OutputQueue
    ) throws(SystemError) -> Responder.Reception {
        // Those that are gathered are one turn.
        if !responder.hasGathered { beginTurn() }
        return try responder.serve(
            session, repeated, &input, &output, longest: limits.line, gathers: loop.reports > 1, context)
    }

    /// Answers the requests that have been gathered.
    ///
    /// - Parameter waits: whether to wait for more while more may be gathered.
    func answerGathered(unlessFew waits: Bool = false) {
        guard waits ? responder.hasGatheredEnough : responder.hasGathered else { return }
        let start = Clocks.monotonic
        let requests = responder.takeGathered()
        var left: [Int] = []
        for index in requests.indices where !requests[index].session.answer(requests[index], self) {
            left.append(index)
        }
        let share = (Clocks.monotonic &- start) / UInt64(requests.count)
        // Whatever is noted may send a connection to another loop: it is the last that is done here.
        for index in requests.indices where !left.contains(index) { note(requests[index].session, share) }
        for index in left { serve(requests[index].session) }
        responder.reuse(requests)
    }

    /// Answers a gathered request, and sends what has been written.
    ///
    /// - Returns: whether it could be answered; otherwise its line is put behind what waits to be read.
    func answer(
        _ request: GatheredRequest, _ input: inout LineBuffer, _ output: inout OutputQueue
    ) throws(SystemError) -> Bool {
        guard responder.answer(request, context) else {
            input.append(responder.line(of: request))
            return false
        }
        if try !responder.send(request.session.descriptor, &output) { throw SystemError("send", errno: EPIPE) }
        return true
    }

    /// Sends what has been written, after what waits in the queue; what the peer does not take goes to the queue.
    ///
    /// - Returns: false where the peer is gone.
    func send(_ socket: Int32, _ queue: inout OutputQueue) throws(SystemError) -> Bool {
        try responder.send(socket, &queue)
    }

    // MARK: - Answering

    /// Answers one line, or begins the work that will.
    func answer(_ line: RawSpan, _ exchange: inout Exchange, _ session: Session) {
        responder.answer(line, depth: limits.depth, &exchange, session, context)
    }

    /// Answers lines that ask as one before did, but for another record each, from the beginning of what waits.
    func answer(_ repeated: RepeatedDetail, from input: inout LineBuffer) -> Bool {
        let taken = responder.answer(repeated, in: input.unread, longest: limits.line, context)
        input.consume(taken)
        return taken > 0
    }

    /// Writes the answer of work that went on elsewhere.
    func write(_ outcome: Disposition.Outcome, id: [UInt8]) {
        responder.write(outcome, id: id)
    }

    /// Writes an error; without an id it answers a line that was no request.
    func writeError(_ error: RequestError, id: [UInt8]?) {
        responder.write(error, id: id)
    }

    /// Writes the next part of a stream.
    ///
    /// - Returns: the outcome to answer with, once the stream has ended.
    func writePart(of stream: RecordStream, id: [UInt8]) -> Disposition.Outcome? {
        responder.writePart(of: stream, id: id, context)
    }
}
