// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsHTTP
public import ClaimsModel
public import ClaimsPlatform
import ClaimsSnapshot
public import ClaimsStore
import Synchronization

/// Keeps collections up to date: refreshes each source when it is due, and when a user asks for it.
///
///     let refresher = Refresher(context, settings: settings) { report in print(report.outcome) }
///     try refresher.start()
///     refresher.refresh("books", RefreshOptions(force: true)) { report in print(report.counts) }
///     refresher.stop()
///
/// Each collection is refreshed on a thread of its own, so that no source delays another. Every call may be made on any
/// thread; `stop` waits for refreshes to end, so it does not belong on a serving loop.
public final class Refresher: Sendable {
    /// The immediate answer to a request for a refresh.
    public enum Answer: Sendable, Equatable {
        case started
        /// The refresh that is under way, or the one that follows it, serves the request.
        case joined
        /// The upstream wants no request before that time (milliseconds since 1970); `force` makes one all the same.
        case leftAlone(until: Int64)
        /// The collection does not exist, or its source has no address.
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
    private let tickCount = Atomic<UInt64>(0)
    private let onStart: @Sendable (String) -> Void
    private let onFinish: @Sendable (RefreshReport) -> Void
    private let eraser: Eraser
    let retries = Monitor(WaitingRetries())
    var opener: CollectionOpener { context.opener }

    /// - Parameters:
    ///   - onErase: called after a removed collection was erased because its time was over.
    ///   - onStart: called with the name of the collection before each refresh, on its thread.
    ///   - onFinish: called after each refresh, on its thread, after the completions of those who wait for it.
    public init(
        _ context: RefreshContext, settings: Settings,
        onErase: @escaping @Sendable (ErasedCollection) -> Void = { _ in },
        onStart: @escaping @Sendable (_ collection: String) -> Void = { _ in },
        onFinish: @escaping @Sendable (RefreshReport) -> Void
    ) {
        let queue = queue
        eraser = Eraser(
            context.opener,
            waitForRefresh: { name in
                _ = queue.wait { $0.isStopping || !$0.isRunning(name) ? true : nil }
            }, onErase: onErase)
        self.context = context
        self.settings = Mutex(settings)
        self.onStart = onStart
        self.onFinish = onFinish
    }

