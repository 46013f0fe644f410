// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// The end of a collection whose source or definition goes.
@Suite struct RemovalTests {
    private static let body = #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#

    /// A store with a generation of two records, one of them archived, beside a collection without data.
    private func fixture() throws -> OpenerFixture {
        let fixture = try OpenerFixture(definitions: [Self.things(), Self.others()])
        try fixture.take(Self.body)
        let done = Monitor(false)
        fixture.store.archive(
            ArchiveChange(collection: "things", ids: [Array("2".utf8)], isArchiving: true, uid: 7, at: 1)
        ) { _ in done.update { $0 = true } }
        _ = done.wait { $0 ? true : nil }
        return fixture
    }

    private static func things(url: String? = "https://things.example/") throws -> Definition {
        let definition = try OpenerFixture.definition()
        var source = definition.source
        source.request.url = url
        return Definition(
            name: definition.name, source: source, fields: definition.fields, isArchivable: definition.isArchivable)
    }

    private static func others() throws -> Definition { try OpenerFixture.definition(name: "others") }

    private func removed(_ fixture: OpenerFixture) -> [RemovedCollection] { fixture.store.catalog.current().removed }

    @Test func `without its source a collection is unconfigured, and served, and says so`() throws {
        let fixture = try fixture()
        #expect(try fixture.opener.reload([Self.things(url: nil), Self.others()]).isEmpty)
        let view = try #require(fixture.view)
        #expect(view.state == .unconfigured && view.snapshot?.count == 2 && view.archive.rows.count == 1)
        let meta = view.meta(now: OpenerFixture.now, revision: fixture.store.catalog.current().revision)
        #expect(meta.lastError?.message == Message(.sourceGone) && meta.lastError?.at == OpenerFixture.now)
        #expect(meta.nextRefresh == nil && meta.freshness == .fresh)
        #expect(fixture.reported == [.sourceLost(records: 2)])
        #expect(try fixture.opener.reload([Self.things(), Self.others()]).isEmpty)
        #expect(fixture.view?.state == .ready && fixture.view?.condition.unconfiguredSince == nil)
        #expect(fixture.reported.last == .sourceFound)
    }

    @Test func `without its definition a collection is gone, and its rows are kept, over a restart, too`() throws {
        let first = try fixture()
        #expect(try first.opener.reload([Self.others()]).isEmpty)
        #expect(first.view == nil)
        let expected = [RemovedCollection(name: "things", records: 2, removedAt: OpenerFixture.now)]
        #expect(removed(first) == expected && first.reported == [.removed(records: 2)])
        first.store.close()
        let second = try OpenerFixture(first.folder, definitions: [Self.others()])
        #expect(removed(second) == expected && second.reported.isEmpty)
        second.store.close()
        let third = try OpenerFixture(first.folder, definitions: [Self.things(), Self.others()])
        #expect(removed(third).isEmpty && third.reported == [.returned])
        #expect(third.documents.count == 2 && third.view?.archive.contains(1) == true)
        #expect(third.view?.condition.row.generation == 1)
    }

    @Test func `a definition that is back brings all of it back at once`() throws {
        let fixture = try fixture()
        let before = try #require(fixture.view)
        fixture.opener.reload([try Self.others()])
        fixture.opener.reload([try Self.things(), try Self.others()])
        let after = try #require(fixture.view)
        #expect(after.condition.row.number == before.condition.row.number && after.condition.row.generation == 1)
        #expect(after.snapshot?.count == 2 && after.archive.contains(1) && removed(fixture).isEmpty)
        #expect(fixture.reported == [.removed(records: 2), .returned])
        #expect(try fixture.rows("SELECT count(*) FROM collections WHERE removed_at IS NOT NULL") == ["0"])
    }

    @Test func `a removal while the daemon was down is seen at the start`() throws {
        let first = try fixture()
        first.store.close()
        let second = try OpenerFixture(first.folder, definitions: [Self.others()])
        #expect(removed(second).map(\.name) == ["things"] && second.reported == [.removed(records: 2)])
    }

    @Test func `a clock that was never set does not date a removal before the data`() throws {
        let first = try fixture()
        first.store.close()
        let asOf = OpenerFixture.now + 86_400_000
        do {
            let database = try Database(path: first.store.database.path, access: .update)
            try database.execute("UPDATE source SET as_of = \(asOf)", "prepare")
        }
        let second = try OpenerFixture(first.folder, definitions: [Self.others()])
        #expect(removed(second).map(\.removedAt) == [asOf])
    }

