// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

@testable import ClaimsStore

/// A state.db that was put back from a copy, and everything that only looks like it.
@Suite struct ClockMarkTests {
    private let cache: TemporaryFolder

    init() throws {
        cache = try TemporaryFolder()
    }

    private var mark: String { cache(ClockMark.fileName) }

    /// Opens the store, does something, and closes it.
    ///
    /// - Returns: the epoch, and whether a copy was recognised.
    @discardableResult
    private func run(
        _ folder: TemporaryFolder, _ body: (StoreFixture) throws -> Void = { _ in }
    ) throws -> (epoch: UInt64, isRestored: Bool) {
        let fixture = try StoreFixture(folder, cache: cache)
        try body(fixture)
        fixture.store.close()
        return (fixture.store.epoch, fixture.store.database.restoration != nil)
    }

    /// A first life, in which there are records and all of them are archived.
    @discardableResult
    private func begin(_ folder: TemporaryFolder) throws -> UInt64 {
        try run(folder) { fixture in
            try fixture.commit(["1", "2", "3"])
            try fixture.archive(["1", "2", "3"])
        }.epoch
    }

    private func putBack(_ copy: TemporaryFolder, to folder: TemporaryFolder) throws {
        for suffix in ["-wal", "-shm"] { Files.remove(folder(StateDatabase.fileName) + suffix) }
        for name in try Directory.list(copy.path) where name.hasPrefix(StateDatabase.fileName) {
            try folder.write(name, Files.readAll(copy(name), cap: 1 << 30))
        }
    }

    @Test func `the last clock is in the cache folder before anybody is answered`() throws {
        let fixture = try StoreFixture(cache: cache)
        #expect(ClockMark.read(mark) == nil)
        try fixture.commit(["1", "2"])
        #expect(ClockMark.read(mark)?.revision == fixture.store.catalog.current().revision)
        let outcome = try fixture.archive(["1", "2"])
        #expect(ClockMark.read(mark)?.revision == outcome.revision && outcome.revision.seq == 3)
    }

    @Test(arguments: [ClockMark.fileName, AttemptMark.fileName])
    func `a link in the place of a mark is replaced, and what it leads to stays as it is`(name: String) throws {
        let other = try cache.write("other", [UInt8](repeating: 7, count: 64))
        let before = try cache.read("other")
        for target in [other, cache("nothing")] {
            try #require(unsafe symlink(target, cache(name)) == 0)
            let fixture = try StoreFixture(cache: cache)
            try fixture.commit(["1", "2"])
            try AttemptMark(directory: cache.path).sync(5)
            #expect(Files.readLink(cache(name)) == nil && Files.size(cache(name)) ?? 0 > 0)
            #expect(try cache.read("other") == before && !Files.exists(cache("nothing")))
            fixture.store.close()
            Files.remove(cache(name))
        }
    }

    @Test func `a copy that was put back begins a new epoch and a new secret, once`() throws {
        let folder = try TemporaryFolder()
        let first = try begin(folder)
        let secret = try Shell.rows(folder, "SELECT hex(value) FROM meta WHERE key = 'cursor_secret'")
        let copy = try folder.copy()
        try run(folder) { try $0.archive(["2"], false) }
        try putBack(copy, to: folder)
        let second = try run(folder) { fixture in
            let restoration = try #require(fixture.store.database.restoration)
            #expect(restoration.found == Revision(epoch: first, seq: 4))
            #expect(restoration.published == Revision(epoch: first, seq: 5))
            #expect(fixture.view?.archive.mark(Array("2".utf8)) != nil)
            try fixture.archive(["2"], false)
        }
        #expect(second.epoch != first && second.isRestored)
        #expect(try Shell.rows(folder, "SELECT hex(value) FROM meta WHERE key = 'cursor_secret'") != secret)
        let third = try run(folder)
        #expect(third.epoch == second.epoch && !third.isRestored)
    }

    @Test func `a copy of another life is recognised though its clock is not behind`() throws {
        let folder = try TemporaryFolder()
        let first = try begin(folder)
        let copy = try folder.copy()
        Files.remove(mark)
        try run(folder) { try $0.archive(["1"], false) }
        try putBack(copy, to: folder)
        // Without the cache folder this copy is the truth, and makes a history of its own.
        Files.remove(mark)
        #expect(try run(folder) { try $0.archive(["2"], false) }.epoch == first)
        let other = try folder.copy()
        Files.remove(mark)
        try putBack(copy, to: folder)
        try run(folder) { try $0.archive(["1"], false) }
        try putBack(other, to: folder)
        #expect(try run(folder).isRestored)
    }

    @Test func `a copy without a later change is the truth`() throws {
        let folder = try TemporaryFolder()
        let first = try run(folder) { try $0.commit(["1"]) }
        let copy = try folder.copy()
        try run(folder)
        try putBack(copy, to: folder)
        let second = try run(folder)
        #expect(second.epoch == first.epoch && !second.isRestored)
    }

    @Test func `an older, a missing and a broken mark give no alarm`() throws {
        let folder = try TemporaryFolder()
        let first = try begin(folder)
        // A power cut may take back what was written to the cache folder, but nothing of state.db.
        let old = try Files.readAll(mark, cap: 1 << 10)
        try run(folder) { try $0.archive(["1"], false) }
        for bytes in [old, [], Array(old.dropLast()), old.map { $0 ^ 1 }] {
            try cache.write(ClockMark.fileName, bytes)
            let next = try run(folder)
            #expect(next.epoch == first && !next.isRestored)
        }
        try cache.write(ClockMark.fileName, old)
        try run(folder) { try $0.archive(["2"], false) }
        #expect(try run(folder).epoch == first)
        Files.remove(mark)
        #expect(try !run(folder) { try $0.archive(["3"], false) }.isRestored)
        #expect(ClockMark.read(mark)?.revision.seq == 7)
    }

    @Test func `a crash between the commit and the mark gives no alarm`() throws {
        let folder = try TemporaryFolder()
        let first = try begin(folder)
        for id in ["1", "2", "3"] {
            let before = try Files.readAll(mark, cap: 1 << 10)
            try run(folder) { try $0.archive([id], false) }
            try cache.write(ClockMark.fileName, before)
        }
        let last = try run(folder)
        #expect(last.epoch == first && !last.isRestored)
    }

    @Test func `a new or recovered state.db is no copy`() throws {
        let folder = try TemporaryFolder()
        try begin(folder)
        let fresh = try TemporaryFolder()
        #expect(try !run(fresh).isRestored)
        #expect(try !run(fresh).isRestored)
        try begin(fresh)
        try fresh.write(StateRecovery.markName, "")
        #expect(try !run(fresh).isRestored)
        #expect(try !run(fresh) { try $0.archive(["1"], false) }.isRestored)
        #expect(try !run(fresh).isRestored)
    }

    @Test func `a cache folder that was emptied while the store is open gets the clock again`() throws {
        let fixture = try StoreFixture(cache: cache)
        try fixture.commit(["1"])
        Files.remove(mark)
        let outcome = try fixture.archive(["1"])
        #expect(ClockMark.read(mark)?.revision == outcome.revision)
    }
}
