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

    @Test func `a field's position only rises until an answer has all records; a token is always the newest`() throws {
        let field = try plan()
        let before = SourceRow.Position(key: 7, value: "10")
        #expect(field.position(after: "9", known: before, key: 7) == before)
        #expect(field.position(after: "11", known: before, key: 7)?.value == "11")
        #expect(field.position(after: nil, known: before, key: 7) == before)
        #expect(field.position(after: "9", known: nil, key: 7)?.value == "9")
        #expect(field.position(after: "9", known: before, key: 8) == .init(key: 8, value: "9"))
        #expect(field.position(after: nil, known: nil, key: 7) == nil)
        #expect(try plan(token: true).position(after: "9", known: before, key: 7)?.value == "9")
    }
}
