// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
public import ClaimsModel
public import ClaimsPlatform
import ClaimsStore
import Synchronization

/// Keeps collections up to date: asks each source when it is due, and when somebody wants it.
///
/// Every refresh has a thread of its own, so that no source delays another, and nothing here runs on a serving loop.
public final class Refresher: Sendable {
    /// What became of a request for a refresh.
    public enum Answer: Sendable, Equatable {
        case started
        /// One was under way already, or follows it.
        case joined
        /// The upstream asked to be left alone until then (milliseconds since 1970); `force` asks it all the same.
        case leftAlone(until: Int64)
        /// There is no such collection, or it has no address.
        case unconfigured
        case stopping
    }

    /// How long the schedule may be idle before it shows that it lives, and looks at the wall clock again.
    private static let heartbeat = Duration.seconds(2)
    /// How long until a snapshot that could not be built is tried again.
    private static let repairInterval = Duration.seconds(30)

    private let context: RefreshContext
    private let settings: Mutex<Settings>
    private let queue = Monitor(RefreshQueue())
    private let workers = Mutex<[String: WorkerPool]>([:])
    private let scheduler = Mutex<WorkerPool?>(nil)
    /// When a snapshot that could not be built was last tried again, in monotonic nanoseconds.
    private let repairs = Mutex<[String: UInt64]>([:])
    /// Counts what may have changed a due time.
    private let changes = Monitor(UInt64(0))
    private let turnCount = Atomic<UInt64>(0)
    private let onFinish: @Sendable (RefreshReport) -> Void

    /// - Parameter onFinish: called after each refresh, on its thread, after those who wait for it.
    public init(
        _ context: RefreshContext, settings: Settings, onFinish: @escaping @Sendable (RefreshReport) -> Void
    ) {
        self.context = context
        self.settings = Mutex(settings)
        self.onFinish = onFinish
    }

    /// Starts the schedule.
    public func start() throws(SystemError) {
        let pool = try WorkerPool(name: "schedule", threads: 1)
        pool.post { [weak self] in
            while let self, self.turn() {}
        }
        scheduler.withLock { $0 = pool }
    }

    /// Begins nothing more, cancels what runs, and waits for it.
    public func stop() {
        queue.update { $0.stop() }
        changes.update { $0 += 1 }
        scheduler.withLock { $0.take() }?.stop()
        let pools = workers.withLock { pools in
            defer { pools = [:] }
            return pools
        }
        for pool in pools.values { pool.stop() }
        // What was posted, but not begun.
        for (collection, completion) in queue.update({ $0.drain() }) {
            completion(RefreshReport(collection: collection, outcome: .skipped))
        }
    }

    /// Takes other settings into use, and looks at the definitions in the catalog again.
    public func configure(_ settings: Settings) {
        self.settings.withLock { $0 = settings }
        changes.update { $0 += 1 }
    }

    /// Rises at least every few seconds while the schedule is well.
    public var turns: UInt64 { turnCount.load(ordering: .relaxed) }

    /// Makes the schedule go round once, so that `turns` moves where it is not stuck.
    public func wake() {
        changes.update { $0 += 1 }
    }

    /// Has a collection refreshed now; `completion` is called at the end, on the refresh's thread, if the answer is
    /// `started` or `joined`.
    @discardableResult
    public func refresh(
        _ collection: String, _ options: RefreshOptions = RefreshOptions(),
        completion: (@Sendable (RefreshReport) -> Void)? = nil
    ) -> Answer {
        guard let view = context.store.catalog.current()[collection],
            let target = FetchTarget.records(of: view.definition, limits: settings.withLock { $0.transfer })
        else { return .unconfigured }
        let state = view.condition.source.scheduled(for: target)
        if !options.force,
            let end = context.schedule(view.definition).retryAfter(state, now: context.clock.now())
        {
            return .leftAlone(until: end)
        }
        let (isStopping, cancellation) = queue.update { queue in
            queue.isStopping ? (true, nil) : (false, queue.request(collection, options, completion))
        }
        if isStopping { return .stopping }
        guard let cancellation else { return .joined }
        run(collection, options, cancellation)
        return .started
    }

    /// One round of the schedule: begins what is due, and waits for what comes next. False once it is over.
    private func turn() -> Bool {
        turnCount.add(1, ordering: .relaxed)
        let seen = changes.read { $0 }
        if queue.read({ $0.isStopping }) { return false }
        let now = context.clock.now()
        var wait = Self.heartbeat.wholeMilliseconds
        for view in context.store.catalog.current().views {
            let name = view.definition.name
            guard !queue.read({ $0.isRunning(name) }) else { continue }
            if view.snapshot == nil && view.condition.problem != nil { repair(name) }
            guard let target = FetchTarget.records(of: view.definition, limits: settings.withLock { $0.transfer })
            else { continue }
            let due = context.schedule(view.definition).due(view.condition.source.scheduled(for: target), now: now)
            if due <= now {
                refresh(name, RefreshOptions(force: false))
            } else {
                wait = min(wait, due - now)
            }
        }
        _ = changes.wait(atMost: .milliseconds(max(1, wait))) { $0 == seen ? nil : true }
        return true
    }

    private func run(_ collection: String, _ options: RefreshOptions, _ cancellation: HTTPCancellation) {
        let work: @Sendable () -> Void = { [self] in
            setRefreshing(collection, true)
            let settings = settings.withLock { $0 }
            let report = RefreshRun(
                context: context, settings: settings, name: collection, options: options, cancellation: cancellation
            ).run()
            let (completions, next) = queue.update { $0.finish(collection) }
            if next == nil { setRefreshing(collection, false) }
            for completion in completions { completion(report) }
            onFinish(report)
            if let next { run(collection, next.options, next.cancellation) }
            changes.update { $0 += 1 }
            tidy(collection, settings, hasUpdated: report.outcome == .updated)
        }
        guard let pool = pool(collection) else {
            // No thread to be had: the source is tried again at the next turn.
            let (completions, _) = queue.update { $0.finish(collection) }
            for completion in completions { completion(RefreshReport(collection: collection, outcome: .skipped)) }
            return
        }
        pool.post(work)
    }

    /// Deletes what the refresh has superseded; nobody waits for it.
    private func tidy(_ collection: String, _ settings: Settings, hasUpdated: Bool) {
        guard let row = context.store.catalog.current()[collection]?.condition.row else { return }
        try? context.store.collectGarbage(of: row.number)
        let oldest = context.clock.now() - settings.history.keep.wholeMilliseconds
        try? context.store.trimHistory(before: oldest, keeping: settings.history.changes)
        if hasUpdated { ProcessMemory.trim() }
    }

    /// Tries again to build a snapshot that could not be built, now and then.
    private func repair(_ collection: String) {
        let now = Clocks.monotonic
        let isDue = repairs.withLock { repairs in
            if let last = repairs[collection], now - last < Self.repairInterval.wholeNanoseconds { return false }
            repairs[collection] = now
            return true
        }
        guard isDue else { return }
        pool(collection)?.post { [context] in context.opener.settle(collection) }
    }

    private func setRefreshing(_ collection: String, _ isRefreshing: Bool) {
        context.store.catalog.update {
            $0.replacing(collection) { view in
                var condition = view.condition
                condition.isRefreshing = isRefreshing
                return view.with(condition)
            }
        }
    }

    private func pool(_ collection: String) -> WorkerPool? {
        workers.withLock { pools in
            if let pool = pools[collection] { return pool }
            let pool = try? WorkerPool(name: "refresh", threads: 1, urgency: .background)
            pools[collection] = pool
            return pool
        }
    }
}
