// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Days of the proleptic Gregorian calendar, counted from 1970-01-01; negative before it.
///
/// Years are counted astronomically: 0 is the year before year 1. Within the arithmetic a year begins in March, so that
/// the leap day is its last.
///
/// ```swift
/// GregorianCalendar.days(year: 2000, month: 3, day: 1)  // 11_017
/// GregorianCalendar.date(days: 11_017)                  // (2000, 3, 1)
/// ```
public enum GregorianCalendar {
    /// The number of days from 1970-01-01 to a date.
    ///
    /// - Parameters:
    ///   - month: 1 to 12.
    ///   - day: counted on from the first of the month; a day that the month does not have lies in a neighbour of it.
    @inlinable
    public static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The date that is `days` after 1970-01-01; `month` is 1 to 12 and `day` 1 to 31.
    @inlinable
    public static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// The number of days in a month, which is 1 to 12, of a year.
    @inlinable
    public static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: isLeap(year) ? 29 : 28
        default: 31
        }
    }

    /// Whether the year has a 29th of February.
    @inlinable
    public static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
}
