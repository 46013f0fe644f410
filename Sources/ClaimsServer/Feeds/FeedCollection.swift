// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsStore

/// The subscriptions to one collection. Touched on the hub's thread only.
final class FeedCollection {
    let name: String
    /// The number of subscriptions.
    var count = 0
    /// The feeds by their hashes.
    var groups: [UInt64: FeedGroup] = [:]
    /// The number of the last commit that the live subscriptions were queued for.
    var seen: UInt64
    /// The parts of the definition that feeds rest on.
    var basis: FeedBasis
    /// The definition that its feeds share; it has that basis.
    var definition: SharedDefinition
    /// The freshness that was told last.
    var freshness: Freshness?
    /// Whether the records were withheld then.
    var isWithheld: Bool
    /// The time at which either changes next, in milliseconds since 1970; nil where it stays.
    var freshnessEnd: Int64?
    /// Whether there are records.
    var isServed: Bool
    /// The views that the feeds come from.
    var origins: FeedOrigins
    /// Tells its feeds; nil while nothing is to be told.
    var engine: FeedEngine?

    /// - Parameters:
    ///   - seq: the sequence of the catalog that the view is from.
    ///   - now: in milliseconds since 1970.
    init(_ view: CollectionView, at seq: UInt64, now: Int64) {
        name = view.definition.name
        basis = FeedBasis(view.definition)
        definition = SharedDefinition(view.definition)
        freshness = view.freshness(now: now)
        isWithheld = view.isWithheld(now: now)
        freshnessEnd = view.nextFreshnessChange(after: now)
        seen = view.changedSeq
        isServed = view.hasRecords
        origins = FeedOrigins(view, at: seq)
    }

    /// Whether more feeds are on their way from an origin than elsewhere.
    func needs(_ origin: FeedOrigin) -> Bool {
        var balance = 0
        for group in groups.values {
            for cohort in group.cohorts.values {
                balance += cohort.isQueued && origin.holds(cohort.progress.position.since) ? 1 : -1
            }
        }
        return balance > 0
    }
}

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
