// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh

@Suite struct RefreshScheduleThreadTests {
    private func reports(_ fixture: RefreshFixture, _ count: Int) -> [RefreshReport.Outcome]? {
        fixture.reports.wait(atMost: LineClient.patience) { $0.count >= count ? $0.map(\.outcome) : nil }
    }

    @Test func `what is due is asked for by itself, again and again`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresher.start()
        #expect(reports(fixture, 1) == [.updated])
        fixture.advance(.seconds(331))
        #expect(reports(fixture, 2) == [.updated, .unchanged])
        #expect(fixture.refresher.turns > 0)
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
        fixture.advance(.seconds(-86_400 * 365))
        try fixture.refresher.start()
        #expect(reports(fixture, 2) == [.updated, .unchanged])
        #expect(fixture.meta?.asOf == fixture.now)
    }

    @Test(arguments: [-3_600, -60, 3_600, 86_400 * 365])
    func `a clock that is set while the schedule runs has the source asked again`(seconds: Int64) throws {
        let fixture = try RefreshFixture()
        try fixture.refresher.start()
        #expect(reports(fixture, 1) == [.updated])
        fixture.advance(.seconds(seconds))
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
        fixture.advance(.seconds(-3_600))
        try fixture.refresher.start()
        #expect(reports(fixture, 2) == [.updated, .failed])
        // What it waits for now is counted from the new time.
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
        try fixture.upstream.folder.write("other.json", #"[{"id":9},{"id":8},{"id":1}]"#)
        let old = try #require(fixture.view?.definition)
        var source = old.source
        source.url = fixture.upstream.url("other.json")
        try fixture.opener.reload([RefreshFixture.definition(source)])
        fixture.refresher.configure(Settings())
        #expect(reports(fixture, 2) == [.updated, .updated])
        #expect(fixture.documents == [#"{"id":"1"}"#, #"{"id":"8"}"#, #"{"id":"9"}"#])
    }
}
