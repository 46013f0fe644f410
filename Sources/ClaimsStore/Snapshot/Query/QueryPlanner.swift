// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsQuery

/// Turns predicates into plans: looks values up in dictionaries and words in the vocabulary.
struct QueryPlanner {
    private let snapshot: Snapshot
    private let scratch: QueryScratch
    private var steps: QuerySteps

    init(_ snapshot: Snapshot, _ scratch: QueryScratch, _ steps: QuerySteps) {
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
        case .codes(let field, let codes): return slices(field, OrdinalRanges.united(codes.map { $0..<$0 + 1 }))
        case .keys(let field, let ranges):
            return slices(field, snapshot.columns[field].ordinals(in: ranges, snapshot.bytes))
        case .contains(let field, let patterns): return try contains(field, patterns)
        case .prefix(let field, let prefixes): return try starts(field, prefixes)
        case .raw(let field, let match): return try raw(field, match)
        case .text(let pattern): return try text(pattern, in: snapshot.columns.searched)
        }
    }

    private mutating func plans(_ parts: [Predicate]) throws(QueryInterruption) -> [QueryPlan] {
        var plans: [QueryPlan] = []
        for part in parts { plans.append(try plan(part)) }
        return plans
    }

    private func slices(_ owner: Int, _ ranges: [Range<Int>]) -> QueryPlan {
        let slices = Slices(owner, ranges, snapshot.columns[owner], snapshot.bytes)
        return slices.count == 0 ? .none : slices.count == snapshot.count ? .all : .slices(slices)
    }

    private func present(_ owner: Int) -> QueryPlan {
        slices(owner, OrdinalRanges.united([0..<snapshot.columns[owner].distinct]))
    }

    private mutating func contains(_ field: Int, _ patterns: [[UInt8]]) throws(QueryInterruption) -> QueryPlan {
        if patterns.contains(where: \.isEmpty) { return present(field) }
        let column = snapshot.columns[field]
        guard column.kind.isSearched else {
            return slices(field, try ordinals(containing: patterns, atStart: false, column))
        }
        var parts: [QueryPlan] = []
        for pattern in patterns { parts.append(try text(pattern, in: [field])) }
        return QueryPlan.united(parts, snapshot)
    }

    private mutating func ordinals(
        containing patterns: [[UInt8]], atStart: Bool, _ column: Column
    ) throws(QueryInterruption) -> [Range<Int>] {
        let snapshot = snapshot
        return try column.ordinals(containing: patterns, atStart: atStart, snapshot.bytes, &steps)
    }

    private mutating func starts(_ owner: Int, _ prefixes: [[UInt8]]) throws(QueryInterruption) -> QueryPlan {
        if prefixes.contains(where: \.isEmpty) { return present(owner) }
        let column = snapshot.columns[owner]
        if column.hasOrderedTexts { return slices(owner, column.ordinals(withPrefixes: prefixes, snapshot.bytes)) }
        return slices(owner, try ordinals(containing: prefixes, atStart: true, column))
    }

    private mutating func raw(_ field: Int, _ match: RawMatch) throws(QueryInterruption) -> QueryPlan {
        let owner = field | ColumnKind.rawBit
        let column = snapshot.columns[owner]
        switch match {
        case .present: return present(owner)
        case .equals(let values):
            return slices(owner, column.ordinals(in: values.map { KeyRange.point($0) }, snapshot.bytes))
        case .contains(let patterns):
            if patterns.contains(where: \.isEmpty) { return present(owner) }
            return slices(owner, try ordinals(containing: patterns, atStart: false, column))
        case .prefix(let prefixes): return try starts(owner, prefixes)
        }
    }

    /// The rows that have a folded word or phrase in one of the searched fields.
    private mutating func text(_ pattern: [UInt8], in columns: [Int]) throws(QueryInterruption) -> QueryPlan {
        let parts = pattern.split(separator: UInt8(ascii: " ")).map { Array($0) }
        guard let first = parts.first, let last = parts.last else {
            return QueryPlan.united(columns.map { present($0) }, snapshot)
        }
        let snapshot = snapshot
        let bytes = snapshot.bytes
        let vocabulary = snapshot.vocabulary
        let grams = snapshot.columns.grams
        if parts.count == 1, let gram = grams.key(of: first, bytes) {
            return lists(ListMatches(gram: gram, in: columns, snapshot.columns, rows: snapshot.count, bytes))
        }
        guard parts.count > 1 else {
            let few = grams.words(with: first, bytes)
            let matching = if let few { few } else { try vocabulary.words(containing: first, bytes, scratch, &steps) }
            return lists(ListMatches(words: matching, in: columns, snapshot.columns, rows: snapshot.count, bytes))
        }
        let ending = try vocabulary.words(withSuffix: first, bytes, scratch, &steps)
        let beginning = vocabulary.words(withPrefix: last.raw, bytes)
        let middle = parts.dropFirst().dropLast().compactMap { vocabulary.number(of: $0.raw, bytes) }
        guard !ending.isEmpty, !beginning.isEmpty, middle.count == parts.count - 2,
            middle.count <= PhraseMatches.middleMax
        else { return .none }
        return QueryPlan.united(columns.map { phrase(ending, middle, beginning, in: $0) }, snapshot)
    }

    private func lists(_ lists: ListMatches) -> QueryPlan {
        lists.bound == 0 ? .none : .lists(lists)
    }

    private func phrase(_ first: [Int], _ middle: [Int], _ last: [Int], in column: Int) -> QueryPlan {
        let postings = snapshot.columns[column].postings
        func count(_ words: [Int]) -> Int { words.reduce(0) { $0 + postings.count($1, snapshot.bytes) } }
        let bound = ([count(first), count(last)] + middle.map { postings.count($0, snapshot.bytes) }).min() ?? 0
        if bound == 0 { return .none }
        return .phrase(PhraseMatches(column: column, first: first, middle: middle, last: last, bound: bound))
    }
}
