// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct NaturalKeyTests {
    @Test(arguments: [
        ["2", "10"], ["9", "10"], ["0", "00", "1", "01", "2"], ["a", "b"], ["a2", "a10"], ["a2b", "a2c", "a10b"],
        ["16730345345597442248333", "96730345345597442248333"],
        ["9999999999999999999999999", "10000000000000000000000000"], ["", "0"], ["1", "1a"], ["a", "a1"],
        ["-", "1", "a"], ["1-2", "1-10", "01-2"], ["x999999999", "x1000000000"], ["Z", "a", "Ł"],
    ])
    func `ids order naturally`(ids: [String]) {
        for (smaller, larger) in zip(ids, ids.dropFirst()) {
            #expect(KeyEncoding.natural(smaller).lexicographicallyPrecedes(KeyEncoding.natural(larger)))
        }
    }

    @Test func `keys agree with a naive comparison of random ids`() {
        var random = SeededGenerator(1)
        let letters = Array("0000119a-/:b".utf8)
        for _ in 0..<20_000 {
            let left = (0..<Int.random(in: 0...12, using: &random)).map { _ in letters.randomElement(using: &random)! }
            let right =
                Bool.random(using: &random)
                ? left.map { Int.random(in: 0..<6, using: &random) == 0 ? letters.randomElement(using: &random)! : $0 }
                : (0..<Int.random(in: 0...12, using: &random)).map { _ in letters.randomElement(using: &random)! }
            let (leftID, rightID) = (String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
            let (leftKey, rightKey) = (KeyEncoding.natural(leftID), KeyEncoding.natural(rightID))
            #expect((leftKey == rightKey) == (left == right))
            #expect(leftKey.lexicographicallyPrecedes(rightKey) == Self.precedes(left, right), "\(leftID) \(rightID)")
        }
    }

    @Test func `runs of any length of digits compare as numbers`() {
        let lengths = [1, 8, 9, 10, 248, 249, 250, 300, 1000, 70_000]
        let ids = lengths.map { String(repeating: "7", count: $0) }
        for (smaller, larger) in zip(ids, ids.dropFirst()) {
            #expect(KeyEncoding.natural(smaller).lexicographicallyPrecedes(KeyEncoding.natural(larger)))
        }
        let zeros = [0, 1, 239, 240, 241, 70_000].map { String(repeating: "0", count: $0) + "5" }
        for (smaller, larger) in zip(zeros, zeros.dropFirst()) {
            #expect(KeyEncoding.natural(smaller).lexicographicallyPrecedes(KeyEncoding.natural(larger)))
        }
    }

    /// Chunk by chunk, as one would explain it.
    private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        var (left, right) = (left[...], right[...])
        let isDigit = { (byte: UInt8) in byte >= 0x30 && byte <= 0x39 }
        while let first = left.first, let second = right.first {
            if isDigit(first), isDigit(second) {
                let (one, other) = (left.prefix(while: isDigit), right.prefix(while: isDigit))
                let (value, otherValue) = (one.drop { $0 == 0x30 }, other.drop { $0 == 0x30 })
                if value.count != otherValue.count { return value.count < otherValue.count }
                if !value.elementsEqual(otherValue) { return value.lexicographicallyPrecedes(otherValue) }
                if one.count != other.count { return one.count < other.count }
                left = left.dropFirst(one.count)
                right = right.dropFirst(other.count)
            } else {
                if first != second { return first < second }
                left = left.dropFirst()
                right = right.dropFirst()
            }
        }
        return left.isEmpty && !right.isEmpty
    }
}
