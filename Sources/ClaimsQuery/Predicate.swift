// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// A filter with its types, names, codes and dates resolved, ready to run on the records of one definition.
///
/// A field is an index into the fields of the definition. No test but `not` is true for a record without the field.
public indirect enum Predicate: Sendable, Hashable {
    case constant(Bool)
    case and([Predicate])
    case or([Predicate])
    /// The operand is not true for the record.
    case not(Predicate)
    case present(field: Int)
    /// The field's code is one of these indexes into its vocabulary, which ascend.
    case codes(field: Int, [Int])
    /// The field's order-preserving key is in one of these intervals.
    ///
    /// The key of a text is its folded form, so this also expresses `=`, `<` and ranges of texts.
    case keys(field: Int, [KeyRange])
    /// The field's folded text contains one of these byte strings.
    case contains(field: Int, [[UInt8]])
    /// The field's folded text starts with one of these byte strings.
    case prefix(field: Int, [[UInt8]])
    /// The field's value as received passes this test.
    case raw(field: Int, RawMatch)
    /// One of these searched fields, nil: of all, contains this folded word or phrase in its folded text.
    case text([UInt8], in: [Int]? = nil)
    /// The record has unsettled operations, and shows one of these states.
    case pending([PendingState])
}

/// A test of a value's bytes as received from the upstream.
public enum RawMatch: Sendable, Hashable {
    case present
    /// The value equals one of these byte strings.
    case equals([[UInt8]])
    /// The value contains one of these byte strings.
    case contains([[UInt8]])
    /// The value starts with one of these byte strings.
    case prefix([[UInt8]])
}

extension Predicate {
    /// An equivalent predicate that is cheaper to run.
    ///
    /// `and` and `or` are flat, constants and double negations are gone, repeated operands are dropped, and tests of
    /// one field are merged if one test expresses them.
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
        case .constant, .present, .codes, .keys, .contains, .prefix, .raw, .text, .pending: withValuesMerged
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

    /// A test of one field with each of its values once, in order; or its result if it has no values.
    private var withValuesMerged: Predicate {
        switch self {
        case .codes(let field, let codes):
            codes.isEmpty ? .constant(false) : codes.count == 1 ? self : .codes(field: field, Set(codes).sorted())
        case .keys(let field, let ranges): Self.keys(of: field, KeyRange.merged(ranges))
        case .contains(let field, let patterns):
            patterns.isEmpty ? .constant(false) : .contains(field: field, Self.distinct(patterns))
        case .prefix(let field, let patterns):
            patterns.isEmpty ? .constant(false) : .prefix(field: field, Self.distinct(patterns))
        case .pending(let states): states.isEmpty ? .constant(false) : self
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

/// The operands of one `and` or `or` in the order of their first mention: without repeated ones, and with tests of one
/// field united if that gives one test. Time is linear in their number.
struct PredicateOperands {
    private(set) var list: [Predicate] = []
    /// The tests of fields' values that can be united.
    private var slots: [Slot] = []
    /// The rest, once there are too many to compare one by one.
    private var seen: Set<Predicate> = []

    private static let linearSearchCount = 8

    private struct Slot {
        let test: ValueTest
        /// In `list`.
        let index: Int
        /// The values that later operands of an `or` add to the values of the first.
        var codes: [Int] = []
        var ranges: [KeyRange] = []
        var patterns: [[UInt8]] = []
    }

    /// Adds an operand of an `and`.
    mutating func intersect(_ operand: Predicate) {
        guard let slot = slot(of: operand) else { return append(operand) }
        let index = slots[slot].index
        switch (list[index], operand) {
        case (.codes(let field, let first), .codes(_, let second)):
            let common = first.filter(second.contains)
            list[index] = common.isEmpty ? .constant(false) : .codes(field: field, common)
        case (.keys(let field, let first), .keys(_, let second)):
            list[index] = Predicate.keys(of: field, KeyRange.intersection(first, second))
        default: append(operand)
        }
    }

    /// Adds an operand of an `or`.
    mutating func unite(_ operand: Predicate) {
        guard let slot = slot(of: operand) else { return append(operand) }
        switch operand {
        case .codes(_, let codes): slots[slot].codes += codes
        case .keys(_, let ranges): slots[slot].ranges += ranges
        case .contains(_, let patterns), .prefix(_, let patterns): slots[slot].patterns += patterns
        case .constant, .and, .or, .not, .present, .raw, .text, .pending: append(operand)
        }
    }

    /// The operands of an `or`, the values of each test as they came.
    consuming func united() -> [Predicate] {
        for slot in slots {
            switch list[slot.index] {
            case .codes(let field, let codes) where !slot.codes.isEmpty:
                list[slot.index] = .codes(field: field, codes + slot.codes)
            case .keys(let field, let ranges) where !slot.ranges.isEmpty:
                list[slot.index] = .keys(field: field, ranges + slot.ranges)
            case .contains(let field, let patterns) where !slot.patterns.isEmpty:
                list[slot.index] = .contains(field: field, patterns + slot.patterns)
            case .prefix(let field, let patterns) where !slot.patterns.isEmpty:
                list[slot.index] = .prefix(field: field, patterns + slot.patterns)
            default: continue
            }
        }
        return list
    }

    /// Whether some operand is true only of records that have this field.
    func testsValue(of field: Int) -> Bool { slots.contains { $0.test.field == field } }

    private func slot(of operand: Predicate) -> Int? {
        guard let test = operand.valueTest else { return nil }
        return slots.firstIndex { $0.test == test }
    }

    private mutating func append(_ operand: Predicate) {
        guard isNew(operand) else { return }
        if let test = operand.valueTest { slots.append(Slot(test: test, index: list.count)) }
        list.append(operand)
    }

    private mutating func isNew(_ operand: Predicate) -> Bool {
        if list.count < Self.linearSearchCount { return !list.contains(operand) }
        if seen.isEmpty { seen.formUnion(list) }
        return seen.insert(operand).inserted
    }
}

/// The part of a record that a test of a field's value reads.
struct ValueTest: Equatable {
    enum Kind { case codes, keys, contains, prefix }

    let kind: Kind
    let field: Int
}

extension Predicate {
    /// The part that it reads, if it is a test of a field's value.
    var valueTest: ValueTest? {
        switch self {
        case .codes(let field, _): ValueTest(kind: .codes, field: field)
        case .keys(let field, _): ValueTest(kind: .keys, field: field)
        case .contains(let field, _): ValueTest(kind: .contains, field: field)
        case .prefix(let field, _): ValueTest(kind: .prefix, field: field)
        case .constant, .and, .or, .not, .present, .raw, .text, .pending: nil
        }
    }
}
