// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A date as filters and rules of writes spell it, before the type of its field is known.
public enum DateValue: Sendable, Hashable {
    /// A whole civil day, counted from 1970-01-01.
    case day(Int)
    /// A moment, in milliseconds since 1970.
    case moment(Int64)
    /// `-3d`, `+2w`: so many days of 24 hours before or after now.
    case offset(days: Int)

    /// Ten thousand years either way: more than there are dates.
    static let maxOffset = 3_652_425

    /// The forms in which dates are written, for hints.
    public static let forms = ErrorText(
        en: "a date is 2026-11-20, 2026-11-20T08:01:02Z, now, today, yesterday, tomorrow, or an offset in days or "
            + "weeks: -3d, +2w",
        pl: "data to 2026-11-20, 2026-11-20T08:01:02Z, now, today, yesterday, tomorrow albo przesunięcie w dniach lub "
            + "tygodniach: -3d, +2w")

    /// Reads a date; nil if the text is none.
    public init?(_ text: String, in calendar: CivilCalendar) {
        switch text {
        case "now": self = .moment(calendar.now)
        case "today": self = .day(calendar.today)
        case "yesterday": self = .day(calendar.today - 1)
        case "tomorrow": self = .day(calendar.today + 1)
        default:
            guard let date = DateValue(unnamed: text) else { return nil }
            self = date
        }
    }

    /// Reads a date that is not named by a word such as `now`; nil if the text is none.
    public init?(unnamed text: String) {
        if let offset = Self.offset(text.utf8) {
            self = .offset(days: offset)
        } else if let day = CivilDate.parse(text) {
            self = .day(day)
        } else if let moment = Instant.parse(text)?.ms {
            self = .moment(moment)
        } else {
            return nil
        }
    }

    /// The day that the date means for a field of days, counted from 1970-01-01.
    public func day(in calendar: CivilCalendar) -> Int {
        switch self {
        case .day(let day): day
        case .moment(let moment): calendar.day(of: moment)
        case .offset(let days): calendar.today + days
        }
    }

    /// `+` or `-`, digits, `d` or `w`; in days.
    private static func offset(_ text: String.UTF8View) -> Int? {
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let unit = text.last,
            unit == UInt8(ascii: "d") || unit == UInt8(ascii: "w"), text.count > 2
        else { return nil }
        var count = 0
        for byte in text.dropFirst().dropLast() {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            count = count * 10 + Int(byte - UInt8(ascii: "0"))
            guard count <= maxOffset else { return nil }
        }
        let days = unit == UInt8(ascii: "w") ? count * 7 : count
        return days > maxOffset ? nil : sign == UInt8(ascii: "-") ? -days : days
    }
}
