// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// Decides when a trigger makes a cut, from times of the wall clock in milliseconds since 1970.
///
/// ```swift
/// var schedule = CutSchedule(definition.pace, zone: zone, last: reported?.moment.at)
/// schedule.start(at: now)
/// if let due = schedule.due(at: now), due <= now { schedule.cut(at: now) }
/// ```
struct CutSchedule {
    private let pace: TriggerDefinition.Pace
    private let zone: TimeZoneRules
    /// The time of the last cut; nil if there was none.
    private var last: Int64?
    /// The earliest time of a cut because of the changes so far; nil if nothing has changed.
    private var earliest: Int64?

    /// The time from a change to the cut, so that changes in that time are reported together; in milliseconds.
    static let delay: Int64 = 2000

    /// - Parameters:
    ///   - zone: the time zone of the times of day.
    ///   - last: the time of the last cut; nil for a first run.
    init(_ pace: TriggerDefinition.Pace, zone: TimeZoneRules, last: Int64?) {
        self.pace = pace
        self.zone = zone
        self.last = last
    }

    /// Records a start: a cut is due, as soon as the pace allows.
    mutating func start(at now: Int64) {
        observe(now)
        earliest = now
    }

    /// Records that something has changed, or may have.
    mutating func recordChange(at now: Int64) {
        observe(now)
        earliest = min(earliest ?? .max, now + Self.delay)
    }

    /// Records that a cut is made.
    mutating func cut(at now: Int64) {
        last = now
        earliest = nil
    }

    /// Records that there was no data, so that nothing was compared: the next cut needs no other time of the pace.
    mutating func skip() { earliest = nil }

    /// The time at which a cut is due, which may have passed; nil if nothing has changed.
    mutating func due(at now: Int64) -> Int64? {
        observe(now)
        guard let earliest else { return nil }
        // The first cut of all waits for no pace.
        guard let last else { return earliest }
        switch pace {
        case .every(let span): return max(earliest, last + span.wholeMilliseconds)
        case .at(let times): return max(earliest, Self.next(of: times, after: last, in: zone))
        }
    }

    /// A clock that was set back makes no wait longer.
    private mutating func observe(_ now: Int64) {
        if let last { self.last = min(last, now) }
        if let earliest { self.earliest = min(earliest, now + Self.delay) }
    }

    /// The first moment after `last` at which clocks of the zone show one of the times, in minutes after midnight.
    ///
    /// A time that a change of the clock skips becomes the moment of the change; a time that it shows twice becomes the
    /// first one.
    static func next(of times: [Int], after last: Int64, in zone: TimeZoneRules) -> Int64 {
        let today = zone.civil(last)
        let first = GregorianCalendar.days(year: today.year, month: today.month, day: today.day)
        // Yesterday's times can lie behind midnight if the clock was set forward over it.
        let moments = (first - 1...first + 2).flatMap { day in
            times.map { zone.instant(ofDay: day, second: $0 * 60) }
        }
        return moments.filter { $0 > last }.min() ?? last + 86_400_000
    }
}
