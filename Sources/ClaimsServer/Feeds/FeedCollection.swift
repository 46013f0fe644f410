// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// The parts of a definition that feeds rest on, beside the records.
struct FeedBasis: Equatable {
    private let shape: UInt64
    private let volatile: [Bool]
    private let hasPendingField: Bool

    init(_ definition: Definition) {
        shape = definition.queryShape.whole
        volatile = definition.fields.map(\.isVolatile)
        hasPendingField = definition.hasPendingField
    }
}

/// The subscriptions to one collection. Confined to the hub's thread.
final class FeedCollection {
    let name: String
    /// The number of subscriptions.
    private(set) var count = 0
    /// The feeds by the key that makes their lines equal.
    private(set) var groups: [GroupKey: FeedGroup] = [:]
    /// Advances its feeds; nil while there is nothing to send.
    var engine: FeedEngine?
    /// The number of the last commit that the live subscriptions were queued for.
    private var seen: UInt64
    /// The parts of the definition that feeds rest on.
    private var basis: FeedBasis
    /// The definition that its feeds share; it has that basis.
    private var definition: SharedDefinition
    /// The rules that its subscriptions were judged by.
    private var access: AccessRules?
    /// The freshness that was sent last.
    private var freshness: Freshness?
    /// Whether the records were withheld then.
    private var isWithheld: Bool
    /// The time at which either changes next, in milliseconds since 1970; nil if it stays.
    private(set) var freshnessEnd: Int64?
    /// Whether there are records.
    private var isServed: Bool
    /// The views that the feeds come from.
    private var origins: FeedOrigins

    /// - Parameters:
    ///   - seq: the sequence of the catalog that the view is from.
    ///   - now: in milliseconds since 1970.
    init(_ view: CollectionView, at seq: UInt64, now: Int64) {
        name = view.definition.name
        basis = FeedBasis(view.definition)
        definition = SharedDefinition(view.definition)
        access = view.definition.access
        freshness = view.freshness(now: now)
        isWithheld = view.isWithheld(now: now)
        freshnessEnd = view.nextFreshnessChange(after: now)
        seen = view.changedSeq
        isServed = view.hasRecords
        origins = FeedOrigins(view, at: seq)
    }

    /// The view that the feeds come from.
    var origin: FeedOrigin { origins.origin }

    /// Counts a subscription.
    func begin(_ subscription: Subscription) {
        count += 1
        subscription.beginCounting()
    }

    /// Counts a subscription no longer. One that ended before it began was never counted.
    func end(_ subscription: Subscription) {
        if subscription.endCounting() { count -= 1 }
    }

    // MARK: - Feeds

    /// Feeds with equal keys have equal lines.
    ///
    /// A client can find a filter with a given hash. The rule is kept beside the hash, so that feeds of peers that see
    /// different records never share lines.
    struct GroupKey: Hashable {
        private let hash: UInt64
        private let limit: String?
        /// The language of messages, which the hash leaves out: a clock holds in every language.
        private let language: String?

        init(_ feed: Feed) {
            self.init(hash: feed.hash, limit: feed.limit?.name, language: feed.language)
        }

        init(hash: UInt64, limit: String?, language: String?) {
            self.hash = hash
            self.limit = limit
            self.language = language
        }
    }

    /// Whether a definition has the parts that its feeds rest on.
    func hasBasis(of definition: Definition) -> Bool { FeedBasis(definition) == basis }

    /// The existing group of an equal feed, or `group` if there is none yet. Its feed shares the definition.
    func join(_ group: FeedGroup) -> FeedGroup {
        let key = GroupKey(group.feed)
        let group = groups[key] ?? group
        group.share(definition)
        groups[key] = group
        return group
    }

    /// The cohorts of all groups.
    var cohorts: [FeedCohort] { groups.values.flatMap(\.cohorts.values) }

    /// Removes a group that has no subscriptions any more.
    func remove(_ group: FeedGroup) {
        let key = GroupKey(group.feed)
        if groups[key] === group { groups[key] = nil }
    }

    /// Adopts the rules of a definition.
    ///
    /// - Returns: whether they have changed, so that the subscriptions must be judged anew.
    func adoptRules(of definition: Definition) -> Bool {
        defer { access = definition.access }
        return definition.access != access
    }