    @Test func `what is spared is not removed, and of nothing is known nothing follows`() throws {
        let first = try fixture()
        first.opener.reload([try Self.others()], sparing: .named(["things"]))
        #expect(first.view == nil && removed(first).isEmpty && first.reported.isEmpty)
        first.store.close()
        let second = try OpenerFixture(first.folder, definitions: [])
        #expect(removed(second).map(\.name) == ["things"])
        // It has a definition again, though one that cannot be used.
        second.opener.reload([], sparing: .named(["things"]))
        #expect(removed(second).isEmpty)
        second.opener.reload([], sparing: .allBut(["others"]))
        #expect(removed(second).isEmpty)
        second.opener.reload([], sparing: .allBut(["things"]))
        #expect(removed(second).map(\.name) == ["things"])
        second.opener.reload([], sparing: .allBut([]))
        #expect(removed(second).map(\.name) == ["things"])
    }

    @Test func `erasing leaves no row and no file, and frees the name, not the number`() throws {
        let fixture = try fixture()
        #expect { try fixture.store.beginErasing("things") } throws: { ($0 as? StoreError)?.code == .mismatch }
        fixture.opener.reload([try Self.others()])
        let erased = try fixture.store.beginErasing("things")
        #expect(erased.records == 2 && removed(fixture).isEmpty)
        try fixture.opener.finishErasing(erased, while: { true })
        for table in ["version", "removal", "change", "generation", "archive", "local_change", "quarantine"] {
            #expect(try fixture.rows("SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
        #expect(try fixture.rows("SELECT name FROM collection") == ["others"])
        #expect(try fixture.rows("SELECT key FROM meta WHERE key GLOB 'collection.*'") == ["collection.1"])
        #expect(fixture.files.isEmpty)
        #expect { try fixture.store.beginErasing("things") } throws: { ($0 as? StoreError)?.code == .noCollection }
        fixture.opener.reload([try Self.things(), try Self.others()])
        #expect(fixture.view?.state == .loading && fixture.view?.condition.row.generation == 0)
        #expect(try fixture.take(Self.body).counts.added == 2)
        #expect(fixture.view?.archive.rows.count == 0)
    }

    @Test func `an erasure that was cut off goes on after the start, and cannot be taken back`() throws {
        let first = try fixture()
        first.opener.reload([try Self.others()])
        _ = try first.store.beginErasing("things")
        first.store.close()
        let second = try OpenerFixture(first.folder, definitions: [Self.things(), Self.others()])
        #expect(second.view?.state == .loading && second.view?.condition.row.generation == 0)
        #expect(try second.rows("SELECT count(*) FROM version") == ["2"])
        try second.store.finishErasing(while: { true })
        #expect(try second.rows("SELECT count(*) FROM version") == ["0"])
        #expect(second.files.isEmpty && removed(second).isEmpty)
    }

    @Test func `a number is never used again, so that a late row belongs to nobody`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(Self.body)
        var late = try fixture.store.database.stage(1, at: 1, historyBytes: 10)
        fixture.opener.reload([])
        try fixture.opener.finishErasing(fixture.store.beginErasing("things"), while: { true })
        fixture.opener.reload([try Self.things()])
        _ = try late.add(id: [65].rawSpan, upstream: [65].rawSpan, firstSeen: 1, changedAt: 1)
        try late.flush()
        #expect(fixture.view?.condition.row.number == 2)
        late.abandon()
        #expect(try fixture.rows("SELECT count(*) FROM version") == ["0"])
    }

    @Test func `a collection that never had anything leaves nothing to keep`() throws {
        let fixture = try fixture()
        fixture.opener.reload([try Self.things()])
        #expect(removed(fixture).isEmpty && fixture.reported == [.removed(records: 0)])
        try fixture.store.finishErasing(while: { true })
        #expect(try fixture.rows("SELECT name FROM collection") == ["things"])
    }

    @Test func `what fails for one collection of a reload changes nothing for the others`() throws {
        let fixture = try fixture()
        // A file where the folder should be: no snapshot can be built.
        try Directory.remove(fixture.opener.directory)
        try fixture.folder.write("cache", "a file")
        let renamed = Definition(
            name: "others", title: LocalizedText("Others, renamed"), source: try Self.others().source,
            fields: try Self.others().fields, isArchivable: true)
        let failures = fixture.opener.reload([try OpenerFixture.definition(isNameRequired: true), renamed])
        #expect(failures.keys.sorted() == ["things"])
        #expect(fixture.store.catalog.current()["others"]?.definition.title.text("en") == "Others, renamed")
        #expect(fixture.view?.definition.fields[1].isRequired == false && fixture.documents.count == 2)
        Files.remove(fixture.opener.directory)
        #expect(try fixture.opener.reload([OpenerFixture.definition(isNameRequired: true), renamed]).isEmpty)
        #expect(fixture.view?.definition.fields[1].isRequired == true)
    }

    @Test func `a cache folder removed while running is made again, for its owner alone`() throws {
        let fixture = try fixture()
        try Directory.remove(fixture.opener.directory)
        #expect(try fixture.opener.reload([OpenerFixture.definition(isNameRequired: true), Self.others()]).isEmpty)
        #expect(fixture.documents.count == 2)
        #expect(try fixture.folder.permissions("cache") == 0o700)
    }
}
