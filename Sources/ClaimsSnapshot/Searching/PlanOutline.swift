// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsQuery

/// The way in which a snapshot finds the records of a condition, for explanations.
///
/// Each part has a `bound`: at least as many records as it selects.
public indirect enum PlanOutline: Sendable, Equatable {
    /// No record can match.
    case none
    /// Every record matches, without a look at any.
    case all
    /// Runs of equal or neighbouring values in the sorted column of a field, or of its values as received.
    case values(field: Int, isRaw: Bool, runs: Int, bound: Int)
    /// The posting lists of the terms that contain a text, in these searched fields.
    case terms(fields: [Int], bound: Int)
    /// A phrase, which is looked for in the terms of each record that has its rarest term.
    case phrase(field: Int, bound: Int)
    /// The records with unsettled operations in some states.
    case pending(bound: Int)
    /// The records of all parts, the one with the lowest bound first.
    case and([PlanOutline])
    case or([PlanOutline])
    case not(PlanOutline)
}

/// A condition as a snapshot sees it.
public struct OutlinedCondition: Sendable {
    public let outline: PlanOutline
    /// At least as many records as match.
    public let bound: Int
    /// Whether the record that was asked for matches, archived or not; nil where none was.
    public let isTrue: Bool?
}

extension Snapshot {
    /// The way in which a query would find the records of a condition.
    ///
    /// - Parameter row: the row to try the condition on; nil for none.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled.
    public func outline(
        of predicate: Predicate, row: Int? = nil, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> OutlinedCondition {
        try outline(of: predicate, row: row, pending: nil, scratch: scratch, budget: budget)
    }

    func outline(
        of predicate: Predicate, row: Int?, pending: PendingRows?, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> OutlinedCondition {
        try budget.check()
        var planner = QueryPlanner(self, pending: pending, scratch: scratch, steps: QuerySteps(budget))
        let plan = try planner.plan(predicate)
        return OutlinedCondition(
            outline: PlanOutline(plan, rows: count), bound: plan.bound(count),
            isTrue: row.map { $0 < count && plan.contains($0, columns) })
    }
}

extension PlanOutline {
    fileprivate init(_ plan: QueryPlan, rows: Int) {
        switch plan {
        case .none: self = .none
        case .all: self = .all
        case .ordinals(let ordinals):
            let isRaw = ordinals.columnID & ColumnKind.rawBit != 0
            self = .values(
                field: ordinals.columnID & ~ColumnKind.rawBit, isRaw: isRaw, runs: ordinals.ranges.count,
                bound: ordinals.count)
        case .lists(let lists): self = .terms(fields: lists.columns, bound: min(lists.bound, rows))
        case .phrase(let phrase): self = .phrase(field: phrase.column, bound: min(phrase.bound, rows))
        case .marked(let marked): self = .pending(bound: marked.count)
        case .and(let parts):
            let sorted = parts.enumerated().sorted {
                ($0.element.bound(rows), $0.offset) < ($1.element.bound(rows), $1.offset)
            }
            self = .and(sorted.map { PlanOutline($0.element, rows: rows) })
        case .or(let parts): self = .or(parts.map { PlanOutline($0, rows: rows) })
        case .not(let part): self = .not(PlanOutline(part, rows: rows))
        }
    }
}
