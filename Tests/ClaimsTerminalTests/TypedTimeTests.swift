// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTerminal
import Testing

@Suite struct TypedTimeTests {
    /// 2026-11-20T08:13:02Z
    private static let now: Int64 = 1_795_162_382_000

    private func instant(_ text: String, _ zone: String = "UTC") throws -> String? {
        TypedTime.exact(text, of: .instant, in: try TimeZoneRules.load(zone), now: Self.now)
    }

    @Test func `a day begins in the person's zone, in summer and in winter`() throws {
        #expect(try instant("2036-01-31", "Europe/Warsaw") == "2036-01-30T23:00:00.000Z")
        #expect(try instant("2036-07-31", "Europe/Warsaw") == "2036-07-30T22:00:00.000Z")
        #expect(try instant("2036-01-31 14:30", "Europe/Warsaw") == "2036-01-31T13:30:00.000Z")
        #expect(try instant("2036-07-31 0:05:59", "Europe/Warsaw") == "2036-07-30T22:05:59.000Z")
    }

    @Test func `an exact moment stays as it was typed, and words are meant now`() throws {
        #expect(try instant("2036-01-31T14:30:00+01:00") == "2036-01-31T14:30:00+01:00")
        #expect(try instant(" 2036-01-31  ") == "2036-01-31T00:00:00.000Z")
        #expect(try instant("tomorrow") == "2026-11-21T00:00:00.000Z")
        #expect(try instant("+2d") == "2026-11-22T08:13:02.000Z")
        #expect(
            TypedTime.exact("+2d", of: .instant, in: .utc, now: Self.now + 922) == "2026-11-22T08:13:02.000Z")
        #expect(TypedTime.exact("+1w", of: .date, in: .utc, now: Self.now) == "2026-11-27")
        #expect(TypedTime.exact("2036-01-31 14:30", of: .date, in: .utc, now: Self.now) == "2036-01-31")
    }

    @Test(arguments: [
        ("2026-12-01T10:00:00.000Z", "2026-12-01 11:00"), ("2026-07-01T22:30:05.000Z", "2026-07-02 00:30:05"),
        // A fraction of a second, and another way to write a moment.
        ("2026-12-01T10:00:00.250Z", "2026-12-01T10:00:00.250Z"), ("2026-12-01T10:00:00Z", "2026-12-01T10:00:00Z"),
        ("x", "x"),
    ]) func `a moment is offered by the person's clocks where that means it`(exact: String, typed: String) throws {
        let time = LocalTime(
            zone: try TimeZoneRules.load("Europe/Warsaw"), now: Self.now, messages: .polish)
        #expect(TypedTime.typed(exact, of: .instant, time) == typed)
        #expect(TypedTime.typed("2026-12-01", of: .date, time) == "2026-12-01")
        // 02:30 comes twice: at least one of the two moments keeps its exact form.
        let twice = ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"]
        #expect(Set(twice.map { TypedTime.typed($0, of: .instant, time) }).count == 2)
    }

    @Test(arguments: [
        "2036-13-01", "2036-02-30", "2036-01-31 25:00", "2036-01-31 1:2:3:4", "2036-01-31 -1:00", "x",
        "14:30", "2036-01-31 14", "٢٠٣٦-٠١-٣١",
    ]) func `anything else is no time`(text: String) throws {
        #expect(try instant(text) == nil)
    }
}
