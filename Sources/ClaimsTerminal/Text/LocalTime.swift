// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsPlatform

/// Moments for people: near ones by their distance, others by the user's clock.
public struct LocalTime: Sendable {
    public let zone: TimeZoneRules
    /// Milliseconds since 1970.
    public let now: Int64

    /// What is nearer than this is told by its distance.
    private static let near: Int64 = 7 * 86_400_000

    public init(zone: TimeZoneRules, now: Int64) {
        self.zone = zone
        self.now = now
    }

    /// For a table: `3 h ago`, `in 2 days`, or, further away, the day.
    public func short(_ ms: Int64) -> String {
        let (difference, overflow) = ms.subtractingReportingOverflow(now)
        if !overflow, difference > -Self.near, difference < Self.near { return Ages.relative(ms, to: now) }
        return Self.date(civil(ms))
    }

    /// In full: `2026-11-20 08:01:02 CET, 3 h ago`.
    public func long(_ ms: Int64) -> String {
        let time = civil(ms)
        let clock = "\(Self.clock(time)):\(Self.two(time.second))"
        return "\(Self.date(time)) \(clock) \(time.abbreviation), \(Ages.relative(ms, to: now))"
    }

    /// `08:01` today, with the date on any other day.
    public func clock(_ ms: Int64) -> String {
        let time = civil(ms)
        let today = zone.civil(now)
        if (time.year, time.month, time.day) == (today.year, today.month, today.day) { return Self.clock(time) }
        return "\(Self.date(time)) \(Self.clock(time))"
    }

    /// No record can name a moment outside these years.
    private func civil(_ ms: Int64) -> CivilTime {
        zone.civil(min(max(ms, Instant.range.lowerBound), Instant.range.upperBound))
    }

    private static func date(_ time: CivilTime) -> String {
        let digits = String(abs(time.year))
        let year = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "\(time.year < 0 ? "-" : "")\(year)-\(two(time.month))-\(two(time.day))"
    }

    private static func clock(_ time: CivilTime) -> String {
        "\(two(time.hour)):\(two(time.minute))"
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}
