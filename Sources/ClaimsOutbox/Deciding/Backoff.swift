// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The time between attempts that fail: a random part of a span that doubles ("full jitter").
public enum Backoff {
    /// The span after the first failure, in milliseconds.
    static let minSpan: Int64 = 2000
    /// The longest span, in milliseconds.
    static let maxSpan: Int64 = 15 * 60_000
    /// The longest time for which an upstream is obeyed (Retry-After), in milliseconds.
    static let maxFloor: Int64 = 6 * 3_600_000

    /// The span after so many failures running, at least one, in milliseconds.
    static func span(failures: Int) -> Int64 {
        let doublings = min(max(failures, 1) - 1, 20)
        return min(minSpan << Int64(doublings), maxSpan)
    }

    /// The delay after so many failures running, in milliseconds.
    ///
    /// - Parameter random: any number; equal ones give equal delays.
    static func delay(failures: Int, random: UInt64) -> Int64 {
        Int64(random % UInt64(span(failures: failures) + 1))
    }

    /// The time before which an upstream wants no request, as it is obeyed.
    ///
    /// - Parameter seconds: the value of Retry-After.
    static func floor(after seconds: Int, now: Int64) -> Int64 {
        now + Int64(min(max(0, seconds), Int(maxFloor / 1000))) * 1000
    }
}
