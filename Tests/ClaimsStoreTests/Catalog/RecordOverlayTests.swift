// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct RecordOverlayTests {
    private let fixture: SnapshotFixture

    init() throws {
        fixture = try SnapshotFixture((1...9).map { #"{"id":"\#($0)","title":"Book \#($0)","level":\#($0)}"# })
    }

    private func entry(_ id: String, _ upstream: String?, _ state: PendingState? = nil) -> OverlayEntry {
        OverlayEntry(
            id: Array(id.utf8), upstream: upstream.map { Array($0.utf8) }, firstSeen: 5, changedAt: 6, stateKey: 7,
            pending: state.map { PendingRecord(state: $0, json: Array(#"{"state":"\#($0)"}"#.utf8)) })
    }

    private func overlay(_ entries: [OverlayEntry], over base: Snapshot? = nil) throws -> RecordOverlay {
        let base = base ?? fixture.snapshot
        return try #require(
            try RecordOverlay.build(
                entries, over: CommittedRecords(file: base), definition: fixture.definition, joined: nil))
    }

    @Test func `no entries are no overlay`() throws {
        let built = try RecordOverlay.build(
            [], over: CommittedRecords(file: fixture.snapshot), definition: fixture.definition, joined: nil)
        #expect(built == nil)
        let some = try overlay([entry("1", nil)])
        let none = try some.applying(
            [], removing: [Array("1".utf8)], over: CommittedRecords(file: fixture.snapshot),
            definition: fixture.definition, joined: nil)
        #expect(none == nil)
    }

    @Test func `records, deletions and new records cover the rows with their ids`() throws {
        var deleted = entry("3", #"{"id":"3","title":"Gone soon"}"#, .queued)
        deleted.isHidden = true
        let entries = [
            entry("2", #"{"id":"2","title":"Changed"}"#, .stuck), entry("new", #"{"id":"new"}"#, .accepted), deleted,
            entry("4", nil),
        ]
        let overlay = try overlay(entries)
        var covered: [Int] = []
        overlay.rows.covered.forEach { covered.append($0) }
        #expect(covered.map { fixture.snapshot.idBytes($0) } == ["2", "3", "4"].map { Array($0.utf8) })
        #expect(overlay.snapshots.map(\.count) == [3] && overlay.newer?.unlisted.count == 1)
        #expect(overlay.counts == [.stuck: 1, .accepted: 1, .queued: 1])
        #expect(overlay.count == 4 && overlay.contains(Array("4".utf8)) && !overlay.contains(Array("5".utf8)))
        for entry in entries { #expect(overlay.entry(forID: entry.id) == entry) }
        let view = CollectionView(
            definition: fixture.definition, snapshot: fixture.snapshot, archive: ArchiveOverlay(),
            condition: CollectionCondition(row: CollectionRow(number: 1, name: "shelf")), overlay: overlay)
        #expect(view.rows.count == 8)
        let removed = view.rows.row(forID: Array("4".utf8).rawSpan)
        #expect(removed == nil)
        let found = view.rows.row(forID: Array("3".utf8).rawSpan)
        let row = try #require(found)
        #expect(view.rows.isUnlisted(row) && view.rows.overlayRow(row) != nil)
    }

    @Test func `the version tells of the content and not of the order`() throws {
        let (one, other) = (entry("2", #"{"id":"2"}"#), entry("3", #"{"id":"3"}"#, .queued))
        #expect(try overlay([one, other]).version == overlay([other, one]).version)
        #expect(try overlay([one]).version != overlay([one, other]).version)
        #expect(try overlay([other]).version != overlay([entry("3", #"{"id":"3"}"#, .stuck)]).version)
        #expect(try overlay([one]).version != overlay([entry("2", #"{"id":"2","level":1}"#)]).version)
    }

    @Test func `an entry that cannot be decoded is kept, and does not hide a record with unsettled operations`() throws
    {
        let entries = [
            entry("2", #"{"title":"no id"}"#, .stuck), entry("3", "{", nil), entry("4", #"{"id":"5"}"#, nil),
            entry("new", "[]", .queued),
        ]
        let overlay = try overlay(entries)
        #expect(overlay.unserved.map(\.entry) == entries)
        #expect(overlay.unserved.map(\.isReplaced) == [true, false, false, false])
        #expect(overlay.count == 4 && overlay.rows.covered.count == 3)
        let id = Array("2".utf8)
        let (over, below) = (overlay.row(forID: id.rawSpan), fixture.snapshot.row(forID: id.rawSpan))
        let row = try #require(over)
        let (own, base) = (try #require(overlay.record(row)), fixture.snapshot)
        let served = own.document
        let expected = base.document(try #require(below)).array
        #expect(served == expected)
        #expect(overlay.pending(row)?.state == .stuck)
        #expect(Set(overlay.entries.map(\.id)) == Set(entries.map(\.id)))
        // A later definition, or a later record, takes it up.
        let next = try overlay.applying(
            [entry("2", #"{"id":"2","title":"now"}"#)], over: CommittedRecords(file: fixture.snapshot),
            definition: fixture.definition, joined: nil)
        #expect(next?.unserved.count == 3)
    }

    @Test func `a delete that names no record shows the one of the snapshot below`() throws {
        var (deleted, unknown) = (entry("7", nil, .queued), entry("70", nil, .queued))
        deleted.isHidden = true
        unknown.isHidden = true
        let overlay = try overlay([deleted, unknown])
        #expect(overlay.snapshots.map(\.count) == [1] && overlay.entry(forID: deleted.id)?.upstream == nil)
        #expect(overlay.entry(forID: unknown.id) == unknown)
    }

    @Test func `over another snapshot the same records cover other rows`() throws {
        let overlay = try overlay([entry("2", #"{"id":"2"}"#), entry("9", nil)])
        let smaller = try SnapshotFixture([#"{"id":"1"}"#, #"{"id":"9"}"#])
        let moved = overlay.rebuilt(for: CommittedRecords(file: smaller.snapshot))
        #expect(moved.rows.covered.count == 1 && moved.rows.covered.contains(1))
        #expect(moved.version == overlay.version && moved.snapshots.first === overlay.snapshots.first)
        #expect(overlay.rebuilt(for: nil).rows.covered.count == 0)
    }

    @Test(arguments: [1, 300, 2000]) func `a snapshot in memory holds what its file would`(count: Int) throws {
        let objects = (0..<count).map { #"{"id":"\#($0)","title":"Pump \#($0 % 97) of \#($0)","level":\#($0 % 7)}"# }
        let overlay = try overlay(objects.enumerated().map { entry("\($0.offset)", $0.element) }, over: nil)
        let snapshot = try #require(overlay.snapshots.first)
        #expect(overlay.snapshots.count == 1 && (overlay.older == nil) == (count == 1))
        let onDisk = try SnapshotFixture(objects, fixture.definition).snapshot
        #expect(snapshot.count == onDisk.count)
        try snapshot.verify()
        for row in 0..<count {
            let (one, other) = (snapshot.document(row).array, onDisk.document(row).array)
            #expect(one == other)
            #expect(snapshot.firstSeen(row) == 5 && snapshot.changedAt(row) == 6 && snapshot.stateKey(row) == 7)
        }
        for pattern in ["pump 9", "7", "of 12", "3 of"] {
            let predicate = Predicate.text(Array(pattern.utf8))
            var found: [[Int]] = []
            for one in [snapshot, onDisk] {
                var query = PageQuery(predicate: predicate, order: fixture.definition.defaultOrder)
                query.limit = count
                let page = try one.execute(
                    query, archive: RowBitmap(), scratch: QueryScratch(), budget: .unlimited)
                found.append(page.rows.map(Int.init))
            }
            #expect(found[0] == found[1])
        }
    }
}