    /// Starts the schedule. Throws where there is no thread to be had.
    public func start() throws(SystemError) {
        let pool = try WorkerPool(name: "schedule", threads: 1)
        pool.post { [weak self] in
            while let self, self.tick() {}
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
        eraser.stop()
        for completion in retries.update({ $0.stop() }) {
            completion(.failure(Self.stopped))
        }
        // Work that was posted, but not begun.
        for (collection, completion) in queue.update({ $0.drain() }) {
            completion(RefreshReport(collection: collection, outcome: .skipped))
        }
    }

    /// Takes other settings into use, and looks at the definitions in the catalog again.
    ///
    /// Another interval counts from the end of the last request. A refresh that asks for what is no longer configured
    /// is cancelled; the one that follows it serves those who wait.
    public func configure(_ settings: Settings) {
        self.settings.withLock { $0 = settings }
        context.opener.apply(settings.history)
        context.opener.apply(settings.outbox, maxPending: settings.limits.pending)
        let catalog = context.store.catalog.current()
        queue.update { queue in
            queue.cancelOutdated { name in
                catalog[name].flatMap { SourceRequests($0.definition, limits: settings.transfer)?.key }
            }
        }
        changes.update { $0 += 1 }
    }

    /// Erases a removed collection now, with its rows, marks, history and snapshot.
    ///
    /// - Parameter completion: called once, on any thread, when nothing of it is left. It gets `.noCollection` where there is
    ///   no such removed collection, `.mismatch` where it has a definition, and `.closed` where the daemon is stopping.
    public func erase(
        _ collection: String, completion: @escaping @Sendable (Result<ErasedCollection, StoreError>) -> Void
    ) {
        // A refresh of a collection that is not there any more is given up.
        configure(settings.withLock { $0 })
        eraser.erase(collection, completion: completion)
    }

    /// The rounds of the schedule so far: more of them every few seconds while it is well.
    public var ticks: UInt64 { tickCount.load(ordering: .relaxed) }

    /// Makes the schedule go round once, so that `ticks` moves where it is not stuck.
    public func wake() {
        changes.update { $0 += 1 }
    }

    /// Has a collection refreshed now.
    ///
    /// - Parameters:
    ///   - completion: called at the end, on the refresh's thread, if the answer is `started` or `joined`.
    ///   - watcher: called with how far the refresh is, before `completion`, on any thread; it must be quick.
    @discardableResult
    public func refresh(
        _ collection: String, _ options: RefreshOptions = RefreshOptions(),
        completion: (@Sendable (RefreshReport) -> Void)? = nil,
        watcher: (@Sendable (RefreshProgress) -> Void)? = nil
    ) -> Answer {
        guard let view = context.store.catalog.current()[collection], let requests = requests(view.definition) else {
            return .unconfigured
        }
        let state = view.condition.source.schedule(for: requests)
        if !options.force,
            let end = context.schedule(view.definition).retryAfter(state, now: context.clock.now())
        {
            return .leftAlone(until: end)
        }
        let (isStopping, start, progress) = queue.update { queue in
            if queue.isStopping { return (true, RefreshQueue.Start?.none, RefreshProgress()) }
            let start = queue.request(
                collection, options, key: requests.key, watcher: watcher, completion: completion)
            return (false, start, queue.progress(of: collection, options, key: requests.key))
        }
        if isStopping { return .stopping }
        watcher?(progress)
        guard let start else { return .joined }
        run(collection, start)
        return .started
    }

    private func requests(_ definition: Definition) -> SourceRequests? {
        SourceRequests(definition, limits: settings.withLock { $0.transfer })
    }

    /// One round of the schedule: begins what is due, and waits for what comes next. False once it is over.
    private func tick() -> Bool {
        tickCount.add(1, ordering: .relaxed)
        let seen = changes.read { $0 }
        if queue.read({ $0.isStopping }) { return false }
        let now = context.clock.now()
        eraser.look(removedBefore: now - settings.withLock { $0.history.keep.wholeMilliseconds })
        var wait = Self.heartbeat.wholeMilliseconds
        for view in context.store.catalog.current().views {
            let name = view.definition.name
            guard !queue.read({ $0.isRunning(name) }) else { continue }
            if view.snapshot == nil && view.condition.problem != nil { repair(name) }
            guard let requests = requests(view.definition) else { continue }
            let schedule = context.schedule(view.definition)
            let state = view.condition.source.schedule(for: requests)
            let due = schedule.due(state, now: now)
            if due <= now {
                refresh(name, RefreshOptions(force: false))
            } else {
                wait = min(wait, due - now)
                // Another interval is in force than at the end of the last request.
                if let due = schedule.due(after: state), due != view.condition.source.due {
                    context.store.reschedule(name, from: view.condition.source, due: due)
                }
            }
        }
        _ = changes.wait(upTo: .milliseconds(max(1, wait))) { $0 == seen ? nil : true }
        return true
    }

    private func run(_ collection: String, _ start: RefreshQueue.Start) {
        let work: @Sendable () -> Void = { [self] in
            show(collection, isRefreshing: true)
            onStart(collection)
            let settings = settings.withLock { $0 }
            let begin = SystemClock.monotonic
            var report = RefreshAttempt.run(
                collection, context: context, settings: settings, options: start.options,
                cancellation: start.cancellation, meter: meter(of: collection))
            report.duration = .nanoseconds(Int64(clamping: SystemClock.monotonic &- begin))
            let (completions, next) = queue.update { $0.finish(collection) }
            if next == nil { show(collection, isRefreshing: false) }
            for completion in completions { completion(report) }
            onFinish(report)
            if let next { run(collection, next) }
            changes.update { $0 += 1 }
            tidy(collection, hasUpdated: report.outcome == .updated)
        }
        guard let pool = pool(collection) else {
            // No thread to be had: the source is tried again at the next tick.
            let (completions, _) = queue.update { $0.finish(collection) }
            for completion in completions { completion(RefreshReport(collection: collection, outcome: .skipped)) }
            return
        }
        pool.post(work)
    }

    /// A meter that tells its news to those who wait for the refresh of a collection then.
    private func meter(of collection: String) -> RefreshMeter {
        RefreshMeter { [queue] progress in
            let watchers = queue.update(waking: .none) { $0.note(progress, of: collection) }
            for watcher in watchers { watcher(progress) }
        }
    }

    /// Runs work on the thread of a collection's refreshes, then tidies up; false where there is no thread to be had.
    func post(to collection: String, _ work: @escaping @Sendable (Settings) -> Void) -> Bool {
        guard let pool = pool(collection) else { return false }
        pool.post { [self] in
            let settings = settings.withLock { $0 }
            work(settings)
            tidy(collection, hasUpdated: true)
        }
        return true
    }

    /// Deletes what the refresh has superseded; nobody waits for it.
    private func tidy(_ collection: String, hasUpdated: Bool) {
        try? context.opener.tidy(collection)
        if hasUpdated { ProcessMemory.trim() }
    }

    /// Tries again to build a snapshot that could not be built, now and then.
    private func repair(_ collection: String) {
        let now = SystemClock.monotonic
        let isDue = repairs.withLock { repairs in
            if let last = repairs[collection], now - last < Self.repairInterval.wholeNanoseconds { return false }
            repairs[collection] = now
            return true
        }
        guard isDue else { return }
        pool(collection)?.post { [context] in context.opener.settle(collection) }
    }

    private func show(_ collection: String, isRefreshing: Bool) {
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
