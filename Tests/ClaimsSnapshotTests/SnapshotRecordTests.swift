// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

struct SnapshotRecordTests {
    private static func row(_ snapshot: Snapshot, _ id: [UInt8]) -> Int? { snapshot.row(forID: id.rawSpan) }

    @Test(arguments: [0, 1, 2, 7, 500])
    func `every record is found by its id, as it was appended`(count: Int) throws {
        var objects = ShelfObjects(seed: UInt64(count))
        let fixture = try SnapshotFixture(objects.objects(count))
        let snapshot = fixture.snapshot
        #expect(snapshot.count == fixture.records.count)
        for (row, record) in fixture.records.enumerated() {
            #expect(Self.row(snapshot, record.id) == row)
            #expect(snapshot.idBytes(row) == record.id)
            let document = snapshot.document(row).array
            #expect(document == record.document)
            let upstream = snapshot.upstream(row).array
            #expect(upstream == record.upstream)
            #expect(snapshot.changedAt(row) == snapshot.firstSeen(row) + 1)
            #expect(snapshot.stateKey(row) == -snapshot.firstSeen(row))
            #expect(snapshot.firstSeen(row) == Int64(record.upstream.count) * 1000 + Int64(record.id.count))
            #expect(snapshot.isUnsupported(row) == record.unsupported)
            #expect(snapshot.code(row, field: Shelf.state) ?? -1 == record.values[Shelf.state].code)
        }
        #expect(snapshot.unsupported == fixture.records.count(where: \.unsupported))
        #expect(Self.row(snapshot, Array("none".utf8)) == nil)
        #expect(Self.row(snapshot, []) == nil)
        try snapshot.verify()
    }

    @Test func `of two records with one id only the later is there, and nothing of the earlier is found`() throws {
        let fixture = try SnapshotFixture([
            #"{"id":"1","title":"first only"}"#, #"{"id":"2","title":"x"}"#, #"{"id":"1","title":"second"}"#,
        ])
        #expect(fixture.snapshot.count == 2)
        let scratch = QueryScratch()
        func total(_ text: String) throws -> Int {
            try fixture.snapshot.count(
                .text(Array(text.utf8)), archived: .include, archive: RowBitmap(), scratch: scratch,
                budget: .unlimited)
        }
        #expect(try total("first") == 0)
        #expect(try total("second") == 1)
    }

    @Test func `records that are taken back leave no trace in totals, facets or orders`() throws {
        var objects = ShelfObjects(seed: 3)
        objects.ids = 40
        let fixture = try SnapshotFixture(objects.objects(600))
        #expect(fixture.records.count < 300)
        try SnapshotComparison(fixture, seed: 4).run(queries: 60)
    }

    @Test func `rows outside have no record`() throws {
        let fixture = try SnapshotFixture([#"{"id":"1"}"#])
        let snapshot = fixture.snapshot
        for row in [-1, 1, 2, Int.max, Int.min] {
            let (document, id) = (snapshot.document(row).byteCount, snapshot.id(row).byteCount)
            #expect(document == 0 && id == 0)
        }
    }
}
