// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Spans of time in the notation of systemd.time(7), such as `5min`, `2h 30min`, `1.5d`, `90` (seconds) or `infinity`.
public enum TimeSpan {
    /// The value of `infinity` and the longest span: ten thousand years, so that no sum with a time overflows.
    public static let infinity = Duration.seconds(maxMicroseconds / second)

    /// Reads a span; nil if the text is malformed or the span is longer than ``infinity``.
    ///
    /// `m` is a minute and `M` a month of 30.44 days; a year has 365.25 days. A number without a unit counts seconds.
    /// Fractions of a microsecond are dropped.
    public static func parse(_ text: String) -> Duration? {
        var rest = text.drop { $0 == " " || $0 == "\t" }
        if rest == "infinity" { return infinity }
        guard !rest.isEmpty else { return nil }
        var total: Int64 = 0
        while !rest.isEmpty {
            let whole = take(&rest) { $0.isASCII && $0.isNumber }
            var fraction: Substring = ""
            if rest.first == "." {
                rest = rest.dropFirst()
                fraction = take(&rest) { $0.isASCII && $0.isNumber }
                guard !fraction.isEmpty else { return nil }
            }
            _ = take(&rest) { $0 == " " || $0 == "\t" }
            let name = take(&rest) { $0.isLetter }
            _ = take(&rest) { $0 == " " || $0 == "\t" }
            guard let unit = lengths[String(name)], let amount = amount(whole, fraction, of: unit) else { return nil }
            total += amount
            guard total <= maxMicroseconds else { return nil }
        }
        return .microseconds(total)
    }

    /// The text of a span in the greatest unit of which it is a multiple, such as `30d`, `10min` or `500ms`.
    ///
    /// A single day, hour or minute is written in the next smaller unit, as in `60s`. Fractions of a microsecond are
    /// dropped. ``parse(_:)`` reads the text back.
    public static func text(of span: Duration) -> String {
        let (seconds, attoseconds) = span.components
        let total = seconds * second + attoseconds / 1_000_000_000_000
        // Two lists, not one of pairs: of a loop over constant pairs the compiler makes code that differs from build to
        // build (`make check-reproducible`).
        let unit = unitLengths.firstIndex { length in
            total % length == 0 && total > length || total == length && length <= second
        }
        if let unit { return "\(total / unitLengths[unit])\(unitNames[unit])" }
        return total == 0 ? "0" : "\(total)us"
    }

    /// The text of an age in the notation of ``text(of:)``, rounded down: below ten seconds to 100 ms, below two minutes
    /// to seconds, below two hours to minutes, below two days to hours, and to days from there on.
    public static func rounded(milliseconds: Int64) -> String {
        let age = max(0, milliseconds)
        let unit: Int64 =
            switch age {
            case ..<1000: 1
            case ..<10_000: 100
            case ..<120_000: 1000
            case ..<7_200_000: 60_000
            case ..<172_800_000: 3_600_000
            default: 86_400_000
            }
        return text(of: .milliseconds(age / unit * unit))
    }

    private static let unitNames = ["d", "h", "min", "s", "ms"]
    /// In microseconds.
    private static let unitLengths = [day, 3600 * second, 60 * second, second, 1000]

    /// The microseconds that a number of units are; nil if there is no number, or it is longer than `longest`.
    private static func amount(_ whole: Substring, _ fraction: Substring, of unit: Int64) -> Int64? {
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var count: Int64 = 0
        for digit in whole.utf8 {
            count = count * 10 + Int64(digit - UInt8(ascii: "0"))
            guard count <= maxMicroseconds / unit else { return nil }
        }
        var amount = count * unit
        var part = unit / 10
        for digit in fraction.utf8 {
            amount += Int64(digit - UInt8(ascii: "0")) * part
            part /= 10
        }
        return amount
    }

    private static func take(_ rest: inout Substring, while belongs: (Character) -> Bool) -> Substring {
        let taken = rest.prefix(while: belongs)
        rest = rest.dropFirst(taken.count)
        return taken
    }

    private static let second: Int64 = 1_000_000
    private static let day: Int64 = 86_400 * second
    /// In microseconds.
    private static let maxMicroseconds: Int64 = 10_000 * 31_557_600 * second

    private static let lengths: [String: Int64] = {
        let names: [(String, Int64)] = [
            ("usec us µs μs", 1), ("msec ms", 1000), ("seconds second sec s", second),
            ("minutes minute min m", 60 * second), ("hours hour hr h", 3600 * second), ("days day d", day),
            ("weeks week w", 7 * day), ("months month M", 2_630_016 * second), ("years year y", 31_557_600 * second),
        ]
        var lengths: [String: Int64] = ["": second]
        for (aliases, unit) in names {
            for alias in aliases.split(separator: " ") { lengths[String(alias)] = unit }
        }
        return lengths
    }()
}
