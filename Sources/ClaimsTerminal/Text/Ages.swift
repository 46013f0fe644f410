// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Spans of time for people: rounded, no decimals.
public enum Ages {
    private static let second: Int64 = 1000
    private static let minute = 60 * second
    private static let hour = 60 * minute
    private static let day = 24 * hour
    private static let year = 365 * day

    /// `40 s`, `12 min`, `3 h`, `2 days`: rounded down, except that what is not over yet never reads as 0.
    public static func span(_ ms: Int64) -> String {
        let ms = ms == .min ? .max : abs(ms)
        switch ms {
        case ..<minute: return "\(max(1, ms / second)) s"
        case ..<hour: return "\(ms / minute) min"
        case ..<day: return "\(ms / hour) h"
        case ..<year:
            let days = ms / day
            return days == 1 ? "1 day" : "\(days) days"
        default:
            let years = ms / year
            return years == 1 ? "1 year" : "\(years) years"
        }
    }

    /// `12 min ago`, `in 40 s`, `now` within a second.
    public static func relative(_ ms: Int64, to now: Int64) -> String {
        let (difference, overflow) = ms.subtractingReportingOverflow(now)
        if overflow { return ms < now ? "long ago" : "in the far future" }
        if difference > -second && difference < second { return "now" }
        return difference < 0 ? "\(span(difference)) ago" : "in \(span(difference))"
    }
}
