// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// Time as a cause of changes, and signs of life. Every call is made on the hub's thread.
extension FeedHub {
    // MARK: - Evaluations

    /// Evaluates the filters whose boundary is reached, and tells freshness that has changed.
    ///
    /// - Parameter clockWasSet: whether the wall clock was set, so that every filter that depends on time is evaluated.
    func lookAtTime(clockWasSet: Bool) {
        refresh()
        let now = context.served.now
        let monotonic = SystemClock.monotonic
        for collection in collections.values {
            for group in collection.groups.values where group.feed.dependsOnTime {
                guard clockWasSet || group.isDue(at: now, monotonic) else { continue }
                evaluate(group, now: now, monotonic)
            }
        }
        tellFreshness()
        // The alarm has gone off, also where the last evaluation is too short ago.
        isAlarmStale = true
        settle()
    }

    /// Has the live readers of a feed moved to a time.
    func evaluate(_ group: FeedGroup, now: Int64, _ monotonic: UInt64) {
        group.time = now
        group.evaluatedAt = monotonic
        setBoundary(of: group)
        for cohort in group.cohorts.values { enqueue(cohort) }
    }

    /// Finds the next boundary of a feed that depends on time, from its time on.
    func setBoundary(of group: FeedGroup) {
        guard group.feed.dependsOnTime, let view = context.served.catalog[group.feed.definition.name] else { return }
        group.boundary = FeedBoundary.next(after: group.time, of: group.feed, in: view.layers)
        isAlarmStale = true
    }

    /// Sets the alarm for the next boundary, or the next change of freshness.
    func setAlarm() {
        guard isAlarmStale else { return }
        isAlarmStale = false
        let now = context.served.now
        let monotonic = SystemClock.monotonic
        var next: Int64?
        for collection in collections.values {
            if let time = collection.freshnessEnd { next = min(next ?? time, time) }
            for group in collection.groups.values {
                guard let time = group.nextEvaluation(now, monotonic) else { continue }
                next = min(next ?? time, time)
            }
        }
        wall.set(next)
    }

    // MARK: - State

    /// Tells the subscriptions to a collection about a refresh of it. What it changed is told before, where there is
    /// room.
    func tellState(_ news: StateNews, of collection: String) {
        guard collections[collection] != nil else { return }
        pump()
        appendState(news, of: collection)
        settle()
    }

    /// Tells the freshness of the collections in which it differs from what was told, and where records begin or cease to
    /// be withheld. From then on feeds go on from their clocks.
    func tellFreshness() {
        let now = context.served.now
        for collection in collections.values {
            guard let view = context.served.catalog[collection.name] else { continue }
            let freshness = view.freshness(now: now)
            let end = view.nextFreshnessChange(after: now)
            if end != collection.freshnessEnd { isAlarmStale = true }
            collection.freshnessEnd = end
            let isWithheld = view.isWithheld(now: now)
            let wasWithheld = collection.isWithheld
            let differs = freshness != collection.freshness || isWithheld != wasWithheld
            (collection.freshness, collection.isWithheld) = (freshness, isWithheld)
            // Changes that come while the records are withheld are told with their return.
            guard differs, !(isWithheld && wasWithheld) else { continue }
            let ends = wasWithheld && !isWithheld
            appendState(StateNews(StateEvent.freshness), of: collection.name)
            guard ends else { continue }
            for group in collection.groups.values {
                for cohort in group.cohorts.values { enqueue(cohort) }
            }
        }
    }

    /// Whether news are told now. While records are withheld, only that they are.
    func isTold(_ news: StateNews, of view: CollectionView) -> Bool {
        news.change == StateEvent.freshness || !view.isWithheld(now: context.served.now)
    }

    private func appendState(_ news: StateNews, of collection: String) {
        refresh()
        guard let view = context.served.catalog[collection], isTold(news, of: view) else { return }
        let line = stateLine(news, view)
        for link in links.values {
            for subscription in link.subscriptions.values where subscription.collection == collection {
                if link.channel.hasRoom() {
                    append(line, to: subscription)
                } else {
                    subscription.heldState = news
                    held[link.channel.token] = link
                }
            }
        }
    }

    // MARK: - Heartbeats

    /// Plans the next heartbeat of a subscription.
    func scheduleHeartbeat(_ subscription: Subscription, after delay: Duration) {
        subscription.heartbeat = events.schedule(after: delay) { [weak self, weak subscription] in
            if let self, let subscription { beat(subscription) }
        }
    }

    private func beat(_ subscription: Subscription) {
        guard !subscription.isOver else { return }
        let now = SystemClock.monotonic
        let elapsed = Duration.nanoseconds(Int64(clamping: now &- subscription.lastClock))
        if elapsed < limits.heartbeat { return scheduleHeartbeat(subscription, after: limits.heartbeat - elapsed) }
        scheduleHeartbeat(subscription, after: limits.heartbeat)
        refresh()
        tellAlive(subscription)
        settle()
    }

    /// Sends a heartbeat, unless something else is under way.
    private func tellAlive(_ subscription: Subscription) {
        if tellWithheld(subscription) { return }
        guard let cohort = subscription.cohort, !cohort.isQueued, cohort.progress.stage == .live,
            !cohort.progress.isOpen, cohort.progress.position.isAtRest, subscription.link.channel.isRoomLeft,
            let view = context.served.catalog[subscription.collection],
            view.changedSeq <= cohort.progress.position.since
        else { return }
        // Commits of other collections have moved the sequence, and this set not.
        let position = FeedPosition.rest(
            at: context.served.catalog.revision.seq, time: cohort.progress.position.time)
        let clock = clock(of: subscription.group.feed, at: position)
        let moved = subscription.group.move(cohort, to: FeedProgress(position: position, stage: .live))
        for member in moved.members { member.clock = clock }
        append(
            EventText.make(.heartbeat) { writer in writeClock(clock, view, to: &writer) }, to: subscription,
            hasClock: true)
    }

    /// Sends a heartbeat with the clock that the client has, where records are withheld.
    ///
    /// - Returns: whether they are.
    private func tellWithheld(_ subscription: Subscription) -> Bool {
        guard let view = context.served.catalog[subscription.collection],
            view.isWithheld(now: context.served.now)
        else { return false }
        if let clock = subscription.clock, let cohort = subscription.cohort, cohort.progress.stage == .live,
            !cohort.progress.isOpen, subscription.link.channel.isRoomLeft
        {
            append(
                EventText.make(.heartbeat) { writer in writeClock(clock, view, to: &writer) }, to: subscription)
        }
        return true
    }
}

extension FeedGroup {
    /// Whether the next boundary is reached, and the last evaluation was long enough ago.
    func isDue(at now: Int64, _ monotonic: UInt64) -> Bool {
        guard let next = nextEvaluation(now, monotonic) else { return false }
        return next <= now
    }

    /// The time of the next evaluation, in milliseconds since 1970; nil where none is needed.
    ///
    /// - Parameters:
    ///   - now: in milliseconds since 1970.
    ///   - monotonic: the same moment, in nanoseconds of the monotonic clock.
    func nextEvaluation(_ now: Int64, _ monotonic: UInt64) -> Int64? {
        guard let boundary else { return nil }
        let elapsed = monotonic > evaluatedAt ? monotonic - evaluatedAt : 0
        let pause = elapsed < Self.minPause ? Int64((Self.minPause - elapsed + 999_999) / 1_000_000) : 0
        return max(boundary, now + pause)
    }

    /// The time between two evaluations of one feed, in nanoseconds.
    private static let minPause: UInt64 = 1_000_000_000
}
