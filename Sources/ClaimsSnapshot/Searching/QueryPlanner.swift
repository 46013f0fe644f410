// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsQuery

/// Turns predicates into plans: looks values up in their columns and words in the term dictionary.
struct QueryPlanner {
    private let snapshot: Snapshot
    private let scratch: QueryScratch
    private var steps: QuerySteps
    /// The rows with unsettled operations; nil if no row has any.
    private let pending: PendingRows?

    init(_ snapshot: Snapshot, pending: PendingRows? = nil, scratch: QueryScratch, steps: QuerySteps) {
        self.pending = pending
        self.snapshot = snapshot
        self.scratch = scratch
        self.steps = steps
    }

    mutating func plan(_ predicate: Predicate) throws(QueryInterruption) -> QueryPlan {
        switch predicate {
        case .constant(let value): return value ? .all : .none
        case .and(let parts): return QueryPlan.joined(try plans(parts), snapshot)
        case .or(let parts): return QueryPlan.united(try plans(parts), snapshot)
        case .not(let part): return try plan(part).negated(snapshot)
        case .present(let field): return present(field)
        case .codes(let field, let codes): return rows(of: field, with: OrdinalRanges.united(codes.map { $0..<$0 + 1 }))
        case .keys(let field, let ranges):
            return rows(of: field, with: snapshot.columns[field].ordinals(in: ranges))
        case .contains(let field, let patterns): return try contains(field, patterns)
        case .prefix(let field, let prefixes): return try starts(field, prefixes)
        case .raw(let field, let match): return try raw(field, match)
        case .text(let pattern, let fields): return try text(pattern, in: fields ?? snapshot.columns.searched)
        case .pending(let states):
            guard let marked = pending?.united(states), marked.count > 0 else { return .none }
            return marked.count == snapshot.count ? .all : .marked(marked)
        }
    }

    private mutating func plans(_ parts: [Predicate]) throws(QueryInterruption) -> [QueryPlan] {
        var plans: [QueryPlan] = []
        for part in parts { plans.append(try plan(part)) }
        return plans
    }

    /// The rows whose ordinals in a column are in `ranges`.
    private func rows(of columnID: Int, with ranges: [Range<Int>]) -> QueryPlan {
        let ordinals = OrdinalRanges(ranges, of: snapshot.columns[columnID])
        return ordinals.count == 0 ? .none : ordinals.count == snapshot.count ? .all : .ordinals(ordinals)
    }

    private func present(_ columnID: Int) -> QueryPlan {
        rows(of: columnID, with: OrdinalRanges.united([0..<snapshot.columns[columnID].distinct]))
    }

    private mutating func contains(_ field: Int, _ patterns: [[UInt8]]) throws(QueryInterruption) -> QueryPlan {
        if patterns.contains(where: \.isEmpty) { return present(field) }
        let snapshot = snapshot
        let column = snapshot.column(field)
        guard column.kind.isSearched else {
            return rows(of: field, with: try ordinals(of: column, containing: patterns))
        }
        var parts: [QueryPlan] = []
        for pattern in patterns { parts.append(try text(pattern, in: [field])) }
        return QueryPlan.united(parts, snapshot)
    }

    private mutating func ordinals(
        of column: ColumnView, containing patterns: [[UInt8]], atStart: Bool = false
    ) throws(QueryInterruption) -> [Range<Int>] {
        return try column.ordinals(containing: patterns, atStart: atStart, steps: &steps)
    }

    private mutating func starts(_ columnID: Int, _ prefixes: [[UInt8]]) throws(QueryInterruption) -> QueryPlan {
        if prefixes.contains(where: \.isEmpty) { return present(columnID) }
        let snapshot = snapshot
        let column = snapshot.column(columnID)
        if column.hasOrderedTexts {
            return rows(of: columnID, with: column.ordinals(withPrefixes: prefixes))
        }
        return rows(of: columnID, with: try ordinals(of: column, containing: prefixes, atStart: true))
    }

    private mutating func raw(_ field: Int, _ match: RawMatch) throws(QueryInterruption) -> QueryPlan {
        let columnID = field | ColumnKind.rawBit
        let snapshot = snapshot
        let column = snapshot.column(columnID)
        switch match {
        case .present: return present(columnID)
        case .equals(let values):
            return rows(of: columnID, with: column.ordinals(in: values.map { KeyRange.point($0) }))
        case .contains(let patterns):
            if patterns.contains(where: \.isEmpty) { return present(columnID) }
            return rows(of: columnID, with: try ordinals(of: column, containing: patterns))
        case .prefix(let prefixes): return try starts(columnID, prefixes)
        }
    }

    /// The rows that have a folded term or phrase in one of the searched fields.
    private mutating func text(_ pattern: [UInt8], in columns: [Int]) throws(QueryInterruption) -> QueryPlan {
        let parts = pattern.split(separator: UInt8(ascii: " ")).map { Array($0) }
        guard let first = parts.first, let last = parts.last else {
            return QueryPlan.united(columns.map { present($0) }, snapshot)
        }
        let snapshot = snapshot
        let dictionary = snapshot.dictionary
        let nGrams = snapshot.columns.nGrams
        if parts.count == 1, let nGram = nGrams.key(of: first) {
            return lists(ListMatches(nGram: nGram, in: columns, snapshot.columns, rows: snapshot.count))
        }
        guard parts.count > 1 else {
            let listed = nGrams.terms(with: first)
            let matching =
                if let listed { listed } else {
                    try dictionary.terms(containing: first, scratch: scratch, steps: &steps)
                }
            return lists(ListMatches(terms: matching, in: columns, snapshot.columns, rows: snapshot.count))
        }
        let ending = try dictionary.terms(withSuffix: first, scratch: scratch, steps: &steps)
        let beginning = dictionary.terms(withPrefix: last.rawSpan)
        let middle = parts.dropFirst().dropLast().compactMap { dictionary.number(of: $0.rawSpan) }
        guard !ending.isEmpty, !beginning.isEmpty, middle.count == parts.count - 2,
            middle.count <= PhraseMatches.maxMiddle
        else { return .none }
        return QueryPlan.united(
            columns.map { phrase(first: ending, middle: middle, last: beginning, in: $0) }, snapshot)
    }

    private func lists(_ lists: ListMatches) -> QueryPlan {
        lists.bound == 0 ? .none : .lists(lists)
    }

    private func phrase(first: [Int], middle: [Int], last: [Int], in column: Int) -> QueryPlan {
        let postings = snapshot.columns[column].postings
        func count(_ terms: [Int]) -> Int { terms.reduce(0) { $0 + postings.count($1) } }
        let bound = ([count(first), count(last)] + middle.map { postings.count($0) }).min() ?? 0
        if bound == 0 { return .none }
        return .phrase(PhraseMatches(column: column, first: first, middle: middle, last: last, bound: bound))
    }
}

/// A predicate that is prepared to be tested on single rows of one snapshot, by its columns and lists.
///
/// A test reads no record. Its answer is the same as a query's.
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
    /// - Returns: nil if preparing it costs more than decoding that number of records.
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
    /// The cost of a look-up in an ordered column or in a dictionary, as the number of bytes that could be searched
    /// instead.
    private static var lookUpBytes: Int { 4 << 10 }

    /// The cost of preparing a predicate, as the number of bytes that could be searched instead.
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
