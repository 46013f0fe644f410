// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

/// The subscriptions of one connection, and the event lines among the bytes that wait to be sent. Pure.
struct ConnectionSubscriptions {
    private var live: Set<Int> = []
    private var last = 0
    /// The size of the event lines that wait, as they are accounted, in bytes. Answers that wait behind them count as
    /// lines, so that it is an upper bound.
    private(set) var waiting = 0

    /// The number of subscriptions.
    var count: Int { live.count }

    /// Begins a subscription.
    ///
    /// - Returns: its number, which no other subscription of the connection has had.
    mutating func begin() -> Int {
        last += 1
        live.insert(last)
        return last
    }

    /// Ends a subscription.
    ///
    /// - Returns: false if there is none with this number.
    mutating func end(_ number: Int) -> Bool { live.remove(number) != nil }

    /// Ends all subscriptions.
    ///
    /// - Returns: their number.
    mutating func endAll() -> Int {
        defer { live = [] }
        return live.count
    }

    /// Whether lines of a subscription may be sent.
    func isLive(_ number: Int) -> Bool { live.contains(number) }

    /// Adds lines that were written, in bytes.
    mutating func recordWritten(_ size: Int) {
        waiting += size
    }

    /// Records a send.
    ///
    /// - Parameter left: the number of bytes that wait to be sent, including answers.
    /// - Returns: the size of the lines that have left.
    mutating func recordSent(left: Int) -> Int {
        let sent = max(0, waiting - left)
        waiting -= sent
        return sent
    }
}

/// The connection of a peer to the hub of feeds: its channel, and the account of its user.
///
/// Confined to the thread of the connection's loop. The numbers of the subscriptions are those of its state.
struct ConnectionEvents {
    private let hub: FeedHub
    private let uid: UInt32
    /// The channel of the event lines; nil before the first subscription.
    private var channel: EventChannel?

    init(_ hub: FeedHub, uid: UInt32) {
        self.hub = hub
        self.uid = uid
    }

    /// Whether the connection has had a subscription.
    var isOpen: Bool { channel != nil }

    /// Begins a subscription. Its lines come after the answer, because they are posted to the loop.
    ///
    /// - Parameters:
    ///   - max: the number of subscriptions that a connection may have.
    ///   - makeChannel: makes the channel, for the first subscription.
    /// - Returns: the result of the request.
    /// - Throws: `busy` if the connection, its user or all users have too many.
    mutating func begin(
        _ order: SubscriptionOrder, _ subscriptions: inout ConnectionSubscriptions, max: Int,
        makeChannel: (FeedHub) -> EventChannel
    ) throws(RequestError) -> [UInt8] {
        guard subscriptions.count < max else { throw .tooManySubscriptions(of: .connection, max: max) }
        try hub.counts.add(for: uid)
        let channel = channel ?? makeChannel(hub)
        self.channel = channel
        let number = subscriptions.begin()
        hub.begin(order, number: number, on: channel)
        return order.result(number)
    }

    /// Ends a subscription at the request of the peer; lines of it that are on their way are dropped.
    ///
    /// - Throws: `not_found` for an unknown number.
    func end(_ number: Int64, _ subscriptions: inout ConnectionSubscriptions) throws(RequestError) {
        guard let number = Int(exactly: number), let channel, remove(number, &subscriptions) else {
            throw .unknownSubscription
        }
        hub.end(number, on: channel)
    }

    /// Ends all subscriptions.
    ///
    /// - Parameter isClosed: whether the lines that wait are not sent any more.
    func endAll(_ subscriptions: inout ConnectionSubscriptions, isClosed: Bool) {
        guard let channel else { return }
        hub.counts.remove(subscriptions.endAll(), of: uid)
        hub.endAll(on: channel)
        if isClosed { channel.release(subscriptions.recordSent(left: 0)) }
    }

    /// Writes lines of the hub. Lines of subscriptions that have ended meanwhile are dropped.
    ///
    /// - Parameter isClosed: whether nothing is sent any more.
    func write(
        _ lines: [EventLine], _ subscriptions: inout ConnectionSubscriptions, isClosed: Bool,
        to writer: inout JSONWriter
    ) {
        var dropped = 0
        for line in lines {
            guard !isClosed, subscriptions.isLive(line.subscription) else {
                dropped += line.size
                continue
            }
            writer.beginValue()
            writer.raw(Self.eventHead, Int64(line.subscription), line.rest)
            subscriptions.recordWritten(line.size)
            if line.isLast { _ = remove(line.subscription, &subscriptions) }
        }
        channel?.release(dropped)
    }

    /// Records the number of bytes of the lines that the peer has read.
    ///
    /// - Parameters:
    ///   - before: the number of bytes that were to be sent.
    ///   - left: the number of bytes that are left.
    ///   - now: in nanoseconds of the monotonic clock.
    func recordSent(_ subscriptions: inout ConnectionSubscriptions, before: Int, left: Int, at now: UInt64) {
        guard let channel else { return }
        channel.recordSend(isAnythingLeft: left > 0, hasProgressed: left < before, at: now)
        channel.release(subscriptions.recordSent(left: left))
    }

    private func remove(_ number: Int, _ subscriptions: inout ConnectionSubscriptions) -> Bool {
        guard subscriptions.end(number) else { return false }
        hub.counts.remove(1, of: uid)
        return true
    }

    private static let eventHead = Array(#"{"jsonrpc":"2.0","method":"event","params":{"subscription":"#.utf8)
}

extension RequestError {
    static let unknownSubscription = RequestError(
        .notFound,
        TranslatedText(
            en: "this connection has no subscription of that number",
            pl: "to połączenie nie ma subskrypcji o tym numerze"),
        hint: TranslatedText(
            en: "it may have ended; the answer of subscribe has the number",
            pl: "mogła się zakończyć; numer podaje odpowiedź na subscribe"))
}
