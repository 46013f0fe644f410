// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsQuery

extension Snapshot {
    /// Answers a query: one page of rows, the exact total, and what else is counted.
    ///
    /// Throws when the budget is used up; the query may then be run again from its start.
    public func execute(
        _ query: PageQuery, archive: ArchiveOverlay, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Page {
        var run = QueryRun(self, archive, scratch, budget)
        return try run.page(query)
    }

    /// How many records match.
    public func count(
        _ predicate: Predicate, archived: ArchivedMode, archive: ArchiveOverlay, scratch: QueryScratch,
        budget: QueryBudget
    ) throws(QueryInterruption) -> Int {
        var run = QueryRun(self, archive, scratch, budget)
        return try run.total(predicate, archived)
    }

    /// Whether the record of one row matches, archived or not.
    public func matches(
        _ predicate: Predicate, row: Int, budget: QueryBudget = .unlimited
    ) throws(QueryInterruption) -> Bool {
        var planner = QueryPlanner(self, QueryScratch(), QuerySteps(budget))
        let plan = try planner.plan(predicate)
        return row < count && plan.contains(row, columns, bytes)
    }

    /// A copy of the record's id.
    public func idBytes(_ row: Int) -> [UInt8] { id(row).copied }

    /// Where a page that ends with this row's record would go on.
    public func position(of row: Int, in query: PageQuery) -> PagePosition {
        let plan = OrderPlan(query.order, isGrouped: query.isGrouped, self)
        return PlaceFinder(snapshot: self, plan: plan).position(row)
    }
}
