// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsTriggers
import Testing

struct ThresholdRangeTests {
    /// The values from -1 to 30 that alert.
    private func alerts(_ text: String) throws -> [Int64] {
        let range = try #require(ThresholdRange(text), "\(text)")
        return (-1...30).filter { range.alerts($0) }
    }

    private func all(_ parts: ClosedRange<Int64>...) -> [Int64] { parts.flatMap { Array($0) } }

    @Test func `the ranges of the plug-ins' guidelines alert where these say it`() throws {
        #expect(try alerts("10") == all(-1...(-1), 11...30))
        #expect(try alerts("10:") == all(-1...9))
        #expect(try alerts("~:10") == all(11...30))
        #expect(try alerts("10:20") == all(-1...9, 21...30))
        #expect(try alerts("@10:20") == all(10...20))
    }

    @Test func `a start may be left out, and both ends may be one number`() throws {
        #expect(try alerts(":10") == alerts("10"))
        #expect(try alerts("@5") == all(0...5))
        #expect(try alerts("0") == all(-1...(-1), 1...30))
        #expect(try alerts("0:0") == alerts("0"))
        #expect(try alerts("@~:") == all(-1...30))
        #expect(try alerts("~:").isEmpty)
        #expect(try alerts(":") == all(-1...(-1)))
    }

    @Test func `numbers may have a sign and a fraction`() throws {
        #expect(try alerts("-1:2.5") == all(3...30))
        #expect(try alerts("@28.5:") == all(29...30))
    }

    @Test(arguments: [
        "", "@", "~", "@~", "a", "10:5", "-1", "1:2:3", "10::", "5:~", " 10", "10 ", "+5", "1e3", "0x10", "nan",
        "inf", "1,5", "@@1", "--1", "1.2.3", ".", "10%", "١٠",
    ])
    func `what is no range is refused`(_ text: String) {
        #expect(ThresholdRange(text) == nil)
    }

    @Test func `a range has a maximum length`() {
        #expect(ThresholdRange(String(repeating: "1", count: 64)) != nil)
        #expect(ThresholdRange(String(repeating: "1", count: 65)) == nil)
    }
}
