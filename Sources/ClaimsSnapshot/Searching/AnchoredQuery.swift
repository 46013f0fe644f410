// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery

extension ServedRows {
    /// Runs a query over all layers, and returns the page at an anchor with its rank.
    ///
    /// It takes longer than ``execute(_:scratch:budget:)``: the matches before the page are counted.
    ///
    /// - Parameters:
    ///   - query: the query; its `after` means nothing here.
    ///   - scratch: memory that only the calling thread uses.
    ///   - budget: the time that the query may run.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled. The caller may run it again
    ///   from its start.
    public func page(
        of query: PageQuery, at anchor: PageAnchor, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> AnchoredPage {
        guard let over = overlayLayer else {
            guard let base = baseLayer else { return AnchoredPage(page: Page(emptyOf: query), rank: 0) }
            var run = try AnchoredRun(base, query, scratch: scratch, budget: budget)
            return try run.page(at: anchor)
        }
        var newer = try AnchoredRun(over, query, scratch: scratch, budget: budget)
        guard let base = baseLayer else { return try newer.page(at: anchor) }
        var older = try AnchoredRun(base, query, scratch: scratch, budget: budget)
        return try older.page(at: anchor, under: &newer)
    }
}

/// A query over one layer whose matches have been found, and of which a page is to be taken.
struct AnchoredRun {
    private let query: PageQuery
    private let snapshot: Snapshot
    private var run: QueryRun
    private let selection: QueryRun.Selection
    private let plan: OrderPlan
    private let finder: PositionFinder
    /// The totals, groups and facets, without rows.
    private let summary: Page

    init(
        _ layer: QueryLayer, _ query: PageQuery, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) {
        self.query = query
        snapshot = layer.snapshot
        let archived: ArchivedMode
        (run, archived) = layer.run(query.archived, scratch: scratch, budget: budget)
        selection = try run.select(query.predicate, archived)
        summary = try run.summary(of: query, selection)
        plan = OrderPlan(query.order, isGrouped: query.isGrouped, snapshot)
        finder = PositionFinder(snapshot: snapshot, plan: plan)
    }

    /// Some of the matches, as their order has them.
    private enum Part {
        /// Those after a boundary; nil: after nothing.
        case after(PageBoundary?)
        /// The last of those that do not come after a boundary; nil: of all.
        case upTo(PageBoundary?)
        /// Those from a rank on.
        case from(Int)
    }

    // MARK: - One layer

    mutating func page(at anchor: PageAnchor) throws(QueryInterruption) -> AnchoredPage {
        let total = summary.total
        let (rank, count) = AnchoredPage.extent(
            of: anchor, total: total, limit: query.limit, bound: try countUpTo(anchor))
        var page = summary
        page.rows = try rows(part(at: anchor, rank: rank), count)
        run.release(selection)
        return AnchoredPage(page: page, rank: rank)
    }

    /// The number of matches that do not come after the boundary of an anchor; 0 where it has none.
    private mutating func countUpTo(_ anchor: PageAnchor) throws(QueryInterruption) -> Int {
        guard summary.total > 0, let boundary = boundary(of: anchor) else { return 0 }
        return try OrderWindow.count(
            upTo: boundary, of: selection.set, excluding: selection.excluded, by: plan, in: snapshot, &run.builder)
    }

    private func boundary(of anchor: PageAnchor) -> PageBoundary? {
        switch anchor {
        case .start, .end, .rank: nil
        case .after(let position): finder.boundary(of: position)
        case .from(let position), .before(let position): finder.boundary(of: position).beforeItsRecord
        }
    }

    private func part(at anchor: PageAnchor, rank: Int) -> Part {
        switch anchor {
        case .start: .after(nil)
        case .end: .upTo(nil)
        case .rank: .from(rank)
        case .from, .after: .after(boundary(of: anchor))
        case .before: .upTo(boundary(of: anchor))
        }
    }

    /// At most `count` rows of a part, in the order.
    private mutating func rows(_ part: Part, _ count: Int) throws(QueryInterruption) -> [UInt32] {
        let (total, excluded) = (summary.total, selection.excluded)
        guard count > 0, total > 0 else { return [] }
        // The first rows of some orders are found without a look at all.
        if case .from(0) = part { return try rows(.after(nil), count) }
        var window = OrderWindow(
            snapshot: snapshot, plan: plan, excluded: excluded, isBackward: true, limit: min(count, total))
        switch part {
        case .after(let boundary):
            let selector = PageSelector(
                snapshot: snapshot, plan: plan, limit: min(count, total), after: boundary, excluded: excluded)
            return try selector.rows(selection.set, count: total, &run.builder)
        case .upTo(let boundary): window.end = boundary
        case .from(let rank):
            let end = min(rank + count, total)
            // The nearer end of the order is the one to begin at.
            let isBackward = total - end < rank
            window = OrderWindow(
                snapshot: snapshot, plan: plan, excluded: excluded, isBackward: isBackward,
                skip: isBackward ? total - end : rank, limit: max(0, end - rank))
        }
        return try window.rows(selection.set, count: total, &run.builder)
    }

    // MARK: - Two layers

    /// The page of this layer and of the overlay over it.
    mutating func page(at anchor: PageAnchor, under over: inout AnchoredRun) throws(QueryInterruption) -> AnchoredPage {
        let merge = PageMerge(query: query, below: snapshot, above: over.snapshot)
        var page = merge.summary(summary, over.summary)
        let bound = try countUpTo(anchor) + over.countUpTo(anchor)
        let (rank, count) = AnchoredPage.extent(of: anchor, total: page.total, limit: query.limit, bound: bound)
        if case .rank = anchor {
            // All of the overlay may lie before the page: so many more rows below come before it.
            let extra = min(rank, over.summary.total)
            let older = try rows(.from(rank - extra), count + extra)
            let newer = try over.rows(.after(nil), over.summary.total)
            let merged = merge.merged(older, newer, limit: count + extra)
            page.rows = Array(merged.dropFirst(extra))
        } else {
            let older = try rows(part(at: anchor, rank: rank), count)
            let newer = try over.rows(over.part(at: anchor, rank: rank), count)
            let merged = merge.merged(older, newer, limit: older.count + newer.count)
            page.rows = Array(anchor.isBackward ? merged.suffix(count) : merged.prefix(count))
        }
        run.release(selection)
        over.run.release(over.selection)
        return AnchoredPage(page: page, rank: rank)
    }
}

extension AnchoredPage {
    /// The rank of the first record of a page, and the number of its records.
    ///
    /// - Parameters:
    ///   - total: the number of matches.
    ///   - bound: the number of matches that do not come after the boundary of the anchor.
    static func extent(of anchor: PageAnchor, total: Int, limit: Int, bound: Int) -> (rank: Int, count: Int) {
        let last = max(0, total - limit)
        let rank =
            switch anchor {
            case .start: 0
            case .end: last
            case .rank(let rank): rank < total ? max(0, rank) : last
            case .from, .after: bound
            case .before: max(0, bound - limit)
            }
        if case .before = anchor { return (rank, bound - rank) }
        return (rank, min(limit, total - rank))
    }
}
