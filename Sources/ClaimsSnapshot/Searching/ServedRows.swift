// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
public import ClaimsQuery

/// The rows of a collection as they are served: those of a snapshot that nothing covers, and those of an overlay.
///
/// Rows of the overlay have the numbers after those of the snapshot below. All threads may read it at once.
public final class ServedRows: Sendable {
    /// The snapshot below; nil where the overlay has all records.
    public let base: Snapshot?
    /// The records over it; nil almost always, and then every query is one of the snapshot alone.
    public let overlay: OverlayRows?
    /// The number of records that lists have, archived ones too.
    public let count: Int
    /// The number of records that lists have and that are archived.
    public let archivedCount: Int
    private let baseMask: RowMask
    private let overlayMask: RowMask

    /// - Parameter archived: the rows of `base` that are archived.
    public init(base: Snapshot?, archived: RowBitmap, overlay: OverlayRows? = nil) {
        self.base = base
        self.overlay = overlay
        baseMask = RowMask(archived: archived, covered: overlay?.covered ?? RowBitmap())
        overlayMask = RowMask(archived: overlay?.archived ?? RowBitmap(), covered: overlay?.unlisted ?? RowBitmap())
        count = (base?.count ?? 0) - baseMask.covered.count + (overlay?.count ?? 0) - overlayMask.covered.count
        archivedCount = baseMask.archived.count + overlayMask.archived.count
    }

    /// The first number of the overlay's rows.
    public var overlayStart: Int { base?.count ?? 0 }

    /// The row in the overlay's own snapshot of a row; nil for one of the snapshot below.
    public func overlayRow(_ row: Int) -> Int? { row < overlayStart ? nil : row - overlayStart }

    /// The snapshot that a row is in, and its number there; nil for a row that does not exist.
    @inline(__always)
    public func layer(of row: Int) -> (snapshot: Snapshot, row: Int)? {
        if let base, row < base.count { return (base, row) }
        guard let snapshot = overlay?.snapshot, row - overlayStart < snapshot.count else { return nil }
        return (snapshot, row - overlayStart)
    }

    /// The bytes of the id of a row, as a copy; nil for a row that does not exist.
    public func idBytes(_ row: Int) -> [UInt8]? {
        guard let (snapshot, own) = layer(of: row) else { return nil }
        return snapshot.idBytes(own)
    }

    /// The rows of `base` that are archived or not served; the others are as they were without an overlay.
    public var baseExceptions: RowBitmap { baseMask.excluded }

    /// The number of rows with or without a listed record, over all layers.
    public var end: Int { overlayStart + (overlay?.count ?? 0) }

    /// The number of records in lists that hold a value which a vocabulary does not know.
    public var unsupported: Int {
        guard let overlay else { return base?.unsupported ?? 0 }
        var count = (base?.unsupported ?? 0) + (overlay.snapshot?.unsupported ?? 0)
        if let base, base.unsupported > 0 { overlay.covered.forEach { count -= base.isUnsupported($0) ? 1 : 0 } }
        if let own = overlay.snapshot { overlay.unlisted.forEach { count -= own.isUnsupported($0) ? 1 : 0 } }
        return count
    }

    /// Whether lists have the row: it is neither covered nor archived.
    public func isOrdinary(_ row: Int) -> Bool {
        overlayRow(row).map { !overlayMask.excluded.contains($0) } ?? !baseMask.excluded.contains(row)
    }

    /// The row of the record with this id; nil where none is served. It may be one that lists leave out.
    public func row(forID id: RawSpan) -> Int? {
        if let row = overlay?.snapshot?.row(forID: id) { return overlayStart + row }
        guard let row = base?.row(forID: id), !baseMask.covered.contains(row) else { return nil }
        return row
    }

    /// Whether lists leave the record out, because its deletion is under way.
    public func isUnlisted(_ row: Int) -> Bool {
        overlayRow(row).map { overlayMask.covered.contains($0) } ?? baseMask.covered.contains(row)
    }

    public func isArchived(_ row: Int) -> Bool {
        guard let own = overlayRow(row) else { return baseMask.archived.contains(row) }
        return overlay?.archived.contains(own) ?? false
    }
}

