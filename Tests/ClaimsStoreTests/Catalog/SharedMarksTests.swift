// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct SharedMarksTests {
    private let fixture: StoreFixture
    private var marks: SharedMarks { fixture.store.marks }

    init() throws {
        fixture = try StoreFixture()
        try fixture.commit(["1", "2", "3"])
    }

    private func share() { marks.configure(host: "depot", collections: ["things"], onOwn: nil) }

    private func queued(until latest: Int64 = .max, limit: Int = 10) throws -> [SharedMark] {
        try marks.queued(in: "things", limit: limit, until: latest).sorted { $0.id.lexicographicallyPrecedes($1.id) }
    }

    private func remote(_ id: String, _ isArchived: Bool = true, at: Int64, host: String = "desk") -> SharedMark {
        SharedMark(
            id: Array(id.utf8), isArchived: isArchived, at: at, author: .remote(user: "eve", host: host))
    }

    private func shown(_ id: String) -> ArchiveMark? { fixture.view?.archive.mark(Array(id.utf8)) }

    private func log() throws -> [LoggedChange] {
        let seq = fixture.store.catalog.current().revision.seq
        return try fixture.store.database.changeLog().changes(of: 1, after: 0, through: seq, limit: 100).changes.filter
        {
            $0.cause == .archive
        }
    }

    @Test func `a mark waits in the commit that sets it, and only of a shared collection`() throws {
        try fixture.archive(["1"])
        #expect(try queued().isEmpty)
        share()
        try fixture.archive(["2"])
        try fixture.archive(["2"], false)
        let waiting = try queued()
        #expect(waiting.map(\.id) == [Array("2".utf8)] && waiting[0].isArchived == false)
        // Later than the mark that it changes, though the clock stands still.
        #expect(waiting[0].at == StoreFixture.now + 1)
        #expect(waiting[0].author == .local(1000))
        #expect(try marks.counts().queued == 1)
    }

    @Test func `what was archived before is taken up when the collection begins to be shared`() throws {
        try fixture.archive(["1", "3"])
        share()
        try marks.adopt("things", forgettingBefore: 0)
        #expect(try queued().map(\.id) == [Array("1".utf8), Array("3".utf8)])
        #expect(try queued().allSatisfy { $0.isArchived && $0.at == StoreFixture.now })
    }

    @Test func `a queue outlives a crash, and a mark that is known to be shared leaves it`() throws {
        share()
        try fixture.archive(["1", "2"])
        fixture.store.close()
        let again = try StoreFixture(fixture.folder)
        again.store.marks.configure(host: "depot", collections: ["things"], onOwn: nil)
        let waiting = try again.store.marks.queued(in: "things", limit: 10, until: .max)
        #expect(waiting.count == 2)
        let there = SharedMark(
            id: waiting[0].id, isArchived: true, at: waiting[0].at, author: .remote(user: "u", host: "depot"))
        try again.store.marks.merge([there], in: "things", at: StoreFixture.now)
        #expect(try again.store.marks.counts().queued == 1)
        try again.store.marks.requeue("things", from: 0)
        #expect(try again.store.marks.counts().queued == 2)
    }

    @Test func `a later mark of another host is served, logged with its user, and not sent back`() throws {
        share()
        try fixture.archive(["1"])
        let overruled = try marks.merge(
            [remote("1", false, at: StoreFixture.now + 5), remote("2", at: 7), remote("9", at: 8)], in: "things",
            at: StoreFixture.now)
        #expect(overruled == 1, "the one that waited")
        #expect(shown("1") == nil)
        #expect(shown("2")?.foreignUser == "eve@desk" && shown("2")?.at == 7)
        #expect(shown("9")?.foreignUser == "eve@desk", "also of a record that is not here yet")
        #expect(try marks.counts().queued == 0)
        let changes = try log()
        #expect(changes.map(\.operation) == [.archived, .unarchived, .archived, .archived])
        #expect(changes.map(\.foreignUser) == [nil, "eve@desk", "eve@desk", "eve@desk"])
        try fixture.archive(["3"])
        #expect(try log().last?.foreignUser == nil)
        fixture.store.close()
        let loaded = try StoreFixture(fixture.folder)
        #expect(loaded.view?.archive.mark(Array("2".utf8))?.foreignUser == "eve@desk")
    }

    @Test func `an earlier mark of another host changes nothing, and one of the same kind changes no record`() throws {
        share()
        try fixture.archive(["1"])
        let seq = fixture.store.catalog.current().revision.seq
        try marks.merge([remote("1", false, at: StoreFixture.now - 1)], in: "things", at: StoreFixture.now)
        #expect(shown("1")?.uid == 1000)
        #expect(try marks.merge([remote("1", at: StoreFixture.now + 1)], in: "things", at: StoreFixture.now) == 0)
        #expect(shown("1")?.foreignUser == "eve@desk")
        #expect(fixture.store.catalog.current().revision.seq == seq)
        // A mark here is later than that of the other host, whatever its clock.
        try fixture.archive(["1"], false)
        #expect(try queued().map(\.at) == [StoreFixture.now + 2])
    }

    @Test func `a mark ahead of the database's clock is cut to it, but stays later than what it changes`() throws {
        share()
        try fixture.archive(["1"])
        try marks.merge([remote("2", at: StoreFixture.now - 10)], in: "things", at: StoreFixture.now)
        try fixture.archive(["2"], false)
        let waiting = try queued(until: StoreFixture.now - 100)
        #expect(waiting.map(\.at) == [StoreFixture.now - 100, StoreFixture.now - 9])
        #expect(shown("1")?.at == StoreFixture.now - 100)
        #expect(try queued().map(\.at) == waiting.map(\.at))
    }

    @Test func `ids of over 1 KiB stay here and are counted`() throws {
        // An earlier version may have taken records with such ids.
        let ids = [1024, 1025].map { String(repeating: "x", count: $0) }
        try fixture.store.database.perform { connection throws(StoreError) in
            for id in ids {
                try connection.setMark(ArchiveMark(at: 5, uid: 7), of: Array(id.utf8), in: 1)
            }
        }
        share()
        try marks.adopt("things", forgettingBefore: 0)
        let counts = try marks.counts()
        #expect(counts.queued == 1 && counts.unshared == 1)
        try marks.requeue("things", from: 0)
        #expect(try marks.counts() == counts)
    }

    @Test func `what is not archived any more is remembered for a while once it is shared`() throws {
        share()
        try fixture.archive(["1"])
        try fixture.archive(["1"], false)
        try marks.adopt("things", forgettingBefore: .max)
        #expect(try marks.counts().queued == 1, "it waits yet")
        let waiting = try queued()[0]
        try marks.merge(
            [remote("1", false, at: waiting.at, host: "depot"), remote("2", at: 5)], in: "things", at: StoreFixture.now)
        try marks.adopt("things", forgettingBefore: .max)
        try marks.requeue("things", from: 0)
        #expect(try queued().map(\.id) == [Array("2".utf8)])
        try marks.merge([remote("2", at: 5)], in: "things", at: StoreFixture.now)
        try marks.requeue("things", from: 6)
        #expect(try queued().isEmpty, "it is older than what is to be sent")
    }

    @Test func `a mark that is erased with its record goes out of the archive on all hosts`() throws {
        share()
        try fixture.archive(["1"])
        let store = fixture.store
        try store.database.perform { connection throws(StoreError) in
            try connection.transaction(.synced, "test") { connection throws(StoreError) in
                try connection.unarchiveShared(Array(#"["1"]"#.utf8), of: 1, by: 7, at: StoreFixture.now)
            }
        }
        let waiting = try queued()
        #expect(waiting.map(\.isArchived) == [false] && waiting[0].author == .local(7))
        #expect(waiting[0].at == StoreFixture.now + 1)
    }

    @Test func `the mark of a record that gets another id goes with it`() throws {
        share()
        try fixture.archive(["1"])
        try fixture.store.database.perform { connection throws(StoreError) in
            try connection.transaction(.synced, "test") { connection throws(StoreError) in
                try connection.rename(Array("1".utf8), to: Array("10".utf8), in: 1, at: StoreFixture.now)
            }
        }
        let waiting = try queued()
        #expect(waiting.map(\.id) == [Array("10".utf8)] && waiting[0].isArchived)
    }

    @Test func `a position is kept`() throws {
        #expect(try marks.position() == nil)
        try marks.keep(position: "here")
        try marks.keep(position: "there")
        #expect(try marks.position() == "there")
    }
}
