// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

/// Trials of one site of several: they are compared with the records of that site alone, as its refreshes are.
@Suite struct TrialSiteTests {
    private func tryOut(_ site: String, _ fixture: RefreshFixture) throws -> TrialReport {
        let view = try #require(fixture.view)
        let trace = RequestTrace()
        let run = TrialRun(
            view.definition, site: site, settings: Settings(),
            fetcher: fixture.context.fetcher.traced(by: trace), trace: trace)
        return try #require(run.report(comparedWith: view, cancellation: HTTPCancellation()))
    }

    @Test func `the guard counts the records of the site that is tried`() throws {
        let fixture = try SiteFixture.make(
            ["a", "b", "c"],
            files: [
                "a": SiteFixture.records([1, 2]), "b": SiteFixture.records([1, 2, 3, 4, 5, 6]),
                "c": SiteFixture.records([1, 2, 3]),
            ])
        try fixture.refreshAll()
        #expect(try tryOut("a", fixture).outcome == .unchanged)
        try fixture.upstream.folder.write("a.json", SiteFixture.records([1, 2, 3]))
        let grown = try tryOut("a", fixture)
        #expect(grown.outcome == .wouldUpdate && grown.guardReason == nil && grown.counts.added == 1)
        try fixture.upstream.folder.write("b.json", SiteFixture.records([7]))
        let lost = try tryOut("b", fixture)
        #expect(lost.outcome == .held && lost.counts.removed == 6)
        #expect(lost.guardReason == Message(.heldShrunk, "1", "6"))
    }

    @Test func `the first answer of a site is not held, whatever the others have`() throws {
        let fixture = try SiteFixture.make(
            ["a", "b"], files: ["a": SiteFixture.records([1, 2, 3]), "b": "{}"])
        try fixture.refreshAll()
        try fixture.upstream.folder.write("b.json", #"[{"id":1},{"id":1},{"id":1}]"#)
        let first = try tryOut("b", fixture)
        #expect(first.outcome == .wouldUpdate && first.counts.quarantined == 2 && first.guardReason == nil)
    }
}
