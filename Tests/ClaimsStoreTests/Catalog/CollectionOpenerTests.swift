// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

@Suite struct CollectionOpenerTests {
    private let body = #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#
    private let documents = [#"{"id":"1","name":"a"}"#, #"{"id":"2","name":"b"}"#]

    /// A folder with one generation in it, closed.
    private func folder(_ definition: Definition? = nil) throws -> TemporaryFolder {
        let fixture = try OpenerFixture(definitions: definition.map { [$0] })
        try fixture.take(body)
        fixture.store.close()
        return fixture.folder
    }

    private func snapshotPath(_ folder: TemporaryFolder) throws -> String {
        let name = try Directory.list(folder("cache")).first { $0.hasSuffix(SnapshotIdentity.fileExtension) }
        return Paths.join(folder("cache"), try #require(name))
    }

    private func isRebuilt(_ event: OpeningEvent?) -> StoreError.Code? {
        if case .rebuilt(_, _, let error) = event { error.code } else { nil }
    }

    @Test func `a warm start serves the file that is there, and calls it cache`() throws {
        let folder = try folder()
        let path = try snapshotPath(folder)
        let fixture = try OpenerFixture(folder)
        #expect(fixture.documents == documents)
        #expect(fixture.view?.source == .cache && fixture.view?.state == .ready)
        #expect(fixture.view?.snapshot?.path == path)
        #expect(fixture.reported.isEmpty)
        #expect(fixture.opener.verify("things"))
        #expect(fixture.view?.condition.isVerified == true)
    }

    @Test func `a cache folder that is gone is made again from state.db`() throws {
        let folder = try folder()
        try Directory.remove(folder("cache"))
        let fixture = try OpenerFixture(folder)
        #expect(fixture.documents == documents)
        #expect(fixture.reported.map(isRebuilt) == [.missing])
        #expect(fixture.view?.condition.row.generation == 1)
        #expect(fixture.store.catalog.current().revision.seq == 1)
        #expect(fixture.view?.snapshot?.firstSeen(0) == OpenerFixture.now)
    }

    @Test(arguments: [0, 8, 100, 1000]) func `a file cut short is built again`(size: Int) throws {
        let folder = try folder()
        let path = try snapshotPath(folder)
        try Files.writeAtomically(path, Array(Files.readAll(path, cap: 1 << 20).prefix(size)))
        let fixture = try OpenerFixture(folder)
        #expect(fixture.documents == documents)
        #expect(fixture.reported.count == 1)
        #expect(fixture.files.count == 1)
    }

    @Test func `a damaged section is found by the slow reader, and built again meanwhile`() throws {
        let first = try OpenerFixture()
        // Records as large as they may be, and so many that the file is not looked through when it is opened.
        let padding = String(repeating: "x", count: IntakePlan.maxRecordSize - 100)
        let records = ["a", "b", "c"].enumerated().map { number, name in
            #"{"id":\#(number + 1),"name":"\#(name)","padding":"\#(padding)"}"#
        }
        try first.take("[\(records.joined(separator: ","))]")
        first.store.close()
        let path = try snapshotPath(first.folder)
        var bytes = try Files.readAll(path, cap: 1 << 30)
        bytes[bytes.count / 2] ^= 0xff
        try Files.writeAtomically(path, bytes)
        let fixture = try OpenerFixture(first.folder)
        #expect(fixture.reported.isEmpty && fixture.view?.condition.isVerified == false)
        #expect(fixture.opener.verify("things"))
        #expect(fixture.reported.map(isRebuilt) == [.damaged] && fixture.view?.condition.isVerified == true)
        #expect(fixture.documents == documents + [#"{"id":"3","name":"c"}"#])
    }

    @Test func `another definition is served from the same records`() throws {
        let folder = try folder()
        let definition = try OpenerFixture.definition(isNameRequired: true)
        let fixture = try OpenerFixture(folder, definitions: [definition])
        #expect(fixture.reported.map(isRebuilt) == [.mismatch])
        #expect(fixture.documents == documents)
    }

    @Test func `records that another definition does not let through go to quarantine`() throws {
        let before = try OpenerFixture()
        try before.take(#"[{"id":1,"name":"a"},{"id":2}]"#)
        before.store.close()
        let definition = try OpenerFixture.definition(isNameRequired: true)
        let fixture = try OpenerFixture(before.folder, definitions: [definition])
        #expect(fixture.documents == [documents[0]])
        #expect(fixture.view?.condition.row.quarantined == 1)
        #expect(try fixture.rows("SELECT id FROM record") == ["1"])
        #expect(try fixture.rows("SELECT bytes FROM quarantined") == [#"{"id":2}"#])
        #expect(try fixture.take(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#).counts.added == 1)
        #expect(try fixture.rows("SELECT id FROM record ORDER BY id") == ["1", "2"])
    }

    @Test func `an id with a control character that an older version served goes to quarantine at the start`() throws {
        let before = try OpenerFixture()
        try before.take(#"[{"id":"1"},{"id":"2/"},{"id":"3"}]"#)
        let path = before.store.database.path
        before.store.close()
        do {
            let database = try Database(path: path, access: .update)
            try database.execute(
                """
                UPDATE version SET id = replace(id, '/', char(10)), upstream = replace(upstream, '/', '\\n');
                UPDATE collection SET definition_hash = definition_hash + 1;
                """, "prepare")
        }
        let fixture = try OpenerFixture(before.folder)
        #expect(fixture.documents == [#"{"id":"1"}"#, #"{"id":"3"}"#])
        #expect(fixture.view?.condition.row.quarantined == 1)
        #expect(
            try fixture.rows("SELECT reason || bytes FROM quarantined") == [
                #"the id has a control character{"id":"2\n"}"#
            ])
        #expect(fixture.store.catalog.current().revision.seq == 2)
        let body = #"[{"id":"1"},{"id":"2\n"},{"id":"3"}]"#
        #expect(try fixture.take(body).counts.quarantined == 1)
        #expect(try !fixture.take(body).isNew)
        #expect(fixture.documents.count == 2)
    }

    @Test func `a reload changes labels at once and shapes by building`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(body)
        let before = try #require(fixture.view?.snapshot)
        let renamed = Definition(
            name: "things", title: LocalizedText("Other"),
            source: fixture.view?.definition.source ?? before.definition.source,
            fields: before.definition.fields, isArchivable: true)
        fixture.opener.reload([renamed])
        #expect(fixture.view?.definition.title.text("en") == "Other")
        #expect(fixture.view?.snapshot === before)
        try fixture.opener.reload([OpenerFixture.definition(isNameRequired: true)])
        #expect(fixture.view?.snapshot !== before)
        #expect(fixture.documents == documents)
        try fixture.opener.reload([OpenerFixture.definition(name: "others")])
        #expect(fixture.view == nil)
        #expect(fixture.store.catalog.current()["others"]?.state == .loading)
    }

    @Test func `records in the files of earlier snapshots are there after a start`() throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "long ", count: 400)
        func body(_ changed: Int) -> String {
            let records = (0..<1200).map { #"{"id":\#($0),"name":"\#($0 == changed ? "changed" : name)"}"# }
            return "[\(records.joined(separator: ","))]"
        }
        let first = try OpenerFixture(folder)
        try first.take(body(-1))
        #expect(try first.take(body(7), bounds: .none).counts.updated == 1)
        let expected = first.documents
        // A crash would leave: the old file under its name, and a part that is longer than its records.
        let orphan = Paths.join(folder("cache"), "00000000000000aa.0.snapshot")
        let part = try #require(first.view?.snapshot?.partPath(0))
        try Files.link(part, to: orphan)
        first.store.close()
        let again = try OpenerFixture(folder)
        #expect(again.reported.isEmpty)
        #expect(again.documents == expected && expected.count == 1200)
        #expect(again.opener.verify("things"))
        #expect(again.view?.snapshot?.shared.parts.count == 1)
        #expect(!Files.exists(orphan) && Files.exists(part))
        #expect(try again.take(body(9), bounds: .none).counts.updated == 2)
        again.store.close()
        Files.remove(try #require(again.view?.snapshot?.partPath(1)))
        let rebuilt = try OpenerFixture(folder)
        #expect(rebuilt.reported.map(isRebuilt) == [.damaged])
        #expect(rebuilt.documents.count == 1200)
        #expect(try Directory.list(folder("cache")).count { $0.hasSuffix(SnapshotIdentity.fileExtension) } == 1)
    }

    @Test func `orphans are deleted, the files of others are not`() throws {
        let folder = try folder()
        try folder.write("cache/0123456789abcdef" + SnapshotIdentity.fileExtension, "left over")
        try folder.write("cache/README", "mine")
        let fixture = try OpenerFixture(folder)
        #expect(fixture.files.count == 1)
        #expect(Files.exists(folder("cache/README")))
        #expect(fixture.documents == documents)
    }

    @Test func `a collection that is not configured any more keeps its records and its file`() throws {
        let folder = try folder()
        let other = try OpenerFixture(folder, definitions: [OpenerFixture.definition(name: "others")])
        #expect(other.files.count == 1)
        other.store.close()
        let fixture = try OpenerFixture(folder)
        #expect(fixture.documents == documents && fixture.reported == [.returned])
    }

    @Test func `archive marks are there after any kind of start`() throws {
        let first = try OpenerFixture()
        try first.take(body)
        let done = Monitor(false)
        first.store.archive(
            ArchiveChange(collection: "things", ids: [Array("2".utf8)], isArchiving: true, uid: 7, at: 1)
        ) { _ in done.update { $0 = true } }
        _ = done.wait { $0 ? true : nil }
        first.store.close()
        let warm = try OpenerFixture(first.folder)
        #expect(warm.view?.archive.contains(1) == true && warm.view?.archive.rows.count == 1)
        warm.store.close()
        try Directory.remove(first.folder("cache"))
        let cold = try OpenerFixture(first.folder)
        #expect(cold.view?.archive.contains(1) == true && cold.view?.archive.rows.count == 1)
    }

    @Test func `joined values of the last good join are there after a rebuild`() throws {
        let definition = try OpenerFixture.definition(join: true)
        let first = try OpenerFixture(definitions: [definition])
        let table = try #require(JoinTable(definition: definition, stored: Array("[\"a\",\"A\"]\n".utf8)))
        try first.take(body, joined: table)
        first.store.close()
        try Directory.remove(first.folder("cache"))
        let fixture = try OpenerFixture(first.folder, definitions: [definition])
        #expect(fixture.documents == [#"{"id":"1","name":"a","label":"A"}"#, documents[1]])
    }

    @Test func `a cache folder that cannot be written is named`() throws {
        let folder = try TemporaryFolder()
        try folder.write("cache", "a file")
        #expect { try OpenerFixture(folder) } throws: { error in
            (error as? StoreError)?.message.contains(folder("cache")) == true
        }
    }
}
