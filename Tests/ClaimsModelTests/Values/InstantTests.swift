// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import Testing

struct InstantTests {
    @Test(arguments: [
        ("2022-11-29T04:56:07Z", "2022-11-29T04:56:07.000Z"), ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
        ("2022-11-29T04:56:07.5Z", "2022-11-29T04:56:07.500Z"),
        ("2022-11-29T04:56:07.123456789Z", "2022-11-29T04:56:07.123Z"),
        ("2022-11-29T04:56:07+02:00", "2022-11-29T02:56:07.000Z"),
        ("2022-11-29T00:56:07.25-05:30", "2022-11-29T06:26:07.250Z"),
        ("2022-11-29T04:56:07-00:00", "2022-11-29T04:56:07.000Z"), ("2022-11-29t04:56:07z", "2022-11-29T04:56:07.000Z"),
        ("2022-11-29 04:56:07Z", "2022-11-29T04:56:07.000Z"), ("2000-02-29T23:59:59.999Z", "2000-02-29T23:59:59.999Z"),
        ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"), ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"), ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
        ("2016-12-31T18:59:60.5-05:00", "2017-01-01T00:00:00.000Z"),
    ])
    func `RFC 3339 is read in any offset and written in UTC with milliseconds`(text: String, written: String) {
        #expect(Instant.parse(text)?.text == written)
    }

    @Test(arguments: [
        "", "2022-11-29", "2022-11-29T04:56:07", "2022-11-29T04:56Z", "2022-13-01T00:00:00Z", "2022-02-29T00:00:00Z",
        "2022-11-29T24:00:00Z", "2022-11-29T04:60:00Z", "2022-11-29T04:56:61Z", "2022-11-29T04:56:60Z",
        "2022-11-29T04:56:07.Z", "2022-11-29T04:56:07+0200", "2022-11-29T04:56:07+24:00", "2022-11-29T04:56:07Z ",
        "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "22-11-29T04:56:07Z", "2022-11-29T04:56:07,5Z",
        "2022/11/29T04:56:07Z", "١٩٧٠-01-01T00:00:00Z", "1669697767", "Tue, 29 Nov 2022 04:56:07 GMT",
    ])
    func `anything else is no instant`(text: String) {
        #expect(Instant.parse(text) == nil)
    }

    @Test func `every day of four centuries comes back from its text`() {
        var expected = (year: 1799, month: 12, day: 31)
        let first = CivilDate.days(year: 1800, month: 1, day: 1) ?? 0
        for days in first..<first + 146_097 {
            expected.day += 1
            if expected.day > GregorianCalendar.length(ofMonth: expected.month, in: expected.year) {
                expected = expected.month == 12 ? (expected.year + 1, 1, 1) : (expected.year, expected.month + 1, 1)
            }
            #expect(GregorianCalendar.date(days: days) == expected)
            var text: [UInt8] = []
            CivilDate.append(days, to: &text)
            #expect(CivilDate.parse(String(decoding: text, as: UTF8.self)) == days)
        }
    }

    @Test func `the calendar's ends are known`() {
        #expect(CivilDate.parse("0000-01-01") == CivilDate.range.lowerBound)
        #expect(CivilDate.parse("9999-12-31") == CivilDate.range.upperBound)
        #expect(CivilDate.parse("1970-01-01") == 0)
        for text in ["2022-1-01", "2022-02-30", "20220101", "2022-01-01T", " 2022-01-01", "2022-00-10", "2022-01-00"] {
            #expect(CivilDate.parse(text) == nil)
        }
    }
}
