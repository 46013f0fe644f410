// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// A moment, in milliseconds since 1970-01-01T00:00:00Z.
public struct Instant: Sendable, Hashable, Comparable {
    /// The number of milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let ms: Int64

    /// The moments of the years 0000 to 9999, to which the text form is limited, in milliseconds since 1970 (UTC).
    public static let range =
        Int64(CivilDate.range.lowerBound) * msPerDay...Int64(CivilDate.range.upperBound + 1) * msPerDay - 1

    /// The number of milliseconds in a day of UTC.
    public static let msPerDay: Int64 = 86_400_000

    public init(ms: Int64) {
        self.ms = ms
    }

    public static func < (left: Instant, right: Instant) -> Bool { left.ms < right.ms }

    /// Reads a moment in the form of RFC 3339, with any offset and any fraction; nil if the text has another form or is
    /// out of ``range``.
    ///
    /// Digits finer than a millisecond are dropped. A leap second counts as the first moment of the next minute.
    public static func parse(_ text: RawSpan) -> Instant? {
        guard text.byteCount >= 20, let days = CivilDate.parse(text, at: 0), isSeparator(text.byte(at: 10)),
            text.byte(at: 13) == UInt8(ascii: ":"), text.byte(at: 16) == UInt8(ascii: ":"),
            let hour = CivilDate.twoDigits(text, at: 11), hour < 24,
            let minute = CivilDate.twoDigits(text, at: 14), minute < 60,
            let second = CivilDate.twoDigits(text, at: 17), second <= 60
        else { return nil }
        var offset = 19
        var fraction: Int64 = 0
        if text.byte(at: offset) == UInt8(ascii: ".") {
            offset += 1
            let start = offset
            var weight: Int64 = 100
            while let digit = digit(text.byte(at: offset)) {
                fraction += digit * weight
                weight /= 10
                offset += 1
            }
            guard offset > start else { return nil }
        }
        guard let shift = minutesEast(text, from: offset) else { return nil }
        // A leap second ends a day of UTC.
        let minuteOfDay = (hour * 60 + minute - shift + 2880) % 1440
        guard second < 60 || minuteOfDay == 1439 else { return nil }
        let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second - shift * 60)
        let ms = seconds * 1000 + (second == 60 ? 0 : fraction)
        return range.contains(ms) ? Instant(ms: ms) : nil
    }

    /// Reads a moment in the form of RFC 3339; nil if the text has another form or is out of ``range``.
    public static func parse(_ text: String) -> Instant? {
        parse(Array(text.utf8).rawSpan)
    }

    /// Appends the moment in UTC with milliseconds, as in `2026-11-20T08:01:02.000Z`.
    ///
    /// A moment outside ``range`` is written as the nearest one inside.
    public func append(to out: inout [UInt8]) {
        out.append(upTo: Self.textLength) { put(to: &$0) }
    }

    /// The bytes of a text that `append(to:)` writes.
    static let textLength = 24

    @inline(__always)
    func put(to cursor: inout ByteCursor) {
        let ms = min(max(self.ms, Self.range.lowerBound), Self.range.upperBound)
        let days = ms >= 0 ? ms / Self.msPerDay : -((Self.msPerDay - 1 - ms) / Self.msPerDay)
        let rest = Int(ms - days * Self.msPerDay)
        CivilDate.put(Int(days), to: &cursor)
        cursor.put(UInt8(ascii: "T"))
        cursor.put(twoDigits: rest / 3_600_000)
        cursor.put(UInt8(ascii: ":"))
        cursor.put(twoDigits: rest / 60_000 % 60)
        cursor.put(UInt8(ascii: ":"))
        cursor.put(twoDigits: rest / 1000 % 60)
        cursor.put(UInt8(ascii: "."))
        cursor.put(UInt8(truncatingIfNeeded: 0x30 + rest / 100 % 10))
        cursor.put(twoDigits: rest % 100)
        cursor.put(UInt8(ascii: "Z"))
    }

    /// The moment in UTC with milliseconds, as in `2026-11-20T08:01:02.000Z`.
    public var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always)
    private static func isSeparator(_ byte: UInt8) -> Bool {
        // RFC 3339, section 5.6: a small t, and a space for the sake of readability, are allowed.
        byte == UInt8(ascii: "T") || byte == UInt8(ascii: "t") || byte == UInt8(ascii: " ")
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> Int64? {
        byte >= 0x30 && byte <= 0x39 ? Int64(byte - 0x30) : nil
    }

    /// The offset from UTC that is the rest of `text`: `Z`, `+05:30`.
    private static func minutesEast(_ text: RawSpan, from offset: Int) -> Int? {
        let sign = text.byte(at: offset)
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return text.byteCount == offset + 1 ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), text.byteCount == offset + 6,
            text.byte(at: offset + 3) == UInt8(ascii: ":"),
            let hours = CivilDate.twoDigits(text, at: offset + 1), hours < 24,
            let minutes = CivilDate.twoDigits(text, at: offset + 4), minutes < 60
        else { return nil }
        let east = hours * 60 + minutes
        return sign == UInt8(ascii: "-") ? -east : east
    }
}

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
            let whole = removePrefix(of: &rest) { $0.isASCII && $0.isNumber }
            var fraction: Substring = ""
            if rest.first == "." {
                rest = rest.dropFirst()
                fraction = removePrefix(of: &rest) { $0.isASCII && $0.isNumber }
                guard !fraction.isEmpty else { return nil }
            }
            _ = removePrefix(of: &rest) { $0 == " " || $0 == "\t" }
            let name = removePrefix(of: &rest) { $0.isLetter }
            _ = removePrefix(of: &rest) { $0 == " " || $0 == "\t" }
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

    private static func removePrefix(of rest: inout Substring, while belongs: (Character) -> Bool) -> Substring {
        let prefix = rest.prefix(while: belongs)
        rest = rest.dropFirst(prefix.count)
        return prefix
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
