// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal

/// The connection of a running trigger: it answers the requests of a cut, and its subscription reports
/// changes.
final class TriggerFeed: CutRequests.Caller {
    private let connection: FeedConnection
    private var feed = FollowedFeed()
    /// The reported set, with which events are compared.
    private var reported: Reported.Moment?

    /// - Parameter wakers: descriptors that end a wait for an event.
    init(_ connection: ClientConnection, wakers: [Int32]) {
        self.connection = FeedConnection(connection, reader: nil)
        self.connection.wakers = wakers
    }

    var isSubscribed: Bool { feed.subscription != nil }

    func describe(_ parameters: DescribeParameters) throws(CommandError) -> AnswerValue {
        try connection.answer(to: connection.request(.describe, parameters))
    }

    func changes(_ parameters: ChangesParameters) throws(CommandError) -> AnswerValue {
        try connection.answer(to: connection.request(.changes, parameters))
    }

    func count(_ parameters: CountParameters) throws(CommandError) -> Int {
        Int(try connection.answer(to: connection.request(.count, parameters))[CountResult.total] ?? 0)
    }

    /// Subscribes from the clock that was reported last, unless it has done so.
    func subscribe(_ definition: TriggerDefinition, _ feed: FeedParameters, _ reported: Reported?) throws(CommandError)
    {
        let moment = reported?.moment
        self.reported = moment
        guard !isSubscribed else { return }
        self.feed = FollowedFeed(moment?.clock.map { .since($0) } ?? .now, isKnown: true)
        var parameters = SubscribeParameters()
        parameters.collection = definition.collection
        parameters.feed = feed
        // Without a clock that the daemon knows, the next cut asks for the set as a whole.
        _ = try connection.subscribe(&self.feed, parameters)
    }

    /// Waits for the next event.
    ///
    /// - Returns: whether it is a change to report; nil if none came: a waker ended the wait.
    func next() throws(CommandError) -> Bool? {
        guard case .event(let event) = try connection.next() else { return nil }
        guard feed.accept(event) else { return false }
        switch event.kind {
        case .freshInstance, .ended: return true
        case .changes(_, let isComplete): return isComplete && isNews(event.clock)
        // Changes since the last report were counted already.
        case .synced: return hasChanged(event)
        case .state, .heartbeat: return hasChanged(event)
        case .lagged: throw .client(.closed(mayBeDone: false))
        case .unknown: return false
        }
    }

    /// Whether a clock is later than the reported one. A clock of another epoch counts as later, and so does the same
    /// sequence at another moment.
    private func isNews(_ clock: String?) -> Bool {
        guard let clock, let old = reported?.clock else { return true }
        if clock == old { return false }
        let (now, before) = (Self.sequence(clock), Self.sequence(old))
        return now.epoch != before.epoch || now.sequence >= before.sequence
    }

    /// The parts of `EPOCH.SEQ-MORE`.
    private static func sequence(_ clock: String) -> (epoch: Substring, sequence: UInt64) {
        let parts = clock.split(separator: ".", maxSplits: 1)
        let digits = parts.count > 1 ? parts[1].prefix { $0.isASCII && $0.isNumber } : ""
        return (parts.first ?? "", UInt64(digits) ?? .max)
    }

    /// Whether the condition of the collection is another one, or there is data for the first time.
    private func hasChanged(_ event: FeedEvent) -> Bool {
        guard let meta = AnswerMeta(event.meta) else { return false }
        if reported?.clock == nil, meta.freshness != nil { return true }
        return Condition(meta).rawValue != reported?.condition
    }
}
