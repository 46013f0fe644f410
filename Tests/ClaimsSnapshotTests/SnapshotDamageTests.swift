// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

struct SnapshotDamageTests {
    /// A damaged copy of a fixture's file, opened if it can be.
    private func reopen(_ fixture: SnapshotFixture, _ bytes: [UInt8]) throws -> Result<Snapshot, StoreError> {
        let folder = try TemporaryFolder()
        try folder.write(fixture.snapshot.identity.fileName, bytes)
        do throws(StoreError) {
            return .success(
                try Snapshot.openUnverified(
                    directory: folder.path, identity: fixture.snapshot.identity, definition: fixture.definition))
        } catch {
            return .failure(error)
        }
    }

    private func bytes(_ fixture: SnapshotFixture) throws -> [UInt8] {
        try Files.readAll(fixture.snapshot.path, cap: 1 << 30)
    }

    private func code(_ result: Result<Snapshot, StoreError>) -> StoreError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    @Test func `files that are not whole, not ours or not the one asked for are refused`() throws {
        var objects = ShelfObjects(seed: 1)
        let fixture = try SnapshotFixture(objects.objects(50))
        let good = try bytes(fixture)
        #expect(code(try reopen(fixture, good)) == nil)
        for count in [0, 1, 7, 8, 100, 127, 128, 129, good.count / 2, good.count - 1] {
            let found = code(try reopen(fixture, Array(good.prefix(count))))
            #expect(found == (count < SnapshotHeader.size ? .foreign : .damaged), "\(count) bytes")
        }
        #expect(code(try reopen(fixture, good + [0])) == .damaged)
        #expect(code(try reopen(fixture, [UInt8](repeating: 0xAA, count: 5000))) == .foreign)
        var other = good
        other[8] = 99
        #expect(code(try reopen(fixture, other)) == .otherVersion)
        let missing = fixture.identity()
        var found: StoreError.Code?
        do throws(StoreError) {
            _ = try Snapshot.open(directory: fixture.folder.path, identity: missing, definition: fixture.definition)
        } catch { found = error.code }
        #expect(found == .missing)
    }

