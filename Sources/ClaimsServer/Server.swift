// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsPlatform
import ClaimsSnapshot
import ClaimsStore
import Dispatch
import Synchronization

/// The server: event loops that serve connections, workers for long queries, and listeners.
///
/// ```swift
/// let server = try Server(configuration, services)
/// server.listen(on: socket)
/// try server.start()
/// // until a signal arrives
/// server.stop(grace: .seconds(5))
/// ```
/// Every call is safe on any thread. ``stop(grace:hurry:)`` blocks, so no loop's thread may call it.
public final class Server: Sendable {
    private let team: LoopTeam
    private var loops: [ServingLoop] { team.loops }
    private let registry: ConnectionRegistry<Connection>
    private let workers: QueryWorkers
    private let files: QueryWorkers
    private let feeds: FeedHub
    private let looks: LookJournal
    private let threads = Mutex<[ThreadBox]>([])
    private let listeners = Mutex<[SocketListener]>([])
    private let catalogs: CatalogPublisher
    /// The files of each collection that were current when the loops last got a catalog.
    private let snapshots = Mutex<[[ObjectIdentifier]]>([])
    private let report: @Sendable (ServerEvent) -> Void
    private let makeQueryContext: @Sendable (ServerConfiguration) -> QueryContext

    /// Holds a thread, which is joined when the box goes.
    private final class ThreadBox: Sendable {
        let thread: NamedThread

        init(_ thread: consuming NamedThread) {
            self.thread = thread
        }
    }

    /// Makes the loops and the workers; no loop runs until ``start()``.
    ///
    /// - Throws: the error of the system call that failed, such as `EMFILE` of epoll_create1(2).
    public init(_ configuration: ServerConfiguration, _ services: ServerServices) throws(SystemError) {
        let startedAt = SystemClock.monotonic
        let registry = ConnectionRegistry<Connection>(
            maxConnections: configuration.limits.clients, maxPerUser: configuration.limits.clientsPerUser)
        let makeQueryContext = { @Sendable (configuration: ServerConfiguration) in
            QueryContext(
                ServedCatalog(configuration, services.catalogs), unsent: registry.unsent,
                openLog: { () throws(StoreError) in try services.store.database.changeLog() })
        }
        let workers = try QueryWorkers(threads: Self.workerThreads) { makeQueryContext(configuration) }
        let files = try QueryWorkers(name: "files", threads: Self.fileThreads) { makeQueryContext(configuration) }
        let feeds = try FeedHub(configuration, services, context: makeQueryContext(configuration))
        let looks = LookJournal(configuration.journal, write: services.writeLooks)
        let watch = OutboxWatch(services.timers, services.catalogs, services.outbox)
        let answers = AnswerCounts(loops: configuration.loops)
        var loops: [ServingLoop] = []
        for number in 0..<configuration.loops {
            let context = RequestContext(
                makeQueryContext(configuration), services: services, workers: workers, files: files, feeds: feeds,
                watch: watch, startedAt: startedAt, clientCount: { registry.count }, answers: answers)
            loops.append(try ServingLoop(number: number, context: context, registry: registry))
        }
        team = LoopTeam(loops)
        for loop in loops { loop.team = team }
        self.registry = registry
        self.workers = workers
        self.files = files
        self.feeds = feeds
        self.looks = looks
        self.makeQueryContext = makeQueryContext
        catalogs = services.catalogs
        catalogs.rowSets.setBound(configuration.limits.rowSets)
        report = services.report
    }

    /// The number of open connections, at the moment of the call.
    public var clients: Int { registry.count }

    /// Sets the function that is called, on any thread, when the number of clients has changed. It must be quick.
    public func observeClients(_ observer: @escaping @Sendable () -> Void) { registry.observeCount(observer) }

    /// The event loops, for a watchdog that checks that each of them still runs.
    public var eventLoops: [EventLoop] { loops.map(\.events) }

    /// Starts a thread for each loop. The caller calls it once.
    ///
    /// - Throws: the error of the thread that could not be started. Threads started before it run until
    ///   ``stop(grace:hurry:)``.
    public func start() throws(SystemError) {
        for loop in loops {
            let box = ThreadBox(try NamedThread(loop.events.name, urgency: .prompt) { loop.events.run() })
            threads.withLock { $0.append(box) }
        }
        try feeds.start()
        startJournal(of: catalogs.current())
        catalogs.observe { [weak self] catalog in self?.handle(catalog) }
    }

