// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import ClaimsSnapshot
public import ClaimsStore
import ClaimsUpstream
import Synchronization

/// Keeps collections up to date: refreshes each source when it is due, and when a user asks for it.
///
///     let refresher = Refresher(context, settings: settings)
///     refresher.observe { event in print(event) }
///     try refresher.start()
///     refresher.refresh(SourceID("books"), RefreshOptions(force: true)) { report in print(report.counts) }
///     refresher.stop()
///
/// Each collection is refreshed on threads of its own, so that no source delays that of another collection: one thread,
/// or a few for a collection with sites. Every call may be made on any thread; `stop` waits for refreshes to end, so it
/// does not belong on a serving loop.
public final class Refresher: Sendable {
    /// The immediate answer to a request for a refresh.
    public enum Answer: Sendable, Equatable {
        case started
        /// The refresh that is under way, or the one that follows it, serves the request.
        case joined
        /// The upstream wants no request before that time (milliseconds since 1970); `force` makes one nevertheless.
        case leftAlone(until: Int64)
        /// The collection does not exist, or it has no such source.
        case unconfigured
        case stopping
    }

    /// A refresh that has begun, with what is needed to begin it again.
    private struct Run: Sendable {
        var inputs: RefreshAttempt.Inputs
        /// The time of its begin, in monotonic nanoseconds.
        let begin: UInt64
        var attempts = 1
    }

    /// The answers that wait to become a generation.
    let rounds = GenerationRounds()
    private let context: RefreshContext
    private let settings: Mutex<Settings>
    private let queue: Monitor<RefreshQueue>
    private let threads: RefreshThreads
    private let scheduler = Mutex<WorkerPool?>(nil)
    /// The snapshots that could not be built.
    private let repairs = Mutex(RepairTimes())
    /// Which logs are trimmed beside those of refreshes.
    private let tidying = Mutex(LogTidying())
    /// The sources that were refused before this start, as far as they were not asked since.
    private let refused = Mutex<Set<SourceID>>([])
    /// Counts the changes that may have moved a due time.
    private let changes: Monitor<UInt64>
    private let tickCount = Atomic<UInt64>(0)
    private let observers: RefreshObservers
    private let eraser: Eraser
    /// Erases records and decodes quarantined elements again, for clients that wait.
    private let work: ClientWork

    public init(_ context: RefreshContext, settings: Settings) {
        let (queue, changes, observers) = (Monitor(RefreshQueue()), Monitor(UInt64(0)), RefreshObservers())
        eraser = Eraser(
            context.opener,
            waitForRefresh: { name in
                _ = queue.wait { $0.isStopping || !$0.isBusy(name) ? true : nil }
            },
            onErase: { collection in
                observers.report(.erased(collection))
                context.fetcher.tokens.removeUnneeded(in: context.store.catalog.current())
            }, onBehind: { changes.update { $0 += 1 } })
        threads = RefreshThreads { queue.read { $0.isStopping } }
        work = ClientWork(context, threads, rounds)
        self.context = context
        self.settings = Mutex(settings)
        self.queue = queue
        self.changes = changes
        self.observers = observers
    }

    /// Registers an observer, which is called on the thread of each refresh, after those that were registered before it.
    /// It must be quick.
    public func observe(_ observer: @escaping @Sendable (RefreshEvent) -> Void) { observers.add(observer) }

    /// Starts the schedule. Throws if no thread can be had.
    public func start() throws(SystemError) {
        let pool = try WorkerPool(name: "schedule", threads: 1)
        recordRefusals()
        pool.post { [weak self] in
            while let self, self.tick() {}
        }
        scheduler.withLock { $0 = pool }
    }

    /// Begins nothing more, cancels the running refreshes, and waits for their end.
    public func stop() {
        queue.update { $0.stop() }
        changes.update { $0 += 1 }
        scheduler.withLock { $0.take() }?.stop()
        threads.stop()
        rounds.drop()
        eraser.stop()
        work.stop()
        // Work that was posted, but not begun.
        for (source, completion) in queue.update({ $0.drain() }) {
            completion(RefreshReport(source, outcome: .skipped))
        }
    }

