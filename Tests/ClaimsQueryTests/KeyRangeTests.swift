// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsQuery
import ClaimsTestSupport
import Testing

/// Ranges of keys as sets, checked key by key.
struct KeyRangeTests {
    /// Every key of up to two bytes of four values.
    private static let keys: [[UInt8]] =
        [[]] + (0..<4).map { [$0] } + (0..<16).map { [UInt8($0 / 4), UInt8($0 % 4)] }

    private func random(_ random: inout SeededGenerator) -> KeyRange {
        KeyRange(
            lower: random.oneIn(5) ? nil : random.pick(Self.keys), lowerInclusive: random.oneIn(2),
            upper: random.oneIn(5) ? nil : random.pick(Self.keys), upperInclusive: random.oneIn(2))
    }

    private func members(_ ranges: [KeyRange]) -> [Bool] {
        Self.keys.map { key in ranges.contains { $0.contains(key.rawSpan) } }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `merged ranges hold the same keys, ascending and apart`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let ranges = (0..<Int.random(in: 0...5, using: &random)).map { _ in self.random(&random) }
            let merged = KeyRange.merged(ranges)
            #expect(members(merged) == members(ranges), "\(ranges)")
            #expect(KeyRange.merged(merged.reversed()) == merged)
            #expect(merged.filter(\.isEmpty) == [])
            #expect(zip(merged, merged.dropFirst()).allSatisfy { KeyRange.merged([$0, $1]).count == 2 })
        }
    }

    @Test(arguments: 11...14 as ClosedRange<UInt64>)
    func `an intersection holds the keys that both hold`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let left = KeyRange.merged((0..<3).map { _ in self.random(&random) })
            let right = KeyRange.merged((0..<3).map { _ in self.random(&random) })
            let common = KeyRange.intersection(left, right)
            #expect(members(common) == zip(members(left), members(right)).map { $0 && $1 }, "\(left) \(right)")
            #expect(KeyRange.merged(common) == common)
        }
    }

    @Test func `a range of one key says which`() {
        #expect(KeyRange.point([1, 2]).onlyKey == [1, 2])
        #expect(KeyRange(lower: [1], upper: [1, 0]).onlyKey == nil)
        #expect(KeyRange(lower: [1], lowerInclusive: false, upper: [1]).onlyKey == nil)
        #expect(KeyRange.everything.onlyKey == nil)
    }

    @Test func `only a range whose ends meet the wrong way is empty`() {
        #expect(KeyRange(lower: [2], upper: [1]).isEmpty)
        #expect(KeyRange(lower: [1], lowerInclusive: false, upper: [1]).isEmpty)
        #expect(!KeyRange.point([1]).isEmpty)
        #expect(!KeyRange(lower: [1], lowerInclusive: false, upper: [1, 0], upperInclusive: false).isEmpty)
        #expect(!KeyRange.everything.isEmpty)
    }
}
