// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

struct SnapshotCarryTests {
    @Test(arguments: [1, 3, 10] as [UInt64])
    func `a snapshot of carried and new records is like one of new records`(seed: UInt64) throws {
        var objects = ShelfObjects(seed: seed)
        objects.ids = 2000
        let definition = seed == 3 ? Shelf.searchingIDs : Shelf.definition
        let old = try SnapshotFixture(objects.objects(900), definition)
        let fresh = try Shelf.decode(objects.objects(200), definition)
        let fixture = try Self.carried(old, replacing: fresh)
        try fixture.snapshot.verify()
        try SnapshotComparison(fixture, seed: seed).run(queries: 80)
    }

    /// Builds the next generation: every third record is gone, `fresh` are new, all others are carried.
    private static func carried(_ old: SnapshotFixture, replacing fresh: [DecodedRecord]) throws -> SnapshotFixture {
        var newest: [[UInt8]: DecodedRecord] = [:]
        for record in fresh { newest[record.id] = record }
        return try SnapshotFixture(old) { writer in
            var kept: [DecodedRecord] = []
            for (row, record) in old.records.enumerated() where row % 3 != 0 && newest[record.id] == nil {
                _ = try writer.carry(row, from: old.snapshot, stateKey: Int64(row))
                kept.append(record)
            }
            for record in newest.values {
                _ = try SnapshotFixture.append(record, to: &writer)
                kept.append(record)
            }
            return kept
        }
    }

    @Test func `what is carried keeps its instants and may get another key`() throws {
        let old = try SnapshotFixture([#"{"id":"1","title":"a"}"#, #"{"id":"2","state":"?"}"#])
        let fixture = try SnapshotFixture(old) { writer in
            _ = try writer.carry(0, from: old.snapshot)
            _ = try writer.carry(1, from: old.snapshot, stateKey: 99)
            return old.records
        }
        #expect(fixture.snapshot.firstSeen(0) == old.snapshot.firstSeen(0))
        #expect(fixture.snapshot.changedAt(1) == old.snapshot.changedAt(1))
        #expect(fixture.snapshot.stateKey(0) == old.snapshot.stateKey(0))
        #expect(fixture.snapshot.stateKey(1) == 99)
        #expect(fixture.snapshot.unsupported == 1)
    }

    @Test func `records of another definition are not carried`() throws {
        let old = try SnapshotFixture([#"{"id":"1"}"#], Shelf.searchingIDs)
        let identity = SnapshotIdentity(
            epoch: 1, generation: 1, fileID: 5, definitionHash: Shelf.definition.shapeHash)
        var writer = try SnapshotWriter(
            directory: old.folder.path, definition: Shelf.definition, identity: identity)
        var code: StoreError.Code?
        do throws(StoreError) { _ = try writer.carry(0, from: old.snapshot) } catch { code = error.code }
        #expect(code == .mismatch)
    }
}
