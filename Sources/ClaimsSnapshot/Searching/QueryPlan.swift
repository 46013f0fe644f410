// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsQuery

/// A predicate as row sets of one snapshot, with the known facts about their sizes.
indirect enum QueryPlan: Sendable {
    case none
    case all
    case ordinals(OrdinalRanges)
    case lists(ListMatches)
    case phrase(PhraseMatches)
    /// Rows that were found without the snapshot's columns; at least one.
    case marked(RowBitmap)
    case and([QueryPlan])
    case or([QueryPlan])
    case not(QueryPlan)

    /// An upper bound of the number of rows that it selects.
    func bound(_ rows: Int) -> Int {
        switch self {
        case .none: 0
        case .all, .not: rows
        case .ordinals(let ordinals): ordinals.count
        case .lists(let lists): min(lists.bound, rows)
        case .phrase(let phrase): min(phrase.bound, rows)
        case .marked(let marked): marked.count
        case .and(let parts): parts.map { $0.bound(rows) }.min() ?? rows
        case .or(let parts): min(parts.reduce(0) { $0 + $1.bound(rows) }, rows)
        }
    }

    /// Whether one row is selected, found out without any set.
    func contains(_ row: Int, _ columns: ColumnsView) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .ordinals(let ordinals): ordinals.contains(row, columns[ordinals.columnID])
        case .lists(let lists): lists.contains(row, columns)
        case .phrase(let phrase): phrase.contains(row, columns)
        case .marked(let marked): marked.contains(row)
        case .and(let parts): parts.allSatisfy { $0.contains(row, columns) }
        case .or(let parts): parts.contains { $0.contains(row, columns) }
        case .not(let part): !part.contains(row, columns)
        }
    }
}

extension QueryPlan {
    /// The rows that all parts select; parts on one column are joined there.
    static func joined(_ parts: [QueryPlan], _ snapshot: Snapshot) -> QueryPlan {
        var kept: [QueryPlan] = []
        for part in parts {
            switch part {
            case .none: return .none
            case .all: continue
            case .and(let inner): kept.append(contentsOf: inner)
            default: kept.append(part)
            }
        }
        kept = merged(kept, snapshot) { OrdinalRanges.intersection($0, $1) }
        if kept.contains(where: \.isNone) { return .none }
        return kept.isEmpty ? .all : kept.count == 1 ? kept[0] : .and(kept)
    }

    /// The rows that any part selects.
    static func united(_ parts: [QueryPlan], _ snapshot: Snapshot) -> QueryPlan {
        var kept: [QueryPlan] = []
        for part in parts {
            switch part {
            case .none: continue
            case .all: return .all
            case .or(let inner): kept.append(contentsOf: inner)
            default: kept.append(part)
            }
        }
        kept = merged(kept, snapshot) { OrdinalRanges.united($0 + $1) }
        if kept.contains(where: \.isAll) { return .all }
        return kept.isEmpty ? .none : kept.count == 1 ? kept[0] : .or(kept)
    }

    /// The rows that it does not select.
    func negated(_ snapshot: Snapshot) -> QueryPlan {
        switch self {
        case .none: return .all
        case .all: return .none
        case .not(let part): return part
        case .ordinals(let ordinals):
            let column = snapshot.columns[ordinals.columnID]
            return .ordinals(
                OrdinalRanges(
                    OrdinalRanges.complement(ordinals.ranges, below: column.distinct + 1), of: column))
        default: return .not(self)
        }
    }

    private var isNone: Bool { if case .none = self { true } else { false } }
    private var isAll: Bool { if case .all = self { true } else { false } }

    /// The parts, with all that are ordinals of one column made one.
    private static func merged(
        _ parts: [QueryPlan], _ snapshot: Snapshot, _ merge: ([Range<Int>], [Range<Int>]) -> [Range<Int>]
    ) -> [QueryPlan] {
        var result: [QueryPlan] = []
        var indices: [Int: Int] = [:]
        for part in parts {
            guard case .ordinals(let ordinals) = part else {
                result.append(part)
                continue
            }
            guard let index = indices[ordinals.columnID], case .ordinals(let other) = result[index] else {
                indices[ordinals.columnID] = result.count
                result.append(part)
                continue
            }
            let ranges = merge(other.ranges, ordinals.ranges)
            result[index] = .ordinals(
                OrdinalRanges(ranges, of: snapshot.columns[ordinals.columnID]))
        }
        return result.map { part in
            guard case .ordinals(let ordinals) = part else { return part }
            return ordinals.count == 0 ? .none : ordinals.count == snapshot.count ? .all : part
        }
    }
}

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
    /// An upper bound of the number of records that match.
    public let bound: Int
    /// Whether the record to try matches, archived or not; nil if there is none.
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
