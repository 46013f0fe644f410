// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// What a filter is typed against: a definition, a moment, and the calendar of a time zone.
public struct FilterContext: Sendable {
    public let definition: Definition
    /// What `now` means, in milliseconds since 1970. The pages of one query share it.
    public let now: Int64
    /// When a civil day (counted from 1970-01-01) begins in the time zone, in milliseconds since 1970. Ascending.
    public let startOfDay: @Sendable (Int) -> Int64
    /// What `today` means, as a civil day counted from 1970-01-01.
    public let today: Int

    public init(
        definition: Definition, now: Int64,
        startOfDay: @escaping @Sendable (Int) -> Int64 = { Int64($0) * Instant.msPerDay }
    ) {
        self.definition = definition
        self.now = now
        self.startOfDay = startOfDay
        today = Self.day(of: now, startOfDay: startOfDay)
    }

    /// The civil day in which a moment lies.
    func day(of moment: Int64) -> Int {
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
