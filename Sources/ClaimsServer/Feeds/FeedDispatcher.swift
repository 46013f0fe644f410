// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// Moves subscriptions on, and sends their lines to the connections. ``FeedHub`` posts its calls.
///
/// Invariant behind the unchecked conformance: every member is touched on the thread of `events` only, or before it runs.
/// Builds with assertions check it. An actor has no thread that waits for descriptors and timers.
final class FeedDispatcher: @unchecked Sendable {
    private let events: EventLoop
    /// Makes the lines; it has the catalog.
    private var writer: EventWriter
    private var collections: [String: FeedCollection] = [:]
    private var links = EventLinks()
    /// The cohorts that wait for their next step.
    private var queue = CohortQueue()
    /// Whether the queue is posted to the thread.
    private var isPumping = false
    /// The version of the catalog that was examined; 0 if no catalog is kept.
    private var examined: UInt64 = 0
    private var alarm: FeedAlarm

    init(_ events: EventLoop, context: QueryContext) throws(SystemError) {
        self.events = events
        writer = EventWriter(context)
        alarm = try FeedAlarm()
        writer.served.release()
        try alarm.watch(on: events) { [unowned self] clockWasSet in handleTime(clockWasSet: clockWasSet) }
    }

    private var served: ServedCatalog { writer.served }
    private var limits: ServingLimits { writer.limits }

    // MARK: - Catalogs

    /// Takes another configuration into use, with its context.
    func reconfigure(_ context: QueryContext) {
        writer.reconfigure(context)
        examined = 0
        handleCatalog()
    }

    /// Handles a catalog that was published.
    func handleCatalog() {
        refresh()
        settle()
    }

    /// Adopts the newest catalog, and queues the subscriptions that are behind it.
    private func refresh() {
        assert(events.isConfined)
        served.refresh()
        guard served.version != examined else { return }
        examined = served.version
        for collection in Array(collections.values) {
            if let view = served.catalog[collection.name] {
                examine(collection, view)
            } else {
                for subscription in links.subscriptions(to: collection.name) { endRemoved(subscription) }
            }
        }
        sendFreshness()
        if links.hasLines { pumpSoon() }
    }

    private func examine(_ collection: FeedCollection, _ view: CollectionView) {
        let hasOtherRules = collection.adoptRules(of: view.definition)
        if hasOtherRules {
            for subscription in links.subscriptions(to: collection.name) where !subscription.sees(view) {
                endRemoved(subscription)
            }
        }
        if collection.redefine(view.definition) || hasOtherRules { resolveAll(of: collection, in: view) }
        guard collection.accept(view, at: writer.revision.seq) else { return }
        for group in collection.groups.values {
            for cohort in group.cohorts.values {
                let isCheap = collection.origin.holds(cohort.progress.position.since)
                let anew = cohort.progress.begunAnew(dependsOnTime: group.feed.dependsOnTime, isCheap: isCheap)
                enqueue(anew.map { group.move(cohort, to: $0) } ?? cohort)
            }
            setBoundary(of: group)
        }
    }

    /// Makes the feeds of a collection anew, because another definition is in force.
    private func resolveAll(of collection: FeedCollection, in view: CollectionView) {
        let all = links.subscriptions(to: collection.name)
        collection.removeGroups()
        for subscription in all {
            let held = subscription.heldProgress
            guard var progress = subscription.cohort?.progress ?? held else { continue }
            guard let feed = resolve(subscription, in: view, &progress) else { continue }
            let group = FeedGroup(feed, time: subscription.group.time)
            subscription.group.leave(subscription)
            enter(subscription, group, of: collection, at: progress, isHeld: held != nil)
        }
    }

    /// Resolves the parameters of a subscription by the definition of a view. Ends the subscription if they are not
    /// valid any more.
    ///
    /// - Parameter progress: changes to the beginning of a fresh set if the feed is another one now.
    /// - Returns: the feed; nil if the subscription has ended.
    private func resolve(
        _ subscription: Subscription, in view: CollectionView, _ progress: inout FeedProgress
    ) -> Feed? {
        do throws(RequestError) {
            let feed = try Feed(subscription.request, of: view.definition, within: subscription.limit(in: view))
            if feed.hash != subscription.group.feed.hash {
                let position = FeedPosition.set(at: writer.revision.seq, time: feed.dependsOnTime ? served.now : 0)
                progress = FeedProgress(position: position, stage: .set(reason: .filter))
            }
            return feed
        } catch {
            end(subscription, because: error)
            return nil
        }
    }

