// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

@Suite struct SiteReloadTests {
    @Test func `taking a site out removes its records at the reload, as a whole commit of the definition`() throws {
        let fixture = try SiteFixture.make(
            ["a", "b"], files: ["a": SiteFixture.records([1, 2]), "b": SiteFixture.records([1])])
        try fixture.refreshAll()
        let before = try #require(fixture.meta?.revision.seq)
        try fixture.reload(sites: ["a"])
        #expect(fixture.ids == ["a:1", "a:2"])
        #expect(fixture.view?.condition.sites["b"] == nil)
        #expect(fixture.view?.condition.row.definitionSeq ?? 0 > before)
        fixture.close()
        // A start finds nothing of it, either.
        let second = try SiteFixture.make(["a", "b"], after: fixture)
        #expect(second.ids == ["a:1", "a:2"] && second.row("b")?.asOf == nil)
        try second.refresh(of: "things:b")
        #expect(second.ids == ["a:1", "a:2", "b:1"])
    }

    @Test func `a site that was taken out while the daemon was down is gone after the start`() throws {
        let first = try SiteFixture.make(
            ["a", "b"], files: ["a": SiteFixture.records([1]), "b": SiteFixture.records([1])])
        try first.refreshAll()
        first.close()
        let second = try SiteFixture.make(["b"], after: first)
        #expect(second.ids == ["b:1"])
    }

    @Test func `between an address and sites the old records are served until each site was asked`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        let old = fixture.ids
        try fixture.serve(SiteFixture.records([1]), as: "a")
        try fixture.serve(SiteFixture.records([7]), as: "b")
        try fixture.reload(sites: ["a", "b", "dead"], dead: ["dead"])
        #expect(fixture.ids == old && fixture.meta?.freshness == .stale && fixture.meta?.sites?.never == 3)
        let rounds = fixture.refresher.rounds
        let ended = Monitor(0)
        for site in ["a", "b"] {
            fixture.refresher.refresh(SourceID("things", site: site)) { _ in ended.update { $0 += 1 } }
        }
        #expect(rounds.awaitAnswers(2, of: "things", upTo: LineClient.timeout))
        #expect(fixture.ids == old && ended.read { $0 } == 0)
        #expect(try fixture.refresh(of: "things:dead").outcome == .failed)
        _ = ended.wait(upTo: LineClient.timeout) { $0 == 2 ? true : nil }
        #expect(fixture.ids == ["a:1", "b:7"])
        #expect(fixture.meta?.sites?.fresh == 2 && fixture.meta?.sites?.never == 1)
    }

    @Test func `between sites and an address the records of the sites are served until it has answered`() throws {
        let fixture = try SiteFixture.make(
            ["a", "b"], files: ["a": SiteFixture.records([1]), "b": SiteFixture.records([1])])
        try fixture.refreshAll()
        let upstream = fixture.upstream
        try fixture.reload { source in
            source.sites = nil
            source.request.url = upstream.url("things.json")
        }
        #expect(fixture.ids == ["a:1", "b:1"] && fixture.meta?.asOf == fixture.now)
        try fixture.refresh()
        #expect(fixture.ids == ["1", "2", "3", "4"])
        #expect(fixture.view?.condition.sites.isEmpty == true && fixture.meta?.sites == nil)
        // And back again, with new validators.
        try fixture.reload(sites: ["a"])
        #expect(fixture.ids == ["1", "2", "3", "4"])
        try fixture.refresh(of: "things:a")
        #expect(fixture.ids == ["a:1"])
    }

    @Test(arguments: [UInt64.random(in: 0..<1 << 32)])
    func `random sites are as a simple model says`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var names = ["a", "b", "c"]
        var answers: [String: [Int]] = [:]
        var served: [String: [Int]] = [:]
        let fixture = try SiteFixture.make(names)
        for step in 0..<60 {
            let name = names[Int.random(in: 0..<names.count, using: &random)]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let ids = (1...9).filter { _ in Bool.random(using: &random) }
                answers[name] = ids
                try fixture.serve(SiteFixture.records(ids, name: "v\(step)"), as: name)
                let report = try fixture.refresh(
                    RefreshOptions(force: true, accept: true), of: SourceID("things", site: name))
                #expect(report.outcome == .updated || report.outcome == .unchanged, "seed \(seed), step \(step)")
                served[name] = ids
            case 5..<7:
                try fixture.serve("not JSON", as: name)
                let report = try fixture.refresh(RefreshOptions(force: true), of: SourceID("things", site: name))
                #expect(report.outcome == .failed, "seed \(seed), step \(step)")
            case 7 where names.count > 1:
                names.removeAll { $0 == name }
                served[name] = nil
                try fixture.reload(sites: names)
            default:
                if let other = ["a", "b", "c", "d"].first(where: { !names.contains($0) }) { names.append(other) }
                try fixture.reload(sites: names)
            }
            let expected = served.flatMap { site, ids in ids.map { "\(site):\($0)" } }.sorted()
            try #require(fixture.ids == expected, "seed \(seed), step \(step)")
        }
    }
}
