// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

@Suite struct NumberTests {
    @Test func `a partition point is the first number that is refused`() {
        for count in 0..<40 {
            for first in 0...count {
                var calls = 0
                let found = (0..<count).partitionPoint { number in
                    calls += 1
                    return number < first
                }
                #expect(found == first)
                #expect(calls <= Int.bitWidth - count.leadingZeroBitCount)
            }
        }
        #expect((-7..<7).partitionPoint { $0 < -3 } == -3)
        #expect((Int.min..<Int.max).partitionPoint { $0 < 1 << 40 } == 1 << 40)
    }

    @Test func `the number that was refused last is the partition point`() {
        var last: Int?
        let found = (3..<100).partitionPoint { number in
            if number >= 57 { last = number }
            return number < 57
        }
        #expect(found == 57 && last == 57)
    }

    @Test func `what the test of a number throws comes through`() {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            _ = try (0..<8).partitionPoint { number throws(Refusal) in throw Refusal() }
        }
    }

    @Test(arguments: [
        (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (-999, "-999"), (-1000, "-1,000"), (1_234_567, "1,234,567"),
        (.min, "-9,223,372,036,854,775,808"),
    ])
    func `a number is shown in groups of three digits`(number: Int, text: String) {
        #expect(number.grouped() == text)
        #expect(number.grouped(by: "\u{A0}") == text.split(separator: ",").joined(separator: "\u{A0}"))
    }
}
