// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import ClaimsStore
import ClaimsUpstream
import Synchronization

/// Sends writes to upstreams, each operation after the operations before it, and records the outcome.
///
///     let outbox = OutboxSender(services, warn: 3_600_000)
///     try outbox.start()
///     outbox.stop(grace: .seconds(2))
///
/// A thread of its own decides, and each origin has two threads for its requests, so that no origin delays another.
/// Every call may be made on any thread; `stop` waits for requests to end, so it does not belong on a serving loop.
public final class OutboxSender: Sendable {
    /// The maximal time that the schedule may be idle before it reads the clock again.
    private static let maxIdle = Duration.seconds(60)
    /// The time until an operation is tried again that could not be recorded, in milliseconds.
    private static let recordInterval: Int64 = 5000
    /// The time until an outcome that could not be committed is tried again, in milliseconds.
    private static let commitInterval: Int64 = 1000
    /// The longest time until an operation that was held up because of its host is tried again, in milliseconds: the
    /// limits may have changed by then.
    private static let maxHoldUp: Int64 = 300_000

    /// An outcome that is not committed yet.
    private struct Unsaved: Sendable {
        var id: OperationID
        var signal: OriginSignal?
        var decide: @Sendable (Operation) -> Operation?
    }

    private struct State: Sendable {
        var queue = SendingQueue()
        /// The operations that were taken in last, in the order of their commits.
        var adopted: [Operation] = []
        var confirmations = ConfirmationSchedule()
        var steps = ClockSteps()
        var warning: WaitingWarning
        var unsaved: [Unsaved] = []
        var nextCommit: Int64 = 0
        var progress: [OperationID: SendingProgress] = [:]
        var cancellations: [OperationID: HTTPCancellation] = [:]
        /// Ends of waits for hosts.
        var waits: [OperationID: HTTPCancellation] = [:]
        var lastAttempt: Int64 = 0
        var isStopping = false
        /// Whether something could not be stored, and nothing has been since.
        var isStarved = false
        /// Whether the clock has gone back, and the keys of operations are not marked yet. Nothing begins then.
        var isDistrusting = false
        /// Counts the changes that may have moved a due time.
        var changes: UInt64 = 0

        /// Adopts all unsettled operations as they are published. False if nothing has changed.
        mutating func adopt(_ operations: [Operation], now: Int64) -> Bool {
            var changed: [Operation] = []
            var gone: Set<OperationID> = []
            // Both are in the order of their commits. Almost all are the same, and are not inspected.
            var index = 0
            for operation in operations {
                while index < adopted.count, adopted[index].number < operation.number {
                    gone.insert(adopted[index].id)
                    index += 1
                }
                if index < adopted.count, adopted[index].number == operation.number {
                    index += 1
                    if adopted[index - 1].isCopy(of: operation) { continue }
                }
                if queue.lanes[operation.id] != operation { changed.append(operation) }
            }
            for operation in adopted[index...] { gone.insert(operation.id) }
            adopted = operations
            gone.subtract(changed.map(\.id))
            for operation in changed where operation.state == .accepted {
                if queue.lanes[operation.id]?.state != .accepted {
                    confirmations.accept(operation.collection, now: now)
                }
            }
            queue.replace(changed)
            queue.remove(gone)
            return !changed.isEmpty || !gone.isEmpty
        }
    }

    /// The findings of one round of the schedule.
    private struct Round {
        var starts: [SendingQueue.Start] = []
        /// The time of the next round at the latest; nil: after ``maxIdle``.
        var next: Int64?
        var refreshes: [String] = []
        var warning: WaitingWarning.Finding?
    }

    private let services: OutboxServices
    private let state: Monitor<State>
    private let workers = Mutex<[String: WorkerPool]>([:])
    private let scheduler = Mutex<WorkerPool?>(nil)
    private let tickCount = Atomic<UInt64>(0)

    /// - Parameter warn: the time after which operations that wait are reported, in milliseconds.
    public init(_ services: OutboxServices, warn: Int64) {
        self.services = services
        state = Monitor(State(warning: WaitingWarning(span: warn)))
    }

    /// Continues the work that an earlier process has left, and starts the schedule.
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
            services.store.observe { [weak self] in self?.adoptOperations() }
            adoptOperations()
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
        var rules = SendingRules(method: .get, url: "")
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
        // Operations that wait for their hosts have sent nothing.
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

