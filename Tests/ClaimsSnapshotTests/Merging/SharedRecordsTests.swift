// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

/// Snapshots that serve records from the files of earlier ones.
struct SharedRecordsTests {
    /// A snapshot of so many records that they are worth sharing.
    private func large() throws -> SnapshotFixture {
        let text = String(repeating: "water damage ", count: 160)
        return try SnapshotFixture((0..<1200).map { #"{"id":"\#($0)","title":"\#(text)\#($0)"}"# })
    }

    /// The next generation: records `changed` are new, those above `count` are gone.
    private func next(
        _ old: SnapshotFixture, changing changed: Range<Int>, keeping count: Int = 1200
    ) throws -> SnapshotFixture {
        let identity = old.identity()
        let texts = changed.map { #"{"id":"\#($0)","title":"changed once more \#(identity.fileID) \#($0)"}"# }
        let fresh = try Shelf.decode(texts, old.definition)
        var records = Dictionary(uniqueKeysWithValues: fresh.map { ($0.id, $0) })
        var writer = try SnapshotWriter(
            directory: old.folder.path, definition: old.definition, identity: identity, base: old.snapshot)
        for record in fresh { _ = try SnapshotFixture.append(record, to: &writer) }
        for (row, record) in old.records.enumerated() where records[record.id] == nil && row < count {
            _ = try writer.carry(row, from: old.snapshot)
            records[record.id] = record
        }
        _ = try writer.finish()
        let snapshot = try Snapshot.open(directory: old.folder.path, identity: identity, definition: old.definition)
        return SnapshotFixture(
            folder: old.folder, definition: old.definition, records: Array(records.values), snapshot: snapshot)
    }

    private func check(_ fixture: SnapshotFixture) throws {
        let snapshot = fixture.snapshot
        try snapshot.verify()
        #expect(snapshot.count == fixture.records.count)
        for (row, record) in fixture.records.enumerated() {
            #expect(snapshot.document(row).array == record.document)
            #expect(snapshot.upstream(row).array == record.upstream)
            let found = snapshot.row(forID: record.id.rawSpan)
            #expect(found == row)
        }
    }

    private func files(_ fixture: SnapshotFixture) throws -> Int { try Directory.list(fixture.folder.path).count }

    @Test func `what goes on is not written again, and outlives the file it was written to`() throws {
        var old: SnapshotFixture? = try large()
        let size = try #require(old?.snapshot.fileSize)
        let path = try #require(old?.snapshot.path)
        let fixture = try next(#require(old), changing: 10..<20)
        try check(fixture)
        #expect(fixture.snapshot.shared.parts.count == 1)
        let own = try #require(Files.size(fixture.snapshot.path))
        #expect(own < size / 4)
        old?.snapshot.removeWhenUnused()
        old = nil
        #expect(!Files.exists(path))
        // Of the old file only the records are left.
        let left = try #require(Files.size(fixture.snapshot.partPath(0)))
        #expect(left == SharedRecords.mappedBytes(of: fixture.snapshot.shared.parts[0]))
        try check(fixture)
        let again = try Snapshot.open(
            directory: fixture.folder.path, identity: fixture.snapshot.identity, definition: fixture.definition)
        try again.verify()
    }

    @Test func `generation after generation, until all is written anew`() throws {
        var fixture = try large()
        var parts: [Int] = []
        for generation in 0..<10 {
            let old = fixture
            fixture = try next(old, changing: generation * 5..<generation * 5 + 5)
            old.snapshot.removeWhenUnused()
            parts.append(fixture.snapshot.shared.parts.count)
            try check(fixture)
        }
        #expect(parts == [1, 2, 3, 4, 5, 6, 7, 0, 1, 2])
        #expect(try files(fixture) == 3)
    }

    @Test func `where much is of no use any more, all is written anew`() throws {
        let first = try large()
        let second = try next(first, changing: 0..<1, keeping: 800)
        #expect(second.snapshot.shared.parts.count == 1)
        let third = try next(second, changing: 0..<1)
        #expect(third.snapshot.shared.parts.isEmpty)
        try check(third)
    }

    @Test func `where most is new, it is built of records of both files`() throws {
        let old = try large()
        let fixture = try next(old, changing: 0..<700)
        #expect(fixture.snapshot.shared.parts.count == 1)
        try check(fixture)
        try SnapshotComparison(fixture, seed: 3).run(queries: 5)
    }

    @Test func `where nothing goes on, nothing is shared`() throws {
        let old = try large()
        let fixture = try next(old, changing: 0..<1200)
        #expect(fixture.snapshot.shared.parts.isEmpty)
        #expect(try files(fixture) == 2)
        try check(fixture)
        try check(try next(fixture, changing: 5..<6))
    }

    @Test func `a snapshot that is let go takes its names of other files with it`() throws {
        let old = try large()
        do {
            let fixture = try next(old, changing: 0..<1)
            #expect(try files(fixture) == 3)
            fixture.snapshot.removeWhenUnused()
        }
        #expect(try files(old) == 1)
        do {
            var writer = try SnapshotWriter(
                directory: old.folder.path, definition: old.definition, identity: old.identity(), base: old.snapshot)
            _ = try writer.carry(0, from: old.snapshot)
            #expect(try files(old) > 2)
        }
        #expect(try files(old) == 1)
        try check(old)
    }

    @Test func `a file that is missing, short or changed is damage`() throws {
        let old = try large()
        let fixture = try next(old, changing: 0..<1)
        let part = fixture.snapshot.partPath(0)
        func open() throws(StoreError) {
            try Snapshot.open(
                directory: fixture.folder.path, identity: fixture.snapshot.identity, definition: fixture.definition
            ).verify()
        }
        func code() -> StoreError.Code? {
            do throws(StoreError) { try open() } catch { return error.code }
            return nil
        }
        #expect(code() == nil)
        let kept = try Files.readAll(part, cap: 1 << 30)
        var changed = kept
        changed[kept.count / 3] ^= 1
        try Files.writeAtomically(part, changed)
        #expect(code() == .damaged)
        try Files.writeAtomically(part, Array(kept.prefix(5000)))
        #expect(code() == .damaged)
        Files.remove(part)
        #expect(code() == .damaged)
        try Files.writeAtomically(part, kept)
        #expect(code() == nil)
    }
}
