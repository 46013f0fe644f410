// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
public import ClaimsSnapshot

/// One collection as it is served at one moment. A view is immutable; a reader may keep it for any time.
public final class CollectionView: Sendable {
    public let definition: Definition
    /// The records that are committed; nil if the collection has no data.
    public let committed: CommittedRecords?
    public let archive: ArchiveOverlay
    /// The records that writes have made, which lie over the committed ones; nil if nothing was written.
    public let overlay: RecordOverlay?
    /// The rows of both for queries.
    public let rows: ServedRows
    public let condition: CollectionCondition
    /// The rule that leaves out records; nil: the view has all of them.
    public let limit: ViewLimit?
    /// The view with all records; nil if it is this one.
    private let base: CollectionView?
    /// The state of its sources, summed up.
    public let sourceSummary: SourceSummary
    /// The times in which the records are served, in milliseconds since 1970.
    private let servingTime: ServingTime

    public init(
        definition: Definition, committed: CommittedRecords?, archive: ArchiveOverlay, condition: CollectionCondition,
        overlay: RecordOverlay? = nil
    ) {
        self.definition = definition
        self.committed = committed
        self.archive = archive
        self.condition = condition
        self.overlay = overlay
        limit = nil
        base = nil
        rows = Self.rows(committed, archive, overlay)
        sourceSummary = SourceSummary(definition, condition)
        servingTime = ServingTime(definition, condition, hasSnapshot: committed != nil)
    }

    /// A view of a collection all of whose committed records are in a file.
    public convenience init(
        definition: Definition, snapshot: Snapshot?, archive: ArchiveOverlay, condition: CollectionCondition,
        overlay: RecordOverlay? = nil
    ) {
        self.init(
            definition: definition, committed: snapshot.map { CommittedRecords(file: $0) }, archive: archive,
            condition: condition, overlay: overlay)
    }

    /// Makes a view with a part of the records of another view, or with a part of their fields.
    ///
    /// - Parameter outside: the rows of a snapshot that are left out; nil: none.
    init(_ view: CollectionView, _ limit: ViewLimit, outside: (Snapshot) -> RowBitmap?) {
        definition = limit.definition
        committed = view.committed
        archive = view.archive
        condition = view.condition
        overlay = view.overlay
        sourceSummary = view.sourceSummary
        servingTime = view.servingTime
        self.limit = limit
        base = view.whole
        rows = Self.rows(view.committed, view.archive, view.overlay, outside: outside)
    }

    private static func rows(
        _ committed: CommittedRecords?, _ archive: ArchiveOverlay, _ overlay: RecordOverlay?,
        outside: (Snapshot) -> RowBitmap? = { _ in nil }
    ) -> ServedRows {
        var layers: [LayerRows] = []
        for (index, snapshot) in (committed?.layers ?? []).enumerated() {
            var rows = LayerRows(snapshot)
            rows.archived = archive.rows(of: snapshot)
            if let committed, index < committed.covered.count { rows.covered = committed.covered[index] }
            if let overlay { rows.covered.formUnion(overlay.rows.covered(ofLayer: index)) }
            layers.append(rows)
        }
        layers += overlay?.layers(marks: archive) ?? []
        for index in layers.indices { layers[index].outside = outside(layers[index].snapshot) }
        // Without committed records nothing is at the bottom.
        guard committed != nil else { return ServedRows(base: nil, newer: layers) }
        return ServedRows(base: layers.first, newer: Array(layers.dropFirst()))
    }

    /// The same view with all records, for callers that leave out records themselves.
    public var whole: CollectionView { base ?? self }

    /// The file at the bottom that queries read; nil if the collection has no data.
    public var snapshot: Snapshot? { committed?.file }

    /// The snapshots that have served records, the oldest one first.
    public var layers: [Snapshot] { (committed?.layers ?? []) + (overlay?.snapshots ?? []) }

    /// Makes a view with the same data as another.
    private init(_ view: CollectionView, _ definition: Definition, _ condition: CollectionCondition) {
        self.definition = definition
        self.condition = condition
        committed = view.committed
        archive = view.archive
        overlay = view.overlay
        limit = view.limit
        base = view.base
        rows = view.rows
        sourceSummary = SourceSummary(definition, condition)
        servingTime = ServingTime(definition, condition, hasSnapshot: view.committed != nil)
    }

