// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsRefresh
import ClaimsStore
import Synchronization

/// Sends changes to subscriptions, on one thread of low priority behind the publishing of commits.
///
/// A published commit marks the subscriptions of its collection. The thread then moves them on, piece by piece, as far
/// as their connections have room; subscriptions to equal feeds at the same position share each line. The loops of the
/// connections only append the finished lines. ``FeedDispatcher`` does the work of the thread; every call here is safe
/// on any thread.
///
/// ```swift
/// let hub = try FeedHub(configuration, services, context: context)
/// try hub.start()
/// let channel = hub.makeChannel(token: 7) { channel, lines in … }
/// hub.begin(order, number: 1, on: channel)
/// hub.stop()
/// ```
final class FeedHub: Sendable {
    /// The numbers of subscriptions, for their bounds.
    let counts: SubscriptionCounts
    private let events: EventLoop
    private let dispatcher: FeedDispatcher
    private let services: ServerServices
    private let budget = EventBudget()
    /// Whether the dispatcher is going to inspect the catalog.
    private let isMarked = Atomic<Bool>(false)
    private let thread = Mutex<ThreadBox?>(nil)

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
        counts = SubscriptionCounts(configuration.limits)
        dispatcher = try FeedDispatcher(events, context: context)
        budget.observe { [weak self] in self?.post { $0.retryHeld() } }
    }

    /// Starts the thread, and begins to observe commits and refreshes.
    func start() throws(SystemError) {
        let events = events
        let box = ThreadBox(try NamedThread(events.name, urgency: .background) { events.run() })
        thread.withLock { $0 = box }
        services.catalogs.observe { [weak self] _ in self?.handleCatalog() }
        services.refresher.observe { [weak self] event in
            switch event {
            case .began(let source): self?.handleRefresh(of: source, .started)
            case .ended(let report): self?.handleRefresh(of: report.source, report.outcome)
            case .erased: break
            }
        }
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
        post { $0.reconfigure(context()) }
    }

    // MARK: - Connections

    /// Makes the channel to a connection.
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

    // MARK: - Commits and refreshes

    /// Marks the catalog as changed. Without subscriptions it costs one read of their number.
    private func handleCatalog() {
        guard counts.total > 0, !isMarked.exchange(true, ordering: .sequentiallyConsistent) else { return }
        events.post { [weak self] in
            guard let self else { return }
            isMarked.store(false, ordering: .sequentiallyConsistent)
            dispatcher.handleCatalog()
        }
    }

    /// Sends subscriptions that a refresh has begun, or how it has ended.
    private func handleRefresh(of source: SourceID, _ outcome: RefreshOutcome) {
        guard counts.total > 0 else { return }
        post { $0.send(StateNews(outcome.rawValue, site: source.site), of: source.collection) }
    }

    /// Posts work to the hub's thread.
    private func post(_ work: @escaping @Sendable (FeedDispatcher) -> Void) {
        events.post { [weak self] in
            if let self { work(dispatcher) }
        }
    }
}
