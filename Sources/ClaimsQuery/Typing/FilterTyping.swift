// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Gives a filter its types.
struct FilterTyping {
    let context: FilterContext

    func predicate(_ node: FilterNode) throws(FilterError) -> Predicate {
        switch node {
        case .and(let operands): return .and(try predicates(operands))
        case .or(let operands): return .or(try predicates(operands))
        case .not(let operand): return .not(try predicate(operand))
        case .term(let term): return try predicate(term)
        }
    }

    private func predicates(_ nodes: [FilterNode]) throws(FilterError) -> [Predicate] {
        var predicates: [Predicate] = []
        predicates.reserveCapacity(nodes.count)
        for node in nodes { predicates.append(try predicate(node)) }
        return predicates
    }

    private func predicate(_ term: FilterTerm) throws(FilterError) -> Predicate {
        switch term.condition {
        case .text(let value):
            let pattern = try folded(value, in: term)
            // With no field to look into, nothing is found.
            return context.definition.fields.contains(where: \.isSearched) ? .text(pattern) : .constant(false)
        case .any(let field): return try presence(field, in: term)
        case .none(let field): return .not(try presence(field, in: term))
        case .range(let name, let low, let high):
            let field = try resolve(name, in: term)
            guard !name.isRaw, type(of: field).hasRanges else {
                throw notApplicable("a range", to: name, field: field, in: term)
            }
            return try range(of: field, low, high, in: term)
        case .compare(let name, let comparator, let values):
            let field = try resolve(name, in: term)
            guard let positive = comparator.complement else {
                return try comparison(name, field, comparator, values, in: term)
            }
            return .not(try comparison(name, field, positive, values, in: term))
        }
    }

    func type(of field: Int) -> FieldType { context.definition.fields[field].type }

    private func presence(_ name: FilterField, in term: FilterTerm) throws(FilterError) -> Predicate {
        let field = try resolve(name, in: term)
        if name.isRaw { return .raw(field: field, .present) }
        return field == context.definition.idField ? .constant(true) : .present(field: field)
    }

    /// A comparison that is not a complement: true where any of the values fits.
    private func comparison(
        _ name: FilterField, _ field: Int, _ comparator: FilterOperator, _ values: [FilterValue], in term: FilterTerm
    ) throws(FilterError) -> Predicate {
        let type = type(of: field)
        guard name.isRaw ? FilterOperator.ofRaw.contains(comparator) : type.takes(comparator) else {
            throw notApplicable(nil, to: name, field: field, in: term)
        }
        if name.isRaw { return .raw(field: field, rawMatch(comparator, values)) }
        switch comparator {
        case .has: return .contains(field: field, try folded(values, in: term))
        case .starts: return .prefix(field: field, try folded(values, in: term))
        default: break
        }
        if type == .enum { return try codes(of: field, comparator, values, in: term) }
        var ranges: [KeyRange] = []
        ranges.reserveCapacity(values.count)
        for value in values {
            let span = try span(of: value, field, isEquality: comparator == .eq, in: term)
            switch comparator {
            case .lt, .before: if let below = span.before { ranges.append(below) }
            case .gt, .after: if let above = span.after { ranges.append(above) }
            case .le: ranges.append(span.upToEnd)
            case .ge: ranges.append(span.fromStart)
            case .eq, .ne, .has, .lacks, .starts: ranges.append(span)
            }
        }
        return .keys(field: field, ranges)
    }

    private func range(
        of field: Int, _ low: FilterValue?, _ high: FilterValue?, in term: FilterTerm
    ) throws(FilterError) -> Predicate {
        if type(of: field) == .enum { return try codes(of: field, from: low, to: high, in: term) }
        var range = KeyRange.everything
        if let low { range = try span(of: low, field, isEquality: false, in: term).fromStart }
        if let high {
            range = range.intersection(try span(of: high, field, isEquality: false, in: term).upToEnd)
        }
        return .keys(field: field, [range])
    }

    private func rawMatch(_ comparator: FilterOperator, _ values: [FilterValue]) -> RawMatch {
        let bytes = values.map { Array($0.text.utf8) }
        return switch comparator {
        case .has: .contains(bytes)
        case .starts: .prefix(bytes)
        default: .equals(bytes)
        }
    }
}
