// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct CollectionViewTests {
    private let revision = Revision(epoch: 1, seq: 2)
    private let now: Int64 = 1_800_000_000_000

    private func view(
        url: String? = "https://things.example/", snapshot: Snapshot? = nil, bundleKey: UInt64 = 0,
        isConfirmed: Bool = false, source change: (inout SourceRow) -> Void = { _ in }
    ) throws -> CollectionView {
        var (row, source) = (CollectionRow(number: 1, name: "things"), SourceRow())
        row.bundleKey = bundleKey
        change(&source)
        var condition = CollectionCondition(row: row)
        condition.sourcesChanged([source], isConfirmed: isConfirmed)
        return CollectionView(
            definition: try StoreFixture.definition(url: url), snapshot: snapshot, archive: ArchiveOverlay(),
            condition: condition)
    }

    private func failure() -> Failure {
        Failure(kind: .timeout, message: Message(.transferTimeout, "60"), at: now)
    }

    @Test func `without data it is loading, failed or unconfigured`() throws {
        #expect(try view().state == .loading)
        #expect(try view { $0.lastError = failure() }.state == .failed)
        #expect(try view(url: nil).state == .unconfigured)
        let meta = try view().meta(now: now, revision: revision)
        #expect(meta.freshness == nil && meta.source == nil && meta.ageMilliseconds == nil && meta.generation == 0)
        #expect(try view(url: nil) { $0.due = 5 }.meta(now: now, revision: revision).nextRefresh == nil)
    }

    @Test func `with data it is ready or empty, whatever goes wrong later`() throws {
        let fixture = try StoreFixture()
        let some = try fixture.snapshot(["1"], 1)
        let none = try fixture.snapshot([], 1)
        #expect(try view(snapshot: some) { $0.lastError = failure() }.state == .ready)
        #expect(try view(snapshot: none).state == .empty)
        #expect(try view(url: nil, snapshot: some).state == .unconfigured)
        #expect(try view(url: nil, snapshot: some, bundleKey: 1).state == .ready)
        let failed = try view(snapshot: some) { $0.lastError = failure() }.meta(now: now, revision: revision)
        #expect(failed.lastError == failure() && failed.revision == revision)
    }

    @Test func `data is cache until the upstream has confirmed it to this process`() throws {
        let snapshot = try StoreFixture().snapshot(["1"], 1)
        #expect(try view(snapshot: snapshot).source == .cache)
        #expect(try view(snapshot: snapshot, isConfirmed: true).source == .upstream)
        #expect(try view(snapshot: snapshot, bundleKey: 1).source == .bundle)
    }

    @Test(arguments: [
        (Int64(0), Freshness.fresh), (599_999, .fresh), (600_000, .stale), (86_399_999, .stale),
        (86_400_000, .expired), (-5_000_000, .fresh),
    ])
    func `freshness goes by the age of the last confirmation`(age: Int64, freshness: Freshness) throws {
        let snapshot = try StoreFixture().snapshot(["1"], 1)
        let meta = try view(snapshot: snapshot) { $0.asOf = now - age }.meta(now: now, revision: revision)
        #expect(meta.freshness == freshness)
        #expect(meta.ageMilliseconds == max(0, age))
        #expect(meta.asOf == now - age)
    }

    @Test func `a clock is read back from its text, and from nothing else`() throws {
        let revision = Revision(epoch: 0xabc_def0_1234, seq: 77)
        #expect(Revision(revision.text) == revision)
        for text in ["", ".", "1", "1.", ".1", "1.2.3", "g.1", "1.-1", "01.1", "1.+1", "1. 1", "ABC.1"] {
            #expect(Revision(text) == nil, "\(text)")
        }
    }

    @Test func `a reader sees a change of the catalog by its version`() throws {
        let publisher = CatalogPublisher(Catalog(revision: revision, views: [try view()]))
        let version = publisher.version
        let seen = Monitor(0)
        publisher.observe { catalog in seen.update { $0 = catalog.views.count } }
        #expect(publisher.version == version)
        publisher.publish(try view(), at: Revision(epoch: 1, seq: 3))
        #expect(publisher.version > version)
        #expect(publisher.current().revision.seq == 3)
        #expect(seen.read { $0 } == 1)
        #expect(publisher.current()["others"] == nil)
    }
}
