// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct ArchiveTests {
    private func ids(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func `archiving tells what changed, what was so already, and what is not there`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1", "2", "3"])
        let first = try fixture.archive(["1", "2", "9"])
        #expect(first.changed == ids("1", "2") && first.unchanged.isEmpty && first.missing == ids("9"))
        let second = try fixture.archive(["2", "3", "2"])
        #expect(second.changed == ids("3") && second.unchanged == ids("2", "2") && second.missing.isEmpty)
        let third = try fixture.archive(["1", "1", "9"], false)
        #expect(third.changed == ids("1") && third.unchanged == ids("1") && third.missing == ids("9"))
    }

    @Test func `the clock counts each change, and the catalog has it before the answer`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1", "2"])
        let before = fixture.store.catalog.current().revision
        #expect(before.seq == 1)
        let version = fixture.store.catalog.version
        let outcome = try fixture.archive(["1", "2"])
        #expect(outcome.revision == Revision(epoch: before.epoch, seq: 3))
        #expect(fixture.store.catalog.current().revision == outcome.revision)
        #expect(fixture.store.catalog.version > version)
        #expect(fixture.view?.archive.rows.count == 2)
        #expect(fixture.view?.archive.contains(0) == true)
        #expect(fixture.view?.archive.mark(Array("1".utf8)) == .init(at: StoreFixture.now, uid: 1000))
        #expect(try fixture.archive(["1"]).revision == outcome.revision)
    }

    @Test func `marks whose times have a sum that no number holds are no damage`() throws {
        // As the times of five million marks of today have.
        let fixture = try StoreFixture()
        try fixture.commit(["1", "2", "3"])
        try fixture.archive(["1", "2", "3"], at: .max / 2)
        fixture.store.close()
        let again = try StoreFixture(fixture.folder)
        #expect(again.store.database.recovery == nil)
        #expect(again.view?.archive.mark(Array("2".utf8))?.at == .max / 2)
    }

    @Test func `each acknowledged change is a row that the shell shows`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1", "2"])
        try fixture.archive(["2"])
        #expect(
            try Shell.rows(fixture.folder, "SELECT collection || ' ' || id || ' ' || at || ' ' || uid FROM archived")
                == ["things 2 2027-01-15T08:00:00.000Z 1000"])
        try fixture.archive(["2"], false)
        #expect(try Shell.rows(fixture.folder, "SELECT id FROM archived").isEmpty)
        #expect(
            try Shell.rows(fixture.folder, "SELECT seq || op || id FROM changes WHERE op LIKE '%archived' ORDER BY seq")
                == ["2archived2", "3unarchived2"])
    }

    @Test func `what is acknowledged is there after a crash`() throws {
        let fixture = try StoreFixture()
        try fixture.commit((0..<50).map(String.init))
        for id in 0..<50 { try fixture.archive([String(id)]) }
        // The store is still open: nothing has been closed, copied into the file or cleaned up.
        let crashed = try StoreFixture(fixture.folder.copy())
        #expect(crashed.store.catalog.current().revision == fixture.store.catalog.current().revision)
        #expect(try Shell.rows(crashed.folder, "SELECT count(*) FROM archived") == ["50"])
    }

    @Test func `a record that is gone can be brought back, but not archived`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1", "2"])
        try fixture.archive(["1"])
        try fixture.commit(["2"])
        #expect(fixture.view?.archive.rows.count == 0)
        #expect(try fixture.archive(["1"]).unchanged == ids("1"))
        try fixture.commit(["1", "2"])
        #expect(fixture.view?.archive.rows.count == 1)
        try fixture.commit(["2"])
        #expect(try fixture.archive(["1"], false).changed == ids("1"))
        #expect(try fixture.archive(["1"], false).missing == ids("1"))
        #expect(try fixture.archive(["1"]).missing == ids("1"))
    }

    @Test func `an unknown collection is an error`() throws {
        let fixture = try StoreFixture()
        let catalog = fixture.store.catalog
        catalog.publish(Catalog(revision: catalog.current().revision))
        #expect { try fixture.archive(["1"]) } throws: { ($0 as? StoreError)?.code == .noCollection }
    }

    @Test func `many at once all get their own answer`() throws {
        let fixture = try StoreFixture()
        try fixture.commit((0..<1000).map(String.init))
        let answers = Monitor<[UInt64]>([])
        for id in 0..<1000 {
            let change = ArchiveChange(
                collection: "things", ids: [Array(String(id).utf8)], isArchiving: true, uid: 0, at: StoreFixture.now)
            fixture.store.archive(change) { result in
                let seq = (try? result.get())?.revision.seq ?? 0
                answers.update { $0.append(seq) }
            }
        }
        let seqs = answers.wait { $0.count == 1000 ? $0 : nil }
        #expect(seqs == Array(2...1001))
        #expect(fixture.view?.archive.rows.count == 1000)
    }

    @Test func `ids with any character in them keep it`() throws {
        let fixture = try StoreFixture()
        let names = ["a\u{200B}b", "'; DROP TABLE archive; --", "żółw 🐢"]
        try fixture.commit(names)
        #expect(try fixture.archive(names).changed == names.map { Array($0.utf8) })
        fixture.store.close()
        let reopened = try StateStore(directory: fixture.folder.path)
        let marks = try reopened.database.load(names: []).collections["things"]?.marks ?? []
        #expect(Set(marks.map(\.id)) == Set(names.map { Array($0.utf8) }))
    }
}
