// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The changes of a list that were not printed yet; pure.
struct PlainNews: Sendable {
    private var added: Set<String> = []
    private var changed: Set<String> = []
    private var removed: Set<String> = []
    private var isRebuilt = false
    /// Whether a fresh set is coming, whose records are no changes.
    private var isFresh = false
    private var hasEnded = false
    /// The changes of a commit that has not come whole.
    private var part: [(id: String, op: String)] = []
    /// The records that were changed from here, which are no news.
    private var own: Set<String> = []
    /// The time of the last line, in milliseconds.
    private var lastLine: Int64?

    /// The time between two lines, in milliseconds.
    static let minInterval: Int64 = 5000
    /// The maximum number of ids that are kept apart; from there on the numbers stay as they are.
    static let maxIDs = 100_000

    /// Reads an event of the subscription.
    mutating func read(_ event: FeedEvent) {
        switch event.kind {
        case .changes(let entries, let isComplete):
            for change in entries where !isFresh && part.count < Self.maxIDs {
                if let id = change[FeedEntry.id] { part.append((id, change[FeedEntry.op] ?? "")) }
            }
            guard isComplete else { break }
            for (id, op) in part { count(id, op) }
            part = []
        case .freshInstance:
            isRebuilt = true
            part = []
            isFresh = true
        case .synced: isFresh = false
        case .lagged, .ended: hasEnded = true
        case .state, .heartbeat, .unknown: break
        }
    }

    private mutating func count(_ id: String, _ op: String) {
        guard added.count + changed.count + removed.count < Self.maxIDs, own.remove(id) == nil else { return }
        switch op {
        case "added":
            if removed.remove(id) == nil { added.insert(id) } else { changed.insert(id) }
        case "removed":
            changed.remove(id)
            if added.remove(id) == nil { removed.insert(id) }
        default: if !added.contains(id) { changed.insert(id) }
        }
    }

    /// Records that the connection is lost. A commit that was cut off is sent again.
    mutating func lost() { part = [] }

    /// Begins anew with another feed: the list is shown as it is now.
    mutating func begin() {
        clear()
        part = []
        isFresh = false
    }

    /// Records records that a command here changes.
    mutating func expect(_ ids: [String]) {
        if own.count + ids.count <= Self.maxIDs { own.formUnion(ids) }
    }

    /// Whether there is something to report.
    var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty && !isRebuilt && !hasEnded }

    /// The time from which the next line may be written, in milliseconds; nil if there is nothing to report.
    var dueAt: Int64? { isEmpty ? nil : (lastLine ?? .min / 2) + Self.minInterval }

    /// The line that reports the news, which are none afterwards.
    mutating func nextLine(at now: Int64, of title: String, _ messages: Messages) -> String {
        lastLine = now
        defer { clear() }
        if hasEnded { return messages.notLive(title) }
        if isRebuilt { return messages.rebuilt(title) }
        return messages.news(of: title, added: added.count, changed: changed.count, removed: removed.count)
    }

    /// Forgets the changes that were not reported.
    private mutating func clear() {
        added = []
        changed = []
        removed = []
        isRebuilt = false
        hasEnded = false
    }
}

/// The feed of the shown list, and what was not printed of it. After a loss it goes on where it was; pure.
///
/// ```swift
/// var changes = PlainChanges()
/// // once the list is shown, and after each loss: send changes.begin(parameters); then with the answer
/// changes.subscribed(answer)
/// // for each event: changes.read(event)
/// ```
struct PlainChanges: Sendable {
    private(set) var news = PlainNews()
    private var feed = FollowedFeed()
    /// Whether the feed is that of the list as it was shown last.
    private var isOfList = false
    /// Whether the subscription was asked for on this connection.
    private(set) var isFollowing = false

    /// The number of the subscription; nil without one.
    var subscription: Int64? { feed.subscription }

    /// Follows nothing until a list is shown, whose changes count from then on.
    mutating func stop() { (isFollowing, isOfList) = (false, false) }

    /// Records that the connection is lost. What was not printed is still news.
    mutating func lost() {
        isFollowing = false
        feed.lost()
        news.lost()
    }

    /// The subscription to ask for; nil for none.
    ///
    /// - Parameter changes: the changes from the clock of the list on; nil if it has none.
    mutating func begin(_ changes: SubscribeParameters?) -> SubscribeParameters? {
        isFollowing = true
        if !isOfList {
            isOfList = true
            news.begin()
            feed = FollowedFeed(changes?.since.map { .since($0) } ?? .now)
        }
        return changes.map { changes in
            // The feed has its own position: that of the list, a later one, or the whole set.
            var changes = changes
            changes.since = nil
            return feed.parameters(changes)
        }
    }

    /// Records the answer to the subscription.
    mutating func subscribed(_ answer: AnswerValue) { feed.subscribed(answer) }

    /// Reads an event, unless it is of another subscription.
    mutating func read(_ event: FeedEvent) { if feed.accept(event) { news.read(event) } }

    /// Records records that a command here changes, which are no news.
    mutating func expect(_ ids: [String]) { news.expect(ids) }

    /// The line that reports the news; nil if none is due.
    mutating func nextLine(at now: Int64, of title: String, _ messages: Messages) -> String? {
        guard let dueAt = news.dueAt, dueAt <= now else { return nil }
        return news.nextLine(at: now, of: title, messages)
    }
}
