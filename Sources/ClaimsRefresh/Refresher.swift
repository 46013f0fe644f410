// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import ClaimsSnapshot
public import ClaimsStore
public import ClaimsUpstream
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
        /// The upstream wants no request before that time (milliseconds since 1970); `force` makes one all the same.
        case leftAlone(until: Int64)
        /// The collection does not exist, or it has no such source.
        case unconfigured
        case stopping
    }

    /// The threads of a collection's refreshes.
    private struct ThreadsID: Hashable {
        let collection: String
        let hasSites: Bool
    }

    /// The number of a collection's sites that are asked at once.
    static let maxSiteThreads = 8

    let context: RefreshContext
    let rounds = GenerationRounds()
    let settings: Mutex<Settings>
    let queue = Monitor(RefreshQueue())
    private let workers = Mutex<[ThreadsID: WorkerPool]>([:])
    private let scheduler = Mutex<WorkerPool?>(nil)
    /// When a snapshot that could not be built was last tried again, in monotonic nanoseconds.
    let repairs = Mutex<[String: UInt64]>([:])
    /// Which logs are trimmed beside those of refreshes.
    let tidying = Mutex(LogTidying())
    /// The sources that were refused before this start, as far as they were not asked since.
    let refused = Mutex<Set<SourceID>>([])
    /// Counts what may have changed a due time.
    let changes = Monitor(UInt64(0))
    let tickCount = Atomic<UInt64>(0)
    private let observers: Observers
    let eraser: Eraser
    let retries = Monitor(WaitingRetries())
    var opener: CollectionOpener { context.opener }

    /// The observers, in the order of their registration.
    private final class Observers: Sendable {
        private let all = Mutex<[@Sendable (RefreshEvent) -> Void]>([])

        func add(_ observer: @escaping @Sendable (RefreshEvent) -> Void) { all.withLock { $0.append(observer) } }

        func report(_ event: RefreshEvent) {
            for observer in all.withLock({ $0 }) { observer(event) }
        }
    }

    public init(_ context: RefreshContext, settings: Settings) {
        let (queue, changes) = (queue, changes)
        let observers = Observers()
        eraser = Eraser(
            context.opener,
            waitForRefresh: { name in
                _ = queue.wait { $0.isStopping || !$0.isBusy(name) ? true : nil }
            },
            onErase: { collection in
                observers.report(.erased(collection))
                context.fetcher.tokens.removeUnneeded(in: context.store.catalog.current())
            }, onBehind: { changes.update { $0 += 1 } })
        self.context = context
        self.settings = Mutex(settings)
        self.observers = observers
    }

    /// Registers an observer, which is called on the thread of each refresh, after those that were registered before it.
    /// It must be quick.
    public func observe(_ observer: @escaping @Sendable (RefreshEvent) -> Void) { observers.add(observer) }

    func report(_ event: RefreshEvent) { observers.report(event) }

    /// Starts the schedule. Throws where there is no thread to be had.
    public func start() throws(SystemError) {
        let pool = try WorkerPool(name: "schedule", threads: 1)
        noteRefusals()
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
        rounds.drop()
        eraser.stop()
        for completion in retries.update({ $0.stop() }) {
            completion(.failure(Self.stopped))
        }
        // Work that was posted, but not begun.
        for (source, completion) in queue.update({ $0.drain() }) {
            completion(RefreshReport(source, outcome: .skipped))
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
                _ = post(to: source) { [rounds] in rounds.run(name) }
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
        eraser.erase(collection) { [context] result in
            context.fetcher.tokens.removeUnneeded(in: context.store.catalog.current())
            completion(result)
        }
    }

    /// Whether nothing more is begun.
    var isStopping: Bool { queue.read { $0.isStopping } }

    /// Notes that rows may be left of what is being erased.
    func noteLeftovers() { eraser.noteLeftovers() }

    /// The rounds of the schedule so far: ``wake()`` makes one more while it is well.
    public var ticks: UInt64 { tickCount.load(ordering: .relaxed) }

    /// Makes the schedule go round once, because the clock was set or a host wants no requests, or to see that it is not
    /// stuck.
    public func wake() {
        changes.update { $0 += 1 }
    }

    /// Has a source asked now.
    ///
    /// - Parameters:
    ///   - completion: called at the end, on a thread of the collection, if the answer is `started` or `joined`.
    ///   - watcher: called with how far the refresh is, before `completion`, on any thread; it must be quick.
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
        if !options.force, let end = [demand, hostFloor(of: requests, now: now)].compactMap(\.self).max() {
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

    /// Has a collection asked soon, because an accepted write waits to be seen. A source that fails keeps to its own backoff.
    public func refreshSoon(_ collection: String) {
        guard let view = context.store.catalog.current()[collection], view.condition.source.lastError == nil else {
            return
        }
        refresh(SourceID(collection))
    }

    /// The hosts of upstreams that are in use, or want no requests for some time.
    public var hosts: [HostReport] { context.fetcher.gate.report }

    func requests(_ source: SourceID, _ definition: Definition) -> SourceRequests? {
        SourceRequests(definition, site: source.site, limits: settings.withLock { $0.transfer })
    }

    /// Runs work on a thread of a source; false where there is none to be had, and once the refresher is stopping.
    func post(to source: SourceID, _ work: @escaping @Sendable () -> Void) -> Bool {
        let id = ThreadsID(collection: source.collection, hasSites: source.site != nil)
        let threads = id.hasSites ? Self.maxSiteThreads : 1
        let pool = workers.withLock { pools -> WorkerPool? in
            // `stop` says so before it takes the pools, so that none is made after that.
            if isStopping { return nil }
            if let pool = pools[id] { return pool }
            let pool = try? WorkerPool(name: "refresh", threads: threads, urgency: .background)
            pools[id] = pool
            return pool
        }
        pool?.post(work)
        return pool != nil
    }
}

/// Something that happens in refreshes.
public enum RefreshEvent: Sendable {
    /// The refresh of a source begins.
    case began(SourceID)
    /// A refresh has ended, and those who waited for it know.
    case ended(RefreshReport)
    /// A removed collection was erased because its time was over.
    case erased(ErasedCollection)
}

extension TokenStore {
    /// Removes the refresh tokens that no definition in force names, and no collection that has rows has named.
    public func removeUnneeded(in catalog: Catalog) {
        let kept = Set(catalog.views.map(\.definition.name) + catalog.removed.map(\.name))
        removeUnneeded(definitions: catalog.views.map(\.definition)) { kept.contains($0) }
    }
}
