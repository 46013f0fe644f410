// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsProtocol

/// The lines that a follower of a feed prints, and the position from which it goes on after a lost connection. It takes
/// events and returns lines; it touches nothing else.
///
/// A commit comes in one or more lines of the protocol. Its entries are kept until the last of them, so that a commit
/// that is cut off comes anew, and each entry is printed once. Sets, and commits of more than ``maxKept`` bytes, are
/// printed as they come; where one is cut off, the feed begins again as a set.
///
/// ```swift
/// var feed = FollowedFeed(.now, collection: "books")
/// // for each connection: subscribe from feed.start, then
/// feed.subscribed(at: answer[SubscribeResult.clock])
/// output += feed.handle(event)
/// // when it is lost:
/// feed.lost()
/// ```
struct FollowedFeed {
    /// The beginning of a subscription.
    enum Start: Equatable {
        /// The changes from now on.
        case now
        /// The changes after this clock.
        case since(String)
        /// The set, and then its changes.
        case initial
    }

    /// The beginning of the next subscription.
    private(set) var start: Start
    /// The name of the collection, for the lines where a set begins.
    var collection: String
    /// The lines of the commit that is not complete yet.
    private var kept: [UInt8] = []
    /// Whether lines that belong to no clock yet are printed as they come: those of a set, or of a large commit.
    private var isPassing = false
    /// Whether anything was printed for which no clock has come, so that a lost connection needs the set.
    private var isUnsettled = false

    /// The maximum size of a commit that is kept until it is complete, in bytes.
    static let maxKept = 8 * 1024 * 1024

    init(_ start: Start, collection: String) {
        self.start = start
        self.collection = collection
    }

    /// Records that a subscription was answered, with the clock of a subscription from now.
    mutating func subscribed(at clock: String?) {
        if let clock { start = .since(clock) }
    }

    /// The lines to print after an event, each with its newline; empty if there is nothing to print yet.
    mutating func handle(_ event: AnswerValue) -> [UInt8] {
        switch event[EventNotification.type].flatMap(EventKind.init(rawValue:)) {
        case .freshInstance:
            // It takes the place of whatever was under way.
            kept = []
            isPassing = true
            isUnsettled = true
            return Self.beginning(of: collection, reason: event[FreshInstanceEvent.reason])
        case .changes:
            return handle(event[ChangesEvent.changes], completing: event[ChangesEvent.complete] == true, event)
        case .synced:
            isPassing = false
            return settle(event)
        case .heartbeat where !isUnsettled && kept.isEmpty:
            return settle(event)
        case .heartbeat, .state, .lagged, .ended, nil:
            return []
        }
    }

    private mutating func handle(_ entries: [AnswerValue], completing isComplete: Bool, _ event: AnswerValue) -> [UInt8]
    {
        for entry in entries {
            entry.appendSource(to: &kept)
            kept.append(UInt8(ascii: "\n"))
        }
        if isComplete, !isPassing { return settle(event) }
        guard isPassing || kept.count > Self.maxKept else { return [] }
        isUnsettled = true
        defer { kept = [] }
        return kept
    }

    /// The lines that were kept, now that a clock stands for them.
    private mutating func settle(_ event: AnswerValue) -> [UInt8] {
        if let clock = event[HeartbeatEvent.clock] { start = .since(clock) }
        isUnsettled = false
        defer { kept = [] }
        return kept
    }

    /// Records that the connection is lost: what was kept will come again, and what was printed without a clock begins
    /// again as a set.
    mutating func lost() {
        kept = []
        isPassing = false
        if isUnsettled { start = .initial }
        isUnsettled = false
    }

    /// Records that the daemon does not know the clock any more, which it gave itself: all begins again as a set.
    mutating func forgotten() {
        lost()
        start = .initial
    }

    /// The line with which a set begins.
    static func beginning(of collection: String, reason: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("op", "fresh_instance")
        writer.member("collection", collection)
        writer.member("reason", reason ?? "")
        writer.endObject()
        writer.newline()
        return writer.bytes
    }
}
