// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsPlatform

/// The text for instants, in the user's language: the distance for near ones, the user's clock for others.
public struct LocalTime: Sendable {
    /// The rules of the user's time zone.
    public let zone: TimeZoneRules
    /// The present time, in milliseconds since 1970.
    public let now: Int64
    /// The messages in the user's language.
    public let messages: Messages
    /// Whether distances step by the minute, for a screen that stays as it is while nothing changes.
    public let stepsByMinute: Bool

    /// Moments nearer than this have a distance as their text, in milliseconds.
    private static let near: Int64 = 7 * 86_400_000

    /// Makes a formatter for one zone and one present time, in milliseconds since 1970.
    ///
    /// - Parameter stepsByMinute: whether anything within a minute is shown as the present.
    public init(zone: TimeZoneRules, now: Int64, messages: Messages, stepsByMinute: Bool = false) {
        self.zone = zone
        self.now = now
        self.messages = messages
        self.stepsByMinute = stepsByMinute
    }

    /// The distance of an instant from the present: `12 min ago`.
    public func relative(_ ms: Int64) -> String {
        let (distance, overflow) = ms.subtractingReportingOverflow(now)
        let isNow = stepsByMinute && !overflow && distance.magnitude < 60_000
        return messages.relative(isNow ? now : ms, to: now)
    }

    /// A short text for tables: `3 h ago` or `in 2 days` within a week, else the date.
    public func short(_ ms: Int64) -> String {
        let (difference, overflow) = ms.subtractingReportingOverflow(now)
        if !overflow, difference > -Self.near, difference < Self.near { return relative(ms) }
        return Self.date(civil(ms))
    }

    /// The date, time, zone and distance: `2026-11-20 08:01:02 CET, 3 h ago`.
    public func long(_ ms: Int64) -> String {
        let time = civil(ms)
        return "\(dateAndClock(ms)) \(time.abbreviation), \(relative(ms))"
    }

    /// The time of day, `08:01`, with the date before it on any day but today.
    public func clock(_ ms: Int64) -> String {
        let time = civil(ms)
        let today = zone.civil(now)
        if (time.year, time.month, time.day) == (today.year, today.month, today.day) { return Self.clock(time) }
        return "\(Self.date(time)) \(Self.clock(time))"
    }

    /// The time of day with its seconds, `08:01:22`.
    public func exactClock(_ ms: Int64) -> String {
        let time = civil(ms)
        return "\(Self.clock(time)):\(Self.two(time.second))"
    }

    /// The date and the time of day with its seconds, `2026-11-20 08:01:02`.
    public func dateAndClock(_ ms: Int64) -> String { "\(Self.date(civil(ms))) \(exactClock(ms))" }

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
