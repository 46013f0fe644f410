// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterNode {
    /// The filter as a predicate on records of the context's definition, simplified.
    ///
    /// Unknown fields and codes, operators that a type does not have, and values that are not of a field's type are
    /// errors with their place and, where there is one, a hint. Relative dates become moments here.
    package func typed(in context: FilterContext) throws(FilterError) -> Predicate {
        try resolved(in: context).simplified
    }

    private func resolved(in context: FilterContext) throws(FilterError) -> Predicate {
        switch self {
        case .and(let operands): return .and(try Self.resolved(operands, in: context))
        case .or(let operands): return .or(try Self.resolved(operands, in: context))
        case .not(let operand): return .not(try operand.resolved(in: context))
        case .term(let term): return try TermTyping(term: term, context: context).predicate()
        }
    }

    private static func resolved(
        _ operands: [FilterNode], in context: FilterContext
    ) throws(FilterError) -> [Predicate] {
        var predicates: [Predicate] = []
        predicates.reserveCapacity(operands.count)
        for operand in operands { predicates.append(try operand.resolved(in: context)) }
        return predicates
    }
}
