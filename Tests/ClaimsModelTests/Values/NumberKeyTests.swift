// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct NumberKeyTests {
    @Test func `numbers order by value, whatever their spelling`() throws {
        let ascending = [
            "-1e99999999", "-12345678901234567890123456789", "-1000", "-999.5", "-10.1", "-10", "-9", "-1.01", "-1",
            "-0.5", "-0.123", "-0.12", "-1e-70", "-1e-99999999999999999", "0", "1e-99999999999999999", "1e-70", "1e-61",
            "1e-60", "0.1", "0.12", "0.123", "0.5", "0.50000000000000000000000000000001", "1", "1.01", "2", "9", "10",
            "10.1", "99", "100", "12345678901234567890123456788", "12345678901234567890123456789", "1e59", "1e60",
            "1e61", "1e70", "1e99999999999999999",
        ]
        for (smaller, larger) in zip(ascending, ascending.dropFirst()) {
            let (low, high) = (try #require(KeyEncoding.number(smaller)), try #require(KeyEncoding.number(larger)))
            #expect(low.lexicographicallyPrecedes(high), "\(smaller) \(larger)")
        }
    }

    @Test(arguments: [
        ["0", "-0", "0.0", "0e5", "-0.00e-3", "0e99999999999999999999999"],
        ["1", "1.0", "1e0", "10e-1", "0.1e1", "0.01E+2", "1000e-3", "1e000"],
        ["-12.5", "-12.50", "-125e-1", "-0.125e2"],
        ["100", "1e2", "100.000", "10e1"], ["123456789012345678901234567890", "12345678901234567890123456789e1"],
    ])
    func `equal values have equal keys`(spellings: [String]) {
        #expect(Set(spellings.map { KeyEncoding.number($0) }).count == 1)
    }

    @Test(arguments: [
        "", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x10", "NaN", "Infinity", "1 ", " 1", "1,000", "--1", "1.2.3",
        "1e5.5", "٣", "1e999999999999999999", "-1e-999999999999999999",
    ])
    func `what is not a JSON number, or has an exponent beyond reason, has no key`(text: String) {
        #expect(KeyEncoding.number(text) == nil)
    }

    @Test func `keys agree with the comparison of random scaled integers`() throws {
        var random = SeededGenerator(2)
        for _ in 0..<20_000 {
            let (left, right) = (Self.random(&random), Self.random(&random))
            let (leftKey, rightKey) = (
                try #require(KeyEncoding.number(left.text)), try #require(KeyEncoding.number(right.text))
            )
            #expect((leftKey == rightKey) == (left.value == right.value), "\(left) \(right)")
            #expect(
                leftKey.lexicographicallyPrecedes(rightKey) == (left.value < right.value), "\(left) \(right)")
        }
    }

    /// A number and its value in millionths.
    private static func random(_ random: inout SeededGenerator) -> (text: String, value: Int) {
        let digits = Int.random(in: 0...6, using: &random)
        let limit = [9, 120, 100_000, 9_999_999][Int.random(in: 0..<4, using: &random)]
        let unscaled = Int.random(in: -limit...limit, using: &random)
        var value = unscaled
        for _ in digits..<6 { value *= 10 }
        if Bool.random(using: &random) { return ("\(unscaled)e-\(digits)", value) }
        var text = String(unscaled.magnitude)
        if digits > 0 {
            text = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
            text.insert(".", at: text.index(text.endIndex, offsetBy: -digits))
        }
        return ((unscaled < 0 ? "-" : "") + text, value)
    }
}
