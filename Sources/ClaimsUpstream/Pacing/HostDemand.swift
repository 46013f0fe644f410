// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The demand of an answer for its host. Pure.
enum HostDemand {
    /// The longest time in seconds for which the headers of a rate limit are obeyed.
    static let maxReset: Int64 = 3600

    /// The seconds for which the host wants no further request: `Retry-After` of a 429, or the `Reset` of a rate limit
    /// that is used up. Nil where it demands none.
    ///
    /// - Parameter now: seconds since 1970.
    static func seconds(status: Int?, retryAfter: Int?, pace: HTTPPaceHeaders, now: Int64) -> Int? {
        var delays = pace.windows.compactMap { window in
            isZero(window.remaining) ? reset(window.reset, from: pace.date ?? now) : nil
        }
        if status == 429, let retryAfter { delays.append(retryAfter) }
        return delays.max().flatMap { $0 > 0 ? $0 : nil }
    }

    /// Seconds, or from 10⁹ on a time since 1970, which counts from `start`. Fractions are rounded up. Nil for anything
    /// else, and beyond ``maxReset``.
    private static func reset(_ text: String, from start: Int64) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy(isNumber), var seconds = Int64(parts[0]) else { return nil }
        if parts.count == 2, !isZero(parts[1]) { seconds += 1 }
        if seconds >= 1_000_000_000 { seconds = max(seconds - start, 0) }
        return seconds <= maxReset ? Int(seconds) : nil
    }

    private static func isZero(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 == 0x30 }
    }

    /// Whether a text is of digits, and not so many that it is no number of seconds.
    private static func isNumber(_ text: Substring) -> Bool {
        (1...18).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