    /// Releases the catalog, so that replaced snapshots are freed while there is nothing to send. The view that a
    /// reader without room needs is kept until the reader has passed the commit, or until the next commit.
    private func release() {
        served.release()
        for collection in collections.values {
            collection.release { origin in links.isReaderHeld(of: collection.name, from: origin) }
        }
        examined = 0
    }

    // MARK: - Subscriptions

    /// Adds a subscription.
    func add(_ order: SubscriptionOrder, number: Int, on channel: EventChannel) {
        refresh()
        let link = links.link(of: channel)
        let name = order.feed.definition.name
        let group = FeedGroup(order.feed, time: served.now)
        let subscription = Subscription(number, on: link, order, of: group, at: events.now)
        link.add(subscription)
        scheduleHeartbeat(subscription, after: limits.heartbeat)
        guard let view = served.catalog[name], subscription.sees(view) else { return endRemoved(subscription) }
        let known = collections[name]
        let collection = known ?? FeedCollection(view, at: writer.revision.seq, now: served.now)
        if known == nil { alarm.markStale() }
        collections[name] = collection
        collection.begin(subscription)
        var progress = order.progress
        let isOfRules = order.feed.limit?.name == subscription.limit(in: view)?.name
        if !isOfRules || !collection.hasBasis(of: order.feed.definition) {
            // A reload came between the answer and now.
            guard let feed = resolve(subscription, in: view, &progress) else { return }
            group.replace(feed)
        }
        enter(subscription, group, of: collection, at: progress)
        pumpSoon()
    }

    /// Adds a subscription to the others with the same feed, and queues its next step.
    ///
    /// - Parameters:
    ///   - group: the group to use if there is none for that feed.
    ///   - isHeld: whether its connection has no room.
    private func enter(
        _ subscription: Subscription, _ group: FeedGroup, of collection: FeedCollection, at progress: FeedProgress,
        isHeld: Bool = false
    ) {
        let group = collection.join(group)
        group.admit(subscription)
        if isHeld { subscription.hold(at: progress) } else { enqueue(group.join(subscription, at: progress)) }
        guard group.feed.dependsOnTime else { return }
        if group.count == 1 {
            setBoundary(of: group)
        } else if progress.position.time > group.time {
            // The newcomer holds the set of a later time already.
            evaluate(group, now: served.now, events.now)
        }
    }

    /// Removes a subscription.
    func remove(_ number: Int, of token: UInt64) {
        assert(events.isConfined)
        guard let link = links[token], let subscription = link.remove(number) else { return }
        leave(subscription)
        if link.subscriptions.isEmpty { links.forget(link) }
    }

    /// Removes all subscriptions of a connection.
    func removeAll(of token: UInt64) {
        assert(events.isConfined)
        guard let link = links[token] else { return }
        for subscription in link.subscriptions.values { leave(subscription) }
        link.removeAll()
        links.forget(link)
    }

    /// Takes a subscription out of its group.
    private func leave(_ subscription: Subscription) {
        if let timer = subscription.end() { events.cancel(timer) }
        let group = subscription.group
        group.dismiss(subscription)
        guard let collection = collections[subscription.collection] else { return }
        if group.count <= 0 { collection.remove(group) }
        // The data that is kept for it may not be needed any more.
        if subscription.heldProgress != nil { pumpSoon() }
        collection.end(subscription)
        if collection.count == 0 { collections[collection.name] = nil }
    }

    /// Ends a subscription with an error as its last line.
    private func end(_ subscription: Subscription, because error: RequestError) {
        append(writer.ended(error, in: subscription.request.language), to: subscription, isLast: true)
    }

    private func endRemoved(_ subscription: Subscription) {
        end(subscription, because: .removedUnderSubscription(subscription.collection))
    }

    // MARK: - Steps

    /// Queues the next step of a cohort.
    private func enqueue(_ cohort: FeedCohort) {
        guard cohort.beginWait() else { return }
        queue.append(cohort)
        pumpSoon()
    }

    /// Continues with the queue, after the work that other threads have posted until now.
    private func pumpSoon() {
        guard !isPumping else { return }
        isPumping = true
        events.post { [weak self] in
            guard let self else { return }
            isPumping = false
            pump()
        }
    }

    /// Makes steps for a while, and hands the lines over.
    private func pump() {
        refresh()
        let start = SystemClock.monotonic
        while let cohort = queue.popFirst() {
            cohort.endWait()
            step(cohort)
            if SystemClock.monotonic &- start >= Self.sliceLength { break }
        }
        settle()
    }

    /// Hands the lines of this tick over. If nothing is left to do, replaced data is released.
    private func settle() {
        links.flush()
        alarm.update(for: collections.values, now: served.now)
        if queue.isEmpty { release() } else { pumpSoon() }
    }

