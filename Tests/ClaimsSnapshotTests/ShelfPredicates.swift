// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsTestSupport

/// Random predicates on `Shelf`.
struct ShelfPredicates {
    var chance: SeededGenerator
    /// Where keys that are in the data come from.
    let records: [DecodedRecord]

    init(seed: UInt64, _ records: [DecodedRecord]) {
        chance = SeededGenerator(seed: seed)
        self.records = records
    }

    mutating func predicate(depth: Int = 3) -> Predicate {
        switch depth == 0 ? 0 : Int.random(in: 0..<8, using: &chance) {
        case 0...3: return leaf()
        case 4, 5: return .and((0..<Int.random(in: 2...3, using: &chance)).map { _ in predicate(depth: depth - 1) })
        case 6: return .or((0..<Int.random(in: 2...3, using: &chance)).map { _ in predicate(depth: depth - 1) })
        default: return .not(predicate(depth: depth - 1))
        }
    }

    private mutating func leaf() -> Predicate {
        switch Int.random(in: 0..<12, using: &chance) {
        case 0: return .text(pattern())
        case 1: return .text(phrase())
        case 2: return .contains(field: chance.pick([0, 1, 2, 3, 11]), patterns())
        case 3: return .prefix(field: chance.pick([0, 1, 2, 3, 11]), patterns())
        case 4: return .present(field: Int.random(in: 0..<13, using: &chance))
        case 5, 6:
            let (field, count) = chance.pick([(4, 5), (5, 3)])
            return .codes(field: field, (0..<count).filter { _ in chance.oneIn(2) })
        case 7, 8, 9:
            let field = chance.pick([0, 1, 2, 3, 6, 7, 8, 9, 10, 11])
            return .keys(field: field, (0..<Int.random(in: 1...2, using: &chance)).map { _ in range(field) })
        case 10: return .raw(field: chance.pick([4, 5]), raw())
        default: return .constant(chance.oneIn(2))
        }
    }

    private mutating func raw() -> RawMatch {
        let values = [chance.pick(["BROKEN", "Lost 1", "huge", "zz", "B", "o"])].map { Array($0.utf8) }
        return switch Int.random(in: 0..<4, using: &chance) {
        case 0: .present
        case 1: .equals(values)
        case 2: .contains(values)
        default: .prefix(values)
        }
    }

    private mutating func range(_ field: Int) -> KeyRange {
        let lower = chance.oneIn(3) ? nil : key(field)
        if chance.oneIn(3), let lower { return .point(lower) }
        return KeyRange(
            lower: lower, lowerInclusive: chance.oneIn(2), upper: chance.oneIn(3) ? nil : key(field),
            upperInclusive: chance.oneIn(2))
    }

    /// The key of some record, perhaps changed a little.
    private mutating func key(_ field: Int) -> [UInt8] {
        guard !records.isEmpty else { return [1] }
        let record = chance.pick(records)
        var key = Array(record.keys[record.values[field].key])
        switch Int.random(in: 0..<6, using: &chance) {
        case 0: key.append(UInt8.random(in: 1...255, using: &chance))
        case 1: if !key.isEmpty { key.removeLast() }
        default: break
        }
        return key
    }

    private mutating func patterns() -> [[UInt8]] {
        (0..<Int.random(in: 1...2, using: &chance)).map { _ in chance.oneIn(3) ? phrase() : pattern() }
    }

    private mutating func pattern() -> [UInt8] {
        Array(
            chance.pick([
                "water", "wat", "a", "t", "th", "er", "pump", "ss", "strasse", "lodz", "++", "d'iv", "zz", "w1", "w12",
                "1",
                "longer", "long", "日本", "\u{1}", "ab", "example", "x", "https", "",
            ]).utf8)
    }

    private mutating func phrase() -> [UInt8] {
        Array(
            chance.pick([
                "water damage", "ter dam", "r d", "of the", "the pump", "the pump of", "a a", "e a w",
                "water damage water",
                "a the water p", "zz water", "water zz", "ui es", "a\u{1}b a",
            ]).utf8)
    }
}