    /// Returns a view with the same data and another condition.
    func with(_ condition: CollectionCondition) -> CollectionView { CollectionView(self, definition, condition) }

    /// Returns a view with the same data after an event of its condition.
    func changing(_ event: (inout CollectionCondition) -> Void) -> CollectionView {
        var condition = condition
        event(&condition)
        return with(condition)
    }

    /// Returns a view with the same data and the labels of another definition, whose shape hash must be the same.
    public func with(_ definition: Definition) -> CollectionView { CollectionView(self, definition, condition) }

    /// Returns a view with another overlay, made by the commit that ends at `seq`.
    public func with(_ overlay: RecordOverlay?, seq: UInt64) -> CollectionView {
        var condition = condition
        condition.changed(at: seq)
        return CollectionView(
            definition: definition, committed: committed, archive: archive, condition: condition, overlay: overlay)
    }

    /// Returns a view with some archive marks changed by the commit that ends at `seq`.
    public func with(_ marks: [ArchiveMarkChange], seq: UInt64) -> CollectionView {
        var condition = condition
        condition.changed(at: seq)
        return CollectionView(
            definition: definition, committed: committed, archive: archive.applying(marks, over: committed?.files),
            condition: condition, overlay: overlay)
    }

    /// The number of the last change of this collection by a commit of any kind.
    public var changedSeq: UInt64 { condition.changedSeq }

    /// A number that differs between two views if archive marks or the overlay have changed.
    public var markVersion: UInt64 { archive.markVersion &+ (overlay?.version ?? 0) }

    /// The bounds of what may lie over the files, and of the files that take the rest.
    public var recentBounds: RecentBounds { recentBounds(.standard) }

    /// The bounds that apply to this collection, whose base may have no room on the disk.
    func recentBounds(_ bounds: RecentBounds) -> RecentBounds {
        condition.isMergeWaiting ? bounds.withoutRoomForBase() : bounds
    }

    /// Whether there are records to query: a snapshot, or records over the place of one. A limited view counts only
    /// records that its rule shows.
    public var hasRecords: Bool {
        if snapshot != nil || definition.isLocal { return true }
        return overlay?.hasRecords == true && (limit?.predicate == nil || rows.count > 0)
    }

    /// Whether the records are not served at `now`, in milliseconds since 1970, because the definition withholds data
    /// of that age.
    public func isWithheld(now: Int64) -> Bool { !servingTime.contains(now) }

    /// The state at `now`, in milliseconds since 1970.
    public func state(now: Int64) -> CollectionState { isWithheld(now: now) ? .withheld : state }

    /// The state, without the changes that time alone brings.
    public var state: CollectionState {
        let state = wholeState
        return limit == nil ? state : state.limited
    }

    /// Whether the records were written on this host, which is their truth. A host of a fleet that is no longer their
    /// home goes on serving what it has.
    public var isLocal: Bool { definition.isLocal || definition.home != nil && condition.row.isLocal }

    /// Whether records that were written on this host are no longer its own: an upstream is their truth, or another
    /// host is their home. They stay for that host until they are forgotten.
    var isReleased: Bool {
        guard condition.row.isLocal else { return false }
        if definition.home != nil { return rows.count == 0 && condition.row.quarantined == 0 }
        return definition.writes?.destination == .upstream
    }

    private var wholeState: CollectionState {
        if condition.problem != nil && snapshot == nil { return .failed }
        if isLocal { return rows.count == 0 ? .empty : .ready }
        if let committed {
            if condition.row.isBundle { return .ready }
            // Data that was fetched before is still served, and newer data is not requested.
            if !definition.source.isConfigured { return .unconfigured }
            return committed.count == 0 && sourceSummary.isComplete ? .empty : .ready
        }
        if !definition.source.isConfigured { return .unconfigured }
        return sourceSummary.hasFailed ? .failed : .loading
    }

    public var source: DataSource? {
        if isLocal { return .local }
        if snapshot == nil { return nil }
        if condition.row.isBundle { return .bundle }
        if !condition.isConfirmed { return .cache }
        return sourceSummary.via == nil ? .upstream : .fleet
    }