    /// Makes one step with all members that have room: one line at most, and the last one of a way has two.
    private func step(_ cohort: FeedCohort) {
        for subscription in cohort.members where !subscription.link.channel.hasRoom() {
            hold(subscription, at: cohort.progress)
        }
        // The members keep the group. Without any, it may be gone.
        guard !cohort.members.isEmpty else { return }
        let group = cohort.group
        let name = group.feed.definition.name
        guard let view = served.catalog[name], let collection = collections[name] else { return }
        // The feed continues once the records are served again.
        guard !view.isWithheld(now: served.now) else { return }
        var progress = cohort.progress
        if case .set(let reason?) = progress.stage {
            progress.stage = .set(reason: nil)
            let line = EventWriter.freshInstance(reason)
            for subscription in cohort.members {
                subscription.setClock(nil)
                append(line, to: subscription)
            }
        }
        let step: FeedStep
        do throws(QueryFailure) {
            step = try writer.step(from: progress, of: group, in: view, collection)
        } catch {
            // state.db could not be read, or the query took too long: nothing was sent.
            return retryLater(group.move(cohort, to: progress))
        }
        for subscription in cohort.members {
            for line in step.lines { append(line.text, to: subscription, hasClock: line.hasClock) }
            subscription.record(step.shown, of: view)
            if let clock = step.clock { subscription.setClock(clock) }
        }
        let moved = group.move(cohort, to: step.progress)
        if step.goesOn { enqueue(moved) }
    }

    private func retryLater(_ cohort: FeedCohort) {
        events.schedule(after: Self.retryInterval) { [weak self, weak cohort] in
            if let self, let cohort { enqueue(cohort) }
        }
    }

    /// Appends a line for a subscription. The last one ends it.
    ///
    /// - Parameter hasClock: whether the line has a clock; the next heartbeat is planned from there.
    private func append(
        _ line: [UInt8], to subscription: Subscription, hasClock: Bool = false, isLast: Bool = false
    ) {
        assert(events.isConfined)
        links.append(line, to: subscription, isLast: isLast)
        if hasClock { subscription.recordClock(at: events.now) }
        watch(subscription.link)
        if isLast { remove(subscription.number, of: subscription.link.channel.token) }
    }

    /// Keeps a subscription back until its connection has room.
    private func hold(_ subscription: Subscription, at progress: FeedProgress) {
        subscription.hold(at: progress)
        links.hold(subscription.link)
        watch(subscription.link)
    }

    /// Goes on with the subscriptions of a connection that has room again.
    func retry(_ token: UInt64) {
        assert(events.isConfined)
        guard let link = links.releaseHeld(token) else { return }
        refresh()
        for subscription in link.subscriptions.values {
            if let news = subscription.releaseState() {
                if let view = served.catalog[subscription.collection], isSent(news, of: view) {
                    var lines = StateLines(news, of: view)
                    append(lines.line(for: subscription.group.feed, by: writer), to: subscription)
                }
            }
            guard let progress = subscription.heldProgress else { continue }
            enqueue(subscription.group.join(subscription, at: progress))
        }
        pumpSoon()
    }

    /// Goes on with all that are kept back, because memory is free again.
    func retryHeld() {
        for token in links.heldTokens { retry(token) }
    }

    /// Checks after a while that the peer of a connection reads its waiting lines.
    private func watch(_ link: ConnectionLink, after delay: Duration? = nil) {
        guard link.beginWatch() else { return }
        events.schedule(after: delay ?? limits.stall) { [weak self, weak link] in
            guard let self, let link else { return }
            link.endWatch()
            inspect(link)
        }
    }

    private func inspect(_ link: ConnectionLink) {
        guard !link.subscriptions.isEmpty, let since = link.channel.unreadSince else { return }
        let left = EventRoom.timeLeft(unreadSince: since, now: SystemClock.monotonic, stall: limits.stall)
        if let left { return watch(link, after: left) }
        for subscription in Array(link.subscriptions.values) {
            append(EventWriter.lagged(subscription.clock), to: subscription, isLast: true)
        }
        links.flush()
    }

    // MARK: - Time as the cause

    /// Evaluates the filters whose boundary is reached, and sends freshness that has changed.
    ///
    /// - Parameter clockWasSet: whether the wall clock was set, so that every filter that depends on time is evaluated.
    private func handleTime(clockWasSet: Bool) {
        refresh()
        let (now, monotonic) = (served.now, SystemClock.monotonic)
        for collection in collections.values {
            for group in collection.groups.values where group.feed.dependsOnTime {
                guard clockWasSet || group.isDue(at: now, monotonic) else { continue }
                evaluate(group, now: now, monotonic)
            }
        }
        sendFreshness()
        // The alarm has gone off, also if the last evaluation is too short ago.
        alarm.markStale()
        settle()
    }

