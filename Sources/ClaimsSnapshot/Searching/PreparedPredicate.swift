// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsQuery

/// A predicate that is prepared to be tested on single rows of one snapshot, by its columns and lists.
///
/// A test reads no record. Its answer is the one that a query gives.
public struct PreparedPredicate: Sendable {
    private let plan: QueryPlan
    private let snapshot: Snapshot

    init(_ plan: QueryPlan, on snapshot: Snapshot) {
        self.plan = plan
        self.snapshot = snapshot
    }

    /// Whether the predicate is true for the record of a row, archived or not; false for a row that does not exist.
    public func contains(_ row: Int) -> Bool {
        let snapshot = snapshot
        return row >= 0 && row < snapshot.count && plan.contains(row, snapshot.columns)
    }
}

extension Snapshot {
    /// Prepares a predicate to be tested on about `count` rows.
    ///
    /// - Parameter scratch: memory that only the calling thread uses.
    /// - Returns: nil where preparing it costs more than decoding so many records.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled.
    public func prepare(
        _ predicate: Predicate, forAbout count: Int, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> PreparedPredicate? {
        guard preparationBytes(predicate) / Self.bytesPerRecord < count else { return nil }
        var planner = QueryPlanner(self, scratch: scratch, steps: QuerySteps(budget))
        return PreparedPredicate(try planner.plan(predicate), on: self)
    }

    /// The number of bytes that can be looked through while one record is decoded.
    private static var bytesPerRecord: Int { 1 << 10 }
    /// The cost of a look-up in an ordered column or in a dictionary, as so many bytes that are looked through.
    private static var lookUpBytes: Int { 4 << 10 }

    /// The cost of preparing a predicate, as so many bytes that are looked through.
    private func preparationBytes(_ predicate: Predicate) -> Int {
        switch predicate {
        case .constant, .pending: return 0
        case .and(let parts), .or(let parts): return parts.reduce(0) { $0 + preparationBytes($1) }
        case .not(let part): return preparationBytes(part)
        case .present, .codes, .raw(_, .present): return Self.lookUpBytes
        case .keys(_, let ranges): return ranges.count * Self.lookUpBytes
        case .raw(_, .equals(let values)): return values.count * Self.lookUpBytes
        case .text: return Self.lookUpBytes + dictionary.text.byteCount
        case .contains(let field, let patterns):
            let column = column(field)
            let text = column.kind.isSearched ? dictionary.text.byteCount : column.textBytes
            return patterns.count * (Self.lookUpBytes + text)
        case .prefix(let field, let prefixes): return lookUpBytes(of: prefixes, in: column(field))
        case .raw(let field, .prefix(let prefixes)):
            return lookUpBytes(of: prefixes, in: column(field | ColumnKind.rawBit))
        case .raw(let field, .contains(let patterns)):
            return patterns.count * (Self.lookUpBytes + column(field | ColumnKind.rawBit).textBytes)
        }
    }

    private func lookUpBytes(of prefixes: [[UInt8]], in column: ColumnView) -> Int {
        prefixes.count * (Self.lookUpBytes + (column.hasOrderedTexts ? 0 : column.textBytes))
    }
}

extension ColumnView {
    /// The size of all its texts.
    fileprivate var textBytes: Int { keys.byteCount + folded.byteCount }
}
