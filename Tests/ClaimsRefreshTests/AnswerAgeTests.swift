// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

/// Answers that are older than the moment at which they came: of caches, and under clocks that are set.
@Suite struct AnswerAgeTests {
    private static let start = RefreshFixture.start
    private static let others = #"[{"id":1,"name":"A"},{"id":2,"name":"b"},{"id":3,"name":"c"}]"#

    /// An upstream of which a test sets what it answers, and what happens meanwhile.
    private final class Scene: Sendable {
        let reply = Monitor<PageServer.Reply>(.answer(RefreshFixture.records))
        let incident = Monitor<(@Sendable () -> Void)?>(nil)
        let server: PageServer
        let fixture: RefreshFixture

        init(change: (inout Source) throws -> Void = { _ in }) throws {
            let (reply, incident) = (reply, incident)
            server = try PageServer { _, _ in
                incident.read { $0 }?()
                return reply.read { $0 }
            }
            fixture = try RefreshFixture(url: server.url()) { source, _ in try change(&source) }
        }

        /// Answers from a cache that has kept the body for a time.
        func answer(_ body: String, age: Int?, status: Int = 200) {
            let headers = age.map { "Age: \($0)\r\n" } ?? ""
            reply.update { $0 = .answer(status, headers: headers + "ETag: \"1\"\r\n", body) }
        }

        var asOf: Int64? { fixture.view?.condition.source.asOf }
    }

    @Test func `an answer that a cache has kept for an hour is an hour old`() throws {
        let scene = try Scene()
        scene.answer(RefreshFixture.records, age: 3600)
        #expect(try scene.fixture.refresh().outcome == .updated)
        #expect(scene.fixture.meta?.asOf == Self.start - 3_600_000)
        #expect(scene.fixture.meta?.freshness == .stale && scene.fixture.meta?.ageMilliseconds == 3_600_000)
        // A copy of the same answer is as old as that, and so is a 304 of the cache.
        scene.fixture.advance(.seconds(60))
        scene.answer(RefreshFixture.records, age: 3660)
        #expect(try scene.fixture.refresh().outcome == .unchanged && scene.asOf == Self.start - 3_600_000)
        scene.answer("", age: 30, status: 304)
        #expect(try scene.fixture.refresh().outcome == .unchanged && scene.asOf == Self.start + 30_000)
    }

    @Test(arguments: [3600, -3600])
    func `a clock that is set during a request dates its beginning`(seconds: Int) throws {
        let scene = try Scene()
        let fixture = scene.fixture
        scene.incident.update {
            $0 = { [unowned fixture] in
                fixture.advance(.seconds(5))
                fixture.step(.seconds(seconds))
                fixture.advance(.seconds(2))
            }
        }
        #expect(try fixture.refresh().outcome == .updated)
        #expect(scene.asOf == Self.start + Int64(seconds) * 1000 && scene.asOf == fixture.now - 7_000)
        #expect(fixture.view?.condition.source.fetchedAt == fixture.now)
    }

    @Test func `an answer that is older than the data here is not taken, and asked for again as usual`() throws {
        let scene = try Scene()
        let fixture = scene.fixture
        try fixture.refresh()
        fixture.advance(.seconds(60))
        scene.answer(Self.others, age: 63)
        let report = try fixture.refresh()
        #expect(report.outcome == .failed && report.transition == .failed)
        #expect(report.failure?.kind == .late && report.failure?.reason == .older)
        #expect(report.failure?.message.arguments == ["3"])
        let row = try #require(fixture.view?.condition.source)
        #expect(fixture.documents.count == 4 && row.asOf == Self.start && row.failures == 0)
        let due = try #require(row.due)
        #expect(due >= fixture.now + 300_000 && due <= fixture.now + 330_000)
        // It is told once, and so is its end.
        #expect(try fixture.refresh().transition == .none)
        scene.answer(Self.others, age: 62)
        let taken = try fixture.refresh()
        #expect(taken.outcome == .updated && taken.transition == .recovered && taken.failure == nil)
        #expect(fixture.documents.count == 3 && scene.asOf == Self.start - 2_000)
        scene.answer("", age: 65, status: 304)
        #expect(try fixture.refresh().failure?.kind == .late)
    }

    @Test func `data that is dated ahead of the clock keeps no answer out`() throws {
        let scene = try Scene()
        try scene.fixture.refresh()
        scene.fixture.step(.seconds(-600))
        scene.answer(Self.others, age: 30)
        #expect(try scene.fixture.refresh().outcome == .updated && scene.asOf == scene.fixture.now - 30_000)
    }

    @Test func `the answer to another request is no older than the data here`() throws {
        let scene = try Scene()
        try scene.fixture.refresh()
        scene.answer(Self.others, age: 600)
        try scene.fixture.reload { $0.request.query = [QueryParameter("x", ["1"])] }
        #expect(try scene.fixture.refresh().outcome == .updated && scene.asOf == Self.start - 600_000)
    }

    @Test func `pages are together as old as the oldest`() throws {
        let fixtures = Monitor<[RefreshFixture]>([])
        let server = try PageServer { request, _ in
            for fixture in fixtures.read({ $0 }) { fixture.advance(.seconds(10)) }
            return request.query.contains("page=1")
                ? .answer(#"[{"id":1},{"id":2}]"#) : .answer(200, headers: "Age: 600\r\n", #"[{"id":3}]"#)
        }
        let fixture = try RefreshFixture(url: server.url()) { source, _ in
            source.request.next = .page(to: .query("page"), size: 2, from: 1, more: nil)
        }
        fixtures.update { $0 = [fixture] }
        defer { fixtures.update { $0 = [] } }
        #expect(try fixture.refresh().outcome == .updated && fixture.now == Self.start + 20_000)
        #expect(fixture.view?.condition.source.asOf == Self.start + 10_000 - 600_000)
    }

    @Test func `a join that a cache has kept makes the records no older`() throws {
        let age = Monitor(600)
        let server = try PageServer { request, _ in
            guard request.path == "owners" else { return .answer(#"[{"id":1,"owner":7}]"#) }
            let age = age.read { $0 }
            return .answer(200, headers: "Age: \(age)\r\n", #"[{"id":7,"name":"x\#(age)"}]"#)
        }
        let fixture = try RefreshFixture(url: server.url()) { source, _ in
            source.join = Join(
                ReadRequest(url: server.url("owners")), on: .init(field: 2, pointer: try JSONPointer("/id")),
                take: [.init(field: 3, pointer: try JSONPointer("/name"))])
        }
        for seconds in [600, 3600] {
            age.update { $0 = seconds }
            #expect(try fixture.refresh().outcome == .updated)
            #expect(fixture.view?.condition.source.asOf == fixture.now)
            #expect(fixture.documents == [#"{"id":"1","owner":"7","owner_name":"x\#(seconds)"}"#])
            fixture.advance(.seconds(60))
        }
    }

    @Test func `a trial tells that the answer is older than the data here`() throws {
        let scene = try Scene()
        try scene.fixture.refresh()
        scene.answer(Self.others, age: 3)
        let view = try #require(scene.fixture.view)
        let trace = RequestTrace()
        let run = TrialRun(
            view.definition, settings: Settings(), fetcher: scene.fixture.context.fetcher.traced(by: trace),
            trace: trace, clock: scene.fixture.context.clock)
        let report = try #require(run.report(comparedWith: view, cancellation: HTTPCancellation()))
        #expect(report.outcome == .failed && report.failure?.kind == .late)
        scene.answer(Self.others, age: 2)
        #expect(run.report(comparedWith: view, cancellation: HTTPCancellation())?.failure == nil)
    }
}
