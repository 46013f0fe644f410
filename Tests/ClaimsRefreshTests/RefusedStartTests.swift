// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

/// A start is what follows a credential that was put in place.
@Suite struct RefusedStartTests {
    private func reports(_ fixture: RefreshFixture, _ count: Int) -> [RefreshOutcome]? {
        fixture.reports.wait(upTo: LineClient.timeout) { $0.count >= count ? $0.map(\.outcome) : nil }
    }

    private func fixture(after other: RefreshFixture? = nil) throws -> RefreshFixture {
        try RefreshFixture(after: other) { source, _ in
            source.interval = .seconds(86_400)
            source.request.auth = .bearer("token")
        }
    }

    @Test func `a credential that was put in place is used at the next start`() throws {
        let first = try fixture()
        #expect(try first.refresh().failure?.kind == .credential)
        first.close()
        try first.folder.write("credentials/token", "s3cret")
        first.advance(.seconds(61))
        let second = try fixture(after: first)
        try second.refresher.start()
        #expect(reports(second, 1) == [.updated])
    }

    @Test(arguments: [401, 403])
    func `a source that refused the request is asked again at the next start`(status: Int) throws {
        let first = try fixture()
        try first.folder.write("credentials/token", "s3cret")
        try first.upstream.misbehave("things.json", #"{"fault":"status","status":\#(status)}"#)
        try first.refresh()
        first.close()
        first.advance(.seconds(61))
        try first.upstream.behave()
        let second = try fixture(after: first)
        try second.refresher.start()
        #expect(reports(second, 1) == [.updated])
    }

    @Test func `starts in a row have a refused source asked once a minute`() throws {
        let first = try fixture()
        try first.refresh()
        let failed = first.now
        first.close()
        first.advance(.seconds(10))
        let second = try fixture(after: first)
        try second.refresher.start()
        #expect(second.dueMoves(from: failed + 60_001) == failed + 60_000)
        second.close()
        second.advance(.seconds(51))
        let third = try fixture(after: second)
        try third.refresher.start()
        #expect(reports(third, 1) == [.failed])
        // A source that is still wrong is asked again at its usual time.
        #expect(third.due { $0 > failed + 61_000 } == failed + 61_000 + RefreshSchedule.configurationRetry)
        third.close()
        let fourth = try fixture(after: third)
        try fourth.refresher.start()
        #expect(fourth.dueMoves(from: failed + 121_001) == failed + 121_000)
        #expect(fourth.reports.read { $0.isEmpty })
    }

    @Test func `a start does not hurry a source that failed in another way`() throws {
        let first = try fixture()
        try first.folder.write("credentials/token", "s3cret")
        try first.upstream.misbehave("things.json", #"{"fault":"status","status":404}"#)
        try first.refresh()
        let due = try #require(first.meta?.nextRefresh)
        first.close()
        first.advance(.seconds(61))
        let second = try fixture(after: first)
        try second.refresher.start()
        // By its next due time no other request was made.
        second.advance(.milliseconds(due - second.now))
        #expect(reports(second, 1) == [.failed])
        #expect(second.view?.condition.source.endedAt == due)
    }

    @Test(arguments: [false, true])
    func `a refused join has its source asked again at the next start`(isMissing: Bool) throws {
        func fixture(after other: RefreshFixture? = nil) throws -> RefreshFixture {
            try RefreshFixture(after: other) { source, upstream in
                source.interval = .seconds(86_400)
                var request = ReadRequest(url: upstream.url("owners.json"), root: try JSONPointer(""))
                if isMissing { request.auth = .bearer("token") }
                source.join = Join(
                    request, on: .init(field: 2, pointer: try JSONPointer("/key")),
                    take: [.init(field: 3, pointer: try JSONPointer("/label"))])
            }
        }
        let first = try fixture()
        try first.upstream.folder.write("owners.json", #"[{"key":7,"label":"Ann"}]"#)
        if !isMissing { try first.upstream.misbehave("owners.json", #"{"fault":"status","status":403}"#) }
        #expect(try first.refresh().failure?.kind == .join)
        first.close()
        try first.folder.write("credentials/token", "s3cret")
        try first.upstream.behave()
        first.advance(.seconds(61))
        let second = try fixture(after: first)
        try second.refresher.start()
        #expect(reports(second, 1)?.count == 1)
        #expect(second.meta?.lastError == nil)
    }

    @Test func `a refused request for all records is made again at the next start`() throws {
        func fixture(after other: RefreshFixture? = nil) throws -> RefreshFixture {
            try RefreshFixture(after: other) { source, _ in
                source.interval = .seconds(86_400)
                source.since = IncrementalRules(
                    to: .query("since"), position: .field(4, overlap: .number(0)), full: .seconds(100))
            }
        }
        let first = try fixture()
        try first.serve(#"[{"id":1,"name":"a","rev":1}]"#)
        try first.refresh()
        first.advance(.seconds(200))
        try first.upstream.misbehave("things.json", #"{"fault":"status","status":403}"#)
        try first.refresh()
        try first.upstream.behave()
        try first.refresh()
        #expect(try first.upstream.requests("things.json").map(\.query) == ["", "", "since=1"])
        first.close()
        first.advance(.seconds(61))
        let second = try fixture(after: first)
        try second.refresher.start()
        #expect(reports(second, 1)?.count == 1)
        #expect(try second.upstream.requests("things.json").map(\.query) == ["", "", "since=1", ""])
        #expect(second.meta?.lastError == nil)
    }
}
