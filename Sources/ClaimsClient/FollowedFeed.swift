// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsProtocol

/// A subscription to the changes of records, and the position from which the next one goes on after a loss. Pure.
///
/// The position is the clock of the last event for which all entries have come. A set that is cut off begins again, and
/// a commit that is cut off is sent again from the clock before it.
///
/// ```swift
/// var feed = FollowedFeed(.now, restart: .initial)
/// // for each connection: send feed.parameters(parameters); then with the answer
/// feed.subscribed(answer)
/// // or, where it is refused:
/// if !feed.isMended(after: refusal) { throw refusal }
/// // for each event of the connection:
/// if feed.accept(event) { … }
/// // when the connection is lost:
/// feed.lost()
/// ```
package struct FollowedFeed: Sendable {
    /// The beginning of a subscription.
    package enum Start: Equatable, Sendable {
        /// The changes from now on.
        case now
        /// The changes after this clock.
        case since(String)
        /// The set, and then its changes.
        case initial
    }

    /// The beginning of the next subscription.
    package private(set) var start: Start
    /// The number of the subscription on the connection; nil without one.
    package private(set) var subscription: Int64?
    private let restart: Start
    /// Whether a daemon gave the clock of ``start``.
    private var isKnown: Bool
    /// The entries that came last, for which no clock has come.
    private var part = Part.none

    private enum Part { case none, commit, set }

    /// - Parameters:
    ///   - restart: the beginning of a feed whose clock the daemon does not know any more.
    ///   - isKnown: whether a daemon gave the clock of `start`, and not a person.
    package init(_ start: Start = .now, restart: Start = .now, isKnown: Bool = false) {
        self.start = start
        self.restart = restart
        self.isKnown = isKnown
    }

    /// The clock from which the next subscription goes on; nil for none.
    package var clock: String? {
        if case .since(let clock) = start { clock } else { nil }
    }

    /// The parameters of the next subscription.
    package func parameters(_ parameters: SubscribeParameters) -> SubscribeParameters {
        var parameters = parameters
        switch start {
        case .now: break
        case .since(let clock): parameters.since = clock
        case .initial: parameters.isInitial = true
        }
        return parameters
    }

    /// Records the answer to a subscription.
    ///
    /// - Returns: whether all that differs since ``start`` will come: a feed from now on says nothing of it.
    @discardableResult
    package mutating func subscribed(_ answer: AnswerValue) -> Bool {
        subscription = answer[SubscribeResult.subscription]
        isKnown = true
        guard start == .now else { return true }
        if let clock = answer[SubscribeResult.clock] { start = .since(clock) }
        return false
    }

    /// Whether another subscription may succeed after one that was refused: a clock that a daemon gave, and that the
    /// daemon does not know any more, is dropped.
    package mutating func isMended(after refusal: Refusal) -> Bool {
        guard isKnown, clock != nil, refusal.kind == ErrorKind.badCursor.rawValue else { return false }
        start = restart
        return true
    }

    /// Reads an event, and advances to its clock.
    ///
    /// - Returns: whether the event is one of this subscription.
    package mutating func accept(_ event: FeedEvent) -> Bool {
        guard event.subscription == subscription else { return false }
        switch event.kind {
        case .freshInstance: part = .set
        case .changes(_, let isComplete):
            guard part != .set else { break }
            part = isComplete ? .none : .commit
            if isComplete { advance(to: event.clock) }
        case .synced:
            part = .none
            advance(to: event.clock)
        case .heartbeat: if part == .none { advance(to: event.clock) }
        case .lagged, .ended: subscription = nil
        case .state, .unknown: break
        }
        return true
    }

    private mutating func advance(to clock: String?) {
        if let clock { start = .since(clock) }
    }

    /// Records that the connection is lost.
    ///
    /// - Parameter isPartShown: whether entries of a commit that is cut off were shown, so that the whole set has to
    ///   come again.
    package mutating func lost(isPartShown: Bool = false) {
        subscription = nil
        if part == .set || isPartShown { start = .initial }
        part = .none
    }
}

/// An event of a subscription.
package struct FeedEvent: Sendable {
    /// The kind of an event, with its values.
    package enum Kind: Sendable {
        /// A set begins, which takes the place of all that was known.
        case freshInstance(reason: String?)
        /// Entries of a commit, or of a set; the last ones of a commit are complete.
        case changes([AnswerValue], isComplete: Bool)
        /// The set, or the changes since the clock of the subscription, have come.
        case synced
        /// The refresh or the freshness of the collection has changed.
        case state
        case heartbeat
        /// The last event: too little was read of the subscription.
        case lagged
        /// The last event: the daemon has ended the subscription.
        case ended(Refusal)
        /// An event of a newer daemon.
        case unknown
    }

    package let kind: Kind
    /// The number of the subscription.
    package let subscription: Int64?
    /// The clock of the records as they are after the event; nil for none.
    package let clock: String?
    /// The state of the collection; nil for none.
    package let meta: AnswerValue?

    /// Reads the parameters of a notification.
    package init(_ parameters: AnswerValue) {
        kind = Kind(parameters)
        subscription = parameters[EventNotification.subscription]
        clock = parameters[HeartbeatEvent.clock]
        meta = parameters[HeartbeatEvent.meta]
    }
}

extension FeedEvent.Kind {
    fileprivate init(_ parameters: AnswerValue) {
        switch parameters[EventNotification.type].flatMap(EventKind.init(rawValue:)) {
        case .freshInstance: self = .freshInstance(reason: parameters[FreshInstanceEvent.reason])
        case .changes:
            self = .changes(
                parameters[ChangesEvent.changes], isComplete: parameters[ChangesEvent.complete] == true)
        case .synced: self = .synced
        case .state: self = .state
        case .heartbeat: self = .heartbeat
        case .lagged: self = .lagged
        case .ended: self = .ended(Refusal(parameters[EndedEvent.error]))
        case nil: self = .unknown
        }
    }
}
