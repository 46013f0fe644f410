// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsPlatform
public import ClaimsStore
import ClaimsUpstream
import Synchronization

/// Sends what was written to upstreams, each operation in its turn, and notes what became of it.
///
///     let outbox = OutboxSender(services, warn: 3_600_000)
///     try outbox.start()
///     outbox.stop(grace: .seconds(2))
///
/// A thread of its own decides, and each origin has two threads for its requests, so that none delays another. Every call
/// may be made on any thread; `stop` waits for requests to end, so it does not belong on a serving loop.
public final class OutboxSender: Sendable {
    /// How long the schedule may be idle before it looks at the clock again.
    static let maxIdle = Duration.seconds(60)
    /// The time until an operation is looked at again that could not be noted, in milliseconds.
    static let noteInterval: Int64 = 5000
    /// The time until an outcome that could not be committed is tried again, in milliseconds.
    static let commitInterval: Int64 = 1000
    /// The longest time until an operation whose host is not to be asked is looked at again, in milliseconds: the limits
    /// may be others then.
    static let maxHoldUp: Int64 = 300_000

    /// An outcome that is not committed yet.
    struct Unsaved: Sendable {
        var id: OperationID
        var signal: OriginSignal?
        var decide: @Sendable (Operation) -> Operation?
    }

    struct State: Sendable {
        var queue = SendingQueue()
        /// The operations that were taken in last, in the order of their commits.
        var adopted: [Operation] = []
        var confirmations = ConfirmationSchedule()
        var steps = ClockSteps()
        var warning: WaitingWarning
        var unsaved: [Unsaved] = []
        var nextCommit: Int64 = 0
        var progress: [OperationID: SendingAttempt.Progress] = [:]
        var cancellations: [OperationID: HTTPCancellation] = [:]
        /// Ends of waits for hosts.
        var waits: [OperationID: HTTPCancellation] = [:]
        var lastAttempt: Int64 = 0
        var isStopping = false
        /// Whether something could not be stored, and nothing has been since.
        var isStarved = false
        /// Whether the clock has gone back, and the keys of operations are not marked yet. Nothing begins then.
        var isDistrusting = false
        /// Counts what may have changed a due time.
        var changes: UInt64 = 0
    }

    /// The findings of one round of the schedule.
    private struct Round {
        var starts: [SendingQueue.Start] = []
        /// The time of the next round at the latest; nil: after ``maxIdle``.
        var next: Int64?
        var refreshes: [String] = []
        var warning: WaitingWarning.Finding?
    }

    let services: OutboxServices
    let state: Monitor<State>
    private let workers = Mutex<[String: WorkerPool]>([:])
    private let scheduler = Mutex<WorkerPool?>(nil)
    private let tickCount = Atomic<UInt64>(0)

    /// - Parameter warn: the time after which operations that wait are told, in milliseconds.
    public init(_ services: OutboxServices, warn: Int64) {
        self.services = services
        state = Monitor(State(warning: WaitingWarning(span: warn)))
    }

    /// Takes up what a process before this one has left, and starts the schedule.
    ///
    /// An operation that was being sent counts as sent and unanswered.
    public func start() throws(OutboxError) {
        do throws(StoreError) {
            let lastAttempt = try services.store.lastAttempt()
            let operations = services.store.unsettledOperations
            let now = services.clock.now()
            let maker = services.maker
            let interrupted = operations.filter { $0.state == .sending }.map(\.id)
            let distrusted = operations.filter { now < $0.delivery.keyUse?.last ?? .min }.map(\.id)
            if !interrupted.isEmpty || !distrusted.isEmpty {
                _ = try services.store.changeOperations { lookup in
                    var changed: [OperationID: Operation] = [:]
                    for id in distrusted { changed[id] = lookup(id)?.distrustingClock }
                    for id in interrupted {
                        guard let operation = changed[id] ?? lookup(id), operation.state == .sending else { continue }
                        changed[id] = Self.interrupted(operation, maker, now: now)
                    }
                    return changed.values.sorted { $0.number < $1.number }
                }
            }
            state.update { $0.lastAttempt = lastAttempt }
            services.store.observe { [weak self] in self?.look() }
            look()
        } catch {
            throw .store(error)
        }
        do throws(SystemError) {
            let pool = try WorkerPool(name: "outbox", threads: 1)
            pool.post { [weak self] in
                while let self, self.tick() {}
            }
            scheduler.withLock { $0 = pool }
        } catch {
            throw .system(error)
        }
    }

    /// An operation that was being sent: the rules in force decide whether it is sent again.
    private static func interrupted(_ operation: Operation, _ maker: any RequestMaker, now: Int64) -> Operation {
        var rules = SendingRules(method: "", url: "")
        if case .ready(let request) = maker.request(of: operation, over: nil) { rules = request.rules }
        return OutcomeTable(rules, now: now, random: RandomBytes.integer()).interrupted(operation)
    }