    /// Makes the schedule run one round, because the clock was set, or to check that it does not hang.
    public func wake() { state.update { $0.changes += 1 } }

    // MARK: - The schedule

    /// One round: begins the due operations, and waits for the next ones. Returns false once the sender has stopped.
    private func tick() -> Bool {
        tickCount.add(1, ordering: .relaxed)
        let now = services.clock.now()
        let seen = state.read { $0.changes }
        let isSteady = state.update {
            !$0.steps.observe(wall: now, sinceBoot: SystemClock.millisecondsSinceBoot)
        }
        if !isSteady || state.read({ $0.isDistrusting }) { distrustKeys() }
        commitUnsaved(now: now)
        let maker = services.maker
        let round = state.update(waking: .none) { state -> Round in
            guard !state.isStopping else { return Round() }
            guard !state.isDistrusting else { return Round(next: now + Self.commitInterval) }
            let (starts, due) = state.queue.begin(now: now, origin: maker.origins())
            let lanes = state.queue.lanes
            let refreshes = state.confirmations.consumeDue(now: now) { name in
                lanes.hasAccepted(in: name) ? maker.interval(of: name) : nil
            }
            var next = due
            for time in [state.confirmations.next, state.unsaved.isEmpty ? nil : state.nextCommit] {
                next = [next, time].compactMap(\.self).min()
            }
            return Round(
                starts: starts, next: next, refreshes: refreshes,
                warning: state.warning.finding(in: lanes, now: now))
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

    /// The threads for the requests to an origin; nil if no thread can be started.
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
        case .unrecorded(let error):
            services.report(.unrecorded(error))
            state.update(waking: .none) { $0.isStarved = true }
            postpone(operation.id)
        }
    }

    private func postpone(_ id: OperationID, until: Int64? = nil) {
        let now = services.clock.now()
        let time = until.map { min(max($0, now), now + Self.maxHoldUp) } ?? now + Self.recordInterval
        state.update {
            $0.queue.postpone(id, until: time)
            $0.changes += 1
        }
    }

    /// Adopts the published operations. The outbox learns of operations only here, so that it never falls behind.
    private func adoptOperations() {
        let now = services.clock.now()
        state.update { state in
            // This is within the lock, so that the later of two calls sees the newer operations.
            if state.adopt(services.store.unsettledOperations, now: now) { state.changes += 1 }
        }
    }

    /// Records that a refresh got an answer of that origin: operations that failed before are due.
    public func refreshSucceeded(at origin: String) {
        let now = services.clock.now()
        let event = state.update { state in
            state.changes += 1
            return state.queue.succeed(origin, now: now)
        }
        report(event, of: origin)
    }

    /// Takes another configuration into use: each origin that is paused is probed at once.
    public func configure(warn: Int64) {
        let now = services.clock.now()
        state.update {
            $0.warning.span = warn
            $0.queue.probe(now: now)
            $0.changes += 1
        }
    }

    /// The health of the origins that are paused, or that failed again and again.
    public var troubledOrigins: [TroubledOrigin] {
        let now = services.clock.now()
        return state.read { state in
            state.queue.origins.compactMap { name, origin in
                origin.trouble.map {
                    TroubledOrigin(
                        origin: name, since: $0.since, reason: origin.pause?.reason, nextTry: max($0.nextProbe, now))
                }
            }.sorted { $0.origin < $1.origin }
        }
    }

    /// The time before which an operation that waits is not sent, in milliseconds since 1970; nil if it is due, or is
    /// being sent.
    public func nextTry(of operation: Operation) -> Int64? {
        let origin = services.maker.origin(of: operation)
        let now = services.clock.now()
        return state.read { $0.queue.nextTry(of: operation, at: origin, now: now) }
    }

    /// The progress of sending an operation's request; nil if none is under way.
    public func progress(of id: OperationID) -> SendingProgress? {
        state.read { $0.progress[id] }
    }

    /// The outcome of a person's decision about an operation.
    public enum DecisionOutcome: Sendable, Equatable {
        /// The operations that changed, as they are now.
        case changed([Operation])
        /// It does not allow it, or not to this caller.
        case refused(OutboxReply.Refused)
        /// There is no such unsettled operation.
        case missing
    }

