// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A rule for all years, as `TZ=` has it: `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX, with RFC 8536's wider hours).
struct PosixTimeZone: Equatable, Sendable {
    struct Offset: Equatable, Sendable {
        let abbreviation: String
        /// Seconds east of UTC.
        let seconds: Int
    }

    /// When in each year the other offset begins.
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
            let newYear = CivilTime.days(year: year, month: 1, day: 1)
            let days: Int
            switch day {
            case .julian(let number):
                days = newYear + number - 1 + (CivilTime.isLeap(year) && number >= 60 ? 1 : 0)
            case .ordinal(let number):
                days = newYear + number
            case .weekday(let month, let week, let day):
                let first = CivilTime.days(year: year, month: month, day: 1)
                // 1970-01-01 was a Thursday.
                let weekday = ((first + 4) % 7 + 7) % 7
                var date = first + (day - weekday + 7) % 7 + (week - 1) * 7
                let next =
                    month == 12
                    ? CivilTime.days(year: year + 1, month: 1, day: 1)
                    : CivilTime.days(year: year, month: month + 1, day: 1)
                if date >= next { date -= 7 }
                days = date
            }
            return Int64(days) * 86_400 + Int64(time)
        }
    }

    let standard: Offset
    /// nil where the offset never changes.
    let daylight: (offset: Offset, begins: Change, ends: Change)?

    static func == (a: PosixTimeZone, b: PosixTimeZone) -> Bool {
        a.standard == b.standard && a.daylight?.offset == b.daylight?.offset
            && a.daylight?.begins == b.daylight?.begins && a.daylight?.ends == b.daylight?.ends
    }

    /// The offset in force at `seconds` since 1970 (UTC).
    func offset(at seconds: Int64) -> Offset {
        guard let daylight else { return standard }
        let year = CivilTime.date(days: Int(floorDivide(seconds + Int64(standard.seconds), 86_400))).year
        var latest = Int64.min
        var current = standard
        for transition in transitions(years: (year - 1)...(year + 1)) where transition.time <= seconds {
            // Where both fall on one instant, or the rule makes no sense, the later one of the list holds.
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