    /// Adopts other settings, and inspects the definitions in the catalog again.
    ///
    /// Another interval counts from the end of the last request. A refresh whose request is no longer configured is
    /// cancelled; the refresh that follows it serves the waiting requests.
    public func configure(_ settings: Settings) {
        self.settings.withLock { $0 = settings }
        context.opener.apply(settings.history)
        context.opener.apply(settings.outbox, maxPending: settings.limits.pending)
        context.fetcher.gate.configure(settings.hosts, maxFetches: settings.fetching.fetches)
        let catalog = context.store.catalog.current()
        queue.update { queue in
            queue.cancelOutdated { source in
                catalog[source.collection].flatMap {
                    SourceRequests($0.definition, site: source.site, limits: settings.transfer)?.key
                }
            }
        }
        // Answers may have waited for a site that is gone, or belong to another definition.
        for name in rounds.collections {
            for source in catalog[name]?.definition.sources.prefix(1) ?? [] {
                _ = threads.post(to: source) { [rounds] in rounds.run(name) }
            }
        }
        changes.update { $0 += 1 }
    }

    /// The rounds of the schedule so far: ``wake()`` makes one more while it is well.
    public var ticks: UInt64 { tickCount.load(ordering: .relaxed) }

    /// Makes the schedule go round once, because the clock was set or a host wants no requests, or to see that it is not
    /// stuck.
    public func wake() {
        changes.update { $0 += 1 }
    }

    /// The hosts of upstreams that are in use, or want no requests for some time.
    public var hosts: [HostReport] { context.fetcher.gate.report }

    // MARK: - Refreshes

    /// Asks a source now.
    ///
    /// - Parameters:
    ///   - completion: called at the end, on a thread of the collection, if the answer is `started` or `joined`.
    ///   - watcher: called with the progress of the refresh, before `completion`, on any thread; it must be quick.
    @discardableResult
    public func refresh(
        _ source: SourceID, _ options: RefreshOptions = RefreshOptions(),
        completion: (@Sendable (RefreshReport) -> Void)? = nil,
        watcher: (@Sendable (RefreshProgress) -> Void)? = nil
    ) -> Answer {
        guard let view = context.store.catalog.current()[source.collection],
            let requests = requests(source, view.definition)
        else { return .unconfigured }
        let state = view.condition.source(of: source).schedule(for: requests)
        let now = context.clock.now()
        let demand = context.schedule(source, view.definition).retryAfter(state, now: now)
        if !options.force, !context.isAskedElsewhere(source, now: now),
            let end = [demand, hostFloor(of: requests, now: now)].compactMap(\.self).max()
        {
            return .leftAlone(until: end)
        }
        let (isStopping, start, progress) = queue.update { queue in
            if queue.isStopping { return (true, RefreshQueue.Start?.none, RefreshProgress()) }
            let start = queue.request(source, options, key: requests.key, watcher: watcher, completion: completion)
            return (false, start, queue.progress(of: source, options, key: requests.key))
        }
        if isStopping { return .stopping }
        watcher?(progress)
        guard let start else { return .joined }
        run(source, start)
        return .started
    }

    /// Asks a collection soon, because an accepted write waits to be seen. A source that fails keeps its own backoff.
    public func refreshSoon(_ collection: String) {
        guard let view = context.store.catalog.current()[collection], view.condition.source.lastError == nil else {
            return
        }
        refresh(SourceID(collection))
    }

