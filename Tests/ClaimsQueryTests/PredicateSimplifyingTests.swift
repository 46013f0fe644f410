// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsQuery
import ClaimsTestSupport
import Testing

/// Simplifying leaves little, and never changes what is found.
struct PredicateSimplifyingTests {
    private func predicate(_ text: String) throws -> Predicate {
        try FilterParser.parse(text).typed(in: Library.context)
    }

    @Test(arguments: [
        ("pages<10 or pages>=10", "pages.any"),
        ("pages=1 or pages=2", "pages=1,2"), ("pages=2 or pages=1", "pages=1,2"),
        ("pages=1..5 or pages=5..9", "pages=1..9"),
        ("pages>=1 pages<=5", "pages=1..5"), ("pages=1..5 pages=3..9", "pages=3..5"),
        ("pages=1,2,3 pages=2,3,4", "pages=2,3"),
        ("pages>5 pages<5", "id.none"), ("pages=5..1", "id.none"), ("state=lost or state=torn", "state=torn,lost"),
        ("state=lost state=torn", "id.none"),
        ("state>=other", "state.any"), ("state<other", "id.none"), ("title~a or title~b or title~a", "title~a,b"),
        ("title^=a or title^=b", "title^=a,b"), ("not not water", "water"), ("not (not water)", "water"),
        ("water water", "water"), ("water or water", "water"), ("water and id.any", "water"),
        ("water or id.any", "id.any"),
        ("water and id.none", "id.none"), ("water or id.none", "water"), ("not id.none", "id.any"),
        ("pages.any pages=5", "pages=5"), ("pages.any or pages=5", "pages.any"),
        ("pages.any or pages<5 or pages>=5", "pages.any"), ("pages=5 or (pages=6 or pages=7)", "pages=5,6,7"),
        ("added>=today added<tomorrow", "added=today"), ("due=yesterday,today", "due=2026-11-19 or due=2026-11-20"),
        ("price=1 or price=1.0 or price=1e0", "price=1"),
    ])
    func `one filter comes to the same as a shorter one`(_ long: String, _ short: String) throws {
        let simplified = try predicate(long)
        #expect(simplified == (try predicate(short)))
        #expect(Library.ids(simplified) == Library.ids(try predicate(short)))
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func `simplifying changes nothing that is found`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<400 {
            let predicate = randomPredicate(&random, depth: 4)
            let simplified = predicate.simplified
            #expect(Library.ids(simplified) == Library.ids(predicate), "\(predicate)")
            #expect(simplified.simplified == simplified, "\(predicate)")
        }
    }

    private func randomPredicate(_ random: inout SeededGenerator, depth: Int) -> Predicate {
        // Few fields and values, so that tests of one field meet.
        switch Int.random(in: 0..<(depth == 0 ? 6 : 9), using: &random) {
        case 0: return .constant(random.oneIn(2))
        case 1: return .present(field: random.pick([3, 5]))
        case 2: return .codes(field: 3, (0..<6).filter { _ in random.oneIn(2) })
        case 3: return .keys(field: 1, (0..<Int.random(in: 0...3, using: &random)).map { _ in range(&random) })
        case 4:
            return .contains(field: 1, [["a", "w", "ui"].map { Array($0.utf8) }.randomElement(using: &random) ?? []])
        case 5: return .prefix(field: 1, [random.pick([[0x77], [0x63], [0x77, 0x61]])])
        case 6: return .not(randomPredicate(&random, depth: depth - 1))
        default:
            let operands = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                randomPredicate(&random, depth: depth - 1)
            }
            return random.oneIn(2) ? .and(operands) : .or(operands)
        }
    }

    private func range(_ random: inout SeededGenerator) -> KeyRange {
        let bounds = ["a", "u", "wa", "water", "water damage", "wy"].map { Array($0.utf8) }
        return KeyRange(
            lower: random.oneIn(4) ? nil : random.pick(bounds), lowerInclusive: random.oneIn(2),
            upper: random.oneIn(4) ? nil : random.pick(bounds), upperInclusive: random.oneIn(2))
    }
}
