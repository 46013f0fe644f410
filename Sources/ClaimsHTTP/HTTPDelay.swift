// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Spans of time that servers ask for.
public enum HTTPDelay {
    /// The longest that a server is left alone because it said so, in seconds: 6 h.
    public static let retryAfterCap = 6 * 3600

    /// `Retry-After`: seconds, or a date. At most `retryAfterCap`; 0 for a date that has passed; nil where it is neither.
    ///
    /// A date counts from the server's own `Date` if there is one, so that its clock and ours need not agree.
    /// - Parameter now: seconds since 1970.
    static func retryAfter(_ value: String, date: String?, now: Int64) -> Int? {
        if let seconds = seconds(value) { return min(seconds, retryAfterCap) }
        guard let until = HTTPDate.parse(value) else { return nil }
        let start = date.flatMap(HTTPDate.parse) ?? now
        return Int(min(max(until - start, 0), Int64(retryAfterCap)))
    }

    /// `max-age` of `Cache-Control`, less `Age`; 0 for `no-cache` and `no-store`, nil where there is none.
    static func maxAge(_ cacheControl: [String], age: String?) -> Int? {
        var result: Int?
        for value in cacheControl {
            for directive in value.split(separator: ",") {
                let parts = directive.split(separator: "=", maxSplits: 1).map { part in part.trimmed }
                guard let name = parts.first?.lowercased() else { continue }
                if name == "no-cache" || name == "no-store" { return 0 }
                guard name == "max-age", parts.count == 2 else { continue }
                let digits = parts[1].hasPrefix("\"") ? String(parts[1].dropFirst().dropLast()) : parts[1]
                if let seconds = seconds(digits) { result = result ?? seconds }
            }
        }
        guard let result else { return nil }
        return max(0, result - (age.flatMap(seconds) ?? 0))
    }

    /// The number that ASCII digits write, at most 2^31 (RFC 9111, section 1.2.2).
    private static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty else { return nil }
        var value = 0
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = min(value * 10 + Int(byte - 0x30), 1 << 31)
        }
        return value
    }
}