    /// The time since the upstream last confirmed the data, in milliseconds; nil if no upstream has confirmed it, and 0
    /// if this host is the truth.
    ///
    /// It is never negative, although the wall clock may step back.
    public func age(now: Int64) -> Int64? {
        if isLocal { return 0 }
        guard snapshot != nil, !condition.row.isBundle, let asOf = sourceSummary.asOf else { return nil }
        return SourceSummary.age(of: asOf, now: now)
    }

    public func freshness(now: Int64) -> Freshness? {
        if isLocal { return .fresh }
        if snapshot == nil { return nil }
        return age(now: now) == nil ? .bundle : sourceSummary.freshness(now: now)
    }

    /// The time of the next change of freshness, or of the next time at which the records begin or cease to be
    /// withheld, unless the data is confirmed before; in milliseconds since 1970, nil if nothing will change.
    public func nextFreshnessChange(after now: Int64) -> Int64? {
        if isLocal || age(now: now) == nil { return nil }
        return (sourceSummary.changes(after: now) + servingTime.bounds(after: now)).min()
    }

    /// Why the data is not newer: the last refresh failed, or there is no source to ask any more.
    private var lastError: Failure? {
        guard state == .unconfigured, snapshot != nil, !isLocal else { return sourceSummary.lastError }
        let at = condition.unconfiguredSince ?? condition.source.asOf ?? 0
        return Failure(kind: .other, message: Message(.sourceGone), at: at)
    }

    /// The state as every answer has it.
    ///
    /// - Parameter isLimited: whether the peer sees only some records; then figures that count other records are left
    ///   out.
    public func meta(now: Int64, revision: Revision, isLimited: Bool = false) -> CollectionMeta {
        let age = age(now: now)
        var meta = CollectionMeta(
            collection: definition.name, state: state(now: now), freshness: freshness(now: now), source: source,
            asOf: age == nil || isLocal ? nil : sourceSummary.asOf, ageMilliseconds: age,
            generation: condition.row.generation, revision: revision,
            quarantined: condition.row.quarantined, unsupported: rows.unsupported,
            lastError: lastError,
            nextRefresh: definition.source.isConfigured ? sourceSummary.due : nil,
            fullAsOf: sourceSummary.fullAsOf, sites: sourceSummary.siteCounts(now: now),
            pending: definition.hasPendingField ? overlay?.counts ?? [:] : nil)
        meta.via = isLocal || condition.row.isBundle ? nil : sourceSummary.via
        if isLimited || limit != nil {
            meta.isLimited = true
            meta.state = meta.state.limited
            (meta.sites, meta.pending) = (nil, nil)
            // The message about held data has numbers of records.
            if let error = meta.lastError, error.kind == .held {
                meta.lastError = Failure(kind: .held, message: Message(.heldBack), at: error.at)
            }
        }
        return meta
    }
}

extension CollectionView {
    /// The view that a commit of writes has made, together with the changes that other threads have made to the
    /// collection during the commit.
    func written(over current: CollectionView) -> CollectionView {
        var condition = current.condition
        condition.written(by: self.condition)
        return with(condition)
    }

    /// The view after the commit that has removed the bundle: without data.
    func withoutBundle(_ row: CollectionRow, at revision: Revision) -> CollectionView {
        var condition = condition
        condition.bundleForgotten(row, at: revision.seq)
        return CollectionView(
            definition: definition, committed: nil, archive: archive.rebuilt(for: nil), condition: condition,
            overlay: overlay?.rebuilt(for: nil))
    }

    /// The view of a collection without data under another definition, and the rules of access that are in force.
    ///
    /// - Parameter overlay: the operations that wait for the upstream; nil: none do.
    func withoutData(by definition: Definition, _ overlay: RecordOverlay?) -> CollectionView {
        CollectionView(
            definition: definition.with(self.definition.access), committed: nil, archive: archive, condition: condition,
            overlay: overlay)
    }

    /// The view of a collection that this host has become the truth of.
    ///
    /// - Parameter overlay: the records of the upstream that lie over the files; nil: none do.
    func adopted(_ row: CollectionRow, _ source: SourceRow, _ overlay: RecordOverlay?) -> CollectionView {
        var condition = condition
        condition.adopted(row, source)
        guard let overlay else { return with(condition) }
        return CollectionView(
            definition: definition, committed: committed.map { CommittedRecords($0.files) }, archive: archive,
            condition: condition, overlay: overlay)
    }
}

