// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The three forms of a date in HTTP (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// Seconds since 1970, or nil.
    static func parse(_ text: String) -> Int64? {
        let words = text.split { character in " ,-".contains(character) }.map(String.init)
        switch words.count {
        case 6 where words[5] == "GMT":  // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT
            guard var year = number(words[3], digits: 2...4) else { return nil }
            if words[3].utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
            return instant(year: year, month: words[2], day: words[1], time: words[4])
        case 5:  // Sun Nov  6 08:49:37 1994
            guard let year = number(words[4], digits: 4...4) else { return nil }
            return instant(year: year, month: words[1], day: words[2], time: words[3])
        default:
            return nil
        }
    }

    private static func instant(year: Int, month: String, day: String, time: String) -> Int64? {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard year >= 1970, let month = names.firstIndex(of: month), let day = number(day, digits: 1...2),
            (1...31).contains(day), parts.count == 3,
            let hour = number(parts[0], digits: 2...2), hour < 24,
            let minute = number(parts[1], digits: 2...2), minute < 60,
            let second = number(parts[2], digits: 2...2), second <= 60
        else { return nil }
        return Int64(days(year: year, month: month + 1, day: day) * 86400 + hour * 3600 + minute * 60 + second)
    }

    /// Days since 1970 of a civil date (years counted from March, so that the leap day is the last).
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ byte in (0x30...0x39).contains(byte) })
        else { return nil }
        return Int(text)
    }
}
