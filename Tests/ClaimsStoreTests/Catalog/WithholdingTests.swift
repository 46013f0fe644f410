// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct WithholdingTests {
    private static let now: Int64 = 1_800_000_000_000
    private let fixture: StoreFixture
    private let snapshot: Snapshot

    init() throws {
        fixture = try StoreFixture()
        snapshot = try fixture.snapshot(["1"], 1)
    }

    /// A collection whose data an upstream confirmed at `asOf`; nil: nobody knows when.
    private func view(
        asOf: Int64?, withhold: Duration? = .seconds(1000), bundleKey: UInt64 = 0
    ) throws -> CollectionView {
        let shared = try StoreFixture.definition(url: "https://things.example/")
        var source = Source(shared.source.request, ttl: .seconds(10), expires: .seconds(100))
        source.withhold = withhold
        var (row, state) = (CollectionRow(number: 1, name: "things"), SourceRow())
        row.bundleKey = bundleKey
        state.asOf = asOf
        return CollectionView(
            definition: Definition(name: "things", source: source, fields: shared.fields), snapshot: snapshot,
            archive: ArchiveOverlay(), condition: CollectionCondition(row: row, source: state))
    }

    @Test func `data is withheld from its age on, and told the moment before`() throws {
        let view = try view(asOf: Self.now)
        #expect(view.state(now: Self.now + 999_999) == .ready && !view.isWithheld(now: Self.now + 999_999))
        #expect(view.state(now: Self.now + 1_000_000) == .withheld && view.isWithheld(now: Self.now + 1_000_000))
        #expect(view.meta(now: Self.now + 1_000_000, revision: Revision(epoch: 1, seq: 1)).state == .withheld)
        #expect(try self.view(asOf: Self.now, withhold: nil).state(now: Self.now * 2) == .ready)
    }

    @Test func `data of a time to come is withheld where the clock is more than ten minutes behind`() throws {
        let view = try view(asOf: Self.now)
        #expect(view.state(now: Self.now - 600_000) == .ready)
        #expect(view.state(now: Self.now - 600_001) == .withheld)
        #expect(view.nextFreshnessChange(after: Self.now - 600_001) == Self.now - 600_000)
    }

    @Test func `data of unknown age is withheld, and what came with the program is not`() throws {
        #expect(try view(asOf: nil).state(now: Self.now) == .withheld)
        #expect(try view(asOf: nil, withhold: nil).state(now: Self.now) == .ready)
        #expect(try view(asOf: nil, bundleKey: 1).state(now: Self.now) == .ready)
    }

    @Test func `the time from which data is withheld is one at which something changes`() throws {
        let view = try view(asOf: Self.now)
        #expect(view.nextFreshnessChange(after: Self.now) == Self.now + 10_000)
        #expect(view.nextFreshnessChange(after: Self.now + 10_000) == Self.now + 100_000)
        #expect(view.nextFreshnessChange(after: Self.now + 100_000) == Self.now + 1_000_000)
        #expect(view.nextFreshnessChange(after: Self.now + 1_000_000) == nil)
    }

    @Test func `an end of time is no overflow`() throws {
        #expect(try view(asOf: .max).state(now: .max - 1) == .ready)
        #expect(try view(asOf: .min).state(now: Self.now) == .withheld)
        #expect(try view(asOf: Self.now, withhold: TimeSpan.infinity).state(now: .max - 1) == .withheld)
    }
}
