// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// Whether a list follows the changes of its records.
enum Liveness: Equatable, Sendable {
    /// A subscription is under way.
    case asking
    case live
    /// Changes are not reported; the reason is for people, where there is one.
    case notLive(String?)
}

/// The subscription to the changes of a list, from the wish for one to its end.
struct ListSubscription: Sendable {
    private(set) var liveness: Liveness
    /// The feed of the query, which goes on from the rows with their marks.
    private var feed = FollowedFeed()
    /// The time at which a subscription is asked for; nil if none is wanted.
    private(set) var dueAt: UInt64?
    /// The number of the query, which rises with each that has another set.
    private var query = 0
    private var tag: BrowseRequest.Tag?

    /// The time for which a query rests before its changes are asked for, in nanoseconds.
    private static let restTime: UInt64 = 500_000_000

    init(_ liveness: Liveness = .asking) { self.liveness = liveness }

    /// The number of the subscription; nil without one.
    var number: Int64? { feed.subscription }

    /// Whether the changes are not reported, and not asked for.
    var isNeeded: Bool { number == nil && tag == nil }

    /// Subscribes once the query has rested: from then on.
    mutating func rest(from now: UInt64) {
        liveness = .asking
        feed = FollowedFeed()
        dueAt = now + Self.restTime
    }

    /// Subscribes at once, from the clock of the rows if there is one.
    mutating func resume(at now: UInt64) {
        liveness = .asking
        dueAt = now
    }

    /// The wish for a subscription is met, or cannot be met now.
    mutating func clearDue() { dueAt = nil }

    /// Asks for the changes of a query's records.
    mutating func ask(_ query: ListQuery, _ context: inout ListContext) {
        guard let collection = context.collection else { return }
        let parameters = query.changes(
            of: collection, zone: context.person.zoneName, language: context.person.language)
        tag = context.ask(.subscribe, feed.parameters(parameters), for: .subscription(self.query))
    }

    /// The meaning of an answer.
    enum Start {
        /// It answers an earlier query.
        case outdated
        /// The feed goes on from the clock of the rows, and reports all that differs by itself.
        case resumed
        /// The feed begins at a sequence, up to which the rows may be older.
        case begun(Int64)
    }

    /// Reads the answer to the subscription for the query of a number.
    mutating func begin(_ answer: AnswerValue, for query: Int, _ context: inout ListContext) -> Start {
        guard self.query == query else {
            if let number = answer[SubscribeResult.subscription] { Self.end(number, &context) }
            return .outdated
        }
        tag = nil
        liveness = .live
        return feed.subscribed(answer) ? .resumed : .begun(feed.clock.flatMap(ClockSequence.of) ?? 0)
    }

    /// Decides after a refusal for the query of a number: a clock that the daemon does not know is dropped.
    mutating func refused(_ refusal: Refusal, for query: Int, at now: UInt64) {
        guard self.query == query else { return }
        tag = nil
        if feed.isMended(after: refusal) {
            // The clock was of another daemon, or of another version of the view.
            dueAt = now
        } else {
            liveness = .notLive(refusal.message)
        }
    }

    /// Reads an event; false for one of another subscription.
    mutating func accept(_ event: FeedEvent) -> Bool { feed.accept(event) }

    /// Follows nothing any more: the daemon has ended the subscription.
    ///
    /// - Parameter reason: the reason for people, if there is one.
    mutating func stop(_ reason: String?) {
        feed.lost()
        liveness = .notLive(reason)
    }

    /// Waits for another query, which is to be followed.
    mutating func change(_ context: inout ListContext) {
        end(&context)
        liveness = .asking
    }

    /// Ends the subscription, as the query has changed or the list is not shown any more.
    mutating func end(_ context: inout ListContext) {
        query += 1
        (dueAt, tag) = (nil, nil)
        if let number { Self.end(number, &context) }
        feed = FollowedFeed()
    }

    /// Ends the subscription of a number, which belongs to no query that is still asked.
    static func end(_ number: Int64, _ context: inout ListContext) {
        var parameters = UnsubscribeParameters()
        parameters.subscription = number
        context.requests.ask(.unsubscribe, parameters, for: .unsubscribe)
    }

    /// Forgets the subscription of a lost connection; the next one goes on from the clock.
    ///
    /// - Parameter isComparing: whether the rows were being compared. They may still be older than the clock, so the next
    ///   subscription begins anew, and they are compared again.
    mutating func lose(isComparing: Bool) {
        (tag, dueAt) = (nil, nil)
        feed.lost()
        if isComparing { feed = FollowedFeed() }
        if liveness == .live { liveness = .asking }
    }
}
