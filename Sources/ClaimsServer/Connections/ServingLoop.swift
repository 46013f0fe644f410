// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import Synchronization

/// One event loop with its connections: it owns their time slices, and the buffers that they use one after the other.
///
/// Invariant behind the unchecked conformance: each member that changes is touched on the thread of `events` only, or
/// before it runs; other threads reach it through ``perform(_:)``, which uses nothing but `events`. Builds with
/// assertions check it. A lock would be locked for each answer, but no thread would ever wait for it. An actor gives
/// its state to one closure at a time, not to a whole time slice that calls in and out of connections.
final class ServingLoop: @unchecked Sendable {
    let events: EventLoop
    /// Its index in the team.
    let number: Int
    /// All loops. Invariant: set before they run and released when none runs any more, so that it never changes while
    /// two threads could see it.
    var team: LoopTeam?
    /// Invariant: confined to the loop's thread.
    private(set) var limits: ServingLimits
    let context: RequestContext
    let served: ServedCatalog
    /// The buffers of the connection that is served now. One access covers its whole time slice.
    /// Invariant: confined to the loop's thread.
    var buffers = LoopBuffers()
    /// The number of requests that this loop has answered.
    let answers: AnswerCounts.Counter
    private let registry: ConnectionRegistry<Connection>
    /// Invariant: confined to the loop's thread.
    private var isRelieving = false
    /// The connections that wait for a time slice. Invariant: confined to the loop's thread.
    private var queue = FairQueue<Connection>()
    /// Invariant: confined to the loop's thread.
    private var isServing = false

    init(number: Int, context: RequestContext, registry: ConnectionRegistry<Connection>) throws(SystemError) {
        events = try EventLoop(name: "serve-\(number)")
        self.number = number
        self.context = context
        served = context.served
        answers = context.answers.counter(of: number)
        limits = context.configuration.limits
        self.registry = registry
        events.afterReports { [unowned self] in answerGathered() }
    }

    /// Performs `work` on the loop's thread, soon; for any thread.
    func perform(_ work: @escaping @Sendable () -> Void) {
        events.post(work)
    }

    /// Begins to serve a connection that was admitted, or that another loop has released.
    func adopt(_ connection: Connection) {
        assert(events.isConfined)
        do throws(SystemError) {
            try events.add(connection.descriptor, .read, handler: connection)
        } catch {
            return connection.close()
        }
        // Most newcomers have already sent a request: it is answered without another tick.
        let ready = UnixSocket.readiness(of: connection.descriptor)
        if !ready.isEmpty { connection.ready(ready, on: events) }
    }

    /// Applies another configuration.
    func reconfigure(_ configuration: ServerConfiguration) {
        assert(events.isConfined)
        served.configuration = configuration
        limits = configuration.limits
    }

    // MARK: - Memory

    /// The use of the memory that all connections share.
    var pressure: MemoryPressure {
        MemoryPressure(isUnsentExhausted: isUnsentExhausted)
    }

    /// Whether the budget of unsent answers is used up.
    var isUnsentExhausted: Bool { registry.unsent.isExhausted }

    /// Adds a connection's change in unsent bytes; closes stalled connections later if the budget is used up.
    func changeUnsent(by bytes: Int) {
        registry.unsent.change(by: bytes)
        if bytes > 0, registry.unsent.isExhausted { relieveLater() }
    }

    /// Calls `action` once, as soon as the budget of unsent answers is not used up: on any thread, or at once.
    func whenUnsentRelieved(_ action: @escaping @Sendable () -> Void) {
        registry.unsent.whenRelieved(action)
    }

    /// Records the bytes that a connection holds of unread lines. Because of them another connection, or this one, may
    /// have to yield.
    func record(_ unread: LineLedger.Holding, of connection: Connection) {
        registry.record(unread, of: connection)
    }

    /// Whether a connection is to yield the half line that it holds now.
    func isYielding(_ connection: Connection) -> Bool { registry.isYielding(connection) }

    private func relieveLater() {
        guard !isRelieving else { return }
        isRelieving = true
        events.schedule(after: Self.reliefInterval) { [self] in
            isRelieving = false
            guard registry.unsent.isExhausted else { return }
            registry.relieve(now: SystemClock.monotonic)
            relieveLater()
        }
    }

    // MARK: - Time slices

    /// The start of a time slice that may begin at once, in nanoseconds of the monotonic clock; nil if connections wait in
    /// the queue, or the tick has lasted too long.
    var sliceStart: UInt64? {
        let now = SystemClock.monotonic
        return queue.isEmpty && now &- events.now < Self.maxUnqueuedTick ? now : nil
    }

    /// Serves a connection that has something to be answered: now, or from the queue if others wait.
    func serve(_ connection: Connection) {
        if let start = sliceStart { serve(connection, at: start) } else { enqueue(connection) }
    }

