// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform

/// A day or a moment as people type it: `2036-01-31`, `2036-01-31 14:30`, `tomorrow`, `+30d`. The daemon takes only the
/// exact form.
public enum TypedTime {
    /// The exact form of what was typed: a day, or a moment in UTC; nil for a text that is no time.
    ///
    /// - Parameters:
    ///   - type: `date` or `instant`.
    ///   - zone: the time zone that is meant where the text names none.
    ///   - now: the present time, in milliseconds since 1970.
    public static func exact(_ text: String, of type: FieldType, in zone: TimeZoneRules, now: Int64) -> String? {
        let text = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        let calendar = CivilCalendar(now: now, startOfDay: { zone.startOfDay($0) })
        let date = DateValue(text, in: calendar) ?? localMoment(text, zone).map(DateValue.moment)
        guard let date else { return nil }
        var exact: [UInt8] = []
        if type == .date {
            let day = date.day(in: calendar)
            guard CivilDate.range.contains(day) else { return nil }
            CivilDate.append(day, to: &exact)
        } else {
            // A moment that has its zone stays as it was typed, with all its digits.
            if Instant.parse(text) != nil { return text }
            let moment =
                switch date {
                case .day(let day): zone.startOfDay(day)
                case .moment(let moment): moment
                // Whole seconds, so that the value can be shown and typed by the person's clocks.
                case .offset(let days): (now - now % 1000) + Int64(days) * Instant.msPerDay
                }
            guard Instant.range.contains(moment) else { return nil }
            Instant(ms: moment).append(to: &exact)
        }
        return String(decoding: exact, as: UTF8.self)
    }

    /// The text for a day or a moment that a person may change: a moment by the person's clocks, `2036-01-31 14:30`, and in
    /// the exact form where that text would mean another one, as in the hour that comes twice.
    ///
    /// - Parameter exact: the exact form.
    public static func typed(_ exact: String, of type: FieldType, _ time: LocalTime) -> String {
        guard type == .instant, let moment = Instant.parse(exact) else { return exact }
        var text = time.dateAndClock(moment.ms)
        if text.hasSuffix(":00") { text.removeLast(3) }
        return Self.exact(text, of: type, in: time.zone, now: time.now) == exact ? text : exact
    }

    /// The moment of `2036-01-31 14:30` or `2036-01-31 14:30:59` by the clocks of a zone; nil for another text.
    private static func localMoment(_ text: String, _ zone: TimeZoneRules) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let day = CivilDate.parse(String(parts[0])) else { return nil }
        let clock = parts[1].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 2 || clock.count == 3,
            clock.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
        else { return nil }
        let numbers = clock.compactMap { Int64($0) } + [0]
        guard numbers[0] < 24, numbers[1] < 60, numbers[2] < 60 else { return nil }
        let seconds = Int64(day) * 86_400 + numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
        // The zone's offset at that time: first an estimate, then the offset at the estimated moment.
        let near = seconds - Int64(zone.offset(at: seconds))
        return (seconds - Int64(zone.offset(at: near))) * 1000
    }
}
