// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import ClaimsUpstream
import Testing

@testable import ClaimsRefresh

@Suite struct RefreshScheduleThreadTests {
    private func reports(_ fixture: RefreshFixture, _ count: Int) -> [RefreshOutcome]? {
        fixture.reports.wait(upTo: LineClient.timeout) { $0.count >= count ? $0.map(\.outcome) : nil }
    }

    @Test func `what is due is asked for by itself, again and again`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresher.start()
        #expect(reports(fixture, 1) == [.updated])
        fixture.advance(.seconds(331))
        #expect(reports(fixture, 2) == [.updated, .unchanged])
        #expect(fixture.refresher.ticks > 0)
    }

    @Test func `due times outlive a restart`() throws {
        let first = try RefreshFixture()
        try first.refresh()
        let due = try #require(first.meta?.nextRefresh)
        first.close()
        let second = try RefreshFixture(after: first)
        #expect(second.meta?.nextRefresh == due)
        try second.refresher.start()
        second.advance(.seconds(331))
        #expect(reports(second, 1) == [.unchanged])
        #expect(try second.upstream.requests("things.json").count == 2)
    }

    @Test func `a failed source is tried again after its wait`() throws {
        let fixture = try RefreshFixture()
        fixture.upstream.stop()
        try fixture.refresher.start()
        #expect(reports(fixture, 1) == [.failed])
        try fixture.upstream.start()
        fixture.advance(.seconds(2))
        #expect(reports(fixture, 2) == [.failed, .updated])
    }

    @Test func `another address is tried at once, whatever the old one did`() throws {
        let first = try RefreshFixture(url: "http://127.0.0.1:1/nothing")
        try first.refresh()
        #expect(first.meta?.state == .failed)
        first.close()
        let second = try RefreshFixture(after: first)
        try second.refresher.start()
        #expect(reports(second, 1) == [.updated])
    }

    @Test func `a clock put back does not stop the schedule`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        fixture.step(.seconds(-86_400 * 365))
        try fixture.refresher.start()
        #expect(reports(fixture, 2) == [.updated, .unchanged])
        #expect(fixture.meta?.asOf == fixture.now)
    }

    @Test(arguments: [-3_600, -60, 3_600, 86_400 * 365])
    func `a clock that is set while the schedule runs has the source asked again`(seconds: Int64) throws {
        let fixture = try RefreshFixture()
        try fixture.refresher.start()
        #expect(reports(fixture, 1) == [.updated])
        fixture.step(.seconds(seconds))
        #expect(try #require(fixture.meta?.ageMilliseconds) >= 0)
        fixture.refresher.wake()
        #expect(reports(fixture, 2) == [.updated, .unchanged])
        let meta = try #require(fixture.meta)
        #expect(meta.asOf == fixture.now && meta.ageMilliseconds == 0)
        let wait = try #require(meta.nextRefresh) - fixture.now
        #expect(wait >= 300_000 && wait <= 330_000)
    }

    @Test func `a clock that is set back does not have a failing source asked without end`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        try fixture.upstream.misbehave("things.json", #"{"fault":"status","status":500}"#)
        fixture.step(.seconds(-3_600))
        try fixture.refresher.start()
        #expect(reports(fixture, 2) == [.updated, .failed])
        // Its wait is now counted from the new time.
        let due = try #require(fixture.meta?.nextRefresh)
        #expect(due > fixture.now && due <= fixture.now + RefreshSchedule.firstBackoff)
        #expect(try #require(fixture.meta?.ageMilliseconds) == 0)
        for _ in 0..<5 { fixture.refresher.wake() }
        #expect(fixture.reports.read { $0.count } == 2)
    }

    @Test func `a new definition is used from the next request on`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresher.start()
        #expect(reports(fixture, 1) == [.updated])
        try fixture.upstream.folder.write("other.json", #"[{"id":9},{"id":1},{"id":3}]"#)
        let old = try #require(fixture.view?.definition)
        var source = old.source
        source.request.url = fixture.upstream.url("other.json")
        try fixture.opener.reload([RefreshFixture.definition(source)])
        fixture.refresher.configure(Settings())
        #expect(reports(fixture, 2) == [.updated, .updated])
        #expect(fixture.documents == [#"{"id":"1"}"#, #"{"id":"3"}"#, #"{"id":"9"}"#])
    }

    @Test func `another interval holds at once, counted from the end of the last request`() throws {
        let fixture = try RefreshFixture { source, _ in source.interval = .seconds(86_400) }
        try fixture.refresher.start()
        #expect(reports(fixture, 1) == [.updated])
        let answered = fixture.now
        fixture.advance(.seconds(60))
        try fixture.reload { $0.interval = .seconds(3_600) }
        let due = try #require(fixture.dueMoves(from: answered + 86_400_000))
        #expect(due >= answered + 3_600_000 && due <= answered + 3_960_000)
        try fixture.reload { $0.interval = .seconds(30) }
        #expect(reports(fixture, 2) == [.updated, .unchanged])
    }

    @Test func `the next request is told for the time at which its host takes one`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresher.start()
        #expect(reports(fixture, 1) == [.updated])
        let gate = fixture.context.fetcher.gate
        var pause = Duration.seconds(60)
        do {
            let pass = try gate.enter("127.0.0.1", as: .writes, cancellation: nil, pause: &pause)
            pass.report(hostDelay: 7_200)
        }
        fixture.refresher.wake()
        let start = fixture.now
        let due = try #require(fixture.due { $0 > start + 3_600_000 })
        #expect(due <= start + 7_200_000)
        #expect(try fixture.upstream.requests("things.json").count == 1)
    }

    @Test func `another due time outlives a restart`() throws {
        let first = try RefreshFixture { source, _ in source.interval = .seconds(86_400) }
        try first.refresh()
        try first.refresher.start()
        try first.reload { $0.interval = .seconds(3_600) }
        let due = try #require(first.dueMoves(from: first.now + 86_400_000))
        first.close()
        let second = try RefreshFixture(after: first) { source, _ in source.interval = .seconds(3_600) }
        #expect(second.meta?.nextRefresh == due)
    }

    @Test(arguments: ["headers", "credential", "join"])
    func `a changed request is made at once, without what belongs to the old one`(change: String) throws {
        let fixture = try RefreshFixture()
        try fixture.folder.write("credentials/token", "s3cret")
        try fixture.refresher.start()
        #expect(reports(fixture, 1) == [.updated])
        var request = ReadRequest(url: fixture.upstream.url("owners.json"), root: try JSONPointer(""))
        request.headers = [Header(name: "X-A", value: "b")]
        let join = Join(
            request, on: .init(field: 2, pointer: try JSONPointer("/key")),
            take: [.init(field: 3, pointer: try JSONPointer("/label"))])
        try fixture.reload { source in
            switch change {
            case "headers": source.request.headers = [Header(name: "X-A", value: "b")]
            case "credential": source.request.auth = .bearer("token")
            default: source.join = join
            }
        }
        #expect(reports(fixture, 2)?.count == 2)
        #expect(try fixture.upstream.requests("things.json").last?.headers["if-none-match"] == nil)
        if change == "join" {
            // The second request's parameters are part of the request, too.
            try fixture.reload { $0.join?.request.headers = [Header(name: "X-A", value: "c")] }
            #expect(reports(fixture, 3)?.count == 3)
        }
    }

    @Test func `a fetch of what is no longer configured is cancelled, and those who wait get the new one`() throws {
        let fixture = try RefreshFixture()
        try fixture.upstream.misbehave("things.json", #"{"fault":"hang"}"#)
        try fixture.upstream.folder.write("other.json", #"[{"id":9}]"#)
        let done = Monitor<RefreshReport?>(nil)
        #expect(fixture.refresher.refresh("things") { report in done.update { $0 = report } } == .started)
        try fixture.upstream.requests("things.json", count: 1)
        let url = fixture.upstream.url("other.json")
        try fixture.reload { $0.request.url = url }
        #expect(done.wait(upTo: LineClient.timeout) { $0 }?.outcome == .updated)
        #expect(fixture.documents == [#"{"id":"9"}"#])
        #expect(fixture.view?.condition.source.failures == 0)
    }

    @Test func `failures of an address that is no longer configured do not count`() throws {
        let fixture = try RefreshFixture(url: "http://127.0.0.1:1/nothing")
        for _ in 0..<3 { try fixture.refresh() }
        #expect(fixture.view?.condition.source.failures == 3)
        try fixture.upstream.misbehave("things.json", #"{"fault":"status","status":500}"#)
        try fixture.refresher.start()
        let url = fixture.upstream.url("things.json")
        try fixture.reload { $0.request.url = url }
        #expect(reports(fixture, 4) == [.failed, .failed, .failed, .failed])
        #expect(fixture.view?.condition.source.failures == 1)
    }
}
