// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

@Suite struct KeySorterTests {
    /// Sorts byte strings, and returns their indices in order and which of them differ from the one before.
    private func sort(_ keys: [[UInt8]]) -> (order: [Int], firsts: [Bool]) {
        var bytes: [UInt8] = []
        for key in keys { bytes += key }
        let source = ByteKeys(SpilledElements(keys.map { UInt32($0.count) }))
        let (order, firsts) = KeySorter.sort((0..<UInt32(keys.count)).map { $0 }, by: source, bytes.rawSpan)
        return (order.map { Int($0) }, firsts)
    }

    @Test(arguments: [0, 1, 2, 20, 25, 400, 4_097, 20_000])
    func `keys of any length come in byte order, and equal ones in the order in which they came`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count) + 1)
        let keys = (0..<count).map { _ -> [UInt8] in
            // Few different bytes and lengths around multiples of eight, so that many keys begin alike or are equal.
            let length = [0, 1, 7, 8, 9, 15, 16, 17, 24].randomElement(using: &random) ?? 0
            return (0..<length).map { _ in [0, 1, 255].randomElement(using: &random) ?? 0 }
        }
        let expected = keys.indices.sorted { left, right in
            keys[left] == keys[right] ? left < right : keys[left].lexicographicallyPrecedes(keys[right])
        }
        let (order, firsts) = sort(keys)
        #expect(order == expected)
        #expect(firsts == expected.indices.map { $0 == 0 || keys[expected[$0]] != keys[expected[$0 - 1]] })
    }

    @Test func `a key that another begins with comes first, even where the other goes on with zeros`() {
        #expect(sort([[1, 0, 0], [1], [1, 0], []]).order == [3, 1, 2, 0])
    }

    @Test(arguments: [10, 24, 25, 4_096, 4_097, 9_000])
    func `whichever way pairs are sorted, only the range changes and equal pairs keep their order`(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        var pairs = (0..<count + 20).map { item in
            SortPair(word: UInt64.random(in: 0..<UInt64(count / 2), using: &random) << 20, item: UInt32(item))
        }
        let before = pairs
        var spare = pairs
        let range = 10..<count + 10
        pairs.sort(range, spare: &spare)
        let expected = before[range].sorted { ($0.word, $0.item) < ($1.word, $1.item) }.map(\.item)
        #expect(pairs[range].map(\.item) == expected)
        #expect(pairs[..<10].map(\.item) == before[..<10].map(\.item))
        #expect(pairs[range.upperBound...].map(\.item) == before[range.upperBound...].map(\.item))
    }
}
