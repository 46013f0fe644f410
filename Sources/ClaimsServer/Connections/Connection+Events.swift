// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import Synchronization

/// The subscriptions of the connection: they begin and end here, and their lines are sent here.
///
/// Every call but the delivery is made on the thread of the loop.
extension Connection {
    /// Begins a subscription. Its lines come after the answer, because they are posted to this loop.
    ///
    /// - Returns: the result of the request.
    /// - Throws: `busy` where the connection, its user or all users have too many.
    func subscribe(_ order: SubscriptionOrder, _ state: inout ConnectionState) throws(RequestError) -> [UInt8] {
        let limit = loop.limits.subscriptions
        guard state.subscriptions.count < limit else { throw .tooManySubscriptions(of: .connection, max: limit) }
        let hub = loop.context.feeds
        try hub.counts.add(for: peer.uid)
        let channel = channel ?? makeChannel(hub)
        self.channel = channel
        isSubscribed.store(true, ordering: .relaxed)
        let number = state.subscriptions.begin()
        hub.begin(order, number: number, on: channel)
        return order.result(number)
    }

    /// Ends a subscription; lines of it that are on their way are dropped.
    ///
    /// - Throws: `not_found` for an unknown number.
    func unsubscribe(_ number: Int64, _ state: inout ConnectionState) throws(RequestError) {
        guard let number = Int(exactly: number), let channel, end(number, &state) else { throw .unknownSubscription }
        loop.context.feeds.end(number, on: channel)
    }

    /// Ends all subscriptions, and gives back what their lines use.
    func endSubscriptions(_ state: inout ConnectionState) {
        guard let channel else { return }
        let count = state.subscriptions.endAll()
        loop.context.feeds.counts.remove(count, of: peer.uid)
        isSubscribed.store(false, ordering: .relaxed)
        loop.context.feeds.endAll(on: channel)
        if state.phase == .closed { channel.release(state.subscriptions.noteSent(left: 0)) }
    }

    /// Notes how much of the lines the peer has taken.
    ///
    /// - Parameter before: the number of bytes that there were to send.
    func noteSent(_ state: inout ConnectionState, on channel: EventChannel, before: Int) {
        let left = state.output.count
        channel.noteSend(isAnythingLeft: left > 0, hasTaken: left < before, at: loop.events.now)
        channel.release(state.subscriptions.noteSent(left: left))
    }

    private func end(_ number: Int, _ state: inout ConnectionState) -> Bool {
        guard state.subscriptions.end(number) else { return false }
        loop.context.feeds.counts.remove(1, of: peer.uid)
        if state.subscriptions.count == 0 { isSubscribed.store(false, ordering: .relaxed) }
        return true
    }

    private func makeChannel(_ hub: FeedHub) -> EventChannel {
        hub.makeChannel(token: token) { [weak self] channel, lines in
            guard let self else { return channel.release(lines.reduce(0) { $0 + $1.size }) }
            perform { connection in
                let loop = connection.loop
                if connection.deliver(lines, on: channel, &connection.state, &loop.buffers) { loop.serve(connection) }
            }
        }
    }

    /// Sends lines of the hub. Those of subscriptions that have ended meanwhile are dropped.
    ///
    /// - Returns: whether the connection needs a time slice: to wait until more can be sent, or to close.
    private func deliver(
        _ lines: [EventLine], on channel: EventChannel, _ state: inout ConnectionState, _ buffers: inout LoopBuffers
    ) -> Bool {
        var dropped = 0
        for line in lines {
            guard state.phase != .closed, state.subscriptions.isLive(line.subscription) else {
                dropped += line.size
                continue
            }
            buffers.outgoing.beginValue()
            buffers.outgoing.raw(Self.eventHead, Int64(line.subscription), line.rest)
            state.subscriptions.noteWritten(line.size)
            if line.isLast { _ = end(line.subscription, &state) }
        }
        channel.release(dropped)
        guard buffers.pending > 0 else { return false }
        send(&state, &buffers)
        return state.phase == .halfClosed || state.phase == .open && state.output.count > 0
    }

    private static let eventHead = Array(#"{"jsonrpc":"2.0","method":"event","params":{"subscription":"#.utf8)
}

extension RequestError {
    static let unknownSubscription = RequestError(
        .notFound,
        ErrorText(
            en: "this connection has no subscription of that number",
            pl: "to połączenie nie ma subskrypcji o tym numerze"),
        hint: ErrorText(
            en: "it may have ended; the answer of subscribe has the number",
            pl: "mogła się zakończyć; numer podaje odpowiedź na subscribe"))
}
