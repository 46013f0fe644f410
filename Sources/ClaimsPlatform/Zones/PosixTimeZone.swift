// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// A rule for all years, as `TZ=` has it: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX, with RFC 8536's wider hours).
struct PosixTimeZone: Equatable, Sendable {
    struct Offset: Equatable, Sendable {
        let abbreviation: String
        /// Seconds east of UTC.
        let seconds: Int
    }

    /// The moment of each year at which the other offset begins.
    struct Change: Equatable, Sendable {
        enum Day: Equatable, Sendable {
            /// `Jn`: 1 to 365, February 29 never counted.
            case julian(Int)
            /// `n`: 0 to 365, February 29 counted.
            case ordinal(Int)
            /// `Mm.w.d`: weekday d (0: Sunday) of week w (5: the last) of month m.
            case weekday(month: Int, week: Int, day: Int)
        }
        let day: Day
        /// Seconds after that day's midnight, on the clock that is in force until then; may be negative.
        let time: Int

        /// Seconds since 1970 on the clock in force until then.
        func localSeconds(year: Int) -> Int64 {
            let newYear = GregorianCalendar.days(year: year, month: 1, day: 1)
            let days: Int
            switch day {
            case .julian(let number):
                days = newYear + number - 1 + (GregorianCalendar.isLeap(year) && number >= 60 ? 1 : 0)
            case .ordinal(let number):
                days = newYear + number
            case .weekday(let month, let week, let day):
                let first = GregorianCalendar.days(year: year, month: month, day: 1)
                // 1970-01-01 was a Thursday.
                let weekday = ((first + 4) % 7 + 7) % 7
                var date = first + (day - weekday + 7) % 7 + (week - 1) * 7
                let next =
                    month == 12
                    ? GregorianCalendar.days(year: year + 1, month: 1, day: 1)
                    : GregorianCalendar.days(year: year, month: month + 1, day: 1)
                if date >= next { date -= 7 }
                days = date
            }
            return Int64(days) * 86_400 + Int64(time)
        }
    }

    let standard: Offset
    /// nil if the offset never changes.
    let daylight: (offset: Offset, begins: Change, ends: Change)?

    static func == (a: PosixTimeZone, b: PosixTimeZone) -> Bool {
        a.standard == b.standard && a.daylight?.offset == b.daylight?.offset
            && a.daylight?.begins == b.daylight?.begins && a.daylight?.ends == b.daylight?.ends
    }

    /// The offset in force at `seconds` since 1970 (UTC).
    func offset(at seconds: Int64) -> Offset {
        guard let daylight else { return standard }
        let year = GregorianCalendar.date(days: Int(floorDivide(seconds + Int64(standard.seconds), 86_400))).year
        var latest = Int64.min
        var current = standard
        for transition in transitions(years: (year - 1)...(year + 1)) where transition.time <= seconds {
            // If both are at one instant, or the rule is invalid, the later one of the list counts.
            if transition.time >= latest { (latest, current) = (transition.time, transition.offset) }
        }
        if latest == .min { current = daylight.offset }
        return current
    }

    /// When the offset changes in these years, and to what; sorted by time.
    func transitions(years: ClosedRange<Int>) -> [(time: Int64, offset: Offset)] {
        guard let daylight else { return [] }
        var result: [(time: Int64, offset: Offset)] = []
        for year in years {
            let begins = daylight.begins.localSeconds(year: year) - Int64(standard.seconds)
            let ends = daylight.ends.localSeconds(year: year) - Int64(daylight.offset.seconds)
            result.append((begins, daylight.offset))
            result.append((ends, standard))
        }
        // A stable order: daylight time all the year round ends and begins at the same instant, and then begins.
        return result.enumerated().sorted {
            ($0.element.time, $0.element.offset == daylight.offset ? 1 : 0, $0.offset)
                < ($1.element.time, $1.element.offset == daylight.offset ? 1 : 0, $1.offset)
        }.map(\.element)
    }
}

extension PosixTimeZone {
    /// Reads `std offset [dst [offset] , start [/time] , end [/time]]`; nil for anything else.
    init?(_ text: some Sequence<UInt8>) {
        var reader = Reader(bytes: Array(text))
        guard let name = reader.name(), let west = reader.time(hours: 24) else { return nil }
        standard = Offset(abbreviation: name, seconds: -west)
        if reader.isAtEnd {
            daylight = nil
            return
        }
        guard let daylightName = reader.name() else { return nil }
        var seconds = standard.seconds + 3600
        if reader.peek != UInt8(ascii: ",") {
            guard let west = reader.time(hours: 24) else { return nil }
            seconds = -west
        }
        guard let begins = reader.change(), let ends = reader.change(), reader.isAtEnd else { return nil }
        daylight = (Offset(abbreviation: daylightName, seconds: seconds), begins, ends)
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }
        var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skip(_ byte: Character) -> Bool {
            guard peek == byte.asciiValue else { return false }
            position += 1
            return true
        }

        /// Three letters or more, or anything but `>` in angle brackets.
        mutating func name() -> String? {
            let start: Int
            let end: Int
            if skip("<") {
                start = position
                while let byte = peek, byte != UInt8(ascii: ">") { position += byte == 0 ? bytes.count : 1 }
                end = position
                guard skip(">") else { return nil }
            } else {
                start = position
                while let byte = peek, byte | 0x20 >= 0x61, byte | 0x20 <= 0x7a { position += 1 }
                end = position
            }
            guard end - start >= 3 else { return nil }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }

        mutating func number(_ limits: ClosedRange<Int>) -> Int? {
            var value = 0
            let start = position
            while let byte = peek, byte >= 0x30, byte <= 0x39, position - start < 4 {
                value = value * 10 + Int(byte - 0x30)
                position += 1
            }
            return position > start && limits.contains(value) ? value : nil
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func time(hours: Int) -> Int? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard let hour = number(0...hours) else { return nil }
            var seconds = hour * 3600
            if skip(":") {
                guard let minute = number(0...59) else { return nil }
                seconds += minute * 60
                if skip(":") {
                    guard let second = number(0...59) else { return nil }
                    seconds += second
                }
            }
            return isNegative ? -seconds : seconds
        }

        /// `,date[/time]`
        mutating func change() -> Change? {
            guard skip(",") else { return nil }
            let day: Change.Day
            if skip("J") {
                guard let number = number(1...365) else { return nil }
                day = .julian(number)
            } else if skip("M") {
                guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
                    let weekday = number(0...6)
                else { return nil }
                day = .weekday(month: month, week: week, day: weekday)
            } else {
                guard let number = number(0...365) else { return nil }
                day = .ordinal(number)
            }
            var seconds = 7200
            if skip("/") {
                guard let time = time(hours: 167) else { return nil }
                seconds = time
            }
            return Change(day: day, time: seconds)
        }
    }
}
