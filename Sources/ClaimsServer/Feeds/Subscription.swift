// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore

/// A checked request for a subscription: the feed, and the point from which on it is sent.
struct SubscriptionOrder: Sendable {
    /// The peer, whose sight of the collection decides as long as the subscription lasts.
    let peer: Peer
    /// The parameters, from which the feed is made anew after a reload.
    let request: FeedRequest
    let feed: Feed
    /// The progress to begin from.
    let progress: FeedProgress
    /// The clock of what the client holds, as text; nil if it holds nothing.
    let clock: [UInt8]?
    /// Makes the result of the request from the number of the subscription.
    let result: @Sendable (_ number: Int) -> [UInt8]
}

/// The stages of a subscription until it is live. The stage decides which lines report the position.
enum FeedStage: Sendable, Hashable {
    /// Each commit is sent when it comes.
    case live
    /// The changes since the clock of the request are sent, up to `synced`.
    case catchingUp
    /// A fresh set is sent, up to `synced`.
    ///
    /// - reason: the reason, until `fresh_instance` was sent with it.
    case set(reason: FreshReason?)
}

/// The position of readers, and the state that their last lines have left open. Readers with equal progress get the
/// same lines.
struct FeedProgress: Sendable, Hashable {
    var position: FeedPosition
    var stage: FeedStage
    /// Whether changes were sent that no `complete` has ended yet.
    var isOpen = false

