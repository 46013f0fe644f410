// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

struct RowBitmapTests {
    private static func random(_ words: Int, _ chance: inout SeededGenerator) -> [UInt64] {
        (0..<words).map { _ in UInt64.random(in: 0...UInt64.max, using: &chance) }
    }

    private static func rows(_ bits: [UInt64]) -> Set<Int> {
        Set((0..<bits.count * 64).filter { bits[$0 / 64] >> UInt64($0 % 64) & 1 != 0 })
    }

    @Test func `operations on bitmaps are those on sets, also if one is shorter than the other`() {
        var chance = SeededGenerator(seed: 21)
        for _ in 0..<200 {
            let one = Self.random(Int.random(in: 0...37, using: &chance), &chance)
            let other = Self.random(Int.random(in: 0...37, using: &chance), &chance)
            let (left, right) = (Self.rows(one), Self.rows(other))
            #expect(Bits.count(one) == left.count)
            var (both, any, rest) = (one, one, one)
            Bits.intersect(&both, other)
            Bits.unite(&any, other)
            Bits.subtract(&rest, other)
            #expect(Self.rows(both) == left.intersection(right))
            // A bitmap does not grow.
            #expect(Self.rows(any) == left.union(right.filter { $0 < one.count * 64 }))
            #expect(Self.rows(rest) == left.subtracting(right))
            #expect((both.count, any.count, rest.count) == (one.count, one.count, one.count))
        }
    }

    @Test func `a bitmap that queries use again and again stays, while others come in ever new sizes`() {
        func address(_ bitmap: [UInt64]) -> UInt {
            unsafe bitmap.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
        let scratch = QueryScratch()
        var base = scratch.bitmap(1000)
        let first = address(base)
        for size in 300..<340 {
            base[size] = 1
            scratch.keep(base)
            // With this second reference the bitmap would be copied when it is cleared.
            base = []
            var other = scratch.bitmap(size)
            #expect(other.count == size && other.allSatisfy { $0 == 0 })
            other[0] = 1
            scratch.keep(other)
            base = scratch.bitmap(1000)
            #expect(base.count == 1000 && base.allSatisfy { $0 == 0 })
        }
        #expect(address(base) == first)
    }

    @Test func `bitmaps in a file are read at any offset, and one that ends behind it counts as empty`() {
        var chance = SeededGenerator(seed: 22)
        for _ in 0..<200 {
            let (one, other) = (Self.random(20, &chance), Self.random(20, &chance))
            let offset = Int.random(in: 0...15, using: &chance)
            let stored =
                [UInt8](repeating: 0xFF, count: offset)
                + other.flatMap { word in
                    (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
                }
            let common = Self.rows(one).intersection(Self.rows(other)).count
            #expect(Bits.countCommon(one, stored.rawSpan, at: offset) == common)
            #expect(Bits.countCommon(one, stored.rawSpan, at: offset + 1) == 0)
            var united = one
            Bits.unite(&united, stored.rawSpan, at: offset)
            #expect(Self.rows(united) == Self.rows(one).union(Self.rows(other)))
            Bits.unite(&united, stored.rawSpan, at: offset + 1)
            #expect(Self.rows(united) == Self.rows(one).union(Self.rows(other)))
        }
    }
}
