// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsQuery

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
