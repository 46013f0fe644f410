// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension TermTyping {
    /// A comparison of an enum: `=` by code, the rest by rank.
    func codes(
        of field: Int, _ comparator: FilterOperator, _ values: [FilterValue]
    ) throws(FilterError) -> Predicate {
        var wanted: [Int] = []
        for value in values { wanted.append(try code(value, field)) }
        let codes = definition.vocabulary(of: field)?.codes ?? []
        let ranks = wanted.map { codes[$0].rank }
        return switch comparator {
        case .lt, .before: self.codes(of: field) { rank in ranks.contains { rank < $0 } }
        case .le: self.codes(of: field) { rank in ranks.contains { rank <= $0 } }
        case .gt, .after: self.codes(of: field) { rank in ranks.contains { rank > $0 } }
        case .ge: self.codes(of: field) { rank in ranks.contains { rank >= $0 } }
        case .eq, .ne, .has, .lacks, .starts: .codes(field: field, wanted)
        }
    }

    /// All codes whose rank passes.
    func codes(of field: Int, where passes: (Int) -> Bool) -> Predicate {
        let codes = definition.vocabulary(of: field)?.codes ?? []
        let passing = codes.indices.filter { passes(codes[$0].rank) }
        return passing.count == codes.count ? .present(field: field) : .codes(field: field, passing)
    }

    /// The index of the code that a value names.
    func code(_ value: FilterValue, _ field: Int) throws(FilterError) -> Int {
        let vocabulary = definition.vocabulary(of: field)
        if let index = vocabulary?.index(matching: value.text) { return index }
        let name = definition.fields[field].name
        let codes = vocabulary?.codes.map(\.code) ?? []
        throw FilterError(
            "unknown code '\(Excerpt.of(value.text))' of '\(name)'", at: value.place,
            hint: operatorHint(value) ?? Suggestion.nearest(value.text, among: codes).map { "did you mean '\($0)'?" }
                ?? "its codes are \(codes.joined(separator: ", "))")
    }
}