    /// Puts a connection into the queue, once.
    func enqueue(_ connection: Connection) {
        assert(events.isConfined)
        guard !connection.isQueued else { return }
        connection.isQueued = true
        queue.add(connection, of: connection.peer.requester, at: SystemClock.monotonic)
        serveQueueSoon()
    }

    private func serveQueueSoon() {
        guard !isServing else { return }
        isServing = true
        // Posted work follows the events of a tick, so that new connections are accepted first.
        perform { [self] in
            isServing = false
            let start = SystemClock.monotonic
            var now = start
            while now &- start < Self.maxQueueTime, let (connection, _) = queue.next(at: now) {
                serve(connection, at: now)
                now = SystemClock.monotonic
            }
            if !queue.isEmpty { serveQueueSoon() }
        }
    }

    private func serve(_ connection: Connection, at start: UInt64) {
        connection.isQueued = false
        connection.serveSlice()
        record(connection, since: start)
    }

    /// Records the time since `start` as a slice of a connection, and moves it to another loop if that is better.
    func record(_ connection: Connection, since start: UInt64) {
        record(connection, time: SystemClock.monotonic &- start)
    }

    private func record(_ connection: Connection, time: UInt64) {
        if time >= Self.minChargedTime {
            queue.charge(time, to: connection.peer.requester, at: SystemClock.monotonic)
        }
        let wasHeavy = connection.load.isHeavy
        guard connection.isOpen, connection.load.record(time), let team else { return }
        let isHeavy = connection.load.isHeavy
        if isHeavy != wasHeavy { team.changeHeavyCount(of: number, by: isHeavy ? 1 : -1) }
        guard connection.isMovable,
            let other = team.betterLoop(isHeavy: isHeavy, token: connection.token, current: number)
        else { return }
        release(connection)
        events.remove(connection.descriptor)
        if isHeavy { team.changeHeavyCount(of: other.number, by: 1) }
        connection.move(to: other)
    }

    /// Answers the requests that were gathered.
    ///
    /// - Parameter onlyIfFull: whether to wait for more requests while more can be gathered.
    func answerGathered(onlyIfFull: Bool = false) {
        guard buffers.hasGathered(onlyIfFull: onlyIfFull) else { return }
        let start = SystemClock.monotonic
        let requests = buffers.consumeGathered()
        var remaining: [Int] = []
        // A span lends its elements; an array would copy each, which retains its members.
        let span = requests.span
        for index in span.indices where !span[index].client.answer(span[index]) { remaining.append(index) }
        let share = (SystemClock.monotonic &- start) / UInt64(requests.count)
        // Recording may move a connection to another loop: nothing here touches it afterwards.
        for index in span.indices where !remaining.contains(index) { record(span[index].client, time: share) }
        for index in remaining { serve(span[index].client) }
        buffers.recycle(requests)
    }

    /// Releases a connection that has closed.
    func forget(_ connection: Connection) {
        assert(events.isConfined)
        release(connection)
        registry.forget(connection)
    }

    private func release(_ connection: Connection) {
        queue.forget(connection.peer.requester)
        if connection.load.isHeavy { team?.changeHeavyCount(of: number, by: -1) }
    }

    /// The duration of a tick during which connections are served without the queue, in nanoseconds.
    private static let maxUnqueuedTick: UInt64 = 4_000_000
    /// The time for which the queue is served before the next tick, in nanoseconds.
    private static let maxQueueTime: UInt64 = 1_000_000
    /// The duration of a slice from which on it is charged to its requester, in nanoseconds.
    private static let minChargedTime: UInt64 = 50_000
    /// The time between two searches for stalled peers while the budget of unsent answers is used up.
    private static let reliefInterval = Duration.seconds(1)
}

/// All loops of the server. Safe on any thread.
final class LoopTeam: Sendable {
    let loops: [ServingLoop]
    private let balance: Mutex<LoopBalance>

    init(_ loops: [ServingLoop]) {
        self.loops = loops
        balance = Mutex(LoopBalance(loops: loops.count))
    }

    /// The loop of a new connection.
    func firstLoop(token: UInt64) -> ServingLoop { loops[balance.withLock { $0.firstLoop(token: token) }] }

    /// Adds `change` to the number of heavy connections on a loop.
    func changeHeavyCount(of number: Int, by change: Int) {
        balance.withLock { $0.changeHeavyCount(of: number, by: change) }
    }

    /// The loop that a connection on loop `current` should move to; nil if it should stay.
    func betterLoop(isHeavy: Bool, token: UInt64, current: Int) -> ServingLoop? {
        balance.withLock { $0.betterLoop(isHeavy: isHeavy, token: token, current: current) }.map { loops[$0] }
    }
}
