// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// The subscriptions come and go. Every call is made on the hub's thread.
extension FeedHub {
    /// Adds a subscription.
    func add(_ order: SubscriptionOrder, number: Int, on channel: EventChannel) {
        refresh()
        let link = links[channel.token] ?? ConnectionLink(channel)
        links[channel.token] = link
        let name = order.feed.definition.name
        let group = FeedGroup(order.feed, time: context.served.now)
        let subscription = Subscription(number, on: link, order.request, of: group, at: events.now)
        subscription.clock = order.clock
        link.subscriptions[number] = subscription
        scheduleHeartbeat(subscription, after: limits.heartbeat)
        guard let view = context.served.catalog[name] else {
            return end(subscription, because: .unknownCollection(name, hint: Self.removed))
        }
        let seq = context.served.catalog.revision.seq
        let collection = collections[name] ?? FeedCollection(view, at: seq, now: context.served.now)
        if collections[name] == nil { isAlarmStale = true }
        collections[name] = collection
        collection.count += 1
        var progress = order.progress
        if FeedBasis(order.feed.definition) != collection.basis {
            // A reload came between the answer and now.
            guard let feed = resolve(subscription, in: view, &progress) else { return }
            group.feed = feed
        }
        enter(subscription, group, of: collection, at: progress)
        pumpSoon()
    }

    /// Puts a subscription among those to the same feed, and queues its next step.
    ///
    /// - Parameters:
    ///   - group: the group to use where there is none for that feed.
    ///   - isHeld: whether its connection has no room.
    func enter(
        _ subscription: Subscription, _ group: FeedGroup, of collection: FeedCollection, at progress: FeedProgress,
        isHeld: Bool = false
    ) {
        let hash = group.feed.hash
        let group = collection.groups[hash] ?? group
        group.feed.share(collection.definition)
        collection.groups[hash] = group
        subscription.group = group
        group.count += 1
        if isHeld { subscription.heldProgress = progress } else { enqueue(group.join(subscription, at: progress)) }
        guard group.feed.dependsOnTime else { return }
        if group.count == 1 {
            setBoundary(of: group)
        } else if progress.position.time > group.time {
            // The newcomer holds the set of a later time already.
            evaluate(group, now: context.served.now, events.now)
        }
    }

    /// Removes a subscription.
    func remove(_ number: Int, of token: UInt64) {
        assert(events.isConfined)
        guard let link = links[token], let subscription = link.subscriptions.removeValue(forKey: number) else { return }
        leave(subscription)
        if link.subscriptions.isEmpty { forget(link) }
    }

    /// Removes all subscriptions of a connection.
    func removeAll(of token: UInt64) {
        assert(events.isConfined)
        guard let link = links[token] else { return }
        for subscription in link.subscriptions.values { leave(subscription) }
        link.subscriptions = [:]
        forget(link)
    }

    private func forget(_ link: ConnectionLink) {
        links[link.channel.token] = nil
        held[link.channel.token] = nil
    }

    /// Takes a subscription out of its group.
    func leave(_ subscription: Subscription) {
        subscription.isOver = true
        if let timer = subscription.heartbeat { events.cancel(timer) }
        let group = subscription.group
        group.leave(subscription)
        group.count -= 1
        guard let collection = collections[subscription.collection] else { return }
        if group.count <= 0, collection.groups[group.feed.hash] === group { collection.groups[group.feed.hash] = nil }
        // Maybe nobody needs any more what is kept for it.
        if subscription.heldProgress != nil { pumpSoon() }
        collection.count -= 1
        if collection.count == 0 { collections[collection.name] = nil }
    }

    /// Ends a subscription with an error as its last line.
    func end(_ subscription: Subscription, because error: RequestError) {
        let language = context.configuration.language
        append(
            EventText.make(.ended) { writer in
                writer.key(EndedEvent.error)
                error.write(in: language, to: &writer)
            }, to: subscription, isLast: true)
    }

    // MARK: - Room

    /// Keeps a subscription back until its connection has room.
    func hold(_ subscription: Subscription, at progress: FeedProgress) {
        subscription.group.leave(subscription)
        subscription.heldProgress = progress
        held[subscription.link.channel.token] = subscription.link
        watch(subscription.link)
    }

    /// Goes on with the subscriptions of a connection that has room again.
    func retry(_ token: UInt64) {
        assert(events.isConfined)
        guard let link = held[token], link.channel.hasRoom() else { return }
        held[token] = nil
        context.served.refresh()
        for subscription in link.subscriptions.values {
            if let state = subscription.heldState {
                subscription.heldState = nil
                appendState(state, to: subscription)
            }
            guard let progress = subscription.heldProgress else { continue }
            enqueue(subscription.group.join(subscription, at: progress))
        }
        pumpSoon()
    }

    /// Goes on with all that are kept back, because memory is free again.
    func retryHeld() {
        for token in Array(held.keys) { retry(token) }
    }

    /// Looks after a while whether the peer of a connection reads what waits for it.
    func watch(_ link: ConnectionLink, after delay: Duration? = nil) {
        guard !link.isWatched else { return }
        link.isWatched = true
        events.schedule(after: delay ?? limits.stall) { [weak self, weak link] in
            guard let self, let link else { return }
            link.isWatched = false
            look(at: link)
        }
    }

    private func look(at link: ConnectionLink) {
        guard !link.subscriptions.isEmpty, let since = link.channel.unreadSince else { return }
        let left = EventRoom.timeLeft(unreadSince: since, now: SystemClock.monotonic, stall: limits.stall)
        if let left { return watch(link, after: left) }
        for subscription in Array(link.subscriptions.values) {
            let clock = subscription.clock
            append(
                EventText.make(.lagged) { writer in
                    writer.key(LaggedEvent.clock)
                    if let clock { writer.raw(clock) } else { writer.null() }
                }, to: subscription, isLast: true)
        }
        flush()
    }
}