    /// Begins nothing more, and ends: requests under way have `grace` to be answered, and are cancelled then.
    public func stop(grace: Duration) {
        state.update {
            $0.isStopping = true
            $0.changes += 1
        }
        scheduler.withLock { $0.take() }?.stop()
        // Of those that wait for their hosts nothing was sent.
        for wait in state.read({ Array($0.waits.values) }) { wait.cancel() }
        _ = state.wait(upTo: grace) { $0.queue.isIdle ? true : nil }
        for cancellation in state.read({ Array($0.cancellations.values) }) { cancellation.cancel() }
        let pools = workers.withLock { pools in
            defer { pools = [:] }
            return pools
        }
        for pool in pools.values { pool.stop() }
        commitUnsaved(now: .max)
    }

    /// The rounds of the schedule so far: ``wake()`` makes one more while it is well.
    public var ticks: UInt64 { tickCount.load(ordering: .relaxed) }

    /// Has the schedule go round once, because the clock was set, or to see that it is not stuck.
    public func wake() { state.update { $0.changes += 1 } }

    // MARK: - The schedule

    /// One round: begins what is due, and waits for what comes next. False once it is over.
    private func tick() -> Bool {
        tickCount.add(1, ordering: .relaxed)
        let now = services.clock.now()
        let seen = state.read { $0.changes }
        let isSteady = state.update {
            !$0.steps.look(wall: now, sinceBoot: Int64(SystemClock.sinceBoot / 1_000_000))
        }
        if !isSteady || state.read({ $0.isDistrusting }) { distrustKeys() }
        commitUnsaved(now: now)
        let maker = services.maker
        let round = state.update(waking: .none) { state -> Round in
            guard !state.isStopping else { return Round() }
            guard !state.isDistrusting else { return Round(next: now + Self.commitInterval) }
            let (starts, due) = state.queue.begin(now: now, origin: maker.origins())
            let lanes = state.queue.lanes
            let refreshes = state.confirmations.take(now: now) { name in
                lanes.hasAccepted(in: name) ? maker.interval(of: name) : nil
            }
            var next = due
            for time in [state.confirmations.next, state.unsaved.isEmpty ? nil : state.nextCommit] {
                next = [next, time].compactMap(\.self).min()
            }
            return Round(
                starts: starts, next: next, refreshes: refreshes,
                warning: state.warning.look(at: lanes, now: now))
        }
        for start in round.starts { begin(start) }
        for name in round.refreshes { services.refresher.refreshSoon(name) }
        if let warning = round.warning { services.report(.waiting(count: warning.count, oldest: warning.oldest)) }
        let wait = min(round.next.map { max(1, $0 - now) } ?? .max, Self.maxIdle.wholeMilliseconds)
        return state.wait(upTo: .milliseconds(wait)) { state -> Bool? in
            state.isStopping || state.changes != seen ? !state.isStopping : nil
        } ?? true
    }

    private func begin(_ start: SendingQueue.Start) {
        guard let pool = pool(start.origin ?? "") else { return postpone(start.operation.id) }
        pool.post { [self] in attempt(start.operation) }
    }

    /// The threads for the requests to an origin; nil where there are none to be had.
    private func pool(_ origin: String) -> WorkerPool? {
        workers.withLock { pools in
            if let pool = pools[origin] { return pool }
            guard !state.read({ $0.isStopping }) else { return nil }
            let pool = try? WorkerPool(
                name: "send", threads: OriginState.maxRequests, urgency: .background)
            pools[origin] = pool
            return pool
        }
    }

    private func attempt(_ operation: Operation) {
        let (cancellation, waits) = (HTTPCancellation(), HTTPCancellation())
        let isStopping = state.update(waking: .none) { state in
            state.cancellations[operation.id] = cancellation
            state.waits[operation.id] = waits
            return state.isStopping
        }
        defer {
            state.update {
                $0.cancellations[operation.id] = nil
                $0.waits[operation.id] = nil
            }
        }
        if isStopping { return postpone(operation.id) }
        let lane = state.read { $0.queue.lanes.lane(of: operation.record, in: operation.collection) }
        let attempt = SendingAttempt(
            store: services.store, maker: services.maker, writer: services.writer, access: services.access,
            clock: services.clock, cancellation: cancellation, waits: waits,
            earlier: lane.filter { $0.number < operation.number },
            progress: { [self] progress in state.update(waking: .none) { $0.progress[operation.id] = progress } })
        let end = attempt.run(operation) { () throws(StoreError) -> Int64 in
            state.update(waking: .none) { state in
                state.lastAttempt += 1
                return state.lastAttempt
            }
        }
        state.update(waking: .none) { $0.progress[operation.id] = nil }
        switch end {
        case .decided(let signal, let decide):
            commit(Unsaved(id: operation.id, signal: signal, decide: decide))
        case .overtaken: postpone(operation.id)
        case .heldUp(let until): postpone(operation.id, until: until)
        case .notNoted(let error):
            services.report(.notNoted(error))
            state.update(waking: .none) { $0.isStarved = true }
            postpone(operation.id)
        }
    }

    private func postpone(_ id: OperationID, until: Int64? = nil) {
        let now = services.clock.now()
        let time = until.map { min(max($0, now), now + Self.maxHoldUp) } ?? now + Self.noteInterval
        state.update {
            $0.queue.postpone(id, until: time)
            $0.changes += 1
        }
    }
}

/// A failure to start.
public enum OutboxError: Error, Equatable {
    case store(StoreError)
    case system(SystemError)
}