    /// The progress at rest from which the way begins anew, so that it includes a newer commit; otherwise the whole
    /// commit would be sent whatever its effect. It is nil if something was sent on the way, or if too many changes
    /// would be read again.
    ///
    /// - Parameters:
    ///   - dependsOnTime: whether the filter depends on time.
    ///   - isCheap: whether many changes can be read in little time.
    func begunAnew(dependsOnTime: Bool, isCheap: Bool) -> FeedProgress? {
        if case .set = stage { return nil }
        // If the times are equal, the way may lie behind an evaluation.
        guard position.phase == .delta, !isOpen, isCheap || position.processed == position.since,
            !dependsOnTime || position.time != position.target
        else { return nil }
        return FeedProgress(position: .rest(at: position.since, time: position.time), stage: stage)
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

/// One subscription: a progress and a connection. The server remembers nothing else of it.
///
/// Confined to the hub's thread.
final class Subscription {
    /// The state of a subscription among the readers of its feed.
    private enum CohortState {
        /// It is in no cohort.
        case outside
        /// It is a member of a cohort, whose members get the same lines.
        case member(of: FeedCohort, index: Int)
        /// Its connection has no room, and it has this progress.
        case held(FeedProgress)
    }

    /// Its number on the connection.
    let number: Int
    let link: ConnectionLink
    /// The peer, with the roles that it had at the beginning; records are seen by rules alone.
    private let peer: Peer
    let request: FeedRequest
    /// The name of the collection.
    let collection: String
    /// The feed that it belongs to.
    fileprivate(set) var group: FeedGroup
    /// The clock of what the client holds, as text; nil within a set.
    private(set) var clock: [UInt8]?
    /// Whether it has ended.
    private(set) var isOver = false
    private var cohortState = CohortState.outside
    /// The time of its last line with a clock, in nanoseconds of the monotonic clock.
    private var lastClock: UInt64
    /// The timer of its next heartbeat.
    private var heartbeat: TimerID?
    /// Whether its collection counts it.
    private var isCounted = false
    /// The last state that was not sent because the connection had no room.
    private var heldState: StateNews?

    init(_ number: Int, on link: ConnectionLink, _ order: SubscriptionOrder, of group: FeedGroup, at now: UInt64) {
        self.number = number
        self.link = link
        peer = order.peer
        request = order.request
        self.group = group
        collection = group.feed.definition.name
        clock = order.clock
        lastClock = now
    }

    // MARK: - The cohort

    /// The readers that get the same lines; nil while its connection has no room.
    var cohort: FeedCohort? {
        if case .member(let cohort, _) = cohortState { cohort } else { nil }
    }

    /// Its progress while its connection has no room; nil otherwise.
    var heldProgress: FeedProgress? {
        if case .held(let progress) = cohortState { progress } else { nil }
    }

    /// Its index among the members of its cohort; nil while its connection has no room.
    fileprivate var index: Int? {
        if case .member(_, let index) = cohortState { index } else { nil }
    }

    fileprivate func join(_ cohort: FeedCohort, at index: Int) { cohortState = .member(of: cohort, index: index) }

    fileprivate func leaveCohort() { cohortState = .outside }

    /// Keeps it back at a progress until its connection has room.
    func hold(at progress: FeedProgress) {
        group.leave(self)
        cohortState = .held(progress)
    }

    /// Ends it.
    ///
    /// - Returns: the timer of its next heartbeat, which is not needed any more.
    func end() -> TimerID? {
        isOver = true
        return heartbeat
    }

    // MARK: - The count

    /// Its collection counts it from now on.
    func beginCounting() { isCounted = true }

    /// Its collection counts it no longer.
    ///
    /// - Returns: whether it was counted.
    func endCounting() -> Bool {
        defer { isCounted = false }
        return isCounted
    }

    // MARK: - What the client has

    /// The client holds what a clock names, or is in the middle of a set, which has none.
    func setClock(_ clock: [UInt8]?) { self.clock = clock }

    /// A line with a clock is sent, at a time in nanoseconds of the monotonic clock.
    func recordClock(at now: UInt64) { lastClock = now }

    /// The time since its last line with a clock.
    ///
    /// - Parameter now: in nanoseconds of the monotonic clock.
    func timeSinceClock(at now: UInt64) -> Duration { .nanoseconds(Int64(clamping: now &- lastClock)) }

    /// Plans its next heartbeat.
    func setHeartbeat(_ timer: TimerID) { heartbeat = timer }

    /// Keeps the last state back until its connection has room.
    func hold(_ news: StateNews) { heldState = news }

    /// Releases the state that was kept back; nil if none was.
    func releaseState() -> StateNews? { heldState.take() }

    // MARK: - The sight of its peer

    /// Whether its peer sees records of the collection, by the rules that are in force.
    func sees(_ view: CollectionView) -> Bool {
        switch peer.sight(of: view.definition) {
        case .whole: true
        case .limited: limit(in: view) != nil
        case .figures, .none: false
        }
    }

    /// Counts the records that were sent to it, if the collection is journaled.
    func record(_ shown: ShownIDs, of view: CollectionView) {
        guard shown.count > 0 else { return }
        peer.record(Look(.subscribe, requests: 0, shown: shown), of: view.definition)
    }

    /// The rule that leaves out records or fields for its peer; nil if no rule does.
    func limit(in view: CollectionView) -> ViewLimit? {
        ViewLimit(peer.sight(of: view.definition), of: view.definition)
    }
}

/// A connection as the hub sees it: its channel, its subscriptions, and the lines that are made for it in this tick.
///
/// Confined to the hub's thread.
final class ConnectionLink {
    let channel: EventChannel
    private(set) var subscriptions: [Int: Subscription] = [:]
    /// The lines that are sent at the end of the tick.
    private var lines: [EventLine] = []
    /// Whether a timer checks that the peer reads.
    private var isWatched = false

    init(_ channel: EventChannel) {
        self.channel = channel
    }

    func add(_ subscription: Subscription) {
        subscriptions[subscription.number] = subscription
    }

    /// Removes a subscription; nil if there is none of this number.
    func remove(_ number: Int) -> Subscription? { subscriptions.removeValue(forKey: number) }

    func removeAll() {
        subscriptions = [:]
    }

    /// A timer checks from now on that the peer reads.
    ///
    /// - Returns: false if one does so already.
    func beginWatch() -> Bool {
        defer { isWatched = true }
        return !isWatched
    }

    /// The timer has ended.
    func endWatch() { isWatched = false }

    /// Appends a line.
    ///
    /// - Returns: whether it is the first one of this tick.
    func append(_ line: EventLine) -> Bool {
        defer { lines.append(line) }
        return lines.isEmpty
    }

    /// Hands the lines of this tick over.
    func deliver() {
        channel.deliver(lines)
        lines = []
    }
}

/// The subscriptions to one feed at one progress: their next lines are made once for all of them.
///
/// Confined to the hub's thread.
final class FeedCohort {
    /// The feed. Invariant: it lives as long as the cohort has members, which keep it.
    unowned let group: FeedGroup
    fileprivate(set) var progress: FeedProgress
    private(set) var members: [Subscription] = []
    /// Whether it waits for its next step.
    private(set) var isQueued = false

    init(_ progress: FeedProgress, of group: FeedGroup) {
        self.progress = progress
        self.group = group
    }

    /// Waits for its next step.
    ///
    /// - Returns: false if it does so already.
    func beginWait() -> Bool {
        defer { isQueued = true }
        return !isQueued
    }

    /// Its next step begins.
    func endWait() { isQueued = false }

    fileprivate func add(_ subscription: Subscription) {
        subscription.join(self, at: members.count)
        members.append(subscription)
    }

    fileprivate func remove(_ subscription: Subscription) {
        guard subscription.cohort === self, let index = subscription.index else { return }
        members.swapAt(index, members.count - 1)
        members[index].join(self, at: index)
        members.removeLast()
        subscription.leaveCohort()
    }

    /// Moves all members to another cohort.
    fileprivate func moveMembers(to other: FeedCohort) {
        let moved = members
        members = []
        for subscription in moved { other.add(subscription) }
    }
}

/// One feed with its subscriptions.
///
/// Confined to the hub's thread.
final class FeedGroup {
    private(set) var feed: Feed
    /// The cohorts by their progress.
    private(set) var cohorts = CohortTable()
    /// The number of its subscriptions, including subscriptions without room.
    private(set) var count = 0
    /// The next time at which any record begins or ceases to match, in milliseconds since 1970; nil if there is none.
    private var boundary: Int64?
    /// The time at which the filter is typed for the records that the live readers hold, in milliseconds since 1970.
    private(set) var time: Int64
    /// The time of the last evaluation, in nanoseconds of the monotonic clock.
    private var evaluatedAt: UInt64 = 0

    /// - Parameter time: the time at which the filter is typed, in milliseconds since 1970.
    init(_ feed: Feed, time: Int64) {
        self.feed = feed
        self.time = time
    }

    /// Takes another feed into use, because a reload has changed the definition.
    func replace(_ feed: Feed) {
        self.feed = feed
    }

    /// Makes the feed share a definition with others of the same basis.
    func share(_ definition: SharedDefinition) { feed.share(definition) }

    /// Makes a subscription one of its own. It gets no lines until it joins at a progress.
    func admit(_ subscription: Subscription) {
        subscription.group = self
        count += 1
    }

    /// Gives a subscription up.
    func dismiss(_ subscription: Subscription) {
        leave(subscription)
        count -= 1
    }

    /// Gives a subscription lines from a progress on.
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

    /// Moves a cohort on; it unites with a cohort that has that progress already.
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

    // MARK: - Time

    /// Moves the feed to a time, in milliseconds since 1970.
    ///
    /// - Parameter monotonic: the same moment, in nanoseconds of the monotonic clock.
    func evaluate(at now: Int64, _ monotonic: UInt64) {
        time = now
        evaluatedAt = monotonic
    }

    /// Finds the next boundary, from its time on.
    func setBoundary(in view: CollectionView) {
        boundary = FeedBoundary.next(after: time, of: feed, in: view.layers, view.whole.rows)
    }

    /// Whether the next boundary is reached, and the last evaluation was long enough ago.
    func isDue(at now: Int64, _ monotonic: UInt64) -> Bool {
        guard let next = nextEvaluation(now, monotonic) else { return false }
        return next <= now
    }

    /// The time of the next evaluation, in milliseconds since 1970; nil if none is needed.
    ///
    /// - Parameters:
    ///   - now: in milliseconds since 1970.
    ///   - monotonic: the same moment, in nanoseconds of the monotonic clock.
    func nextEvaluation(_ now: Int64, _ monotonic: UInt64) -> Int64? {
        guard let boundary else { return nil }
        let elapsed = monotonic > evaluatedAt ? monotonic - evaluatedAt : 0
        let pause = elapsed < Self.minPause ? Int64((Self.minPause - elapsed + 999_999) / 1_000_000) : 0
        return max(boundary, now + pause)
    }

    /// The time between two evaluations of one feed, in nanoseconds.
    private static let minPause: UInt64 = 1_000_000_000
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

/// Cohorts in the order of their next steps.
struct CohortQueue {
    private var cohorts: [FeedCohort] = []
    /// The number of leading cohorts that are removed already.
    private var removed = 0

    var isEmpty: Bool { removed == cohorts.count }

    mutating func append(_ cohort: FeedCohort) { cohorts.append(cohort) }

    /// Removes the first cohort; nil if there is none.
    mutating func popFirst() -> FeedCohort? {
        guard removed < cohorts.count else { return nil }
        defer {
            removed += 1
            if removed == cohorts.count || removed >= Self.maxRemoved {
                cohorts.removeFirst(removed)
                removed = 0
            }
        }
        return cohorts[removed]
    }

    /// The number of removed cohorts from which on they are removed.
    private static let maxRemoved = 1024
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
