// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension Predicate {
    /// The same predicate with less to do: `and` and `or` flat, constants and double negations gone, repeated operands
    /// dropped, and tests of one field put together where that is one test.
    public var simplified: Predicate {
        switch self {
        case .and(let operands): Self.conjunction(operands)
        case .or(let operands): Self.disjunction(operands)
        case .not(let operand):
            switch operand.simplified {
            case .constant(let value): .constant(!value)
            case .not(let inner): inner
            case let inner: .not(inner)
            }
        case .constant, .present, .codes, .keys, .contains, .prefix, .raw, .text: withValuesMerged
        }
    }

    private static func conjunction(_ operands: [Predicate]) -> Predicate {
        var kept = PredicateOperands()
        for operand in operands {
            switch operand.simplified {
            case .constant(true): continue
            case .constant(false): return .constant(false)
            case .and(let inner): for part in inner { kept.intersect(part) }
            case let part: kept.intersect(part)
            }
        }
        var list: [Predicate] = []
        for operand in kept.list {
            switch operand {
            case .constant(false): return operand
            // A test of the value needs no test that there is one.
            case .present(let field) where kept.testsValue(of: field): continue
            default: list.append(operand)
            }
        }
        return list.isEmpty ? .constant(true) : list.count == 1 ? list[0] : .and(list)
    }

    private static func disjunction(_ operands: [Predicate]) -> Predicate {
        var kept = PredicateOperands()
        for operand in operands {
            switch operand.simplified {
            case .constant(false): continue
            case .constant(true): return .constant(true)
            case .or(let inner): for part in inner { kept.unite(part) }
            case let part: kept.unite(part)
            }
        }
        let merged = kept.united().map(\.withValuesMerged)
        let present = merged.compactMap { operand in
            if case .present(let field) = operand { field } else { nil }
        }
        var list: [Predicate] = []
        for operand in merged {
            // A test of the value adds nothing to a test that there is one.
            if let test = operand.valueTest, present.contains(test.field) { continue }
            if case .present = operand, list.contains(operand) { continue }
            list.append(operand)
        }
        return list.isEmpty ? .constant(false) : list.count == 1 ? list[0] : .or(list)
    }

    /// A test of one field with each of its values once, in order; or what it comes to without values.
    private var withValuesMerged: Predicate {
        switch self {
        case .codes(let field, let codes):
            codes.isEmpty ? .constant(false) : codes.count == 1 ? self : .codes(field: field, Set(codes).sorted())
        case .keys(let field, let ranges): Self.keys(of: field, KeyRange.merged(ranges))
        case .contains(let field, let patterns):
            patterns.isEmpty ? .constant(false) : .contains(field: field, Self.distinct(patterns))
        case .prefix(let field, let patterns):
            patterns.isEmpty ? .constant(false) : .prefix(field: field, Self.distinct(patterns))
        case .constant, .and, .or, .not, .present, .raw, .text: self
        }
    }

    /// A test of a field's key, by ranges that are ascending and apart.
    static func keys(of field: Int, _ merged: [KeyRange]) -> Predicate {
        if merged.isEmpty { return .constant(false) }
        return merged.count == 1 && merged[0].isEverything ? .present(field: field) : .keys(field: field, merged)
    }

    private static func distinct(_ patterns: [[UInt8]]) -> [[UInt8]] {
        if patterns.count == 1 { return patterns }
        var seen: Set<[UInt8]> = []
        return patterns.filter { seen.insert($0).inserted }
    }
}
