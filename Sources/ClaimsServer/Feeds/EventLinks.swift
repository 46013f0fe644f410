// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The connections with subscriptions, the ones among them without room, and the lines of this tick.
///
/// Confined to the hub's thread.
struct EventLinks {
    /// The links by the tokens of their connections.
    private var links: [UInt64: ConnectionLink] = [:]
    /// The links of which some subscriptions wait for room.
    private var held: [UInt64: ConnectionLink] = [:]
    /// The links with lines of this tick.
    private var dirty: [ConnectionLink] = []

    /// Whether there are lines of this tick.
    var hasLines: Bool { !dirty.isEmpty }

    /// All of them, in any order.
    var all: [UInt64: ConnectionLink].Values { links.values }

    subscript(token: UInt64) -> ConnectionLink? { links[token] }

    /// The link of a channel, which is made for its first subscription.
    mutating func link(of channel: EventChannel) -> ConnectionLink {
        if let known = links[channel.token] { return known }
        let link = ConnectionLink(channel)
        links[channel.token] = link
        return link
    }

    mutating func forget(_ link: ConnectionLink) {
        links[link.channel.token] = nil
        held[link.channel.token] = nil
    }

    /// The subscriptions to a collection.
    func subscriptions(to collection: String) -> [Subscription] {
        links.values.flatMap { $0.subscriptions.values.filter { $0.collection == collection } }
    }

    // MARK: - Lines

    /// Appends a line for a subscription, and accounts it.
    mutating func append(_ rest: [UInt8], to subscription: Subscription, isLast: Bool) {
        let link = subscription.link
        let line = EventLine(subscription: subscription.number, rest: rest, isLast: isLast)
        link.channel.reserve(line.size)
        if link.append(line) { dirty.append(link) }
    }

    /// Hands over the lines of this tick.
    mutating func flush() {
        for link in dirty { link.deliver() }
        dirty.removeAll(keepingCapacity: true)
    }

    // MARK: - Room

    /// The tokens of the connections without room.
    var heldTokens: [UInt64] { Array(held.keys) }

    /// Keeps a link back until its connection has room.
    mutating func hold(_ link: ConnectionLink) {
        held[link.channel.token] = link
    }

    /// The link of a connection that has room again; it is not held back any more. Nil if it was not held back, or has
    /// no link.
    mutating func releaseHeld(_ token: UInt64) -> ConnectionLink? {
        guard let link = held[token], link.channel.hasRoom() else { return nil }
        held[token] = nil
        return link
    }

    /// Whether a reader of a collection waits for room on its way from an origin.
    func isReaderHeld(of collection: String, from origin: FeedOrigin) -> Bool {
        held.values.contains { link in
            link.subscriptions.values.contains { subscription in
                guard subscription.collection == collection, let progress = subscription.heldProgress else {
                    return false
                }
                return origin.holds(progress.position.since)
            }
        }
    }
}
