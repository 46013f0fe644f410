// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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

    /// A calendar at the moment `now`, in milliseconds since 1970 (UTC); by default that of UTC.
    public init(now: Int64, startOfDay: @escaping @Sendable (Int) -> Int64 = { Int64($0) * Instant.msPerDay }) {
        self.now = now
        self.startOfDay = startOfDay
        today = Self.day(of: now, startOfDay: startOfDay)
    }

    /// The civil day in which a moment lies, counted from 1970-01-01.
    public func day(of moment: Int64) -> Int {
        Self.day(of: moment, startOfDay: startOfDay)
    }

    /// The day by UTC is at most a day or two off, whatever the zone.
    private static func day(of moment: Int64, startOfDay: (Int) -> Int64) -> Int {
        let utc = Int((Double(moment) / Double(Instant.msPerDay)).rounded(.down))
        var day = utc + 2
        while day > utc - 2, startOfDay(day) > moment { day -= 1 }
        return day
    }
}