    /// Performs a person's decision about an operation, in one transaction.
    ///
    /// - Throws: an error of the store; then nothing has changed.
    public func decide(
        _ change: DecidedChange, about id: OperationID, by caller: OutboxCaller
    ) throws(StoreError) -> DecisionOutcome {
        let isRetry = change.decision == .retry || change.decision == .correct
        let lanes = state.read { $0.queue.lanes }
        let now = services.clock.now()
        let related = lanes.operations.map(\.id)
        let found = Monitor<DecisionOutcome>(.missing)
        let changed = try services.store.changeOperations { lookup in
            guard let operation = lookup(id) else { return [] }
            var current = Lanes()
            // Only a create that is given up concerns others.
            if change.decision == .drop, operation.action == .create {
                current.replace(related.compactMap { lookup($0) })
            }
            guard caller.mayChange(operation) else {
                found.update { $0 = .refused(OutboxReply.Refused(id, operation.state)) }
                return []
            }
            guard let changed = change.apply(to: operation, by: caller, among: current, now: now) else {
                let resolutions = isRetry ? DecisionFacts(operation).resolutions : []
                found.update { $0 = .refused(OutboxReply.Refused(id, operation.state, resolutions: resolutions)) }
                return []
            }
            return changed
        }
        guard !changed.isEmpty else { return found.read { $0 } }
        state.update { state in
            // A person who asks for it may probe an origin in trouble.
            if isRetry, let origin = changed.first.flatMap({ services.maker.origin(of: $0) }) {
                state.queue.probe([origin], now: now)
            }
            state.changes += 1
        }
        return .changed(changed)
    }

    /// Commits the outcome of an attempt. If it cannot be committed, it waits in memory, and its lane waits with it.
    private func commit(_ outcome: Unsaved) {
        do throws(StoreError) {
            let changed = try save(outcome)
            finish(outcome, changed)
        } catch {
            services.report(.unsaved(error))
            let time = services.clock.now() + Self.commitInterval
            state.update {
                $0.isStarved = true
                $0.unsaved.append(outcome)
                $0.nextCommit = time
                $0.changes += 1
            }
        }
    }

    /// Tries again to commit the outcomes that wait in memory.
    private func commitUnsaved(now: Int64) {
        let waiting = state.update(waking: .none) { state -> [Unsaved] in
            guard now >= state.nextCommit else { return [] }
            defer { state.unsaved = [] }
            return state.unsaved
        }
        for outcome in waiting { commit(outcome) }
    }

    private func save(_ outcome: Unsaved) throws(StoreError) -> [Operation] {
        try services.store.changeOperations { lookup in
            guard let current = lookup(outcome.id), let changed = outcome.decide(current), changed != current else {
                return []
            }
            return [changed]
        }
    }

    private func finish(_ outcome: Unsaved, _ changed: [Operation]) {
        let now = services.clock.now()
        let (event, origin, isWell) = state.update { state in
            let origin = state.queue.origin(of: outcome.id)
            let isWell = state.isStarved
            state.isStarved = false
            let event = state.queue.end(outcome.id, outcome.signal, now: now, random: RandomBytes.integer())
            state.changes += 1
            return (event, origin, isWell)
        }
        if isWell { services.report(.saved) }
        for operation in changed where operation.state.isStuck { services.report(.stuck(operation)) }
        if let origin { report(event, of: origin) }
    }

    /// Reports a change of an origin's health.
    private func report(_ event: OriginState.Event?, of origin: String) {
        switch event {
        case nil: break
        case .paused(let message): services.report(.paused(origin: origin, message))
        case .recovered: services.report(.recovered(origin: origin))
        }
    }

    /// Marks the keys of operations: after a step back of the wall clock their age is not known.
    private func distrustKeys() {
        let ids = state.read { state in
            state.queue.lanes.operations.filter { $0.delivery.keyUse?.isClockSteady == true }.map(\.id)
        }
        do throws(StoreError) {
            _ = try services.store.changeOperations { lookup in
                ids.compactMap { lookup($0)?.distrustingClock }
            }
            state.update(waking: .none) { $0.isDistrusting = false }
        } catch {
            services.report(.unsaved(error))
            state.update(waking: .none) { $0.isDistrusting = true }
        }
    }
}

/// A failure to start.
public enum OutboxError: Error, Equatable {
    case store(StoreError)
    case system(SystemError)
}
