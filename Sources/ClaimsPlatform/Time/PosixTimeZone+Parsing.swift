// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension PosixTimeZone {
    /// Reads `std offset [dst [offset] , start [/time] , end [/time]]`; nil where it is anything else.
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
