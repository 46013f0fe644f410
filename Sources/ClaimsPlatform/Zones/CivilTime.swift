// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

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
        (year, month, day) = GregorianCalendar.date(days: Int(days))
        (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
        self.millisecond = millisecond
        self.offset = offset
        self.abbreviation = abbreviation
    }
}

/// Division that rounds towards minus infinity.
func floorDivide<Number: SignedInteger>(_ dividend: Number, _ divisor: Number) -> Number {
    let quotient = dividend / divisor
    return dividend % divisor < 0 ? quotient - 1 : quotient
}
