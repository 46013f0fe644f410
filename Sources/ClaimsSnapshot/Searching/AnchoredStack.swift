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
    ///   - query: the query; its `after` is not used here.
    ///   - scratch: memory that only the calling thread uses.
    ///   - budget: the time that the query may run.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled. The caller may run it again
    ///   from its start.
    public func page(
        of query: PageQuery, at anchor: PageAnchor, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> AnchoredPage {
        if layers.isEmpty { return AnchoredPage(page: Page(emptyOf: query), rank: 0) }
        var runs: [AnchoredRun] = []
        for layer in layers { runs.append(try AnchoredRun(layer, query, scratch: scratch, budget: budget)) }
        var stack = AnchoredStack(runs: runs, merge: PageMerge(query: query, layers: layers))
        return try stack.page(at: anchor)
    }
}

/// A query over all layers, each with its own run.
private struct AnchoredStack {
    var runs: [AnchoredRun]
    let merge: PageMerge

    mutating func page(at anchor: PageAnchor) throws(QueryInterruption) -> AnchoredPage {
        var page = runs.count == 1 ? runs[0].summary : merge.summary(runs.map(\.summary))
        var bound = 0
        for index in runs.indices { bound += try runs[index].countUpTo(anchor) }
        let (rank, count) = AnchoredPage.extent(of: anchor, total: page.total, limit: merge.query.limit, bound: bound)
        var lists: [[UInt32]] = []
        if case .rank = anchor {
            let starts = try split(at: rank, of: page.total)
            for index in runs.indices { lists.append(try runs[index].rows(.from(starts[index]), count)) }
        } else {
            for index in runs.indices { lists.append(try runs[index].rows(runs[index].part(at: anchor), count)) }
        }
        let merged = merge.merged(lists, limit: lists.reduce(0) { $0 + $1.count })
        page.rows = Array(anchor.isBackward ? merged.suffix(count) : merged.prefix(count))
        for run in runs { run.release() }
        return AnchoredPage(page: page, rank: rank)
    }

    /// The number of matches of each layer among the first `rank` matches of all layers.
    ///
    /// The layer with the most matches is not searched itself: its number is `rank` minus the numbers of the other
    /// layers.
    private mutating func split(at rank: Int, of total: Int) throws(QueryInterruption) -> [Int] {
        var high = runs.map { min($0.summary.total, rank) }
        guard runs.count > 1, rank > 0 else { return high }
        // Lower bound: rank minus the matches of all other layers.
        var low = runs.map { max(0, rank - (total - $0.summary.total)) }
        let greatest = runs.indices.max { runs[$0].summary.total < runs[$1].summary.total } ?? 0
        let searched = runs.indices.filter { $0 != greatest }
        while let index = searched.max(by: { high[$0] - low[$0] < high[$1] - low[$1] }), low[index] < high[index] {
            let middle = (low[index] + high[index]) / 2
            guard let row = try runs[index].rows(.from(middle), 1).first else { break }
            let anchor = PageAnchor.from(runs[index].position(of: row))
            var before = [Int](repeating: 0, count: runs.count)
            for other in runs.indices { before[other] = other == index ? middle : try runs[other].countUpTo(anchor) }
            if before.reduce(0, +) < rank {
                low[index] = middle + 1
                for other in runs.indices where other != index { low[other] = max(low[other], before[other]) }
            } else {
                for other in runs.indices { high[other] = min(high[other], before[other]) }
            }
        }
        var starts = low
        starts[greatest] = rank - searched.reduce(0) { $0 + low[$1] }
        return starts
    }
}

/// A query over one layer whose matches have been found, and of which a page is to be read.
struct AnchoredRun {
    private let query: PageQuery
    private let layer: ServedLayer
    private var run: QueryRun
    private let selection: QueryRun.Selection
    private let plan: OrderPlan
    private let finder: PositionFinder
    /// The totals, groups and facets, without rows.
    let summary: Page

    init(
        _ layer: ServedLayer, _ query: PageQuery, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) {
        self.query = query
        self.layer = layer
        let archived: ArchivedMode
        (run, archived) = layer.run(query.archived, scratch: scratch, budget: budget)
        selection = try run.select(query.predicate, archived)
        summary = try run.summary(of: query, selection)
        plan = OrderPlan(query.order, isGrouped: query.isGrouped, layer.snapshot)
        finder = PositionFinder(snapshot: layer.snapshot, plan: plan)
    }

    /// Some of the matches, as their order has them.
    enum Part {
        /// The rows after a boundary; nil: all rows.
        case after(PageBoundary?)
        /// The last rows that do not come after a boundary; nil: the last of all rows.
        case upTo(PageBoundary?)
        /// The rows from a rank on.
        case from(Int)
    }

    /// The number of matches that do not come after the boundary of an anchor; 0 if it has none.
    mutating func countUpTo(_ anchor: PageAnchor) throws(QueryInterruption) -> Int {
        guard summary.total > 0, let boundary = boundary(of: anchor) else { return 0 }
        return try OrderWindow.count(
            upTo: boundary, of: selection.set, excluding: selection.excluded, by: plan, in: layer.snapshot,
            &run.builder)
    }

    private func boundary(of anchor: PageAnchor) -> PageBoundary? {
        switch anchor {
        case .start, .end, .rank: nil
        case .after(let position): finder.boundary(of: position)
        case .from(let position), .before(let position): finder.boundary(of: position).beforeItsRecord
        }
    }

    /// The part of its matches that a page may have. Of a rank the layer's share is not known here.
    func part(at anchor: PageAnchor) -> Part {
        switch anchor {
        case .start, .rank: .after(nil)
        case .end: .upTo(nil)
        case .from, .after: .after(boundary(of: anchor))
        case .before: .upTo(boundary(of: anchor))
        }
    }

    /// At most `count` rows of a part, in the order.
    mutating func rows(_ part: Part, _ count: Int) throws(QueryInterruption) -> [UInt32] {
        let (total, excluded) = (summary.total, selection.excluded)
        guard count > 0, total > 0 else { return [] }
        let snapshot = layer.snapshot
        // The first rows of some orders are found without a look at all rows.
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
            // The search begins at the nearer end of the order.
            let isBackward = total - end < rank
            window = OrderWindow(
                snapshot: snapshot, plan: plan, excluded: excluded, isBackward: isBackward,
                skip: isBackward ? total - end : rank, limit: max(0, end - rank))
        }
        return try window.rows(selection.set, count: total, &run.builder)
    }

    /// The position of one of the layer's rows.
    func position(of row: UInt32) -> PagePosition { layer.portable(finder.position(of: Int(row))) }

    /// Releases memory; the run cannot be used afterwards.
    func release() { run.release(selection) }
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