/// The rows of one layer that a query leaves out or is about.
struct RowMask: Sendable {
    /// The rows that another layer covers, or that are in no list.
    let covered: RowBitmap
    /// The archived rows that are not covered.
    let archived: RowBitmap
    /// The rows that are archived or covered.
    let excluded: RowBitmap

    init(archived: RowBitmap, covered: RowBitmap) {
        self.covered = covered
        var (own, all) = (archived, archived)
        own.subtract(covered)
        all.formUnion(covered)
        self.archived = own
        excluded = all
    }
}

extension ServedRows {
    /// Runs a query over all layers, and returns one page of rows with the exact totals that the query asks for.
    ///
    /// - Parameters:
    ///   - scratch: memory that only the calling thread uses.
    ///   - budget: the time that the query may run.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled. The caller may run it again
    ///   from its start.
    public func execute(
        _ query: PageQuery, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Page {
        guard let over = overlayLayer else {
            return try baseLayer?.page(query, scratch: scratch, budget: budget) ?? Page(emptyOf: query)
        }
        let newer = try over.page(query, scratch: scratch, budget: budget)
        guard let below = baseLayer else { return newer.withoutHint }
        let older = try below.page(query, scratch: scratch, budget: budget)
        return PageMerge(query: query, below: below.snapshot, above: over.snapshot).merged(older, newer)
    }

    /// The exact number of records that match a condition.
    ///
    /// - Parameter scratch: memory that only the calling thread uses.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled. The caller may run it again
    ///   from its start.
    public func count(
        _ predicate: Predicate, archived: ArchivedMode, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Int {
        let below = try baseLayer?.total(predicate, archived, scratch: scratch, budget: budget) ?? 0
        return try below + (overlayLayer?.total(predicate, archived, scratch: scratch, budget: budget) ?? 0)
    }

    /// Calls `body` with the row of each record that matches a condition and that lists have, archived or not, in no
    /// particular order.
    ///
    /// - Parameter scratch: memory that only the calling thread uses.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled; `body` has been called for a
    ///   part of the rows then.
    public func forEachMatch(
        _ predicate: Predicate, scratch: QueryScratch, budget: QueryBudget, _ body: (Int) -> Void
    ) throws(QueryInterruption) {
        try baseLayer?.forEachMatch(predicate, scratch: scratch, budget: budget, body)
        let start = overlayStart
        try overlayLayer?.forEachMatch(predicate, scratch: scratch, budget: budget) { body(start + $0) }
    }

    /// Whether the record of a row matches a condition, archived or not.
    ///
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled.
    public func matches(
        _ predicate: Predicate, row: Int, scratch: QueryScratch, budget: QueryBudget = .unlimited
    ) throws(QueryInterruption) -> Bool {
        let layer = overlayRow(row) == nil ? baseLayer : overlayLayer
        return try layer?.isTrue(predicate, row: overlayRow(row) ?? row, scratch: scratch, budget: budget) ?? false
    }

    /// The way in which a query would find the records of a condition.
    ///
    /// - Parameter row: the row to try the condition on; nil for none.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled.
    public func outline(
        of predicate: Predicate, row: Int? = nil, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> OutlinedCondition {
        let own = row.flatMap { overlayRow($0) }
        let below = try base?.outline(
            of: predicate, row: own == nil ? row : nil, scratch: scratch, budget: budget)
        let above = try overlay?.snapshot?.outline(
            of: predicate, row: own, pending: overlay?.pending, scratch: scratch, budget: budget)
        var outline = below?.outline ?? .none
        // Of a condition that only the overlay can meet, its own plan says more.
        if outline == .none, let above { outline = above.outline }
        return OutlinedCondition(
            outline: outline, bound: (below?.bound ?? 0) + (above?.bound ?? 0), isTrue: below?.isTrue ?? above?.isTrue)
    }

    /// The position of a row's record in the order of a query; a page after it begins with the next record.
    public func position(of row: Int, in query: PageQuery) -> PagePosition? {
        guard let (snapshot, own) = layer(of: row) else { return nil }
        let position = snapshot.position(of: own, in: query)
        return row < overlayStart ? position : position.withoutHint
    }

    var baseLayer: QueryLayer? { base.map { QueryLayer(snapshot: $0, mask: baseMask, pending: nil) } }

    var overlayLayer: QueryLayer? {
        guard let overlay, let snapshot = overlay.snapshot else { return nil }
        return QueryLayer(snapshot: snapshot, mask: overlayMask, pending: overlay.pending)
    }
}

/// A snapshot as one of two layers that a query runs over.
struct QueryLayer {
    let snapshot: Snapshot
    let mask: RowMask
    let pending: PendingRows?

    func page(_ query: PageQuery, scratch: QueryScratch, budget: QueryBudget) throws(QueryInterruption) -> Page {
        var own = query
        var (run, archived) = run(query.archived, scratch: scratch, budget: budget)
        own.archived = archived
        return try run.page(own)
    }

    /// A run of a query over the layer, and the mode with which it leaves out covered rows, too.
    func run(_ mode: ArchivedMode, scratch: QueryScratch, budget: QueryBudget) -> (QueryRun, ArchivedMode) {
        let (archived, archive) = mask.selection(mode)
        return (QueryRun(snapshot, archive: archive, pending: pending, scratch: scratch, budget: budget), archived)
    }

    func total(
        _ predicate: Predicate, _ mode: ArchivedMode, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Int {
        let (archived, archive) = mask.selection(mode)
        var run = QueryRun(snapshot, archive: archive, pending: pending, scratch: scratch, budget: budget)
        return try run.total(predicate, archived)
    }

    func forEachMatch(
        _ predicate: Predicate, scratch: QueryScratch, budget: QueryBudget, _ body: (Int) -> Void
    ) throws(QueryInterruption) {
        var builder = SetBuilder(snapshot, scratch: scratch, steps: QuerySteps(budget))
        var planner = QueryPlanner(snapshot, pending: pending, scratch: scratch, steps: builder.steps)
        let set = try builder.set(try planner.plan(predicate))
        try builder.forEach(in: set) { row in
            if !mask.covered.contains(row) { body(row) }
            return true
        }
        if case .bits(let bits, _) = set { scratch.give(bits) }
    }

    func isTrue(
        _ predicate: Predicate, row: Int, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Bool {
        var planner = QueryPlanner(snapshot, pending: pending, scratch: scratch, steps: QuerySteps(budget))
        return PreparedPredicate(try planner.plan(predicate), on: snapshot).contains(row)
    }
}

extension RowMask {
    /// The mode and the archived rows with which a query leaves out covered rows, too.
    fileprivate func selection(_ mode: ArchivedMode) -> (ArchivedMode, RowBitmap) {
        switch mode {
        case .exclude: (.exclude, excluded)
        case .only: (.only, archived)
        case .include: covered.count == 0 ? (.include, archived) : (.exclude, covered)
        }
    }
}

/// The records that lie over a snapshot: a small snapshot of their own, and the rows of the one below that they hide.
public struct OverlayRows: Sendable {
    /// The records of the overlay; nil where it only hides others.
    public var snapshot: Snapshot?
    /// The rows of the snapshot below that are not served, because the overlay has their ids.
    public var covered = RowBitmap()
    /// Its own rows that are answered by id, but are in no list: a delete of the record is under way.
    public var unlisted = RowBitmap()
    /// Its own rows that are archived.
    public var archived = RowBitmap()
    /// Its own rows with unsettled operations.
    public var pending = PendingRows()

    public init(snapshot: Snapshot?) {
        self.snapshot = snapshot
    }

    /// The number of rows that a snapshot has room for; 0 without one.
    var count: Int { snapshot?.count ?? 0 }
}

/// The rows of one snapshot with unsettled operations, by the state that their records tell.
public struct PendingRows: Sendable {
    private var rows = PendingState.allCases.map { _ in RowBitmap() }

    /// Makes sets without rows.
    public init() {}

    /// The rows in one state.
    public subscript(state: PendingState) -> RowBitmap {
        get { rows[Self.index(state)] }
        set { rows[Self.index(state)] = newValue }
    }

    /// The rows in any of some states.
    func united(_ states: [PendingState]) -> RowBitmap {
        var result = RowBitmap()
        for state in states { result.formUnion(self[state]) }
        return result
    }

    private static func index(_ state: PendingState) -> Int { PendingState.allCases.firstIndex(of: state) ?? 0 }
}
