// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import Testing

struct GregorianCalendarTests {
    @Test(arguments: [
        (-400, 2, 29, -865_566), (0, 1, 1, -719_528), (0, 2, 29, -719_469), (0, 3, 1, -719_468),
        (1600, 2, 29, -135_081),
        (1969, 12, 31, -1), (1970, 1, 1, 0), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (9999, 12, 31, 2_932_896),
    ])
    func `a date has its number of days, and the number its date`(year: Int, month: Int, day: Int, days: Int) {
        #expect(GregorianCalendar.days(year: year, month: month, day: day) == days)
        #expect(GregorianCalendar.date(days: days) == (year, month, day))
    }

    @Test func `each day is followed by the next of its month, or by the first of the next month`() {
        var expected = GregorianCalendar.date(days: -800_000)
        for days in -800_000...800_000 {
            let date = GregorianCalendar.date(days: days)
            #expect(date == expected)
            #expect(GregorianCalendar.days(year: date.year, month: date.month, day: date.day) == days)
            expected.day += 1
            guard expected.day > GregorianCalendar.length(ofMonth: date.month, in: date.year) else { continue }
            expected = date.month == 12 ? (date.year + 1, 1, 1) : (date.year, date.month + 1, 1)
        }
    }

    @Test(arguments: [(1900, false), (2000, true), (2023, false), (2024, true), (-4, true), (-100, false)])
    func `every fourth year is a leap year, but of the centuries only every fourth`(year: Int, isLeap: Bool) {
        #expect(GregorianCalendar.isLeap(year) == isLeap)
        #expect(GregorianCalendar.length(ofMonth: 2, in: year) == (isLeap ? 29 : 28))
    }
}
