// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsPlatform
import ClaimsStore
import Synchronization

/// The socket side of the daemon: loops that serve, workers for long queries, and the listeners.
///
/// Safe on any thread once started.
public final class Server: Sendable {
    private let team: LoopTeam
    private var loops: [ServingLoop] { team.loops }
    private let registry: ConnectionRegistry
    private let workers: QueryWorkers
    private let threads = Mutex<[ThreadBox]>([])
    private let listeners = Mutex<[Listener]>([])
    private let configuration: Mutex<ServerConfiguration>
    private let catalogs: CatalogPublisher
    /// Which snapshots were current when the loops were last told.
    private let snapshots = Mutex<[ObjectIdentifier?]>([])
    private let refused: @Sendable (UInt32) -> Void
    private let makeContext: @Sendable (ServerConfiguration) -> ServingContext

    /// Holds a thread, which is joined when the box goes.
    private final class ThreadBox: Sendable {
        let thread: NamedThread

        init(_ thread: consuming NamedThread) {
            self.thread = thread
        }
    }

    /// Prepares the loops; nothing runs yet.
    public init(_ configuration: ServerConfiguration, _ services: ServerServices) throws(SystemError) {
        let startedAt = Clocks.monotonic
        let registry = ConnectionRegistry(
            most: configuration.limits.clients, mostPerUser: configuration.limits.clientsPerUser)
        let makeContext = { @Sendable (configuration: ServerConfiguration) in
            ServingContext(configuration, services, registry: registry, workers: nil, startedAt: startedAt)
        }
        let workers = try QueryWorkers(threads: Self.workerThreads) { makeContext(configuration) }
        var loops: [ServingLoop] = []
        for number in 0..<configuration.loops {
            let context = ServingContext(
                configuration, services, registry: registry, workers: workers, startedAt: startedAt)
            loops.append(try ServingLoop(number: number, context: context, registry: registry))
        }
        team = LoopTeam(loops)
        for loop in loops { loop.team = team }
        self.registry = registry
        self.workers = workers
        self.configuration = Mutex(configuration)
        self.makeContext = makeContext
        catalogs = services.catalogs
        refused = services.refused
    }

    /// How many connections there are.
    public var clients: Int { registry.count }

    /// The loops that serve, for a watchdog that wants to see each of them turn.
    public var eventLoops: [EventLoop] { loops.map(\.loop) }

    /// Starts the threads of the loops.
    public func start() throws(SystemError) {
        for loop in loops {
            let box = ThreadBox(try NamedThread(loop.loop.name, urgency: .prompt) { loop.loop.run() })
            threads.withLock { $0.append(box) }
        }
        catalogs.observe { [weak self] catalog in self?.notice(catalog) }
    }

    /// Has loops that nobody asks let go of data that has been replaced: its files stay for as long as they do not.
    private func notice(_ catalog: Catalog) {
        let current = catalog.views.map { $0.snapshot.map(ObjectIdentifier.init) }
        let hasChanged = snapshots.withLock { snapshots in
            defer { snapshots = current }
            return snapshots != current
        }
        guard hasChanged else { return }
        for loop in loops { loop.perform { loop.context.refresh() } }
    }

    /// Begins to accept connections on a listening socket, which stays the server's.
    public func listen(on socket: consuming FileDescriptor) {
        let listener = Listener(
            socket, home: loops[0], team: team, registry: registry,
            policy: configuration.withLock { $0.policy }, refused: refused)
        listeners.withLock { $0.append(listener) }
        loops[0].perform { listener.start() }
    }

    /// Applies another configuration to what is asked from now on.
    public func reconfigure(_ configuration: ServerConfiguration) {
        self.configuration.withLock { $0 = configuration }
        registry.setBounds(most: configuration.limits.clients, mostPerUser: configuration.limits.clientsPerUser)
        for loop in loops { loop.perform { loop.reconfigure(configuration) } }
        workers.reconfigure { [makeContext] in makeContext(configuration) }
        let listeners = listeners.withLock { $0 }
        loops[0].perform { for listener in listeners { listener.setPolicy(configuration.policy) } }
    }

    /// Takes no more connections or requests, answers what is in flight, and ends.
    ///
    /// - Parameters:
    ///   - grace: how long requests in flight may take.
    ///   - hurry: called after that, where some are left; ends what they wait for. Their answers are still sent, and
    ///     what is not answered soon is dropped.
    public func stop(grace: Duration, hurry: () -> Void = {}) {
        let listeners = listeners.withLock { list in
            defer { list = [] }
            return list
        }
        let drained = DrainSignal()
        loops[0].perform { [registry] in
            for listener in listeners { listener.stop() }
            // Nobody comes in from here on, so that these are all.
            for session in registry.all() { session.windDown() }
            registry.whenEmpty { drained.raise() }
        }
        if !drained.wait(atMost: grace) {
            hurry()
            _ = drained.wait(atMost: Self.lastGrace)
        }
        workers.stop()
        for loop in loops { loop.loop.stop() }
        threads.withLock { $0 = [] }
        // No thread is left; the loops and their team hold each other.
        for loop in loops { loop.team = nil }
    }

    /// How long answers may take to be sent once nothing is worked on.
    private static let lastGrace: Duration = .milliseconds(500)
    /// How many queries may run beside the loops; one process may have all but one of them.
    private static let workerThreads = 3
}