/// The state of a collection as every answer has it, at one moment. Times are in milliseconds since 1970.
public struct CollectionMeta: Sendable, Equatable {
    public var collection: String
    public var state: CollectionState
    /// nil without data.
    public var freshness: Freshness?
    /// nil without data.
    public var source: DataSource?
    /// The host of the fleet that has fetched the data; nil if this host has.
    public var via: String?
    /// When the upstream last confirmed this data; nil if none ever has.
    public var asOf: Int64?
    public var ageMilliseconds: Int64?
    /// 0 without data.
    public var generation: UInt64
    public var revision: Revision
    public var quarantined: Int
    /// Records that carry a value of an enum field which the definition does not know.
    public var unsupported: Int
    public var lastError: Failure?
    public var nextRefresh: Int64?
    /// The time since when it is certain which records are gone; nil if each answer of the upstream has all records.
    public var fullAsOf: Int64?
    /// The number of sites in each state; nil for a collection with one source.
    public var sites: SourceSummary.SiteCounts?
    /// The number of unsettled operations in each state; nil if writes do not go to an upstream.
    public var pending: [PendingState: Int]?
    /// Whether a rule leaves out records; then figures that count other records are left out.
    public var isLimited = false
}

/// The times in which the records of a collection are served. Outside of them they are withheld.
///
/// A check is two comparisons, so each answer can afford it. Times are in milliseconds since 1970.
struct ServingTime: Sendable, Equatable {
    /// The first time.
    private var start = Int64.min
    /// The time after the last one.
    private var end = Int64.max

    /// The maximal time by which the clock may be behind the time of the data.
    static let maxAhead = Duration.seconds(600)

    init(_ definition: Definition, _ condition: CollectionCondition, hasSnapshot: Bool) {
        // Records that were written on this host have no age, and neither has a bundle.
        guard let span = definition.source.withhold, !definition.isLocal, hasSnapshot, !condition.row.isBundle else {
            return
        }
        guard let asOf = condition.source.asOf else {
            // The age of the data is unknown.
            end = start
            return
        }
        let (first, isBeforeAll) = asOf.subtractingReportingOverflow(Self.maxAhead.wholeMilliseconds)
        let (last, isAfterAll) = asOf.addingReportingOverflow(span.wholeMilliseconds)
        if !isBeforeAll { start = first }
        if !isAfterAll { end = last }
    }

    @inline(__always)
    func contains(_ time: Int64) -> Bool { time >= start && time < end }

    /// The times after `time` at which something changes.
    func bounds(after time: Int64) -> [Int64] { [start, end].filter { $0 > time && $0 != .max } }
}

extension CollectionView {
    /// The entries that were written since an earlier view of the same snapshot.
    func entries(since view: CollectionView) -> [OverlayEntry] {
        let first = StateSchema.firstKey(of: view.condition.row.number)
        var newer = (overlay?.entries ?? []).filter { $0.stateKey >= first + view.condition.row.nextKey }
        // A record that lay over the snapshot and was deleted left no entry, but now the snapshot has it.
        for entry in view.overlay?.entries ?? []
        where entry.upstream != nil && served(entry.id) == nil && !newer.contains(where: { $0.id == entry.id }) {
            newer.append(
                OverlayEntry(
                    id: entry.id, upstream: nil, firstSeen: entry.firstSeen, changedAt: entry.changedAt,
                    stateKey: first + condition.row.nextKey - 1))
        }
        return newer
    }
}

extension CollectionState {
    /// The state that is shown to a peer that does not see all records: it does not show whether there are others.
    fileprivate var limited: CollectionState { self == .empty ? .ready : self }
}

extension CollectionView {
    /// The collection as a peer sees it if a rule leaves out records or fields: lists leave these records out, and no
    /// id finds them.
    public func limited(to limit: ViewLimit, _ sets: RowSets) -> CollectionView {
        CollectionView(self, limit) { snapshot in limit.predicate.map { sets.rows(of: snapshot, without: $0) } }
    }
}
