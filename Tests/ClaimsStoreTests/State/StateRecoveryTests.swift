// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct StateRecoveryTests {
    private let body = "[" + (0..<2000).map { #"{"id":\#($0),"name":"name of \#($0)"}"# }.joined(separator: ",") + "]"

    /// A closed store with two thousand records, three of them archived.
    private func folder() throws -> TemporaryFolder {
        let fixture = try OpenerFixture()
        try fixture.take(body)
        let done = Monitor(false)
        fixture.store.archive(
            ArchiveChange(
                collection: "things", ids: ["1", "20", "300"].map { Array($0.utf8) }, isArchiving: true, uid: 7, at: 9)
        ) { _ in done.update { $0 = true } }
        _ = done.wait { $0 ? true : nil }
        fixture.store.close()
        return fixture.folder
    }

    private func database(_ folder: TemporaryFolder) throws -> [UInt8] {
        try Files.readAll(folder("state/state.db"), cap: 1 << 30)
    }

    private func damage(_ folder: TemporaryFolder, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try database(folder)
        change(&bytes)
        try folder.write("state/state.db", bytes)
    }

    @Test func `a sound file is opened as it is`() throws {
        let folder = try folder()
        let fixture = try OpenerFixture(folder)
        #expect(fixture.store.database.recovery == nil)
        #expect(fixture.store.database.check() == nil)
        #expect(!Files.exists(folder("state/" + StateRecovery.markName)))
    }

    @Test func `a file without its header loses nothing`() throws {
        let folder = try folder()
        try damage(folder) { bytes in bytes.replaceSubrange(0..<100, with: repeatElement(0x5a, count: 100)) }
        let fixture = try OpenerFixture(folder)
        #expect(fixture.store.database.recovery?.incomplete == [])
        #expect(fixture.view?.committed?.count == 2000 && fixture.view?.archive.rows.count == 3)
        let files = try Directory.list(folder("state")).filter { $0.contains("mended") || $0.contains("recover") }
        #expect(files.isEmpty)
    }

    @Test func `a file without its first page is moved aside, and a new one begun`() throws {
        let folder = try folder()
        try damage(folder) { bytes in bytes.replaceSubrange(0..<4096, with: repeatElement(0x5a, count: 4096)) }
        let before = try database(folder)
        let fixture = try OpenerFixture(folder)
        let recovery = try #require(fixture.store.database.recovery)
        #expect(recovery.rows["version"] == 0 && recovery.incomplete.contains("archive"))
        #expect(try Files.readAll(recovery.movedTo, cap: 1 << 30) == before)
        #expect(fixture.view?.state == .loading)
        try fixture.take(body)
        #expect(fixture.view?.committed?.count == 2000)
        fixture.store.close()
        #expect(try OpenerFixture(folder).store.database.recovery == nil)
    }

    @Test func `of a file cut short, what can be read is served`() throws {
        let folder = try folder()
        let epoch = try OpenerFixture(folder.duplicate()).store.epoch
        try damage(folder) { bytes in bytes.removeLast(bytes.count / 3 / 4096 * 4096) }
        try folder.write("state/" + StateRecovery.markName, "found by hand")
        let fixture = try OpenerFixture(folder)
        let recovery = try #require(fixture.store.database.recovery)
        #expect(recovery.rows["archive"] == 3)
        #expect(fixture.store.epoch != epoch)
        let count = try #require(fixture.view?.snapshot?.count)
        #expect(count > 500 && count < 2000)
        #expect(fixture.view?.archive.rows.count ?? 0 >= 1)
        #expect(!Files.exists(folder("state/" + StateRecovery.markName)))
        // The next answer of the upstream makes it whole.
        try fixture.take(body)
        #expect(fixture.view?.committed?.count == 2000 && fixture.view?.archive.rows.count == 3)
    }

    @Test(arguments: 0..<12) func `a page of garbage anywhere is survived`(seed: Int) throws {
        let folder = try folder()
        try damage(folder) { bytes in
            let pages = bytes.count / 4096
            let page = seed * pages / 12
            for offset in 0..<4096 {
                bytes[page * 4096 + offset] = UInt8(truncatingIfNeeded: (offset &+ seed) &* 131 ^ offset >> 3)
            }
        }
        try folder.write("state/" + StateRecovery.markName, "found by the check")
        let fixture = try OpenerFixture(folder)
        #expect(fixture.store.database.recovery != nil)
        try fixture.take(body)
        #expect(fixture.view?.committed?.count == 2000)
        #expect(fixture.store.database.check() == nil)
    }

    @Test func `the slow check finds damage, and has the next start recover`() throws {
        let folder = try folder()
        try damage(folder) { bytes in
            // Records are there, which a start does not read.
            let page = bytes.count / 4096 * 3 / 4 * 4096
            for offset in page..<page + 4096 { bytes[offset] = 0xff }
        }
        let first = try StateStore(directory: folder("state"))
        #expect(first.database.check()?.code == .damaged)
        first.close()
        let second = try OpenerFixture(folder)
        #expect(second.store.database.recovery?.rows["archive"] == 3)
        #expect(second.store.database.check() == nil)
    }

    @Test func `a crash in the middle of a recovery loses nothing`() throws {
        let folder = try folder()
        // Finished, and the damaged file already out of the way.
        try Files.rename(folder("state/state.db"), to: folder("state/state.db.recovered"))
        let fixture = try OpenerFixture(folder)
        #expect(fixture.view?.committed?.count == 2000)
        fixture.store.close()
        // Finished, but not yet in its place.
        try folder.write("state/state.db.recovered", "anything")
        let second = try OpenerFixture(folder)
        #expect(second.view?.snapshot?.count == 2000)
        #expect(!Files.exists(folder("state/state.db.recovered")))
    }

    @Test func `two current records with one id are served once`() throws {
        let folder = try folder()
        do {
            let database = try Database(path: folder("state/state.db"), access: .update)
            try database.execute(
                """
                INSERT INTO version SELECT key + 3000, generation, id, replace(upstream, 'name of', 'again'),
                    first_seen, changed_at FROM version WHERE id = '77';
                UPDATE collection SET next_key = next_key + 5000
                """, "damage")
        }
        try Directory.remove(folder("cache"))
        let fixture = try OpenerFixture(folder)
        #expect(fixture.view?.committed?.count == 2000)
        #expect(try fixture.rows("SELECT upstream FROM record WHERE id = '77'") == [#"{"id":77,"name":"again 77"}"#])
        #expect(fixture.view?.condition.row.quarantined == 0)
    }
}

extension TemporaryFolder {
    /// A copy of the folder with its state, and without its cache.
    fileprivate func duplicate() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        try copy.write("state/state.db", Files.readAll(self("state/state.db"), cap: 1 << 30))
        return copy
    }
}
