// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
@testable import ClaimsTriggers
import Testing

struct CutScheduleTests {
    private func schedule(
        _ pace: TriggerDefinition.Pace, zone: String = "UTC", last: String? = nil
    ) throws -> CutSchedule {
        CutSchedule(pace, zone: try TimeZoneRules.load(zone), last: try last.map { try time($0) })
    }

    private func time(_ text: String) throws -> Int64 { try #require(Instant.parse(text)).ms }

    @Test func `nothing is due before anything changes`() throws {
        var schedule = try schedule(.every(.zero), last: "2026-11-25T08:00:00Z")
        #expect(schedule.due(at: try time("2026-11-25T09:00:00Z")) == nil)
    }

    @Test func `a cut is due 2 s after the first change, and at once at a start`() throws {
        var schedule = try schedule(.every(.zero), last: "2026-11-25T08:00:00Z")
        let now = try time("2026-11-25T09:00:00Z")
        schedule.recordChange(at: now)
        schedule.recordChange(at: now + 1500)
        #expect(schedule.due(at: now + 1500) == now + 2000)
        schedule.cut(at: now + 2000)
        #expect(schedule.due(at: now + 2001) == nil)
        schedule.start(at: now + 3000)
        #expect(schedule.due(at: now + 3000) == now + 3000)
    }

    @Test func `every is the time from cut to cut`() throws {
        let last = try time("2026-11-25T08:00:00Z")
        var schedule = try schedule(.every(.seconds(600)), last: "2026-11-25T08:00:00Z")
        schedule.recordChange(at: last + 5000)
        #expect(schedule.due(at: last + 5000) == last + 600_000)
        schedule.cut(at: last + 600_000)
        schedule.recordChange(at: last + 3_000_000)
        #expect(schedule.due(at: last + 3_000_000) == last + 3_002_000)
    }

    @Test func `the first cut of all waits for no pace`() throws {
        for pace in [TriggerDefinition.Pace.every(.seconds(600)), .at([480])] {
            var schedule = try schedule(pace)
            let now = try time("2026-11-25T09:00:00Z")
            schedule.start(at: now)
            #expect(schedule.due(at: now) == now)
        }
    }

    @Test func `a clock that is set back makes no wait longer than every`() throws {
        let last = try time("2026-11-25T08:00:00Z")
        var schedule = try schedule(.every(.seconds(600)), last: "2026-11-25T08:00:00Z")
        let now = last - 86_400_000
        schedule.recordChange(at: now)
        #expect(schedule.due(at: now) == now + 600_000)
        // It does not slide.
        #expect(schedule.due(at: now + 60_000) == now + 600_000)
    }

    @Test func `a change that was recorded in a time to come is no later than 2 s after the clock is set back`() throws
    {
        var schedule = try schedule(.every(.zero), last: "2026-11-25T08:00:00Z")
        let now = try time("2026-11-25T09:00:00Z")
        schedule.recordChange(at: now)
        #expect(schedule.due(at: now - 1_000_000) == now - 1_000_000 + 2000)
    }

    @Test func `a look without data uses up no time of the pace`() throws {
        var schedule = try schedule(.at([480]), last: "2026-11-24T08:00:01Z")
        let now = try time("2026-11-25T08:00:00Z")
        schedule.start(at: now)
        #expect(schedule.due(at: now) == now)
        schedule.skip()
        #expect(schedule.due(at: now) == nil)
        schedule.recordChange(at: now + 300_000)
        #expect(schedule.due(at: now + 300_000) == now + 302_000)
    }

    @Test func `at means these times alone, and one that passed while nothing ran allows a cut`() throws {
        var schedule = try schedule(.at([480, 990]), last: "2026-11-25T08:00:05Z")
        schedule.recordChange(at: try time("2026-11-25T08:05:00Z"))
        #expect(try schedule.due(at: time("2026-11-25T08:05:00Z")) == time("2026-11-25T16:30:00Z"))
        var late = try self.schedule(.at([480]), last: "2026-11-23T08:00:00.250Z")
        late.start(at: try time("2026-11-25T07:00:00Z"))
        #expect(try late.due(at: time("2026-11-25T07:00:00Z")) == time("2026-11-25T07:00:00Z"))
        var early = try self.schedule(.at([480]), last: "2026-11-24T08:00:00.250Z")
        early.start(at: try time("2026-11-25T07:00:00Z"))
        #expect(try early.due(at: time("2026-11-25T07:00:00Z")) == time("2026-11-25T08:00:00Z"))
    }

    @Test(arguments: [
        // Set forth at 02:00 to 03:00.
        ("2026-03-28T23:00:00Z", 150, "2026-03-29T01:00:00Z"), ("2026-03-29T00:30:00Z", 180, "2026-03-29T01:00:00Z"),
        // Set back at 03:00 to 02:00.
        ("2026-10-24T22:00:00Z", 150, "2026-10-25T00:30:00Z"), ("2026-10-25T00:30:00Z", 150, "2026-10-26T01:30:00Z"),
        ("2026-11-25T06:59:59Z", 480, "2026-11-25T07:00:00Z"), ("2026-11-25T07:00:00Z", 480, "2026-11-26T07:00:00Z"),
    ]) func `a time that a clock change skips is the next moment, and of one that comes twice the first`(
        last: String, minutes: Int, expected: String
    ) throws {
        let zone = try TimeZoneRules.load("Europe/Warsaw")
        let next = CutSchedule.next(of: [minutes], after: try time(last), in: zone)
        #expect(Instant(ms: next).text == Instant(ms: try time(expected)).text)
    }
}
