// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Dates the slow way: days are counted one year and one month at a time.
struct NaiveCalendar: Sendable {
    /// How far local time is ahead of UTC on a day, in minutes.
    let minutesEast: @Sendable (Int) -> Int

    static let utc = NaiveCalendar { _ in 0 }

    /// When a civil day, counted from 1970-01-01, begins, in milliseconds since 1970.
    func startOfDay(_ day: Int) -> Int64 {
        Int64(day) * 86_400_000 - Int64(minutesEast(day)) * 60_000
    }

    func day(of ms: Int64) -> Int {
        var day = Int(ms / 86_400_000) - 3
        while startOfDay(day + 1) <= ms { day += 1 }
        return day
    }

    /// The day that `2026-11-20` is; only for years from 1970 on.
    static func day(_ text: some StringProtocol) -> Int? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard text.utf8.count == 10, parts.count == 3, parts[0] >= 1970, (1...12).contains(parts[1]),
            parts[2] >= 1, parts[2] <= length(of: parts[1], in: parts[0])
        else { return nil }
        let years = (1970..<parts[0]).map { year in (1...12).map { length(of: $0, in: year) }.reduce(0, +) }
        let months = (1..<parts[1]).map { length(of: $0, in: parts[0]) }
        return years.reduce(0, +) + months.reduce(0, +) + parts[2] - 1
    }

    /// The moment that `2026-11-20T08:01:02Z` is; no fractions, offsets as `+01:00`.
    static func moment(_ text: String) -> Int64? {
        guard text.utf8.count == 20 || text.utf8.count == 25, let day = day(text.prefix(10)),
            text.dropFirst(10).first == "T"
        else { return nil }
        let time = text.dropFirst(11).prefix(8).split(separator: ":").compactMap { Int64($0) }
        let zone = text.dropFirst(19)
        let offset = zone.dropFirst().split(separator: ":").compactMap { Int64($0) }
        guard time.count == 3, zone == "Z" || offset.count == 2 else { return nil }
        let east = zone == "Z" ? 0 : (offset[0] * 60 + offset[1]) * (zone.first == "-" ? -1 : 1)
        return (Int64(day) * 86_400 + time[0] * 3600 + time[1] * 60 + time[2] - east * 60) * 1000
    }

    static func ms(_ text: String) -> Int64 { moment(text) ?? 0 }

    private static func length(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}
