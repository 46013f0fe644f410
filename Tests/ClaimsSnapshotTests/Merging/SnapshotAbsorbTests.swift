// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

/// Records of several snapshots in a new one, and the ids that are gone.
struct SnapshotAbsorbTests {
    /// The files are merged where there is a large base, and indexed anew where there is a small one.
    @Test(arguments: [2, 4, 6] as [UInt64], [900, 120])
    func `a snapshot of records of three others is like one of new records`(seed: UInt64, base: Int) throws {
        var objects = ShelfObjects(seed: seed)
        objects.ids = 2000
        let old = try SnapshotFixture(objects.objects(base))
        let middle = try SnapshotFixture(objects.objects(120))
        let young = try SnapshotFixture(objects.objects(60))
        let fresh = try Shelf.decode(objects.objects(20), Shelf.definition)
        let fixture = try SnapshotFixture(old) { writer in
            var kept: [[UInt8]: DecodedRecord] = [:]
            for record in fresh where kept[record.id] == nil {
                _ = try SnapshotFixture.append(record, to: &writer)
                kept[record.id] = record
            }
            for file in [young, middle] {
                for (row, record) in file.records.enumerated() {
                    let number = try writer.absorb(row, from: file.snapshot)
                    let isOwn = try writer.isID(record.id.rawSpan, of: number)
                    #expect(isOwn)
                    // One that is there already is left out again.
                    if kept[record.id] != nil { writer.drop(number) } else { kept[record.id] = record }
                }
            }
            for (row, record) in old.records.enumerated() where kept[record.id] == nil {
                _ = try writer.carry(row, from: old.snapshot)
                kept[record.id] = record
            }
            return Array(kept.values)
        }
        try fixture.snapshot.verify()
        try SnapshotComparison(fixture, seed: seed).run(queries: 60)
    }

    @Test func `what is absorbed keeps its instants, its key and its flags`() throws {
        let old = try SnapshotFixture([#"{"id":"1","title":"a"}"#])
        let other = try SnapshotFixture([#"{"id":"2","state":"?"}"#])
        let fixture = try SnapshotFixture(old) { writer in
            _ = try writer.absorb(0, from: other.snapshot)
            _ = try writer.carry(0, from: old.snapshot)
            return old.records + other.records
        }
        #expect(fixture.snapshot.firstSeen(1) == other.snapshot.firstSeen(0))
        #expect(fixture.snapshot.changedAt(1) == other.snapshot.changedAt(0))
        #expect(fixture.snapshot.stateKey(1) == other.snapshot.stateKey(0))
        #expect(fixture.snapshot.unsupported == 1 && fixture.snapshot.isUnsupported(1))
    }

    @Test func `gone ids are found beside records, and others are not`() throws {
        let old = try SnapshotFixture([#"{"id":"1","title":"a"}"#])
        let gone = ["9", "30", "", "ż"].map { Array($0.utf8) }
        let fixture = try SnapshotFixture(old) { writer in
            _ = try writer.carry(0, from: old.snapshot)
            writer.setGone(gone)
            return old.records
        }
        let snapshot = fixture.snapshot
        try snapshot.verify()
        #expect(snapshot.goneCount == 4 && old.snapshot.goneCount == 0)
        let isFound = gone.allSatisfy { snapshot.isGone($0.rawSpan) && snapshot.mentions($0.rawSpan) }
        let isOther = ["1", "3", "90", "z"].contains { snapshot.isGone(Array($0.utf8).rawSpan) }
        let hasRecord = snapshot.mentions(Array("1".utf8).rawSpan)
        #expect(isFound && !isOther && hasRecord)
        #expect((0..<4).map { snapshot.gone($0).array } == gone.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(snapshot.gone(4).byteCount == 0)
    }
}