    private func run(_ source: SourceID, _ start: RefreshQueue.Start) {
        let isPosted = threads.post(to: source) { [self] in
            context.show(source.collection, isRefreshing: true)
            observers.report(.began(source))
            let wasRefused = refused.withLock { $0.remove(source) } != nil
            var inputs = RefreshAttempt.Inputs(
                source: source, context: context.pressing(source, start.options), settings: settings.withLock { $0 },
                options: start.options, key: start.key,
                cancellation: start.cancellation, meter: meter(of: source),
                start: AttemptStart(at: context.clock.now()))
            inputs.followsRefusal = wasRefused
            attempt(Run(inputs: inputs, begin: SystemClock.monotonic))
        }
        if isPosted { return }
        // No thread can be started: the source is tried again at the next tick.
        let (completions, _) = queue.update { $0.finish(source) }
        for completion in completions { completion(RefreshReport(source, outcome: .skipped)) }
    }

    private func attempt(_ run: Run) { proceed(run, RefreshAttempt.ask(run.inputs)) }

    private func proceed(_ run: Run, _ step: RefreshAttempt.Step) {
        switch step {
        case .ended(let report): end(run, report)
        case .outdated: again(run)
        case .ahead:
            var run = run
            run.inputs.isRecall = true
            again(run)
        case .received(let answer):
            if let step = answer.forgetRecords(rounds) { return proceed(run, step) }
            rounds.submit(answer) { [self] ending in
                switch ending {
                case .ended(let report): end(run, report)
                case .outdated: again(run)
                case .incomplete: walkAgain(run, answer)
                }
            }
        }
    }

    /// Requests the pages of an answer once more, on a thread that makes no generation meanwhile.
    private func walkAgain(_ run: Run, _ answer: ReceivedAnswer) {
        let isPosted = threads.post(to: run.inputs.source) { [self] in
            proceed(run, RefreshAttempt.askAgain(answer))
        }
        // No thread can be started: the source is tried again at the next tick.
        if !isPosted { end(run, RefreshReport(run.inputs.source, outcome: .skipped)) }
    }

    /// Asks the source of a refresh again, because its collection has changed meanwhile.
    private func again(_ run: Run) {
        let source = run.inputs.source
        var next = run
        next.attempts += 1
        let following = next
        guard run.attempts < RefreshAttempt.maxAttempts,
            threads.post(to: source, { [self] in attempt(following) })
        else {
            // A stop shows nothing about the source.
            return end(
                run, isStopping ? RefreshReport(source, outcome: .skipped) : RefreshAttempt.giveUp(run.inputs))
        }
    }

    private func end(_ run: Run, _ report: RefreshReport) {
        let source = run.inputs.source
        let report = report.lasting(.nanoseconds(Int64(clamping: SystemClock.monotonic &- run.begin)))
        context.shared?.ended(report)
        let (completions, next, isBusy) = queue.update { queue in
            let (completions, next) = queue.finish(source)
            return (completions, next, queue.isBusy(source.collection))
        }
        if !isBusy { context.show(source.collection, isRefreshing: false) }
        for completion in completions { completion(report) }
        observers.report(.ended(report))
        if let next { self.run(source, next) }
        // Answers of other sites may have waited for this one.
        if source.site != nil { rounds.run(source.collection) }
        changes.update { $0 += 1 }
        context.tidy(source.collection, hasUpdated: report.outcome == .updated)
    }

    /// A meter that reports to the requests that wait for the refresh of a source then.
    private func meter(of source: SourceID) -> RefreshMeter {
        RefreshMeter { [queue] progress in
            let watchers = queue.update(waking: .none) { $0.record(progress, of: source) }
            for watcher in watchers { watcher(progress) }
        }
    }

    // MARK: - Schedule

