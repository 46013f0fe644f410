// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

@testable import ClaimsStore

@Suite struct SourceSummaryTests {
    private let now: Int64 = 1_800_000_000_000

    /// The summary of sites whose data is of these ages, in seconds; nil: the site has never answered.
    private func summary(_ ages: [Int64?], full: [Int64]? = nil) throws -> SourceSummary {
        var source = Source(ReadRequest(root: try JSONPointer("")))
        let names = ages.indices.map { "s\($0)" }
        source.sites = SiteList(field: 4, sites: names.map { Site($0, ReadRequest(url: "http://127.0.0.1/\($0)")) })
        if full != nil {
            let pointer = try JSONPointer("/now")
            source.since = IncrementalRules(to: .query("since"), position: .token(pointer), full: .seconds(1000))
        }
        var condition = CollectionCondition(row: CollectionRow(number: 1, name: "things"))
        for (index, age) in ages.enumerated() {
            var row = SourceRow(site: names[index])
            row.asOf = age.map { now - $0 * 1000 }
            if let full { row.full.asOf = now - full[index] * 1000 }
            condition.sourcesChanged([row])
        }
        return SourceSummary(try RefreshFixture.definition(source), condition)
    }

    @Test func `freshness is the worst, and a site that never answered counts as stale`() throws {
        #expect(try summary([1, 2]).freshness(now: now) == .fresh)
        #expect(try summary([1, nil]).freshness(now: now) == .stale)
        #expect(try summary([1, 601]).freshness(now: now) == .stale)
        #expect(try summary([nil, 86_401]).freshness(now: now) == .expired)
        #expect(try summary([nil, nil]).freshness(now: now) == nil)
        #expect(try summary([5, 700]).asOf == now - 700_000)
        #expect(try !summary([1, nil]).isComplete)
    }

    @Test func `each site is counted once, and its changes are foretold`() throws {
        let counts = try #require(try summary([1, 601, 86_401, nil]).siteCounts(now: now))
        #expect(counts.total == 4 && counts.fresh == 1 && counts.stale == 1 && counts.expired == 1)
        #expect(counts.never == 1 && counts.failed == 0)
        let next = try summary([100, 601]).changes(after: now).min()
        #expect(next == now + 500_000)
    }

    @Test func `data is at best stale once the last full answer is older than twice its interval`() throws {
        #expect(try summary([1, 1], full: [1, 1999]).freshness(now: now) == .fresh)
        #expect(try summary([1, 1], full: [1, 2000]).freshness(now: now) == .stale)
        #expect(try summary([1, 1], full: [1, 2000]).fullAsOf == now - 2_000_000)
        #expect(try summary([1, 1], full: [1, 2000]).siteCounts(now: now)?.stale == 1)
    }
}
