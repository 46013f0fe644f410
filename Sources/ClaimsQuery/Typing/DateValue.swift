// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// What a date in a filter means before it is known which type of field it is for.
enum DateValue: Equatable {
    /// A whole civil day, counted from 1970-01-01.
    case day(Int)
    /// A moment, in milliseconds since 1970.
    case moment(Int64)
    /// `-3d`, `+2w`: so many days of 24 hours before or after now.
    case offset(days: Int)

    /// Ten thousand years either way: more than there are dates.
    static let longestOffset = 3_652_425

    /// How dates are written, for hints.
    static let forms =
        "a date is 2026-11-20, 2026-11-20T08:01:02Z, now, today, yesterday, tomorrow, or an offset in days or weeks: -3d, +2w"

    /// Reads a date; nil: it is none.
    init?(_ text: String, in context: FilterContext) {
        switch text {
        case "now": self = .moment(context.now)
        case "today": self = .day(context.today)
        case "yesterday": self = .day(context.today - 1)
        case "tomorrow": self = .day(context.today + 1)
        default:
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
            guard count <= longestOffset else { return nil }
        }
        let days = unit == UInt8(ascii: "w") ? count * 7 : count
        return days > longestOffset ? nil : sign == UInt8(ascii: "-") ? -days : days
    }
}
