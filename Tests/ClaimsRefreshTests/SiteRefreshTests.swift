// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

@Suite struct SiteRefreshTests {
    @Test func `of forty sites, one that is dead costs only itself, and is told`() throws {
        let names = (1...40).map { "s\($0)" }
        let bodies = Dictionary(uniqueKeysWithValues: names.map { ($0, SiteFixture.records(1...3)) })
        let fixture = try SiteFixture.make(names, dead: ["s7"], files: bodies)
        #expect(fixture.meta?.state == .loading)
        let reports = try fixture.refreshAll()
        #expect(reports["s7"]?.outcome == .failed && reports["s7"]?.transition == .failed)
        #expect(reports.values.count { $0.outcome == .updated } == 39)
        let expected = names.filter { $0 != "s7" }.flatMap { name in (1...3).map { "\(name):\($0)" } }.sorted()
        #expect(fixture.ids == expected)
        #expect(fixture.documents.contains(#"{"id":"s9:2","name":"n","site":"s9"}"#))
        let meta = try #require(fixture.meta)
        #expect(meta.state == .ready && meta.freshness == .stale && meta.asOf == fixture.now)
        #expect(meta.lastError?.site == "s7" && meta.lastError?.kind == .unreachable)
        var counts = SourceSummary.SiteCounts()
        (counts.total, counts.fresh, counts.failed, counts.never) = (40, 39, 1, 1)
        #expect(meta.sites == counts)
        // Each has a schedule of its own.
        #expect(fixture.row("s7")?.failures == 1 && fixture.row("s8")?.failures == 0)
        let dues = Set(names.compactMap { fixture.row($0)?.due })
        #expect(dues.count > 20)
    }

    @Test func `a site that fails keeps its records, and what is known of the others outlives a restart`() throws {
        let first = try SiteFixture.make(
            ["a", "b"], files: ["a": SiteFixture.records([1]), "b": SiteFixture.records([1, 2])])
        try first.refreshAll()
        #expect(first.meta?.freshness == .fresh && first.meta?.lastError == nil)
        let start = first.now
        first.close()
        let second = try SiteFixture.make(["a", "b"], dead: ["b"], after: first)
        second.advance(.seconds(900))
        let reports = try second.refreshAll()
        #expect(reports["a"]?.outcome == .unchanged && reports["b"]?.outcome == .failed)
        #expect(second.ids == ["a:1", "b:1", "b:2"])
        #expect(second.meta?.asOf == start && second.meta?.freshness == .stale)
        #expect(second.meta?.sites?.fresh == 1 && second.meta?.sites?.stale == 1 && second.meta?.sites?.never == 0)
        #expect(second.row("a")?.asOf == second.now && second.row("b")?.asOf == start)
    }

    @Test func `the first answer ends loading, and only all answers make it empty`() throws {
        let fixture = try SiteFixture.make(["a", "b"], files: ["a": "[]", "b": "[]"])
        try fixture.refresh(of: "things:a")
        #expect(fixture.meta?.state == .ready && fixture.meta?.freshness == .stale)
        try fixture.refresh(of: "things:b")
        #expect(fixture.meta?.state == .empty && fixture.meta?.freshness == .fresh)
    }

    @Test func `no site has data while all fail`() throws {
        let fixture = try SiteFixture.make(["a", "b"], dead: ["a", "b"])
        try fixture.refresh(of: "things:a")
        #expect(fixture.meta?.state == .loading)
        try fixture.refresh(of: "things:b")
        #expect(fixture.meta?.state == .failed)
    }

