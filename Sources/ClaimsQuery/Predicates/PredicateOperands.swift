// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The operands of one `and` or `or` in the order of their first mention: repeated ones dropped, and tests of one
/// field put together where that is one test. Time is linear in their number.
struct PredicateOperands {
    private(set) var list: [Predicate] = []
    /// The tests of fields' values, those that can be put together.
    private var places: [Place] = []
    /// The rest, once there are too many to compare one by one.
    private var seen: Set<Predicate> = []

    private static let fewOperands = 8

    private struct Place {
        let test: ValueTest
        /// In `list`.
        let index: Int
        /// What later operands of an `or` add to the values of the first.
        var codes: [Int] = []
        var ranges: [KeyRange] = []
        var patterns: [[UInt8]] = []
    }

    /// Adds an operand of an `and`.
    mutating func intersect(_ operand: Predicate) {
        guard let place = place(of: operand) else { return append(operand) }
        let index = places[place].index
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
        guard let place = place(of: operand) else { return append(operand) }
        switch operand {
        case .codes(_, let codes): places[place].codes += codes
        case .keys(_, let ranges): places[place].ranges += ranges
        case .contains(_, let patterns), .prefix(_, let patterns): places[place].patterns += patterns
        case .constant, .and, .or, .not, .present, .raw, .text: append(operand)
        }
    }

    /// The operands of an `or`, the values of each test as they came.
    consuming func united() -> [Predicate] {
        for place in places {
            switch list[place.index] {
            case .codes(let field, let codes) where !place.codes.isEmpty:
                list[place.index] = .codes(field: field, codes + place.codes)
            case .keys(let field, let ranges) where !place.ranges.isEmpty:
                list[place.index] = .keys(field: field, ranges + place.ranges)
            case .contains(let field, let patterns) where !place.patterns.isEmpty:
                list[place.index] = .contains(field: field, patterns + place.patterns)
            case .prefix(let field, let patterns) where !place.patterns.isEmpty:
                list[place.index] = .prefix(field: field, patterns + place.patterns)
            default: continue
            }
        }
        return list
    }

    /// Whether some operand is true only of records that have this field.
    func testsValue(of field: Int) -> Bool { places.contains { $0.test.field == field } }

    private func place(of operand: Predicate) -> Int? {
        guard let test = operand.valueTest else { return nil }
        return places.firstIndex { $0.test == test }
    }

    private mutating func append(_ operand: Predicate) {
        guard isNew(operand) else { return }
        if let test = operand.valueTest { places.append(Place(test: test, index: list.count)) }
        list.append(operand)
    }

    private mutating func isNew(_ operand: Predicate) -> Bool {
        if list.count < Self.fewOperands { return !list.contains(operand) }
        if seen.isEmpty { seen.formUnion(list) }
        return seen.insert(operand).inserted
    }
}

/// What a test of a field's value looks at.
struct ValueTest: Equatable {
    enum Kind { case codes, keys, contains, prefix }

    let kind: Kind
    let field: Int
}

extension Predicate {
    /// What it looks at, if it is a test of a field's value.
    var valueTest: ValueTest? {
        switch self {
        case .codes(let field, _): ValueTest(kind: .codes, field: field)
        case .keys(let field, _): ValueTest(kind: .keys, field: field)
        case .contains(let field, _): ValueTest(kind: .contains, field: field)
        case .prefix(let field, _): ValueTest(kind: .prefix, field: field)
        case .constant, .and, .or, .not, .present, .raw, .text: nil
        }
    }
}
