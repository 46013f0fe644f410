// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A date of the proleptic Gregorian calendar and a time of day, as clocks of one zone show them.
public struct CivilTime: Equatable, Sendable {
    /// The year by astronomical counting: 0 is the year before year 1.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, 1 to 31.
    public let day: Int
    /// The hour, 0 to 23.
    public let hour: Int
    /// The minute, 0 to 59.
    public let minute: Int
    /// The second, 0 to 59; leap seconds do not occur.
    public let second: Int
    /// The millisecond, 0 to 999.
    public let millisecond: Int
    /// The offset of the zone at that time, in seconds east of UTC.
    public let offset: Int
    /// The name of the zone at that offset, such as "CEST" or "+0530".
    public let abbreviation: String

    /// The time that is `seconds` since 1970 (local), with these names for the offset.
    init(localSeconds seconds: Int64, millisecond: Int, offset: Int, abbreviation: String) {
        let days = floorDivide(seconds, 86_400)
        let time = Int(seconds - days * 86_400)
        (year, month, day) = Self.date(days: Int(days))
        (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
        self.millisecond = millisecond
        self.offset = offset
        self.abbreviation = abbreviation
    }

    /// The number of days from 1970-01-01 to a date; negative before it.
    ///
    /// The months are counted from March, so that a leap day is the last day of a year.
    public static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date that is `days` after 1970-01-01, or before it if the number is negative.
    public static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

/// Division that rounds towards minus infinity.
func floorDivide<Number: SignedInteger>(_ dividend: Number, _ divisor: Number) -> Number {
    let quotient = dividend / divisor
    return dividend % divisor < 0 ? quotient - 1 : quotient
}