    @Test func `the guard judges a site by itself`() throws {
        let fixture = try SiteFixture.make(
            ["a", "b"], files: ["a": SiteFixture.records(1...100), "b": SiteFixture.records(1...4)])
        try fixture.refreshAll()
        try fixture.serve(SiteFixture.records([1]), as: "b")
        try fixture.serve(SiteFixture.records(1...101), as: "a")
        let reports = try fixture.refreshAll()
        #expect(reports["b"]?.outcome == .held && reports["a"]?.outcome == .updated)
        #expect(fixture.ids.count == 105)
        #expect(fixture.row("b")?.held?.summary.before == 4 && fixture.row("b")?.held?.summary.after == 1)
        #expect(fixture.meta?.lastError?.kind == .held && fixture.meta?.lastError?.site == "b")
        let accepted = try fixture.refresh(RefreshOptions(accept: true), of: "things:b")
        #expect(accepted.outcome == .updated && accepted.counts.removed == 3)
        #expect(fixture.ids.count == 102 && fixture.meta?.lastError == nil)
    }

    @Test func `answers that come while a generation is made share the next one`() throws {
        let names = ["a", "b", "c"]
        let files = Dictionary(uniqueKeysWithValues: names.map { ($0, SiteFixture.records([1, 2])) })
        let fixture = try SiteFixture.make(names, files: files)
        let rounds = fixture.refresher.rounds
        let ended = Monitor<[RefreshReport]>([])
        try rounds.withoutRounds(of: "things") {
            for name in names {
                fixture.refresher.refresh(SourceID("things", site: name)) { report in ended.update { $0.append(report) }
                }
            }
            #expect(rounds.awaitAnswers(3, of: "things", upTo: LineClient.timeout))
        }
        let reports = try #require(ended.wait(upTo: LineClient.timeout) { $0.count == 3 ? $0 : nil })
        #expect(reports.allSatisfy { $0.outcome == .updated && $0.counts.added == 2 })
        #expect(fixture.meta?.generation == 1 && fixture.ids.count == 6)
    }

    @Test func `work that waits too long for a generation of its collection is refused`() throws {
        let rounds = GenerationRounds(maxWait: .milliseconds(1))
        try rounds.withoutRounds(of: "things") {
            #expect(throws: StoreError(.late, "wait for a generation of things")) {
                try rounds.withoutRounds(of: "things") { Issue.record("it was begun") }
            }
            #expect(throws: Never.self) { try rounds.withoutRounds(of: "others") {} }
        }
        var isDone = false
        try rounds.withoutRounds(of: "things") { isDone = true }
        #expect(isDone)
    }

    @Test func `what is wrong with one of several answers ends that one alone`() throws {
        let fixture = try SiteFixture.make(
            ["a", "b", "c"],
            files: ["a": SiteFixture.records([1]), "b": #"{"no":"array"}"#, "c": SiteFixture.records([1])])
        let rounds = fixture.refresher.rounds
        let ended = Monitor<[String: RefreshReport]>([:])
        try rounds.withoutRounds(of: "things") {
            for name in ["a", "b", "c"] {
                fixture.refresher.refresh(SourceID("things", site: name)) { report in
                    ended.update { $0[name] = report }
                }
            }
            #expect(rounds.awaitAnswers(3, of: "things", upTo: LineClient.timeout))
        }
        let reports = try #require(ended.wait(upTo: LineClient.timeout) { $0.count == 3 ? $0 : nil })
        #expect(reports["b"]?.outcome == .failed && reports["b"]?.failure?.kind == .wrongShape)
        #expect(fixture.ids == ["a:1", "c:1"] && fixture.meta?.generation == 1)
    }

    @Test func `quarantine and the log name the site`() throws {
        let fixture = try SiteFixture.make(
            ["a", "b"], files: ["a": #"[{"id":1},{"name":"x"}]"#, "b": SiteFixture.records([1])])
        try fixture.refreshAll()
        try fixture.refresh(RefreshOptions(force: true), of: "things:b")
        #expect(fixture.meta?.quarantined == 1)
        let log = try fixture.store.database.changeLog().refreshes(of: nil, limit: 10)
        #expect(Set(log.compactMap(\.site)) == ["a", "b"] && log.count == 3)
    }
}
