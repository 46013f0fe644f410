// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Days of the proleptic Gregorian calendar, counted from 1970-01-01, and their text form such as `2026-11-20`.
public enum CivilDate {
    /// The days of the years 0000 to 9999, to which the text form is limited.
    public static let range = -719_528...2_932_896

    /// The number of days from 1970-01-01 to a date; nil if the calendar has no such date.
    ///
    /// `month` is 1 to 12.
    public static func days(year: Int, month: Int, day: Int) -> Int? {
        guard month >= 1, month <= 12, day >= 1, day <= GregorianCalendar.length(ofMonth: month, in: year)
        else { return nil }
        return GregorianCalendar.days(year: year, month: month, day: day)
    }

    /// Reads a date that is exactly `YYYY-MM-DD`; nil if the text has another form or the calendar has no such date.
    public static func parse(_ text: RawSpan) -> Int? {
        text.byteCount == 10 ? parse(text, at: 0) : nil
    }

    /// Reads a date that is exactly `YYYY-MM-DD`; nil if the text has another form or the calendar has no such date.
    public static func parse(_ text: String) -> Int? {
        parse(Array(text.utf8).rawSpan)
    }

    /// The day whose ten characters begin at `offset`.
    static func parse(_ text: RawSpan, at offset: Int) -> Int? {
        let dash = UInt8(ascii: "-")
        guard text.byte(at: offset + 4) == dash, text.byte(at: offset + 7) == dash,
            let century = twoDigits(text, at: offset), let years = twoDigits(text, at: offset + 2),
            let month = twoDigits(text, at: offset + 5), let day = twoDigits(text, at: offset + 8)
        else { return nil }
        return days(year: century * 100 + years, month: month, day: day)
    }

    /// Appends the date that is `days` after 1970-01-01 as `YYYY-MM-DD`.
    ///
    /// - Precondition: `days` is in `range`.
    public static func append(_ days: Int, to out: inout [UInt8]) {
        out.append(upTo: 10) { put(days, to: &$0) }
    }

    @inline(__always)
    static func put(_ days: Int, to cursor: inout ByteCursor) {
        let (year, month, day) = GregorianCalendar.date(days: days)
        cursor.put(twoDigits: year / 100)
        cursor.put(twoDigits: year % 100)
        cursor.put(UInt8(ascii: "-"))
        cursor.put(twoDigits: month)
        cursor.put(UInt8(ascii: "-"))
        cursor.put(twoDigits: day)
    }

    /// The number that the two digits at `offset` are.
    @inline(__always)
    static func twoDigits(_ text: RawSpan, at offset: Int) -> Int? {
        let tens = Int(text.byte(at: offset)) - 0x30
        let ones = Int(text.byte(at: offset + 1)) - 0x30
        guard tens >= 0, tens <= 9, ones >= 0, ones <= 9 else { return nil }
        return tens * 10 + ones
    }
}

/// A moment and the calendar of a time zone, in which words such as `today` have a meaning.
public struct CivilCalendar: Sendable {
    /// The moment that `now` means, in milliseconds since 1970 (UTC).
    public let now: Int64
    /// Returns the start of a civil day in the time zone, in milliseconds since 1970 (UTC).
    ///
    /// The day is counted from 1970-01-01, and later days must not start earlier. Any thread may call it.
    public let startOfDay: @Sendable (Int) -> Int64
    /// The civil day that `today` means, counted from 1970-01-01.
    public let today: Int

    /// A calendar at the moment `now`, in milliseconds since 1970 (UTC); by default the calendar of UTC.
    public init(now: Int64, startOfDay: @escaping @Sendable (Int) -> Int64 = { Int64($0) * Instant.msPerDay }) {
        self.now = now
        self.startOfDay = startOfDay
        today = Self.day(of: now, startOfDay: startOfDay)
    }

    /// The civil day in which a moment lies, counted from 1970-01-01.
    public func day(of moment: Int64) -> Int {
        Self.day(of: moment, startOfDay: startOfDay)
    }

    /// The day by UTC, which differs from the day in any zone by at most a day or two.
    private static func day(of moment: Int64, startOfDay: (Int) -> Int64) -> Int {
        let utc = Int((Double(moment) / Double(Instant.msPerDay)).rounded(.down))
        var day = utc + 2
        while day > utc - 2, startOfDay(day) > moment { day -= 1 }
        return day
    }
}
