// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct SpanAndSizeTests {
    @Test(arguments: [
        ("5min", 300.0), ("2h 30min", 9000.0), ("2h30min", 9000.0), ("90", 90.0), ("1.5h", 5400.0), ("500ms", 0.5),
        ("24h", 86_400.0),
        ("30d", 2_592_000.0), ("1m", 60.0), ("1M", 2_630_016.0), ("1y", 31_557_600.0), ("2 weeks", 1_209_600.0),
        ("3 us", 0.000003),
        ("55s500ms", 55.5), ("300ms20s 5day", 432_020.3), ("0", 0.0), (" 1hr ", 3600.0), ("1month", 2_630_016.0),
        (".5s", 0.5),
        ("48hr", 172_800.0), ("1year 12months", 31_557_600.0 + 12.0 * 2_630_016.0),
    ])
    func `spans are read as systemd reads them`(text: String, seconds: Double) {
        #expect(TimeSpan.parse(text) == .microseconds(Int64((seconds * 1_000_000).rounded())))
    }

    @Test func `infinity is longer than anything else and still a number`() throws {
        #expect(TimeSpan.parse("infinity") == TimeSpan.infinity)
        #expect(TimeSpan.parse("9999y") ?? .zero < TimeSpan.infinity)
        #expect(TimeSpan.parse("10001y") == nil)
        #expect(TimeSpan.parse("99999999999999999999999") == nil)
    }

    @Test(arguments: ["", " ", "min", "5 parsecs", "-5min", "5min!", "1..5s", "1.s", "5 Min", "5min,2s", "٥min"])
    func `anything else is no span`(text: String) {
        #expect(TimeSpan.parse(text) == nil)
    }

    @Test(arguments: [
        ("0", 0), ("4096", 4096), ("1K", 1024), ("64M", 64 << 20), ("1.5G", 3 << 29), ("16M", 16 << 20),
        ("2T", 2 << 40),
        ("100B", 100),
    ])
    func `sizes are read to the base 1024`(text: String, bytes: Int) {
        #expect(ByteSize.parse(text) == bytes)
    }

    @Test(arguments: ["", "M", "-1M", "1 M", "64MB", "1.5", "1.M", "1m", "99999999T", "0x10", "1e3"])
    func `anything else is no size`(text: String) {
        #expect(ByteSize.parse(text) == nil)
    }
}