    @Test func `another identity or definition is a mismatch`() throws {
        let fixture = try SnapshotFixture([#"{"id":"1"}"#])
        let identity = fixture.snapshot.identity
        let others = [
            SnapshotIdentity(epoch: 8, generation: 1, fileID: identity.fileID, definitionHash: identity.definitionHash),
            SnapshotIdentity(epoch: 7, generation: 2, fileID: identity.fileID, definitionHash: identity.definitionHash),
            SnapshotIdentity(epoch: 7, generation: 1, fileID: identity.fileID, definitionHash: 1),
        ]
        for other in others {
            var found: StoreError.Code?
            do throws(StoreError) {
                _ = try Snapshot.open(
                    directory: fixture.folder.path, identity: other, definition: fixture.definition)
            } catch { found = error.code }
            #expect(found == .mismatch)
        }
        var found: StoreError.Code?
        do throws(StoreError) {
            _ = try Snapshot.open(
                directory: fixture.folder.path, identity: identity, definition: Shelf.searchingIDs)
        } catch { found = error.code }
        #expect(found == .mismatch)
    }

    @Test func `every flipped bit of header and section table is noticed at opening`() throws {
        let fixture = try SnapshotFixture([#"{"id":"1","title":"a"}"#])
        let good = try bytes(fixture)
        let header = try SnapshotHeader.decode(good.rawSpan, of: good.count, "test")
        let table = header.tableOffset..<header.tableOffset + header.sections * Section.entrySize
        for offset in Array(0..<SnapshotHeader.size) + Array(table) {
            var bad = good
            bad[offset] ^= 1 << UInt8(offset & 7)
            #expect(code(try reopen(fixture, bad)) != nil, "byte \(offset)")
        }
    }

    @Test func `a damaged file of a few megabytes is refused`() throws {
        let fixture = try SnapshotFixture([#"{"id":"1","title":"a"}"#])
        var bad = try bytes(fixture)
        bad[SnapshotHeader.size + 3] ^= 1
        let folder = try TemporaryFolder()
        try folder.write(fixture.snapshot.identity.fileName, bad)
        #expect(throws: StoreError.self) {
            try Snapshot.open(
                directory: folder.path, identity: fixture.snapshot.identity, definition: fixture.definition)
        }
    }

    @Test func `what cannot be read is an error of opening and of verifying`() throws {
        let fixture = try SnapshotFixture([#"{"id":"1","title":"a"}"#])
        let snapshot = fixture.snapshot
        // A folder can be opened, and each read of it fails.
        Files.remove(snapshot.path)
        try Directory.create(snapshot.path)
        var found: [StoreError] = []
        do throws(StoreError) { try snapshot.verify() } catch { found.append(error) }
        do throws(StoreError) {
            _ = try Snapshot.open(
                directory: fixture.folder.path, identity: snapshot.identity, definition: fixture.definition)
        } catch { found.append(error) }
        #expect(found.map(\.code) == [.io, .io] && found.allSatisfy { $0.operation.contains(snapshot.path) })
    }

    @Test func `every section's damage is found by verifying`() throws {
        var objects = ShelfObjects(seed: 2)
        let fixture = try SnapshotFixture(objects.objects(1200))
        let good = try bytes(fixture)
        for section in fixture.snapshot.sections where section.size > 0 {
            for offset in [section.offset, section.offset + section.size / 2, section.offset + section.size - 1] {
                var bad = good
                bad[offset] ^= 0x10
                let snapshot = try reopen(fixture, bad).get()
                #expect(throws: StoreError.self, "section \(section.kind)") { try snapshot.verify() }
            }
        }
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5])
    func `whatever a damaged section holds, reading it never traps`(round: Int) throws {
        var objects = ShelfObjects(seed: 3)
        let definition = round % 2 == 0 ? Shelf.definition : Shelf.searchingIDs
        let fixture = try SnapshotFixture(objects.objects(1300), definition)
        let good = try bytes(fixture)
        var chance = SeededGenerator(seed: UInt64(round))
        for section in fixture.snapshot.sections where section.size > 0 {
            var bad = good
            let range = section.offset..<section.offset + section.size
            switch round {
            case 0: for offset in range { bad[offset] = 0xFF }
            case 1: for offset in range { bad[offset] = 0 }
            case 2: for offset in range { bad[offset] = UInt8.random(in: 0...255, using: &chance) }
            case 3: for offset in range where offset % 8 == 7 { bad[offset] = 0x7F }
            default:
                for offset in range where chance.oneIn(50) {
                    bad[offset] ^= 1 << UInt8.random(in: 0..<8, using: &chance)
                }
            }
            try exercise(try reopen(fixture, bad).get(), fixture, seed: UInt64(section.kind))
        }
    }

    /// Reads everything: garbage may be found, but no row that does not exist, and no bytes outside the file.
    private func exercise(_ snapshot: Snapshot, _ fixture: SnapshotFixture, seed: UInt64) throws {
        let scratch = QueryScratch()
        var chance = SeededGenerator(seed: seed)
        let rows = 0..<snapshot.count
        var maxBytes = 0
        var strangeRows: [Int] = []
        for row in rows {
            maxBytes = max(maxBytes, snapshot.document(row).byteCount, snapshot.upstream(row).byteCount)
            _ = snapshot.stateKey(row)
            let id = fixture.records[row].id
            if let found = snapshot.row(forID: id.rawSpan), !rows.contains(found) { strangeRows.append(found) }
        }
        var archive = RowBitmap()
        let archivedID = fixture.records[3].id
        if let row = snapshot.row(forID: archivedID.rawSpan) { archive.set(row, of: snapshot.count, to: true) }
        var predicates = ShelfPredicates(seed: seed, fixture.records)
        for number in 0..<RandomRounds.count(14) {
            var query = PageQuery(
                predicate: predicates.predicate(depth: 2), order: chance.pick(SnapshotComparison.orders))
            query.isGrouped = number % 3 == 0
            query.facets = [number % 12]
            query.limit = 30
            for _ in 0..<3 {
                let page = try snapshot.execute(query, archive: archive, scratch: scratch, budget: .unlimited)
                strangeRows += page.rows.map { Int($0) }.filter { !rows.contains($0) }
                for row in page.rows { maxBytes = max(maxBytes, snapshot.document(Int(row)).byteCount) }
                guard var next = page.next else { break }
                if chance.oneIn(2) { next.generation = 0 }
                query.after = next
            }
        }
        // Carrying from damage either fails or makes a sound file.
        var writer = try SnapshotWriter(
            directory: fixture.folder.path, definition: fixture.definition, identity: fixture.identity())
        do throws(StoreError) {
            for row in 0..<min(snapshot.count, 200) { _ = try writer.carry(row, from: snapshot) }
            _ = try writer.finish()
        } catch {}
        #expect(strangeRows.isEmpty, "\(strangeRows) of \(snapshot.count)")
        #expect(try maxBytes <= bytes(fixture).count)
    }
}
