// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore
import Testing

@testable import ClaimsRefresh

@Suite struct IncrementalPlanTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let day: Int64 = 86_400_000

    private func plan(
        _ type: FieldType = .integer, overlap: IncrementalRules.Overlap = .number(0), token: Bool = false,
        deleted: DeletionRule? = nil, share: Double = 0
    ) throws -> IncrementalPlan {
        var source = Source(ReadRequest(url: "https://things.example/"))
        source.since = IncrementalRules(
            to: .query("since"), position: token ? .token(try JSONPointer("/token")) : .field(1, overlap: overlap))
        source.deleted = deleted
        let definition = Definition(
            name: "things", source: source,
            fields: [
                Field(name: "id", type: .id, from: [try JSONPointer("/id")]),
                Field(name: "stamp", type: type, from: [try JSONPointer("/stamp")]),
            ])
        return try #require(IncrementalPlan(definition, share: share))
    }

    private func known(_ position: String?, fullAsOf: Int64? = now) -> SourceRow {
        var row = SourceRow()
        row.position = position.map { .init(key: 7, value: $0) }
        row.full.asOf = fullAsOf
        return row
    }

    private func request(
        _ plan: IncrementalPlan, _ row: SourceRow, key: UInt64 = 7, _ options: RefreshOptions = RefreshOptions(),
        now: Int64 = now, awaitsDeletion: Bool = false
    ) -> IncrementalPlan.Request {
        plan.request(row, key: key, options, .init(now: now, awaitsDeletion: awaitsDeletion))
    }

    @Test func `all records are asked for without a position, with another request, by force, and to accept`() throws {
        let plan = try plan()
        #expect(request(plan, known("5")) == .changes(.number("5")))
        #expect(request(plan, known(nil)) == .all)
        #expect(request(plan, known("5"), key: 8) == .all)
        #expect(request(plan, known("5"), RefreshOptions(force: true)) == .all)
        #expect(request(plan, known("5"), RefreshOptions(accept: true)) == .all)
        #expect(request(plan, known("null")) == .all && request(plan, known("{")) == .all)
        var held = known("5")
        held.held = .init(
            bodyHash: "x", since: 0,
            summary: HeldSummary(before: 1, after: 0, added: 0, updated: 0, removed: 1, quarantined: 0))
        #expect(request(plan, held) == .all)
    }

    @Test func `all records are asked for once the time is over, or was set back`() throws {
        let plan = try plan(share: 0.5)
        let period = Self.day + Self.day / 20
        #expect(request(plan, known("5"), now: Self.now + period - 1) == .changes(.number("5")))
        #expect(request(plan, known("5"), now: Self.now + period) == .all)
        #expect(request(plan, known("5"), now: Self.now - 1_000) == .changes(.number("5")))
        #expect(request(plan, known("5"), now: Self.now - 60_000) == .all)
        #expect(request(plan, known("5", fullAsOf: nil)) == .all)
    }

    @Test func `after a failure of a request for all, what has changed is asked for until its time comes`() throws {
        let plan = try plan()
        var row = known("5", fullAsOf: Self.now - 2 * Self.day)
        row.full.failures = 1
        row.full.retryAt = Self.now + 2_000
        #expect(request(plan, row) == .changes(.number("5")))
        #expect(request(plan, row, now: Self.now + 2_000) == .all)
        // The clock was set back.
        #expect(request(plan, row, now: Self.now - 2 * Self.day) == .all)
    }

    @Test func `a delete that waits to be seen needs all records, unless the upstream names what is gone`() throws {
        #expect(request(try plan(), known("5"), awaitsDeletion: true) == .all)
        let names = try plan(deleted: .mark(try JSONPointer("/gone")))
        #expect(request(names, known("5"), awaitsDeletion: true) == .changes(.number("5")))
    }

    @Test(arguments: [
        (
            FieldType.instant, IncrementalRules.Overlap.span(.seconds(300)), #""2026-11-20T08:01:02.999Z""#,
            JSONValue.string("2026-11-20T07:56:02Z")
        ),
        (.instant, .span(.zero), #""2026-11-20T08:01:02.999Z""#, .string("2026-11-20T08:01:02Z")),
        (.instant, .span(.milliseconds(1)), #""2026-11-20T08:01:02.000Z""#, .string("2026-11-20T08:01:01Z")),
        (.instant, .span(.zero), #""1969-12-31T23:59:59.500Z""#, .string("1969-12-31T23:59:59Z")),
        (.date, .span(.zero), #""2026-03-01""#, .string("2026-02-28")),
        (.date, .span(.seconds(86_401)), #""2026-03-01""#, .string("2026-02-27")),
        (.integer, .number(10), "7", .number("-3")),
        (.integer, .number(0), "1e3", .number("1000")),
        (.integer, .number(5), "-9223372036854775807", .number("-9223372036854775808")),
    ])
    func `a position goes back by the overlap`(
        type: FieldType, overlap: IncrementalRules.Overlap, position: String, sent: JSONValue
    ) throws {
        #expect(request(try plan(type, overlap: overlap), known(position)) == .changes(sent))
    }

    @Test(arguments: [#""a.17""#, "17", "1.50e3", #""""#])
    func `a token is sent as it came`(token: String) throws {
        #expect(request(try plan(token: true), known(token)) == .changes(try JSONValue.parse(token)))
    }

    // MARK: - Positions

    private static let text = #""2027-01-15T08:00:00.000Z""#  // now

    private func instants(overlap: Duration = .seconds(300)) throws -> IncrementalPlan {
        try plan(.instant, overlap: .span(overlap))
    }

    private func position(
        _ plan: IncrementalPlan, after found: String?, known: String? = nil, at clock: UpstreamClock = .init(time: now)
    ) -> String? {
        plan.position(after: found, known: known.map { .init(key: 7, value: $0) }, key: 7, clock: clock)?.value
    }

    @Test func `a field's position only rises until an answer has all records; a token is always the newest`() throws {
        let field = try plan()
        #expect(position(field, after: "9", known: "10") == "10")
        #expect(position(field, after: "11", known: "10") == "11")
        #expect(position(field, after: nil, known: "10") == "10")
        #expect(position(field, after: "9") == "9" && position(field, after: nil) == nil)
        let other = SourceRow.Position(key: 6, value: "10")
        #expect(field.position(after: "9", known: other, key: 7, clock: .init(time: 0))?.value == "9")
        #expect(position(try plan(token: true), after: "9", known: "10") == "9")
        // They are no times.
        #expect(position(field, after: "11", known: "10", at: .init(time: 0)) == "11")
    }

    @Test func `a position is never later than the upstream's clock as the walk began`() throws {
        let plan = try instants()
        #expect(position(plan, after: #""2027-01-15T08:00:07.250Z""#) == Self.text)
        #expect(position(plan, after: #""2027-01-15T07:59:59.999Z""#) == #""2027-01-15T07:59:59.999Z""#)
        #expect(position(plan, after: nil, known: #""2027-01-16T00:00:00.000Z""#) == Self.text)
        let cached = UpstreamClock(time: Self.now, lag: 90_000)
        #expect(position(plan, after: Self.text, at: cached) == #""2027-01-15T07:58:30.000Z""#)
        let days = try self.plan(.date, overlap: .span(.zero))
        #expect(position(days, after: #""2027-01-16""#) == #""2027-01-15""#)
        #expect(position(days, after: #""2027-01-15""#) == #""2027-01-15""#)
        #expect(position(days, after: #""2027-01-15""#, at: .init(time: .max / 2)) == #""2027-01-15""#)
        #expect(position(days, after: #""1970-01-02""#, at: .init(time: -1)) == #""1969-12-31""#)
    }

    @Test func `a position that is ahead of the upstream's clock recalls all records, once an hour`() throws {
        let plan = try instants()
        func recalls(_ row: SourceRow, _ clock: UpstreamClock, now: Int64 = Self.now) -> Bool {
            plan.recallsAll(row, at: clock, now: now)
        }
        var row = known(Self.text)
        #expect(!recalls(row, .init(time: Self.now - 60_000)) && recalls(row, .init(time: Self.now - 60_001)))
        #expect(!recalls(row, .init(time: Self.now - 90_000, isKnown: false)))
        let ahead = UpstreamClock(time: Self.now - 600_000)
        row.full.retryAt = Self.now + IncrementalPlan.recallPause
        #expect(!recalls(row, ahead) && recalls(row, ahead, now: Self.now + IncrementalPlan.recallPause))
        #expect(plan.owesAll(row, at: ahead, now: Self.now))
        #expect(!plan.owesAll(row, at: ahead, now: Self.now + IncrementalPlan.recallPause))
        #expect(!plan.owesAll(row, at: .init(time: Self.now), now: Self.now))
        // The clock was set back.
        #expect(recalls(row, ahead, now: Self.now - 1))
        // It says nothing about requests whose time has come.
        #expect(request(plan, row) == .changes(.string("2027-01-15T07:55:00Z")))
        row.full.retryAt = nil
        row.full.failures = 1
        #expect(!recalls(row, ahead))
        #expect(!(try self.plan().recallsAll(known("5"), at: .init(time: 0), now: Self.now)))
        #expect(!(try self.plan(token: true).recallsAll(known("5"), at: .init(time: 0), now: Self.now)))
        let days = try self.plan(.date, overlap: .span(.zero))
        #expect(days.recallsAll(known(#""2027-01-16""#), at: .init(time: Self.now), now: Self.now))
        #expect(!days.recallsAll(known(#""2027-01-15""#), at: .init(time: Self.now), now: Self.now))
    }

    @Test func `a request for all records that is owed is made once its hour is over`() throws {
        let plan = try instants()
        var row = known(Self.text)
        (row.full.isOwed, row.full.retryAt) = (true, Self.now + 1)
        #expect(request(plan, row) != .all)
        row.full.retryAt = Self.now
        #expect(request(plan, row) == .all)
        // The clock was set back.
        row.full.retryAt = Self.now + IncrementalPlan.recallPause + 1
        #expect(request(plan, row) == .all)
        row.full.isOwed = false
        #expect(request(plan, row) != .all)
    }
}
