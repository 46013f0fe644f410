// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsRefresh
import ClaimsStore
import Synchronization

/// Tells subscriptions what changes, on one thread of low priority behind the publishing of commits.
///
/// A published commit marks the subscriptions of its collection. The thread then moves them on, piece by piece, as far
/// as their connections have room; subscriptions to equal feeds at the same position share each line. The loops of the
/// connections only append the finished lines.
///
/// ```swift
/// let hub = try FeedHub(configuration, services, context: context)
/// try hub.start()
/// let channel = hub.makeChannel(token: 7) { channel, lines in … }
/// hub.begin(order, number: 1, on: channel)
/// hub.stop()
/// ```
/// Invariant behind the unchecked conformance: the members under "The hub's thread" are touched on the thread of
/// `events` only, or before it runs; other threads reach them by posting. Builds with assertions check it. The others are
/// safe on any thread. No actor does: its thread waits for descriptors and timers, and has a priority of its own.
final class FeedHub: @unchecked Sendable {
    /// The numbers of subscriptions, for their bounds.
    let counts: SubscriptionCounts
    let events: EventLoop
    private let services: ServerServices
    private let budget = EventBudget()
    private let isMarked = Atomic<Bool>(false)
    private let thread = Mutex<ThreadBox?>(nil)

    // MARK: The hub's thread

    /// The catalog, and the buffers for queries.
    var context: QueryContext
    var collections: [String: FeedCollection] = [:]
    var links: [UInt64: ConnectionLink] = [:]
    /// The links of which some subscriptions wait for room.
    var held: [UInt64: ConnectionLink] = [:]
    /// The cohorts that wait for their next step.
    var queue = CohortQueue()
    /// The links with lines that go out at the end of the tick.
    var dirty: [ConnectionLink] = []
    /// Whether the queue is posted to the thread.
    var isPumping = false
    /// The version of the catalog that was looked at; 0 while none is kept.
    var examined: UInt64 = 0
    /// Whether the alarm may not be the next one that is needed.
    var isAlarmStale = false
    let wall: WallAlarm
    private var log: FeedLog?

    /// Holds the thread, which is joined when the box goes.
    private final class ThreadBox: Sendable {
        let thread: NamedThread

        init(_ thread: consuming NamedThread) {
            self.thread = thread
        }
    }

    /// - Parameter context: the context of the hub's thread.
    init(
        _ configuration: ServerConfiguration, _ services: ServerServices, context: QueryContext
    ) throws(SystemError) {
        events = try EventLoop(name: "feeds")
        self.services = services
        self.context = context
        counts = SubscriptionCounts(configuration.limits)
        wall = try WallAlarm()
        context.served.release()
        try wall.watch(on: events)
        wall.onEvent = { [unowned self] clockWasSet in lookAtTime(clockWasSet: clockWasSet) }
        budget.observe { [weak self] in self?.post { $0.retryHeld() } }
    }

    var limits: ServingLimits { context.configuration.limits }

    /// The engine of a collection.
    ///
    /// - Throws: the error of opening state.db.
    func engine(of collection: FeedCollection) throws(StoreError) -> FeedEngine {
        if let engine = collection.engine { return engine }
        let log: FeedLog
        if let known = self.log { log = known } else { log = FeedLog(try context.changeLog()) }
        self.log = log
        let engine = FeedEngine(log, scratch: context.scratch)
        collection.engine = engine
        return engine
    }

    // MARK: - Any thread

    /// Starts the thread, and begins to listen to commits and refreshes.
    func start() throws(SystemError) {
        let events = events
        let box = ThreadBox(try NamedThread(events.name, urgency: .background) { events.run() })
        thread.withLock { $0 = box }
        services.catalogs.observe { [weak self] _ in self?.noteCatalog() }
        services.refresher.observe { [weak self] event in
            switch event {
            case .began(let source): self?.tell(source, .started)
            case .ended(let report): self?.tell(report.source, report.outcome)
            case .erased: break
            }
        }
    }

    /// Tells subscriptions that a refresh has begun, or how it has ended.
    private func tell(_ source: SourceID, _ outcome: RefreshOutcome) {
        guard counts.total > 0 else { return }
        post { $0.tellState(StateNews(outcome.rawValue, site: source.site), of: source.collection) }
    }

    /// Ends the thread; no subscription gets a line any more.
    func stop() {
        events.stop()
        thread.withLock { $0 = nil }
    }

    /// Takes another configuration into use.
    ///
    /// - Parameter context: the context with that configuration.
    func reconfigure(_ limits: ServingLimits, context: @escaping @Sendable () -> QueryContext) {
        counts.setBounds(limits)
        post { hub in
            hub.context = context()
            hub.examined = 0
            hub.lookAtCatalog()
        }
    }

    /// Makes the way to a connection.
    ///
    /// - Parameter send: hands lines to the connection; called on the hub's thread.
    func makeChannel(
        token: UInt64, send: @escaping @Sendable (EventChannel, [EventLine]) -> Void
    ) -> EventChannel {
        EventChannel(token: token, budget: budget, send: send) { [weak self] channel in
            let token = channel.token
            self?.post { $0.retry(token) }
        }
    }

    /// Begins a subscription. Its first line is sent after the call.
    func begin(_ order: SubscriptionOrder, number: Int, on channel: EventChannel) {
        post { $0.add(order, number: number, on: channel) }
    }

    /// Ends a subscription. Lines that are handed over already are for the connection to drop.
    func end(_ number: Int, on channel: EventChannel) {
        post { $0.remove(number, of: channel.token) }
    }

    /// Ends all subscriptions of a connection.
    func endAll(on channel: EventChannel) {
        post { $0.removeAll(of: channel.token) }
    }

    /// Notes that the catalog has changed. Without subscriptions it costs one look at their number.
    private func noteCatalog() {
        guard counts.total > 0, !isMarked.exchange(true, ordering: .sequentiallyConsistent) else { return }
        post { hub in
            hub.isMarked.store(false, ordering: .sequentiallyConsistent)
            hub.lookAtCatalog()
        }
    }

    /// Posts work to the hub's thread.
    private func post(_ work: @escaping @Sendable (FeedHub) -> Void) {
        events.post { [weak self] in
            if let self { work(self) }
        }
    }
}
