// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
public import ClaimsQuery

extension Snapshot {
    /// Runs a query, and returns one page of rows with the exact totals that the query asks for.
    ///
    /// - Parameters:
    ///   - archive: the archived rows, which `query.archived` includes or leaves out.
    ///   - scratch: memory that only the calling thread uses.
    ///   - budget: the time that the query may run.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled. The caller may run it again
    ///   from its start.
    public func execute(
        _ query: PageQuery, archive: RowBitmap, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Page {
        var run = QueryRun(self, archive: archive, scratch: scratch, budget: budget)
        return try run.page(query)
    }

    /// The exact number of records that match a condition.
    ///
    /// - Parameters:
    ///   - archive: the archived rows, which `archived` includes or leaves out.
    ///   - scratch: memory that only the calling thread uses.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled. The caller may run it again
    ///   from its start.
    public func count(
        _ predicate: Predicate, archived: ArchivedMode, archive: RowBitmap, scratch: QueryScratch,
        budget: QueryBudget
    ) throws(QueryInterruption) -> Int {
        var run = QueryRun(self, archive: archive, scratch: scratch, budget: budget)
        return try run.total(predicate, archived)
    }

    /// Calls `body` with the row of each record that matches a condition, archived or not, in no particular order.
    ///
    /// - Parameter scratch: memory that only the calling thread uses.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled; `body` has been called for a
    ///   part of the rows then.
    public func forEachMatch(
        _ predicate: Predicate, scratch: QueryScratch, budget: QueryBudget, _ body: (Int) -> Void
    ) throws(QueryInterruption) {
        var builder = SetBuilder(self, scratch: scratch, steps: QuerySteps(budget))
        var planner = QueryPlanner(self, scratch: scratch, steps: builder.steps)
        let set = try builder.set(try planner.plan(predicate))
        try builder.forEach(in: set) { row in
            body(row)
            return true
        }
        if case .bits(let bits, _) = set { scratch.keep(bits) }
    }

    /// Whether the record of a row matches a condition, archived or not; false for a row that does not exist.
    ///
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled.
    public func matches(
        _ predicate: Predicate, row: Int, budget: QueryBudget = .unlimited
    ) throws(QueryInterruption) -> Bool {
        var planner = QueryPlanner(self, scratch: QueryScratch(), steps: QuerySteps(budget))
        return PreparedPredicate(try planner.plan(predicate), on: self).contains(row)
    }

    /// The smallest key of a field in all records that is not below `key`; nil if there is none.
    ///
    /// The field must be a number, a moment, a day or a Boolean.
    public func firstKey(of field: Int, from key: [UInt8]) -> [UInt8]? {
        let column = column(field)
        let ordinal = column.bound(key, isAfter: false)
        return ordinal < column.distinct ? column.key(ordinal).array : nil
    }

    /// The bytes of a row's id, as a copy.
    public func idBytes(_ row: Int) -> [UInt8] { id(row).array }

    /// The position of a row's record in the order of a query; a page after it begins with the next record.
    public func position(of row: Int, in query: PageQuery) -> PagePosition {
        let plan = OrderPlan(query.order, isGrouped: query.isGrouped, self)
        return PositionFinder(snapshot: self, plan: plan).position(of: row)
    }
}