    /// Adopts another definition. The feeds must be made anew.
    ///
    /// - Returns: false if it has the same basis, and nothing changes.
    func redefine(_ definition: Definition) -> Bool {
        let basis = FeedBasis(definition)
        if basis == self.basis { return false }
        self.basis = basis
        self.definition = SharedDefinition(definition)
        return true
    }

    /// Drops all groups and the engine, because the feeds are made anew.
    func removeGroups() {
        groups = [:]
        engine = nil
    }

    // MARK: - Catalogs

    /// Takes a newer view into use.
    ///
    /// - Parameter seq: the sequence of its catalog.
    /// - Returns: whether its feeds are behind.
    func accept(_ view: CollectionView, at seq: UInt64) -> Bool {
        // The windows that were read belong to the view that is replaced now.
        if origins.accept(view, at: seq, isNeeded: needs) { engine?.release() }
        let isServed = view.hasRecords
        guard view.changedSeq > seen || isServed != self.isServed else { return false }
        seen = view.changedSeq
        self.isServed = isServed
        return true
    }

    /// Whether more feeds are on their way from an origin than elsewhere.
    private func needs(_ origin: FeedOrigin) -> Bool {
        var balance = 0
        for group in groups.values {
            for cohort in group.cohorts.values {
                balance += cohort.isQueued && origin.holds(cohort.progress.position.since) ? 1 : -1
            }
        }
        return balance > 0
    }

    /// Releases the kept views, so that replaced snapshots are freed while there is nothing to send.
    ///
    /// - Parameter isHeld: whether a reader without room still needs an origin, which is then kept.
    func release(isHeld: (FeedOrigin) -> Bool) {
        engine = nil
        if origins.isReplaced, !isHeld(origins.origin) { origins.settle() }
    }

    // MARK: - Freshness

    /// The difference between the freshness of a collection and the freshness that was sent.
    struct FreshnessChange {
        /// Whether the difference is to be sent.
        let isNews: Bool
        /// Whether the records are no longer withheld, so that feeds continue.
        let endsWithholding: Bool
        /// Whether the next change comes at another time than was known.
        let hasOtherEnd: Bool
    }

    /// Compares the freshness with the freshness that was sent, and records it as sent. Times are in milliseconds since
    /// 1970.
    func updateFreshness(_ view: CollectionView, now: Int64) -> FreshnessChange {
        let (lastFreshness, lastEnd, wasWithheld) = (freshness, freshnessEnd, isWithheld)
        freshness = view.freshness(now: now)
        freshnessEnd = view.nextFreshnessChange(after: now)
        isWithheld = view.isWithheld(now: now)
        let differs = freshness != lastFreshness || isWithheld != wasWithheld
        // Changes that come while the records are withheld are sent with their return.
        let isNews = differs && !(isWithheld && wasWithheld)
        return FreshnessChange(
            isNews: isNews, endsWithholding: isNews && wasWithheld && !isWithheld,
            hasOtherEnd: freshnessEnd != lastEnd)
    }
}

/// The alarm for the next boundary of a feed, or the next change of freshness. Confined to the hub's thread.
struct FeedAlarm {
    private let wall: WallAlarm
    /// Whether the alarm may not be the next one that is needed.
    private var isStale = false

    init() throws(SystemError) {
        wall = try WallAlarm()
    }

    /// Begins to watch the time.
    ///
    /// - Parameter onEvent: called when the alarm goes off or the wall clock was set; the alarm is stale then.
    func watch(on events: EventLoop, _ onEvent: @escaping (_ clockWasSet: Bool) -> Void) throws(SystemError) {
        try wall.watch(on: events)
        wall.onEvent = onEvent
    }

    mutating func markStale() {
        isStale = true
    }

    /// Sets the alarm anew if it is stale.
    ///
    /// - Parameter now: in milliseconds since 1970.
    mutating func update(for collections: Dictionary<String, FeedCollection>.Values, now: Int64) {
        guard isStale else { return }
        isStale = false
        let monotonic = SystemClock.monotonic
        var next: Int64?
        for collection in collections {
            if let time = collection.freshnessEnd { next = min(next ?? time, time) }
            for group in collection.groups.values {
                guard let time = group.nextEvaluation(now, monotonic) else { continue }
                next = min(next ?? time, time)
            }
        }
        wall.set(next)
    }
}
