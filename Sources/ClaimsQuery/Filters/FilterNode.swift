// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A filter as it was meant, before types are known.
///
/// Both forms, text and tree, are read into it, and both can be written from it: reading what was written gives an
/// equal node. Nodes are kept canonical: `and` and `or` have two operands or more, none of which is of the same kind.
public indirect enum FilterNode: Sendable, Equatable {
    case and([FilterNode])
    case or([FilterNode])
    case not(FilterNode)
    case term(FilterTerm)

    /// What fulfils all of `nodes`.
    public static func all(_ nodes: [FilterNode]) -> FilterNode {
        if nodes.count == 1 { return nodes[0] }
        var operands: [FilterNode] = []
        operands.reserveCapacity(nodes.count)
        for node in nodes {
            if case .and(let inner) = node { operands += inner } else { operands.append(node) }
        }
        return .and(operands)
    }

    /// What fulfils one or more of `nodes`.
    public static func any(_ nodes: [FilterNode]) -> FilterNode {
        if nodes.count == 1 { return nodes[0] }
        var operands: [FilterNode] = []
        operands.reserveCapacity(nodes.count)
        for node in nodes {
            if case .or(let inner) = node { operands += inner } else { operands.append(node) }
        }
        return .or(operands)
    }

    /// A comparison with a list in which ranges may stand between single values.
    static func comparison(
        _ field: FilterField, _ comparator: FilterOperator, _ values: [FilterValue], ranges: [FilterTerm],
        place: FilterPlace?
    ) -> FilterNode {
        let single = FilterNode.term(FilterTerm(.compare(field, comparator, values), place: place))
        if ranges.isEmpty { return single }
        let rest = ranges.map { FilterNode.term($0) }
        let operands = values.isEmpty ? [] : [single]
        return comparator == .ne ? .all(operands + rest.map { .not($0) }) : .any(operands + rest)
    }

    /// How deep `and`, `or` and `not` nest.
    public var depth: Int {
        switch self {
        case .and(let operands), .or(let operands):
            var deepest = 0
            for operand in operands { deepest = max(deepest, operand.depth) }
            return 1 + deepest
        case .not(let operand): return 1 + operand.depth
        case .term: return 0
        }
    }

    /// All terms, as they stand from left to right.
    public var terms: [FilterTerm] {
        switch self {
        case .and(let operands), .or(let operands): operands.flatMap(\.terms)
        case .not(let operand): operand.terms
        case .term(let term): [term]
        }
    }
}
