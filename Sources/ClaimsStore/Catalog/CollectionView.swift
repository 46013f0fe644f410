// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// One collection as it is served at one moment. Immutable: readers keep it as long as they like.
public final class CollectionView: Sendable {
    public let definition: Definition
    /// nil: there is no data.
    public let snapshot: Snapshot?
    public let archive: ArchiveOverlay
    public let condition: CollectionCondition
    /// Up to which age the data is fresh, and up to which it is stale, in milliseconds.
    private let freshFor: Int64
    private let staleUntil: Int64

    public init(
        definition: Definition, snapshot: Snapshot?, archive: ArchiveOverlay, condition: CollectionCondition
    ) {
        self.definition = definition
        self.snapshot = snapshot
        self.archive = archive
        self.condition = condition
        freshFor = definition.source.ttl.wholeMilliseconds
        staleUntil = definition.source.expires.wholeMilliseconds
    }

    /// The same with another condition.
    public func with(_ condition: CollectionCondition) -> CollectionView {
        CollectionView(definition: definition, snapshot: snapshot, archive: archive, condition: condition)
    }

    /// The same with other labels; what decides the snapshot's content must be the same.
    public func with(_ definition: Definition) -> CollectionView {
        CollectionView(definition: definition, snapshot: snapshot, archive: archive, condition: condition)
    }

    /// The same with some archive marks changed.
    public func with(_ marks: [ArchiveOverlay.Change]) -> CollectionView {
        CollectionView(
            definition: definition, snapshot: snapshot, archive: archive.applying(marks, to: snapshot),
            condition: condition)
    }

    public var state: CollectionState {
        if condition.problem != nil && snapshot == nil { return .failed }
        if let snapshot { return snapshot.count == 0 && !condition.row.isBundle ? .empty : .ready }
        if definition.source.url == nil { return .unconfigured }
        return condition.source.lastError == nil ? .loading : .failed
    }

    public var source: DataSource? {
        if snapshot == nil { return nil }
        if condition.row.isBundle { return .bundle }
        return condition.isConfirmed ? .upstream : .cache
    }

    /// How long ago the upstream confirmed the data; nil where it never has. Never negative: a clock may step back.
    public func age(now: Int64) -> Int64? {
        guard snapshot != nil, !condition.row.isBundle, let asOf = condition.source.asOf else { return nil }
        return max(0, now.subtractingReportingOverflow(asOf).partialValue)
    }

    public func freshness(now: Int64) -> Freshness? {
        if snapshot == nil { return nil }
        guard let age = age(now: now) else { return .bundle }
        return age < freshFor ? .fresh : age < staleUntil ? .stale : .expired
    }

    public func meta(now: Int64, clock: Clock) -> CollectionMeta {
        let age = age(now: now)
        return CollectionMeta(
            collection: definition.name, state: state, freshness: freshness(now: now), source: source,
            asOf: age == nil ? nil : condition.source.asOf, ageMilliseconds: age,
            generation: condition.row.generation, clock: clock,
            quarantined: condition.row.quarantined, unsupported: snapshot?.unsupported ?? 0,
            lastError: condition.source.lastError,
            nextRefresh: definition.source.url == nil ? nil : condition.source.due)
    }
}