    /// One round of the schedule: begins the due refreshes, and waits for the next ones. Returns false after a stop.
    private func tick() -> Bool {
        tickCount.add(1, ordering: .relaxed)
        let seen = changes.read { $0 }
        if isStopping { return false }
        let now = context.clock.now()
        eraser.eraseDue(removedBefore: now - settings.withLock { $0.history.keep.wholeMilliseconds })
        var wait = Self.maxIdle.wholeMilliseconds
        for view in context.store.catalog.current().views {
            let name = view.definition.name
            if view.snapshot == nil && view.condition.problem != nil, !queue.read({ $0.isBusy(name) }) { repair(name) }
            tidyLog(of: view, now: now)
            for source in view.definition.sources { wait = min(wait, inspect(source, of: view, now: now)) }
        }
        _ = changes.wait(upTo: .milliseconds(max(1, wait))) { $0 == seen ? nil : true }
        return true
    }

    /// Begins the refresh of a source that is due.
    ///
    /// - Returns: the time until it is due, in milliseconds; the longest time if a refresh is under way.
    private func inspect(_ source: SourceID, of view: CollectionView, now: Int64) -> Int64 {
        guard !queue.read({ $0.isRunning(source) }), let requests = requests(source, view.definition) else {
            return .max
        }
        let schedule = context.schedule(source, view.definition)
        let known = view.condition.source(of: source)
        let state = known.schedule(for: requests)
        if let due = context.sharedDue(source, of: view.definition, known: known, by: requests, now: now) {
            guard due <= now else { return due == .max ? .max : due - now }
            refresh(source, RefreshOptions(force: false))
            return queue.read { $0.isRunning(source) } ? .max : Self.retryInterval.wholeMilliseconds
        }
        let floor = hostFloor(of: requests, now: now)
        let early = refused.withLock { $0.contains(source) } ? known.dueAfterRefusal : nil
        let due = max(min(schedule.due(state, now: now), early ?? .max), floor ?? .min)
        if due <= now {
            refresh(source, RefreshOptions(force: false))
            return queue.read { $0.isRunning(source) } ? .max : Self.retryInterval.wholeMilliseconds
        }
        reschedule(known, of: source, due: schedule.due(after: state).map { min($0, early ?? .max) }, floor: floor)
        return due - now
    }

    /// Records the time at which a source is asked next, if that is another one than its last request has left: since
    /// then another interval is in force, or its host wants no requests for longer.
    ///
    /// - Parameters:
    ///   - due: when the source is due by its schedule; nil: at once.
    ///   - floor: the time until which its host wants no requests.
    private func reschedule(_ known: SourceRow, of source: SourceID, due: Int64?, floor: Int64?) {
        if let floor, floor > due ?? .min {
            // It is counted from the clock since boot, and so comes out a little different each time.
            if let last = known.due, abs(last - floor) <= Self.floorTolerance { return }
            context.store.reschedule(source.collection, from: known, due: floor)
        } else if let due, due != known.due {
            context.store.reschedule(source.collection, from: known, due: due)
        }
    }

    /// The time until which the host of a source wants no requests, in milliseconds since 1970; nil if it accepts some,
    /// or will so soon that a refresh rather waits.
    private func hostFloor(of requests: SourceRequests, now: Int64) -> Int64? {
        guard let until = context.fetcher.gate.floor(ofURL: requests.records.url),
            until - now > Self.minHostFloor.wholeMilliseconds
        else { return nil }
        return until
    }

    /// Records which sources were refused when they were last asked. A start often follows the installation of a
    /// credential, so these sources are asked without their long wait.
    private func recordRefusals() {
        let sources = context.store.catalog.current().views.flatMap { view in
            view.definition.sources.filter { view.condition.source(of: $0).lastError?.isAboutSecret == true }
        }
        refused.withLock { $0 = Set(sources) }
    }

    /// Requests trimming of a log that has grown beyond its limits without a refresh.
    private func tidyLog(of view: CollectionView, now: Int64) {
        let name = view.definition.name
        let limits = context.opener.retention(of: view.definition, now: now)
        let isDue = tidying.withLock {
            $0.isDue(name, view.condition.log, limits, at: SystemClock.monotonic)
        }
        guard isDue else { return }
        let isPosted = threads.post(to: SourceID(name)) { [self] in
            if !context.tidy(name, hasUpdated: false) { tidying.withLock { $0.failed(name) } }
        }
        if !isPosted { tidying.withLock { $0.failed(name) } }
    }

