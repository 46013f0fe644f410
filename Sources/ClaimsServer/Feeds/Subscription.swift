// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// A request for a subscription that has been checked: what is to be told, and from where on.
struct SubscriptionOrder: Sendable {
    /// The parameters, from which the feed is made anew after a reload.
    let request: FeedRequest
    let feed: Feed
    /// The progress to begin from.
    let progress: FeedProgress
    /// The clock of what the client holds, as text; nil where it holds nothing.
    let clock: [UInt8]?
    /// Makes the result of the request from the number of the subscription.
    let result: @Sendable (_ number: Int) -> [UInt8]
}

/// The way of a subscription to being live. It decides which lines tell what the position has passed.
enum FeedStage: Sendable, Hashable {
    /// Each commit is told when it comes.
    case live
    /// The changes since the clock of the request are told, up to `synced`.
    case catchingUp
    /// A fresh set is told, up to `synced`.
    ///
    /// - reason: the reason, until `fresh_instance` has told it.
    case set(reason: FreshReason?)
}

/// The position of readers, and what its last lines have left open. Readers of equal ones are told the same.
struct FeedProgress: Sendable, Hashable {
    var position: FeedPosition
    var stage: FeedStage
    /// Whether changes were told that no `complete` has ended yet.
    var isOpen = false

    /// The progress at rest from which the way begins anew, so that a newer commit belongs to it; otherwise all of that
    /// commit is told whatever it brings. It is nil where something was told on the way, and where too much would be gone
    /// through again.
    ///
    /// - Parameters:
    ///   - dependsOnTime: whether the filter depends on time.
    ///   - isCheap: whether many changes are gone through in little time.
    func begunAnew(dependsOnTime: Bool, isCheap: Bool) -> FeedProgress? {
        if case .set = stage { return nil }
        // Where the times are equal, the way may lie behind an evaluation.
        guard position.phase == .delta, !isOpen, isCheap || position.processed == position.since,
            !dependsOnTime || position.time != position.target
        else { return nil }
        return FeedProgress(position: .rest(at: position.since, time: position.time), stage: stage)
    }
}

/// One subscription: a progress and a connection. The server remembers nothing else of it.
///
/// Touched on the hub's thread only.
final class Subscription {
    /// Its number on the connection.
    let number: Int
    let link: ConnectionLink
    let request: FeedRequest
    /// The readers that it is told the same with; nil while its connection has no room.
    var cohort: FeedCohort?
    /// Its index among the members of the cohort.
    var index = 0
    /// Its progress while its connection has no room.
    var heldProgress: FeedProgress?
    /// The feed that it belongs to.
    var group: FeedGroup
    /// The name of the collection.
    let collection: String
    /// The clock of what the client holds, as text; nil within a set.
    var clock: [UInt8]?
    /// The time of its last line with a clock, in nanoseconds of the monotonic clock.
    var lastClock: UInt64
    /// The timer of its next heartbeat.
    var heartbeat: TimerID?
    /// Whether it has ended.
    var isOver = false
    /// The last state that was not told because the connection had no room.
    var heldState: StateNews?

    init(_ number: Int, on link: ConnectionLink, _ request: FeedRequest, of group: FeedGroup, at now: UInt64) {
        self.number = number
        self.link = link
        self.request = request
        self.group = group
        collection = group.feed.definition.name
        lastClock = now
    }
}

/// A connection as the hub sees it: its channel, its subscriptions, and the lines that are made for it in this tick.
///
/// Touched on the hub's thread only.
final class ConnectionLink {
    let channel: EventChannel
    var subscriptions: [Int: Subscription] = [:]
    /// The lines that go out at the end of the tick.
    var lines: [EventLine] = []
    /// Whether somebody looks after a while whether the peer reads.
    var isWatched = false

    init(_ channel: EventChannel) {
        self.channel = channel
    }
}

/// The subscriptions to one feed at one progress: what is told next is made once for all of them.
///
/// Touched on the hub's thread only.
final class FeedCohort {
    /// The feed. Invariant: it lives as long as the cohort has members, which keep it.
    unowned let group: FeedGroup
    var progress: FeedProgress
    private(set) var members: [Subscription] = []
    /// Whether it waits for its next step.
    var isQueued = false

    init(_ progress: FeedProgress, of group: FeedGroup) {
        self.progress = progress
        self.group = group
    }

    func add(_ subscription: Subscription) {
        subscription.cohort = self
        subscription.heldProgress = nil
        subscription.index = members.count
        members.append(subscription)
    }