    /// Moves the live readers of a feed to a time.
    private func evaluate(_ group: FeedGroup, now: Int64, _ monotonic: UInt64) {
        group.evaluate(at: now, monotonic)
        setBoundary(of: group)
        for cohort in group.cohorts.values { enqueue(cohort) }
    }

    /// Finds the next boundary of a feed that depends on time, from its time on.
    private func setBoundary(of group: FeedGroup) {
        guard group.feed.dependsOnTime, let view = served.catalog[group.feed.definition.name] else { return }
        group.setBoundary(in: view)
        alarm.markStale()
    }

    /// Sends the subscriptions to a collection a refresh of it. What it changed is sent before, if there is room.
    func send(_ news: StateNews, of collection: String) {
        guard collections[collection] != nil else { return }
        pump()
        append(news, of: collection)
        settle()
    }

    /// Sends the freshness of the collections if it differs from what was sent, and if records begin or cease to be
    /// withheld. After that feeds continue from their clocks.
    private func sendFreshness() {
        for collection in collections.values {
            guard let view = served.catalog[collection.name] else { continue }
            let change = collection.updateFreshness(view, now: served.now)
            if change.hasOtherEnd { alarm.markStale() }
            if change.isNews { append(StateNews(StateEvent.freshness), of: collection.name) }
            guard change.endsWithholding else { continue }
            for cohort in collection.cohorts { enqueue(cohort) }
        }
    }

    /// Whether news are sent now. While records are withheld, only that they are.
    private func isSent(_ news: StateNews, of view: CollectionView) -> Bool {
        news.change == StateEvent.freshness || !view.isWithheld(now: served.now)
    }

    private func append(_ news: StateNews, of collection: String) {
        refresh()
        guard let view = served.catalog[collection], isSent(news, of: view) else { return }
        var lines = StateLines(news, of: view)
        for link in links.all {
            for subscription in link.subscriptions.values where subscription.collection == collection {
                if link.channel.hasRoom() {
                    append(lines.line(for: subscription.group.feed, by: writer), to: subscription)
                } else {
                    subscription.hold(news)
                    links.hold(link)
                }
            }
        }
    }

    /// Plans the next heartbeat of a subscription.
    private func scheduleHeartbeat(_ subscription: Subscription, after delay: Duration) {
        let timer = events.schedule(after: delay) { [weak self, weak subscription] in
            if let self, let subscription { beat(subscription) }
        }
        subscription.setHeartbeat(timer)
    }

    private func beat(_ subscription: Subscription) {
        guard !subscription.isOver else { return }
        let elapsed = subscription.timeSinceClock(at: SystemClock.monotonic)
        if elapsed < limits.heartbeat { return scheduleHeartbeat(subscription, after: limits.heartbeat - elapsed) }
        scheduleHeartbeat(subscription, after: limits.heartbeat)
        refresh()
        sendHeartbeat(subscription)
        settle()
    }

    /// Sends a heartbeat, unless something else is under way. If records are withheld, it has the clock that the client
    /// has.
    private func sendHeartbeat(_ subscription: Subscription) {
        guard let view = served.catalog[subscription.collection] else { return }
        let feed = subscription.group.feed
        let isWithheld = view.isWithheld(now: served.now)
        guard let cohort = subscription.cohort, cohort.progress.stage == .live, !cohort.progress.isOpen,
            subscription.link.channel.isRoomLeft
        else { return }
        if isWithheld {
            if let clock = subscription.clock { append(writer.heartbeat(clock, of: feed, view), to: subscription) }
            return
        }
        guard !cohort.isQueued, cohort.progress.position.isAtRest,
            view.changedSeq <= cohort.progress.position.since
        else { return }
        // Commits of other collections have moved the sequence, and this set not.
        let position = FeedPosition.rest(at: writer.revision.seq, time: cohort.progress.position.time)
        let clock = writer.clock(of: feed, at: position)
        let moved = subscription.group.move(cohort, to: FeedProgress(position: position, stage: .live))
        for member in moved.members { member.setClock(clock) }
        append(writer.heartbeat(clock, of: feed, view), to: subscription, hasClock: true)
    }

    /// The time after which a step that has failed is tried again.
    private static let retryInterval = Duration.seconds(1)
    /// The time for which steps are made before the work that other threads have posted, in nanoseconds.
    private static let sliceLength: UInt64 = 4_000_000
}
