// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension Predicate {
    /// The same predicate with less to do: `and` and `or` flat, constants and double negations gone, repeated operands
    /// dropped, and tests of one field put together where that is one test.
    package var simplified: Predicate {
        switch self {
        case .and(let operands): Self.conjunction(operands.map(\.simplified))
        case .or(let operands): Self.disjunction(operands.map(\.simplified))
        case .not(let operand):
            switch operand.simplified {
            case .constant(let value): .constant(!value)
            case .not(let inner): inner
            case let inner: .not(inner)
            }
        case .constant, .present, .codes, .keys, .contains, .prefix, .raw, .text: withValuesMerged
        }
    }

    /// A test of one field with each of its values once, in order; or what it comes to without values.
    private var withValuesMerged: Predicate {
        switch self {
        case .codes(let field, let codes):
            codes.isEmpty ? .constant(false) : .codes(field: field, Set(codes).sorted())
        case .keys(let field, let ranges): Self.keys(of: field, KeyRange.merged(ranges))
        case .contains(let field, let patterns):
            patterns.isEmpty ? .constant(false) : .contains(field: field, Self.distinct(patterns))
        case .prefix(let field, let patterns):
            patterns.isEmpty ? .constant(false) : .prefix(field: field, Self.distinct(patterns))
        case .constant, .and, .or, .not, .present, .raw, .text: self
        }
    }

    private static func distinct(_ patterns: [[UInt8]]) -> [[UInt8]] {
        var seen: Set<[UInt8]> = []
        return patterns.filter { seen.insert($0).inserted }
    }

    private static func conjunction(_ operands: [Predicate]) -> Predicate {
        var kept = Operands()
        for operand in operands {
            switch operand {
            case .constant(true): continue
            case .constant(false): return .constant(false)
            case .and(let inner): for part in inner { kept.add(part, orMerge: intersection) }
            default: kept.add(operand, orMerge: intersection)
            }
        }
        if kept.list.contains(.constant(false)) { return .constant(false) }
        let list = kept.list.filter { operand in
            // A test of the value needs no test that there is one.
            guard case .present(let field) = operand else { return true }
            return !kept.list.contains { $0.testedField == field && $0 != operand }
        }
        return list.isEmpty ? .constant(true) : list.count == 1 ? list[0] : .and(list)
    }

    private static func disjunction(_ operands: [Predicate]) -> Predicate {
        var kept = Operands()
        for operand in operands {
            switch operand {
            case .constant(false): continue
            case .constant(true): return .constant(true)
            case .or(let inner): for part in inner { kept.add(part, orMerge: union) }
            default: kept.add(operand, orMerge: union)
            }
        }
        let merged = kept.list.map(\.withValuesMerged)
        var list: [Predicate] = []
        for operand in merged where !list.contains(operand) {
            // A test of the value adds nothing to a test that there is one.
            if let field = operand.testedField, operand != .present(field: field),
                merged.contains(.present(field: field))
            {
                continue
            }
            list.append(operand)
        }
        return list.isEmpty ? .constant(false) : list.count == 1 ? list[0] : .or(list)
    }

    /// The field that a record must have for this test to be true of it.
    private var testedField: Int? {
        switch self {
        case .present(let field), .codes(let field, _), .keys(let field, _), .contains(let field, _),
            .prefix(let field, _):
            field
        case .constant, .and, .or, .not, .raw, .text: nil
        }
    }

    private static func keys(of field: Int, _ merged: [KeyRange]) -> Predicate {
        if merged.isEmpty { return .constant(false) }
        return merged == [.everything] ? .present(field: field) : .keys(field: field, merged)
    }

    /// Both tests as one, where a field's single value makes that possible.
    private static func intersection(_ left: Predicate, _ right: Predicate) -> Predicate? {
        switch (left, right) {
        case (.codes(let field, let first), .codes(let other, let second)) where field == other:
            let common = first.filter(second.contains)
            return common.isEmpty ? .constant(false) : .codes(field: field, common)
        case (.keys(let field, let first), .keys(let other, let second)) where field == other:
            return keys(of: field, KeyRange.intersection(first, second))
        default: return left == right ? left : nil
        }
    }

    /// Either test as one, with its values still to be merged.
    private static func union(_ left: Predicate, _ right: Predicate) -> Predicate? {
        switch (left, right) {
        case (.codes(let field, let first), .codes(let other, let second)) where field == other:
            return .codes(field: field, first + second)
        case (.keys(let field, let first), .keys(let other, let second)) where field == other:
            return .keys(field: field, first + second)
        case (.contains(let field, let first), .contains(let other, let second)) where field == other:
            return .contains(field: field, first + second)
        case (.prefix(let field, let first), .prefix(let other, let second)) where field == other:
            return .prefix(field: field, first + second)
        default: return left == right ? left : nil
        }
    }
}

extension Predicate {
    /// The operands of one `and` or `or`, in the order of their first mention.
    private struct Operands {
        private(set) var list: [Predicate] = []

        mutating func add(_ operand: Predicate, orMerge merge: (Predicate, Predicate) -> Predicate?) {
            for index in list.indices {
                guard let both = merge(list[index], operand) else { continue }
                list[index] = both
                return
            }
            list.append(operand)
        }
    }
}