    /// Has idle loops release data that has been replaced, so that its files can be deleted.
    private func handle(_ catalog: Catalog) {
        startJournal(of: catalog)
        let current = catalog.views.map { $0.committed?.files.identifiers ?? [] }
        let hasChanged = snapshots.withLock { snapshots in
            defer { snapshots = current }
            return snapshots != current
        }
        guard hasChanged else { return }
        for loop in loops { loop.perform { loop.served.refresh() } }
    }

    /// Starts the thread of the journal when the first collection is journaled. If the thread cannot be started, looks
    /// are counted, and reported once it runs.
    private func startJournal(of catalog: Catalog) {
        guard catalog.views.contains(where: \.definition.isJournaled) else { return }
        try? looks.start()
    }

    /// Receives a listening socket, and accepts its connections from ``start()`` until ``stop(grace:hurry:)``.
    public func listen(on socket: consuming FileDescriptor) {
        let listener = SocketListener(
            socket, home: loops[0], team: team, registry: registry, looks: looks,
            refused: { [report] uid in report(.refused(user: uid)) })
        listeners.withLock { $0.append(listener) }
        loops[0].perform { listener.start() }
    }

    /// Applies another configuration to later requests, those of open connections included.
    ///
    /// Connections beyond a lowered bound stay open. The number of loops does not change.
    public func reconfigure(_ configuration: ServerConfiguration) {
        registry.setBounds(
            maxConnections: configuration.limits.clients, maxPerUser: configuration.limits.clientsPerUser)
        catalogs.rowSets.setBound(configuration.limits.rowSets)
        looks.configure(configuration.journal)
        for loop in loops { loop.perform { loop.reconfigure(configuration) } }
        feeds.reconfigure(configuration.limits) { [makeQueryContext] in makeQueryContext(configuration) }
        workers.reconfigure { [makeQueryContext] in makeQueryContext(configuration) }
        files.reconfigure { [makeQueryContext] in makeQueryContext(configuration) }
    }

    /// Stops accepting connections and requests, answers the requests in flight, and ends all threads.
    ///
    /// It blocks for at most `grace` and half a second while requests are in flight, and then until the threads have
    /// ended. A connection that has sent nothing yet may send its first request for a second more, because its client
    /// has just connected. The server cannot be started again.
    ///
    /// - Parameters:
    ///   - grace: the time that requests in flight may take.
    ///   - hurry: called after that time if requests are left; it ends the work that they wait for. Their answers are
    ///     still sent. Requests that are not answered within half a second are dropped.
    public func stop(grace: Duration, hurry: () -> Void = {}) {
        let listeners = listeners.withLock { list in
            defer { list = [] }
            return list
        }
        let drained = DispatchSemaphore(value: 0)
        loops[0].perform { [registry, loops] in
            for listener in listeners { listener.stop() }
            // No connection is admitted from here on, so the list is complete.
            let connections = registry.all()
            for connection in connections where connection.hasAsked { connection.drain() }
            loops[0].events.schedule(after: Self.firstRequestGrace) {
                for connection in connections { connection.drain() }
            }
            registry.whenEmpty { drained.signal() }
        }
        if drained.wait(timeout: .now() + .milliseconds(Int(grace.wholeMilliseconds))) == .timedOut {
            hurry()
            _ = drained.wait(timeout: .now() + .milliseconds(Int(Self.lastGrace.wholeMilliseconds)))
        }
        workers.stop()
        files.stop()
        feeds.stop()
        for loop in loops { loop.events.stop() }
        threads.withLock { $0 = [] }
        looks.stop()
        // No thread is left. Loops and team are separated here, because they hold each other.
        for loop in loops { loop.team = nil }
    }

    /// The time in which a connection that has sent nothing yet may send its first request.
    private static let firstRequestGrace: Duration = .seconds(1)
    /// The time for sending answers after the grace is over.
    private static let lastGrace: Duration = .milliseconds(500)
    /// The number of queries that run beside the loops; one process may use all but one of them.
    private static let workerThreads = 3
    /// The number of threads that write files.
    private static let fileThreads = 2
}
