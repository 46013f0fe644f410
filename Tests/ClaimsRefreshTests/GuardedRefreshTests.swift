// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

@Suite struct GuardedRefreshTests {
    private let accepted = RefreshOptions(accept: true)

    @Test func `a body that lost too much is held until it comes again after a while`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        let asOf = fixture.now
        try fixture.serve(#"[{"id":1,"name":"a"}]"#)
        fixture.advance(.seconds(60))
        let held = try fixture.refresh()
        #expect(held.outcome == .held && held.transition == .held && held.counts.removed == 3)
        #expect(fixture.meta?.lastError?.kind == .held && fixture.meta?.asOf == asOf)
        #expect(fixture.documents.count == 4 && fixture.meta?.nextRefresh == fixture.now + 600_000)
        #expect(fixture.view?.condition.source.held?.summary.after == 1)
        fixture.advance(.seconds(300))
        let still = try fixture.refresh()
        #expect(still.outcome == .held && still.transition == .none && still.counts == held.counts)
        #expect(fixture.meta?.nextRefresh == fixture.now + 300_000)
        fixture.close()
        let later = try RefreshFixture(after: fixture)
        later.advance(.seconds(300))
        let released = try later.refresh()
        #expect(released.outcome == .updated && released.transition == .recovered)
        #expect(later.documents == [#"{"id":"1","name":"a"}"#])
        #expect(later.meta?.lastError == nil && later.view?.condition.source.held == nil)
    }

    @Test func `whoever accepts does not accept the body of a request that is put in force meanwhile`() throws {
        let fixtures = Monitor<[RefreshFixture]>([])
        let server = try PageServer { request, _ in
            if request.query == "a=1" {
                for fixture in fixtures.read({ $0 }) {
                    // The definition is in force before the refresher hears of it.
                    guard var source = fixture.view?.definition.source else { continue }
                    source.request.query = [QueryParameter("a", ["2"])]
                    guard let definition = try? RefreshFixture.definition(source) else { continue }
                    _ = fixture.opener.reload([definition])
                }
            }
            return .answer(fixtures.read { $0.isEmpty } ? RefreshFixture.records : "[]")
        }
        let fixture = try RefreshFixture(url: server.url()) { source, _ in
            source.request.query = [QueryParameter("a", ["1"])]
        }
        try fixture.refresh()
        fixtures.update { $0 = [fixture] }
        defer { fixtures.update { $0 = [] } }
        #expect(try fixture.refresh(accepted).outcome == .held)
        #expect(server.requests.map(\.query) == ["a=1", "a=1", "a=2"] && fixture.documents.count == 4)
    }

    @Test func `a held body is taken at once by whoever accepts it`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        try fixture.serve("[]")
        #expect(try fixture.refresh().outcome == .held)
        #expect(fixture.meta?.lastError?.message.key == .heldEmpty)
        #expect(try fixture.refresh(accepted).outcome == .updated)
        #expect(fixture.meta?.state == .empty && fixture.meta?.lastError == nil)
        try fixture.serve(#"[{"id":1},7,8,9]"#)
        #expect(try fixture.refresh().outcome == .held)
        #expect(try fixture.refresh(accepted).counts.quarantined == 3)
        #expect(fixture.meta?.quarantined == 3)
    }

    @Test func `as many records under other ids are held, and told`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        try fixture.serve(#"[{"id":1,"name":"a"},{"id":12},{"id":13},{"id":14},{"id":15}]"#)
        let report = try fixture.refresh()
        #expect(report.outcome == .held && report.counts.removed == 3 && report.counts.added == 4)
        #expect(fixture.documents.count == 4 && fixture.documents[1] == #"{"id":"2","name":"b"}"#)
        let message = try #require(fixture.meta?.lastError?.message)
        #expect(message.key == .heldMissing && message.arguments == ["3", "4"])
        #expect(fixture.view?.condition.source.held?.summary.removed == 3)
        #expect(try fixture.refresh().transition == .none)
        #expect(try fixture.refresh(accepted).outcome == .updated)
    }

    @Test func `data of another address is held if it is another collection's, and the reason tells both`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        try fixture.upstream.folder.write("others.json", #"[{"id":"x"},{"id":"y"},{"id":"z"},{"id":"u"}]"#)
        let others = fixture.upstream.url("others.json")
        try fixture.reload { $0.request.url = others + "?key=secret" }
        for _ in 0..<2 {
            #expect(try fixture.refresh().outcome == .held)
            let message = try #require(fixture.meta?.lastError?.message)
            #expect(message.key == .heldMissingElsewhere)
            #expect(message.arguments == ["4", "4", fixture.upstream.url("things.json"), others])
        }
        #expect(fixture.documents.count == 4)
        try fixture.upstream.folder.write("others.json", RefreshFixture.records)
        #expect(try fixture.refresh().outcome == .unchanged)
    }

    @Test func `good data that comes back ends the holding`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        try fixture.serve("[]")
        try fixture.refresh()
        try fixture.serve(RefreshFixture.records)
        let report = try fixture.refresh()
        #expect(report.outcome == .unchanged && report.transition == .recovered)
        #expect(fixture.view?.condition.source.held == nil && fixture.meta?.lastError == nil)
    }

    @Test func `the first generation has no guard`() throws {
        let fixture = try RefreshFixture()
        try fixture.serve("[1,2,3]")
        let report = try fixture.refresh()
        #expect(report.outcome == .updated && report.counts.quarantined == 3)
        #expect(fixture.meta?.state == .empty && fixture.meta?.quarantined == 3)
    }

    @Test func `a bundle is replaced by the first answer, whatever its size`() throws {
        let fixture = try RefreshFixture(bundle: #"[{"id":"x"},{"id":"y"},{"id":"z"}]"#)
        #expect(fixture.meta?.source == .bundle && fixture.meta?.freshness == .bundle)
        fixture.upstream.stop()
        try fixture.refresh()
        #expect(fixture.meta?.state == .ready && fixture.meta?.lastError?.kind == .unreachable)
        try fixture.upstream.start()
        try fixture.serve(#"[{"id":1}]"#)
        let report = try fixture.refresh()
        #expect(report.outcome == .updated && fixture.meta?.source == .upstream)
        #expect(fixture.documents == [#"{"id":"1"}"#])
    }
}
