// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel

// Numbers, sizes and spans of time.

extension Messages {
    /// The number in groups of three digits: `1,234,567` in English; in Polish with spaces that do not break a line,
    /// U+00A0, which every terminal shows as wide as a digit.
    public func number(_ number: Int64) -> String {
        number.grouped(by: text(en: ",", pl: "\u{A0}"))
    }

    /// The number in groups of three digits.
    public func number(_ number: Int) -> String { self.number(Int64(number)) }

    /// The number with the form of the noun that follows it: `1 record`, `22 rekordy`.
    public func count(_ number: Int64, _ noun: Plural) -> String {
        "\(self.number(number)) \(text(noun.form(number)))"
    }

    /// The number with the form of the noun that follows it.
    public func count(_ number: Int, _ noun: Plural) -> String { count(Int64(number), noun) }

    /// A part of a number of things: `50 of 1,000 records`, `50 z 1 000 rekordów`.
    public func part(_ part: Int64, of whole: Int64, _ noun: Plural) -> String {
        let noun = text(noun.formAfterPreposition(whole))
        return text(
            en: "\(number(part)) of \(number(whole)) \(noun)", pl: "\(number(part)) z \(number(whole)) \(noun)")
    }

    /// The bound of a number: `at most 200 characters`.
    func noMore(than count: String) -> String { text(en: "at most \(count)", pl: "najwyżej \(count)") }

    /// A size in bytes in the largest binary unit up to TiB, with one decimal below 100: `1.4 MiB`, `1,4 MiB`. A
    /// negative size counts as 0.
    public func size(_ bytes: Int64) -> String {
        let power = Self.power(of: bytes)
        return "\(scaled(bytes, power)) \(Self.sizeNames[power])"
    }

    /// A part of a size, in the unit of the whole: `1.2 of 3.0 MiB`.
    public func size(_ part: Int64, of whole: Int64) -> String {
        let power = Self.power(of: max(part, whole))
        let (part, whole) = (scaled(part, power), scaled(whole, power))
        return text(
            en: "\(part) of \(whole) \(Self.sizeNames[power])", pl: "\(part) z \(whole) \(Self.sizeNames[power])")
    }

    var decimalMark: String { text(en: ".", pl: ",") }

    private static let sizeNames = ["B", "KiB", "MiB", "GiB", "TiB"]

    private static func power(of bytes: Int64) -> Int {
        var size = max(0, bytes)
        var power = 0
        while size >= 1024, power < sizeNames.count - 1 {
            size /= 1024
            power += 1
        }
        return power
    }

    private func scaled(_ bytes: Int64, _ power: Int) -> String {
        let size = Double(max(0, bytes)) / Double(Int64(1) << (10 * Int64(power)))
        if power == 0 || size >= 100 { return String(Int64(size.rounded())) }
        let tenths = Int64((size * 10).rounded())
        return "\(tenths / 10)\(decimalMark)\(tenths % 10)"
    }
}

extension Messages {
    private static let second: Int64 = 1000
    private static let minute = 60 * second
    private static let hour = 60 * minute
    private static let day = 24 * hour
    private static let year = 365 * day

    /// The length of a span in its largest unit, rounded down: `40 s`, `12 min`, `3 h`, `2 days`, `2 dni`.
    ///
    /// A span below one second is `1 s`. The sign does not matter.
    public func span(_ ms: Int64) -> String {
        span(ms) { number, noun in text(noun.form(number)) }
    }

    /// As ``span(_:)``, in the form that follows a preposition, as in `sprzed 1 dnia`.
    public func spanAfterPreposition(_ ms: Int64) -> String {
        span(ms) { number, noun in text(noun.formAfterPreposition(number)) }
    }

    private func span(_ ms: Int64, _ form: (Int64, Plural) -> String) -> String {
        let ms = ms == .min ? .max : abs(ms)
        switch ms {
        case ..<Self.minute: return "\(max(1, ms / Self.second)) s"
        case ..<Self.hour: return "\(ms / Self.minute) min"
        case ..<Self.day: return text(en: "\(ms / Self.hour) h", pl: "\(ms / Self.hour) godz.")
        case ..<Self.year: return "\(number(ms / Self.day)) \(form(ms / Self.day, .days))"
        default: return "\(number(ms / Self.year)) \(form(ms / Self.year, .years))"
        }
    }

    /// A span in seconds with tenths, or in milliseconds below one second: `1.7 s`, `350 ms`.
    public func shortSpan(_ ms: Int64) -> String {
        let ms = max(0, ms)
        if ms < Self.second { return "\(ms) ms" }
        return "\(number(ms / Self.second))\(decimalMark)\(ms % Self.second / 100) s"
    }

    /// The distance of an instant from the present, to the nearest unit where it is to come: `12 min ago`, `in 40 s`, or `now` within a second.
    public func relative(_ ms: Int64, to now: Int64) -> String {
        let (difference, overflow) = ms.subtractingReportingOverflow(now)
        if overflow {
            return ms < now
                ? text(en: "long ago", pl: "dawno temu") : text(en: "in the far future", pl: "w dalekiej przyszłości")
        }
        if difference > -Self.second && difference < Self.second { return text(en: "now", pl: "teraz") }
        let span = span(difference < 0 ? difference : Self.rounded(difference))
        return difference < 0 ? text(en: "\(span) ago", pl: "\(span) temu") : text(en: "in \(span)", pl: "za \(span)")
    }

    /// A span to the nearest of its largest unit: what is planned for a day stays the same day as long as that is true.
    private static func rounded(_ ms: Int64) -> Int64 {
        let unit = ms < minute ? second : ms < hour ? minute : ms < day ? hour : day
        guard ms <= .max - unit else { return ms }
        return (ms + unit / 2) / unit * unit
    }

    /// How old something is: `12 min old`, `sprzed 12 min`.
    public func old(_ ms: Int64) -> String {
        text(en: "\(span(ms)) old", pl: "sprzed \(spanAfterPreposition(ms))")
    }
}