    func remove(_ subscription: Subscription) {
        guard subscription.cohort === self else { return }
        members.swapAt(subscription.index, members.count - 1)
        members[subscription.index].index = subscription.index
        members.removeLast()
        subscription.cohort = nil
    }

    /// Moves all members to another cohort.
    func moveMembers(to other: FeedCohort) {
        let moved = members
        members = []
        for subscription in moved { other.add(subscription) }
    }
}

/// One feed with its subscriptions.
///
/// Touched on the hub's thread only.
final class FeedGroup {
    var feed: Feed
    /// The cohorts by their progress.
    private(set) var cohorts = CohortTable()
    /// The number of its subscriptions, those without room included.
    var count = 0
    /// The next time at which some record begins or ceases to match, in milliseconds since 1970; nil where there is none.
    var boundary: Int64?
    /// The time at which the filter is typed for what the live readers hold, in milliseconds since 1970.
    var time: Int64
    /// The time of the last evaluation, in nanoseconds of the monotonic clock.
    var evaluatedAt: UInt64 = 0

    /// - Parameter time: the time at which the filter is typed, in milliseconds since 1970.
    init(_ feed: Feed, time: Int64) {
        self.feed = feed
        self.time = time
    }

    /// Adds a subscription at a progress.
    ///
    /// - Returns: the cohort that it belongs to now.
    func join(_ subscription: Subscription, at progress: FeedProgress) -> FeedCohort {
        let cohort = cohorts[progress] ?? FeedCohort(progress, of: self)
        cohorts[progress] = cohort
        cohort.add(subscription)
        return cohort
    }

    /// Takes a subscription out of its cohort.
    func leave(_ subscription: Subscription) {
        guard let cohort = subscription.cohort else { return }
        cohort.remove(subscription)
        if cohort.members.isEmpty { cohorts[cohort.progress] = nil }
    }

    /// Moves a cohort on; it unites with the one that has that progress already.
    ///
    /// - Returns: the cohort that has the members now.
    func move(_ cohort: FeedCohort, to progress: FeedProgress) -> FeedCohort {
        guard progress != cohort.progress else { return cohort }
        cohorts[cohort.progress] = nil
        cohort.progress = progress
        guard let other = cohorts[progress] else {
            cohorts[progress] = cohort
            return cohort
        }
        cohort.moveMembers(to: other)
        return other
    }
}

/// The cohorts of one feed by their progress. Most feeds have one, which is found without a dictionary.
struct CohortTable {
    private var first: FeedCohort?
    private var others: [FeedProgress: FeedCohort] = [:]

    /// All cohorts.
    var values: [FeedCohort] { (first.map { [$0] } ?? []) + others.values }

    /// The cohort at a progress. A cohort is taken out before its progress changes.
    subscript(progress: FeedProgress) -> FeedCohort? {
        get { first?.progress == progress ? first : others[progress] }
        set {
            if first?.progress == progress || first == nil && others[progress] == nil {
                first = newValue
            } else {
                others[progress] = newValue
            }
        }
    }
}

/// Cohorts in the order in which they take their next steps.
struct CohortQueue {
    private var cohorts: [FeedCohort] = []
    /// The number of leading cohorts that are taken already.
    private var taken = 0

    var isEmpty: Bool { taken == cohorts.count }

    mutating func append(_ cohort: FeedCohort) { cohorts.append(cohort) }

    /// Takes the first cohort; nil where there is none.
    mutating func popFirst() -> FeedCohort? {
        guard taken < cohorts.count else { return nil }
        defer {
            taken += 1
            if taken == cohorts.count || taken >= Self.maxTaken {
                cohorts.removeFirst(taken)
                taken = 0
            }
        }
        return cohorts[taken]
    }

    /// The number of taken cohorts from which on they are removed.
    private static let maxTaken = 1024
}

extension Feed {
    /// The clock of a reader at rest, as a finished JSON string.
    func clock(at position: FeedPosition, _ epoch: UInt64, _ codec: FeedClockCodec) -> [UInt8] {
        let clock = FeedClock(
            revision: Revision(epoch: epoch, seq: position.since),
            bound: FeedClock.Bound(feed: hash, time: dependsOnTime ? position.time : nil))
        var writer = JSONWriter()
        writer.string(codec.encode(clock))
        return writer.bytes
    }
}

/// The news in a state event.
struct StateNews {
    /// The change, by its name in the protocol.
    let change: String
    /// The site that was asked; nil for a collection with one source, and for the freshness of the collection.
    let site: String?

    init(_ change: String, site: String? = nil) {
        self.change = change
        self.site = site
    }
}
