// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

/// Work of people on single records of a collection with sites.
@Suite struct SiteRecordTests {
    private func forget(_ ids: [String], _ fixture: RefreshFixture) throws -> ForgetOutcome {
        let answer = Monitor<Result<ForgetOutcome, StoreError>?>(nil)
        fixture.refresher.forget(
            ForgetOrder(
                collection: "things", ids: ids.map { Array($0.utf8) }, isDryRun: false, uid: 7, at: fixture.now)
        ) { result in answer.update { $0 = result } }
        return try #require(answer.wait(upTo: LineClient.timeout) { $0 }).get()
    }

    private func setMark(_ ids: [String], _ isArchiving: Bool, _ fixture: RefreshFixture) throws -> [String] {
        let answer = Monitor<Result<ArchiveChange.Outcome, StoreError>?>(nil)
        fixture.store.archive(
            ArchiveChange(
                collection: "things", ids: ids.map { Array($0.utf8) }, isArchiving: isArchiving, uid: 7,
                at: fixture.now)
        ) { result in answer.update { $0 = result } }
        let outcome = try #require(answer.wait(upTo: LineClient.timeout) { $0 }).get()
        return outcome.changed.map { String(decoding: $0, as: UTF8.self) }
    }

    private func archived(_ fixture: RefreshFixture) -> [String] {
        fixture.ids.filter { id in fixture.view?.archive.mark(Array(id.utf8)) != nil }
    }

    @Test func `a forgotten record comes back from its own site, and the others are asked as before`() throws {
        let fixture = try SiteFixture.make(
            ["a", "b"], files: ["a": SiteFixture.records([1, 2]), "b": SiteFixture.records([1])])
        try fixture.refreshAll()
        let outcome = try forget(["a:1", "1", "c:1"], fixture)
        #expect(outcome.forgotten.map { String(decoding: $0, as: UTF8.self) } == ["a:1"])
        #expect(outcome.missing.count == 2 && fixture.ids == ["a:2", "b:1"])
        let reports = try fixture.refreshAll()
        #expect(reports["a"]?.outcome == .updated && reports["a"]?.counts.added == 1)
        #expect(reports["b"]?.outcome == .unchanged && fixture.ids == ["a:1", "a:2", "b:1"])
        #expect(try fixture.upstream.requests("a.json").last?.headers["if-none-match"] == nil)
        #expect(try fixture.upstream.requests("b.json").last?.headers["if-none-match"] != nil)
    }

    @Test func `forgetting takes the quarantined elements of that id at its site alone`() throws {
        let bad = #"[{"id":1},{"id":2},{"id":3},{"id":2,"name":"x"},{"id":3,"name":"x"}]"#
        let fixture = try SiteFixture.make(["a", "b"], files: ["a": bad, "b": bad])
        try fixture.refreshAll(RefreshOptions(accept: true))
        #expect(try quarantined(fixture) == ["a:2", "a:3", "b:2", "b:3"] && fixture.meta?.quarantined == 4)
        let outcome = try forget(["a:2"], fixture)
        #expect(outcome.forgotten.count == 1 && fixture.meta?.quarantined == 3)
        #expect(try quarantined(fixture) == ["a:3", "b:2", "b:3"])
    }

    private func quarantined(_ fixture: RefreshFixture) throws -> [String] {
        var ids: [String] = []
        let number = try #require(fixture.view?.condition.row.number)
        try fixture.store.database.forEachQuarantined(of: number) { entry in ids.append(entry.id ?? "-") }
        return ids.sorted()
    }

    @Test func `marks stay with their ids between an address and sites, and back`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        #expect(try setMark(["1", "2"], true, fixture) == ["1", "2"])
        try fixture.serve(SiteFixture.records([1, 2]), as: "a")
        try fixture.reload(sites: ["a"])
        // The records from before are served until the site has answered.
        #expect(archived(fixture) == ["1", "2"] && fixture.ids.count == 4)
        try fixture.refreshAll()
        #expect(fixture.ids == ["a:1", "a:2"] && archived(fixture).isEmpty)
        #expect(try setMark(["a:2"], true, fixture) == ["a:2"])
        let upstream = fixture.upstream
        try fixture.reload { source in
            source.sites = nil
            source.request.url = upstream.url("things.json")
        }
        #expect(archived(fixture) == ["a:2"])
        try fixture.refresh()
        #expect(fixture.ids == ["1", "2", "3", "4"] && archived(fixture) == ["1", "2"])
        fixture.close()
        let second = try SiteFixture.make(["a"], after: fixture)
        try second.refreshAll()
        #expect(second.ids == ["a:1", "a:2"] && archived(second) == ["a:2"])
    }

    @Test func `a quarantined element of a site comes back under its site when it is retried`() throws {
        let bodies = #"[{"id":1},{"key":7,"name":"x"}]"#
        let fixture = try SiteFixture.make(["a", "b"], files: ["a": bodies, "b": bodies])
        try fixture.refreshAll(RefreshOptions(accept: true))
        #expect(fixture.ids == ["a:1", "b:1"] && fixture.meta?.quarantined == 2)
        let old = try #require(fixture.view?.definition)
        var fields = old.fields
        fields[0] = Field(name: "id", type: .id, from: [try JSONPointer("/id"), try JSONPointer("/key")])
        fixture.opener.reload([Definition(name: "things", source: old.source, fields: fields, isArchivable: true)])
        let answer = Monitor<Result<QuarantineOutcome, StoreError>?>(nil)
        fixture.refresher.retryQuarantined(nil, of: "things") { result in answer.update { $0 = result } }
        let outcome = try #require(answer.wait(upTo: LineClient.timeout) { $0 }).get()
        #expect(outcome.accepted.map(\.id).sorted() == ["a:7", "b:7"] && outcome.refused.isEmpty)
        #expect(fixture.ids == ["a:1", "a:7", "b:1", "b:7"] && fixture.meta?.quarantined == 0)
        #expect(fixture.documents.contains(#"{"id":"b:7","name":"x","site":"b"}"#))
        // The next answers bring nothing new.
        let reports = try fixture.refreshAll(RefreshOptions(force: true))
        #expect(reports["a"]?.outcome == .unchanged && reports["b"]?.outcome == .unchanged)
    }
}