    /// Tries again to build a snapshot that could not be built, now and then.
    private func repair(_ collection: String) {
        guard repairs.withLock({ $0.isDue(collection, at: SystemClock.monotonic) }) else { return }
        _ = threads.post(to: SourceID(collection)) { [context, rounds] in
            // A collection that is busy for so long is repaired another time.
            try? rounds.withoutRounds(of: collection) { context.opener.settle(collection) }
        }
    }

    // MARK: - Other work on collections

    /// Erases a removed collection now, with its rows, marks, history and snapshot.
    ///
    /// - Parameter completion: called once, on any thread, when nothing of it is left. It gets `.noCollection` if there is
    ///   no such removed collection, `.mismatch` if it has a definition, and `.closed` if the daemon is stopping.
    public func erase(
        _ collection: String, completion: @escaping @Sendable (Result<ErasedCollection, StoreError>) -> Void
    ) {
        // A refresh of a collection that is not there any more is given up.
        configure(settings.withLock { $0 })
        eraser.erase(collection) { [context] result in
            context.fetcher.tokens.removeUnneeded(in: context.store.catalog.current())
            completion(result)
        }
    }

    /// Erases records of a collection, after a refresh that is under way.
    ///
    /// - Parameter completion: called once, on any thread; see `CollectionOpener.forget`. It gets `.closed` if the daemon
    ///   is stopping.
    public func forget(
        _ order: ForgetOrder, completion: @escaping @Sendable (Result<ForgetOutcome, StoreError>) -> Void
    ) {
        work.perform("forget records", on: order.collection, completion) { [self] () throws(StoreError) in
            do throws(StoreError) { return try context.forget(order, while: { [self] in !isStopping }) } catch {
                // A committed erasure is continued to its end.
                eraser.recordLeftovers()
                throw error
            }
        }
    }

    /// Decodes quarantined elements of a collection again, after a refresh that is under way.
    ///
    /// - Parameters:
    ///   - entry: the number of an entry; nil for all.
    ///   - completion: called once, on any thread; see `CollectionOpener.retryQuarantined`. It gets `.closed` if the
    ///     daemon is stopping.
    public func retryQuarantined(
        _ entry: Int64?, of collection: String,
        completion: @escaping @Sendable (Result<QuarantineOutcome, StoreError>) -> Void
    ) {
        work.perform("retry quarantined elements", on: collection, completion) { [self] () throws(StoreError) in
            let settings = settings.withLock { $0 }
            for attempt in 1... {
                do throws(StoreError) {
                    return try context.opener.retryQuarantined(
                        entry, of: collection, historyBytes: settings.history.bytes)
                } catch {
                    guard error.code == .mismatch, attempt < Self.maxRetryAttempts else { throw error }
                }
            }
            throw ClientWork.stopped
        }
    }

    /// Whether nothing more is begun.
    private var isStopping: Bool { queue.read { $0.isStopping } }

    private func requests(_ source: SourceID, _ definition: Definition) -> SourceRequests? {
        SourceRequests(definition, site: source.site, limits: settings.withLock { $0.transfer })
    }

    /// The number of times that a retry is begun if its collection changes under it.
    private static let maxRetryAttempts = 3
    /// The maximal time that the schedule may be idle before it checks the clock and the logs again.
    private static let maxIdle = Duration.seconds(30)
    /// The time until a refresh that could not begin is tried again.
    private static let retryInterval = Duration.seconds(2)
    /// The time for which a host must want no requests so that a refresh does not begin.
    private static let minHostFloor = Duration.seconds(5)
    /// The maximal difference, in milliseconds, between the end of a host's wait and the recorded time.
    private static let floorTolerance: Int64 = 1_000
}
