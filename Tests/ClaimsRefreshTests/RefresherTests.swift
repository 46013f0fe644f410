// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

@Suite struct RefresherTests {
    private let forced = RefreshOptions(force: true)

    @Test func `the first answer is served, with all that is to be known of it`() throws {
        let fixture = try RefreshFixture()
        #expect(fixture.meta?.state == .loading)
        let report = try fixture.refresh()
        #expect(report.outcome == .updated && report.counts.added == 4 && report.failure == nil)
        #expect(fixture.documents.count == 4 && fixture.documents[0] == #"{"id":"1","name":"a"}"#)
        let meta = try #require(fixture.meta)
        #expect(meta.state == .ready && meta.source == .upstream && meta.freshness == .fresh)
        #expect(meta.asOf == fixture.now && meta.ageMilliseconds == 0 && meta.generation == 1)
        let next = try #require(meta.nextRefresh)
        #expect(next >= fixture.now + 300_000 && next <= fixture.now + 330_000)
        #expect(fixture.view?.condition.source.origin == fixture.upstream.url("things.json"))
        #expect(fixture.view?.condition.isRefreshing == false)
    }

    @Test func `a 304 only moves the time of the last confirmation`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        let before = try #require(fixture.view?.snapshot)
        let etag = fixture.view?.condition.source.validators.etag
        fixture.advance(.seconds(60))
        let report = try fixture.refresh()
        #expect(report.outcome == .unchanged && report.transition == .none)
        #expect(fixture.view?.snapshot === before)
        #expect(fixture.meta?.asOf == fixture.now && fixture.meta?.revision.seq == 1)
        #expect(fixture.view?.condition.source.fetchedAt == fixture.now - 60_000)
        let requests = try fixture.upstream.requests("things.json")
        #expect(requests.count == 2 && requests[1].headers["if-none-match"] == etag && etag != nil)
    }

    @Test func `validators are kept over a restart, and die with a change of the definition`() throws {
        let first = try RefreshFixture()
        try first.refresh()
        first.close()
        let second = try RefreshFixture(after: first)
        #expect(second.meta?.source == .cache)
        try second.refresh()
        #expect(second.meta?.source == .upstream)
        second.close()
        let third = try RefreshFixture(after: second) { source, _ in
            source.request.headers = [Header(name: "X-A", value: "b")]
        }
        #expect(try third.refresh().outcome == .unchanged)
        let requests = try third.upstream.requests("things.json")
        #expect(requests.map { $0.headers["if-none-match"] != nil } == [false, true, false])
        #expect(requests[2].headers["x-a"] == "b")
    }

    @Test func `without validators the body's hash tells that nothing has changed`() throws {
        let fixture = try RefreshFixture()
        try fixture.upstream.misbehave("things.json", #"{"headers":{"ETag":null,"Last-Modified":null}}"#)
        try fixture.refresh()
        #expect(try fixture.refresh().outcome == .unchanged)
        #expect(fixture.meta?.generation == 1)
        #expect(try fixture.upstream.requests("things.json").allSatisfy { $0.headers["if-none-match"] == nil })
    }

    @Test func `a forced refresh asks without validators`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        #expect(try fixture.refresh(forced).outcome == .unchanged)
        #expect(try fixture.upstream.requests("things.json").last?.headers["if-none-match"] == nil)
    }

    @Test func `a change makes a generation and counts what it changed`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        try fixture.serve(#"[{"id":1,"name":"A"},{"id":3,"name":"c"},{"id":4,"name":"d"},{"id":5}]"#)
        let report = try fixture.refresh()
        #expect(report.outcome == .updated && report.transition == .updated)
        #expect((report.counts.added, report.counts.updated, report.counts.removed) == (1, 1, 1))
        #expect(fixture.meta?.generation == 2 && fixture.meta?.revision.seq == 4)
    }

    @Test func `a failure leaves the data, and says what it was until the next success`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        try fixture.upstream.misbehave("things.json", #"{"fault":"status","status":500}"#)
        let report = try fixture.refresh()
        #expect(report.outcome == .failed && report.transition == .failed)
        #expect(report.failure?.kind == .httpStatus && report.failure?.status == 500)
        #expect(fixture.meta?.lastError?.message.text("en") == "The server answered 500 Internal Server Error")
        #expect(fixture.meta?.nextRefresh == fixture.now + 1000)
        #expect(fixture.documents.count == 4 && fixture.meta?.state == .ready)
        #expect(try fixture.refresh().transition == .none)
        #expect(fixture.view?.condition.source.failures == 2)
        try fixture.upstream.behave()
        let recovered = try fixture.refresh()
        #expect(recovered.outcome == .unchanged && recovered.transition == .recovered)
        #expect(fixture.meta?.lastError == nil && fixture.view?.condition.source.failures == 0)
    }

    @Test func `without any data a failure is the collection's state`() throws {
        let fixture = try RefreshFixture()
        fixture.upstream.stop()
        let report = try fixture.refresh()
        #expect(report.failure?.kind == .unreachable)
        #expect(fixture.meta?.state == .failed && fixture.meta?.freshness == nil && fixture.meta?.source == nil)
    }

    @Test func `the fifth failure opens the source`() throws {
        let fixture = try RefreshFixture()
        fixture.upstream.stop()
        let transitions = try (0..<6).map { _ in try fixture.refresh().transition }
        #expect(transitions == [.failed, .none, .none, .none, .opened, .none])
        #expect(fixture.view?.condition.source.isOpen == true)
    }

    @Test(arguments: [
        (#"{"fault":"html"}"#, FailureKind.notJSON), (#"{"fault":"truncated_json"}"#, .notJSON),
        (#"{"fault":"nan"}"#, .notJSON), (#"{"body":"{\"a\":[]}"}"#, .wrongShape), (#"{"body":"7"}"#, .wrongShape),
        (#"{"fault":"empty"}"#, .notJSON), (#"{"fault":"deep","depth":2000}"#, .notJSON),
        (#"{"fault":"close_mid_body"}"#, .truncated), (#"{"fault":"gzip_wrong"}"#, .encoding),
        (#"{"fault":"not_modified"}"#, .protocol),
        (#"{"fault":"redirect","location":"file:///etc/passwd"}"#, .redirect),
        (#"{"fault":"many_records","count":11}"#, .tooLarge), (#"{"fault":"status","status":404}"#, .httpStatus),
    ])
    func `whatever an upstream sends, good data stays`(fault: String, kind: FailureKind) throws {
        var settings = Settings()
        settings.transfer.records = 10
        let fixture = try RefreshFixture(settings: settings)
        try fixture.refresh()
        try fixture.upstream.misbehave("things.json", fault)
        let report = try fixture.refresh(RefreshOptions(force: true, accept: true))
        #expect(report.outcome == .failed && report.failure?.kind == kind)
        #expect(fixture.documents.count == 4 && fixture.meta?.generation == 1)
        #expect(report.failure?.message.text("pl") != report.failure?.message.text("en") || kind == .truncated)
    }

    @Test func `an upstream that wants to be left alone is, unless it is forced`() throws {
        let fixture = try RefreshFixture()
        try fixture.upstream.misbehave(
            "things.json", #"{"fault":"status","status":503,"headers":{"Retry-After":"3600"}}"#)
        try fixture.refresh()
        let end = fixture.now + 3_600_000
        #expect(fixture.refresher.refresh("things") == .leftAlone(until: end))
        #expect(fixture.meta?.nextRefresh == end)
        try fixture.upstream.behave()
        #expect(try fixture.refresh(forced).outcome == .updated)
        #expect(try fixture.refresh().outcome == .unchanged)
    }

    @Test func `max-age is a floor of the next request`() throws {
        let fixture = try RefreshFixture()
        try fixture.upstream.misbehave("things.json", #"{"headers":{"Cache-Control":"max-age=7200"}}"#)
        try fixture.refresh()
        #expect(fixture.meta?.nextRefresh == fixture.now + 7_200_000)
    }

    @Test func `half of a surrogate pair costs one record, and the others are new`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        let bad = #"{"id":2,"tags":["ok","cut \ud83d"]}"#
        try fixture.serve(#"[{"id":1,"name":"A"},\#(bad),{"id":3,"name":"c"},{"id":4,"name":"d"},{"id":5}]"#)
        let report = try fixture.refresh()
        #expect(report.outcome == .updated && report.failure == nil)
        #expect(report.counts.quarantined == 1 && report.counts.records == 4)
        #expect(fixture.documents.first == #"{"id":"1","name":"A"}"#)
        #expect(fixture.meta?.quarantined == 1 && fixture.meta?.lastError == nil)
        let rows = try Database(path: fixture.store.database.path, access: .read)
        let columns = "pointer || ' ' || reason || ' ' || CAST(bytes AS TEXT)"
        #expect(
            try rows.text("SELECT \(columns) FROM quarantined", "look")
                == "/1/tags/1 half of a surrogate pair in a string \(bad)")
        try fixture.serve(#"[{"id":1,"name":"A"},{"id":2},{"id":3,"name":"c"},{"id":4,"name":"d"},{"id":5}]"#)
        #expect(try fixture.refresh().counts.added == 1)
        #expect(fixture.meta?.quarantined == 0)
    }

    @Test func `bad text beside the records fails the refresh, as it may be anything`() throws {
        let fixture = try RefreshFixture { source, _ in source.request.root = try JSONPointer("/items") }
        try fixture.serve(#"{"items":[{"id":1,"name":"\udfff"},{"id":2},{"id":3}]}"#)
        #expect(try fixture.refresh().counts.quarantined == 1)
        #expect(fixture.documents.count == 2)
        try fixture.serve(#"{"items":[{"id":2},{"id":3},{"id":4}],"title":"\udfff"}"#)
        #expect(try fixture.refresh().failure?.kind == .notJSON)
        #expect(fixture.documents.count == 2)
    }

    @Test func `all who ask for one collection share a fetch`() throws {
        let fixture = try RefreshFixture()
        try fixture.upstream.misbehave("things.json", #"[{"hold":true}]"#)
        let done = Monitor<[RefreshOutcome]>([])
        let note: @Sendable (RefreshReport) -> Void = { report in done.update { $0.append(report.outcome) } }
        #expect(fixture.refresher.refresh("things", completion: note) == .started)
        try fixture.upstream.requests("things.json", count: 1)
        #expect(fixture.view?.condition.isRefreshing == true)
        #expect(fixture.refresher.refresh("things", completion: note) == .joined)
        #expect(fixture.refresher.refresh("things", completion: note) == .joined)
        // One that asks for more is the next.
        #expect(fixture.refresher.refresh("things", forced, completion: note) == .joined)
        #expect(fixture.refresher.refresh("things", forced, completion: note) == .joined)
        try fixture.upstream.release("things.json")
        let outcomes = done.wait { $0.count == 5 ? $0 : nil }
        #expect(outcomes == [.updated, .updated, .updated, .unchanged, .unchanged])
        #expect(try fixture.upstream.requests("things.json").count == 2)
    }

    @Test func `stopping cancels a transfer, and tells who waits for it`() throws {
        let fixture = try RefreshFixture()
        try fixture.upstream.misbehave("things.json", #"{"fault":"hang"}"#)
        let done = Monitor<RefreshReport?>(nil)
        #expect(fixture.refresher.refresh("things") { report in done.update { $0 = report } } == .started)
        try fixture.upstream.requests("things.json", count: 1)
        fixture.refresher.stop()
        #expect(done.wait { $0 }?.outcome == .skipped)
        #expect(fixture.view?.condition.source.failures == 0)
        #expect(fixture.refresher.refresh("things") == .stopping)
        // A thread that was made now would never be ended.
        #expect(!RefreshThreads(isStopping: { true }).post(to: SourceID("things")) {})
    }

    @Test func `what is not configured is not asked for`() throws {
        let fixture = try RefreshFixture { source, _ in source.request.url = nil }
        #expect(fixture.refresher.refresh("things") == .unconfigured)
        #expect(fixture.refresher.refresh("others") == .unconfigured)
        #expect(fixture.meta?.state == .unconfigured)
    }

    @Test func `a file is a source like any other`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("things.json", RefreshFixture.records)
        let fixture = try RefreshFixture(url: "file://\(path)")
        #expect(try fixture.refresh().outcome == .updated)
        #expect(try fixture.refresh().outcome == .unchanged)
        try folder.write("things.json", "{")
        #expect(try fixture.refresh().failure?.kind == .notJSON)
        Files.remove(path)
        #expect(try fixture.refresh().failure?.kind == .file)
        #expect(fixture.documents.count == 4)
    }

    @Test func `the array may be anywhere in the body`() throws {
        let fixture = try RefreshFixture { source, _ in source.request.root = try JSONPointer("/data/0") }
        try fixture.serve(#"{"data":[[{"id":1},{"id":2}]]}"#)
        #expect(try fixture.refresh().counts.records == 2)
        try fixture.serve(#"{"data":[]}"#)
        let report = try fixture.refresh()
        #expect(report.failure?.kind == .wrongShape)
        #expect(report.failure?.message.text("en") == "The server's answer has nothing at /data/0")
    }

    @Test func `a credential goes with the request; one that is missing is a failure by its name`() throws {
        let fixture = try RefreshFixture { source, _ in source.request.auth = .bearer("token") }
        let report = try fixture.refresh()
        #expect(report.failure?.kind == .credential && report.next == fixture.now + 900_000)
        #expect(report.failure?.message.text("en") == "The service has no credential called 'token'")
        try fixture.folder.write("credentials/token", "s3cret\n")
        try fixture.refresh()
        #expect(try fixture.upstream.requests("things.json").last?.headers["authorization"] == "Bearer s3cret")
    }
}
