// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension FilterTyping {
    /// A comparison of an enum: `=` by code, the rest by rank.
    func codes(
        of field: Int, _ comparator: FilterOperator, _ values: [FilterValue], in term: FilterTerm
    ) throws(FilterError) -> Predicate {
        guard let vocabulary = context.definition.vocabulary(of: field) else { return .constant(false) }
        var wanted: [Int] = []
        wanted.reserveCapacity(values.count)
        for value in values { wanted.append(try code(value, field, vocabulary, in: term)) }
        if comparator == .eq { return .codes(field: field, wanted) }
        let ranks = wanted.map { vocabulary.codes[$0].rank }
        // Any of them: the least demanding one decides.
        let (lowest, highest) = (ranks.min() ?? .min, ranks.max() ?? .max)
        return codes(of: field, vocabulary) { rank in
            switch comparator {
            case .lt, .before: rank < highest
            case .le: rank <= highest
            case .gt, .after: rank > lowest
            case .ge: rank >= lowest
            case .eq, .ne, .has, .lacks, .starts: false
            }
        }
    }

    /// A range of an enum, by rank.
    func codes(
        of field: Int, from low: FilterValue?, to high: FilterValue?, in term: FilterTerm
    ) throws(FilterError) -> Predicate {
        guard let vocabulary = context.definition.vocabulary(of: field) else { return .constant(false) }
        var (lowest, highest) = (Int.min, Int.max)
        if let low { lowest = vocabulary.codes[try code(low, field, vocabulary, in: term)].rank }
        if let high { highest = vocabulary.codes[try code(high, field, vocabulary, in: term)].rank }
        return codes(of: field, vocabulary) { $0 >= lowest && $0 <= highest }
    }

    /// All codes whose rank passes.
    private func codes(of field: Int, _ vocabulary: Vocabulary, where passes: (Int) -> Bool) -> Predicate {
        let passing = vocabulary.codes.indices.filter { passes(vocabulary.codes[$0].rank) }
        return passing.count == vocabulary.codes.count ? .present(field: field) : .codes(field: field, passing)
    }

    /// The index of the code that a value names.
    private func code(
        _ value: FilterValue, _ field: Int, _ vocabulary: Vocabulary, in term: FilterTerm
    ) throws(FilterError) -> Int {
        if let index = vocabulary.index(matching: value.text) { return index }
        let name = context.definition.fields[field].name
        let codes = vocabulary.codes.map(\.code)
        throw FilterError(
            "unknown code '\(Excerpt.of(value.text))' of '\(name)'", at: value.place,
            hint: operatorHint(value, in: term) ?? Suggestion.hint(value.text, among: codes)
                ?? "its codes are \(codes.joined(separator: ", "))")
    }
}
