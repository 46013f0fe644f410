// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Gives one term of a filter its types.
struct TermTyping {
    let term: FilterTerm
    let context: FilterContext

    var definition: Definition { context.definition }

    func predicate() throws(FilterError) -> Predicate {
        switch term.condition {
        case .text(let value):
            let pattern = try folded(value)
            // With no field to look into, nothing is found.
            return definition.searchedFields.isEmpty ? .constant(false) : .text(pattern)
        case .any(let field): return try presence(field)
        case .none(let field): return .not(try presence(field))
        case .range(let name, let low, let high):
            let field = try resolve(name)
            guard !name.isRaw, definition.fields[field].type.hasRanges else {
                throw notApplicable("a range", to: name, field: field)
            }
            return try range(of: field, low, high)
        case .compare(let name, let comparator, let values):
            let field = try resolve(name)
            let isComplement = comparator.complement != nil
            let test = try comparison(name, field, comparator.complement ?? comparator, values)
            return isComplement ? .not(test) : test
        }
    }

    private func presence(_ name: FilterField) throws(FilterError) -> Predicate {
        let field = try resolve(name)
        if name.isRaw { return .raw(field: field, .present) }
        return field == definition.idField ? .constant(true) : .present(field: field)
    }

    /// A comparison that is not a complement: true where any of the values fits.
    private func comparison(
        _ name: FilterField, _ field: Int, _ comparator: FilterOperator, _ values: [FilterValue]
    ) throws(FilterError) -> Predicate {
        let operators = name.isRaw ? FilterOperator.ofRaw : definition.fields[field].type.operators
        guard operators.contains(comparator) else { throw notApplicable(nil, to: name, field: field) }
        if name.isRaw { return .raw(field: field, try rawMatch(comparator, values)) }
        switch comparator {
        case .has: return .contains(field: field, try folded(values))
        case .starts: return .prefix(field: field, try folded(values))
        default: break
        }
        if definition.fields[field].type == .enum { return try codes(of: field, comparator, values) }
        var ranges: [KeyRange] = []
        for value in values {
            let span = try span(of: value, field, isEquality: comparator == .eq)
            switch comparator {
            case .lt, .before: ranges.append(contentsOf: [span.before].compactMap { $0 })
            case .gt, .after: ranges.append(contentsOf: [span.after].compactMap { $0 })
            case .le: ranges.append(span.upToEnd)
            case .ge: ranges.append(span.fromStart)
            case .eq, .ne, .has, .lacks, .starts: ranges.append(span)
            }
        }
        return .keys(field: field, ranges)
    }

    private func range(
        of field: Int, _ low: FilterValue?, _ high: FilterValue?
    ) throws(FilterError) -> Predicate {
        guard definition.fields[field].type == .enum else {
            var range = KeyRange.everything
            if let low { range = range.intersection(try span(of: low, field, isEquality: false).fromStart) }
            if let high { range = range.intersection(try span(of: high, field, isEquality: false).upToEnd) }
            return .keys(field: field, [range])
        }
        let codes = definition.vocabulary(of: field)?.codes ?? []
        let lowest = try low.map { value throws(FilterError) in codes[try code(value, field)].rank }
        let highest = try high.map { value throws(FilterError) in codes[try code(value, field)].rank }
        return self.codes(of: field) { $0 >= lowest ?? .min && $0 <= highest ?? .max }
    }

    private func rawMatch(
        _ comparator: FilterOperator, _ values: [FilterValue]
    ) throws(FilterError) -> RawMatch {
        let bytes = values.map { Array($0.text.utf8) }
        return switch comparator {
        case .has: .contains(bytes)
        case .starts: .prefix(bytes)
        default: .equals(bytes)
        }
    }
}
