// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

/// Snapshots of which most was in one before: their sections are merged, not built.
struct SnapshotMergeTests {
    /// The changes of the next generation.
    enum Change: CaseIterable {
        case updates, additions, removals, all, nothing
    }

    @Test(arguments: Change.allCases, [2, 4] as [UInt64])
    func `generation after generation, it answers as one built of all records`(change: Change, seed: UInt64) throws {
        let definition = seed == 4 ? Shelf.searchingIDs : Shelf.definition
        var objects = ShelfObjects(seed: seed)
        objects.ids = 4000
        var fixture = try SnapshotFixture(objects.objects(1200), definition)
        for generation in 1...UInt64(RandomRounds.count(3)) {
            fixture = try next(fixture, change, &objects)
            try fixture.snapshot.verify()
            try SnapshotComparison(fixture, seed: seed + generation).run(queries: RandomRounds.count(12))
            try compare(fixture)
        }
    }

    /// The next generation of a tenth, changed; what stays arrives in another order, some of it twice.
    private func next(
        _ old: SnapshotFixture, _ change: Change, _ objects: inout ShelfObjects
    ) throws -> SnapshotFixture {
        var chance = objects.chance
        var isGone: Set<Int> = []
        var texts: [String] = []
        for row in old.records.indices where chance.oneIn(14) {
            if change == .updates || change == .all && chance.oneIn(2) {
                let id = String(decoding: old.records[row].id, as: UTF8.self)
                texts.append(objects.object(id: id))
                isGone.insert(row)
            } else if change == .removals || change == .all {
                isGone.insert(row)
            }
        }
        if change == .additions || change == .all { texts += objects.objects(90) }
        var newest: [[UInt8]: DecodedRecord] = [:]
        for record in try Shelf.decode(texts, old.definition) { newest[record.id] = record }
        for (row, record) in old.records.enumerated() where newest[record.id] != nil { isGone.insert(row) }
        let rows = old.records.indices.filter { !isGone.contains($0) }.shuffled(using: &chance)
        let fresh = newest.values.sorted { $0.id.lexicographicallyPrecedes($1.id) }
        return try SnapshotFixture(old) { writer in
            for record in fresh.prefix(5) { writer.drop(try SnapshotFixture.append(record, to: &writer)) }
            for (index, row) in rows.enumerated() {
                if index % 50 == 0 { writer.drop(try writer.carry(row, from: old.snapshot)) }
                _ = try writer.carry(row, from: old.snapshot, stateKey: index % 3 == 0 ? Int64(row) : nil)
                if index < fresh.count { _ = try SnapshotFixture.append(fresh[index], to: &writer) }
            }
            for record in fresh.dropFirst(rows.count) { _ = try SnapshotFixture.append(record, to: &writer) }
            return rows.map { old.records[$0] } + fresh
        }
    }

    /// Compares columns with those of a snapshot that is built of the same records.
    private func compare(_ merged: SnapshotFixture) throws {
        let texts = merged.records.map { String(decoding: $0.upstream, as: UTF8.self) }
        let built = try SnapshotFixture(texts, merged.definition)
        let (left, right) = (merged.snapshot, built.snapshot)
        #expect(left.count == right.count && left.unsupported == right.unsupported)
        for row in 0..<left.count {
            #expect(left.id(row).array == right.id(row).array)
            #expect(left.document(row).array == right.document(row).array)
            #expect(left.upstream(row).array == right.upstream(row).array)
            let found = left.row(forID: right.id(row))
            #expect(found == row)
        }
        for kind in ColumnKind.columns(of: merged.definition) {
            let (one, other) = (left.column(kind.columnID), right.column(kind.columnID))
            #expect(one.distinct == other.distinct)
            let ordinals = (0..<left.count).map { one.ordinal($0) }
            let expected = (0..<right.count).map { other.ordinal($0) }
            #expect(ordinals == expected)
            var keys: ([UInt8], [UInt8]) = ([], [])
            for ordinal in 0..<one.distinct where !kind.isCoded {
                one.appendKey(ordinal, to: &keys.0)
                other.appendKey(ordinal, to: &keys.1)
            }
            #expect(keys.0 == keys.1)
        }
    }

    @Test(arguments: [Change.all, .updates])
    func `what narrows phrases is merged too`(change: Change) throws {
        var objects = ShelfObjects(seed: 11)
        var fixture = try SnapshotFixture(objects.objects(NGram.minRows * 5 / 4))
        for _ in 0..<2 { fixture = try next(fixture, change, &objects) }
        try fixture.snapshot.verify()
        try SnapshotComparison(fixture, seed: 12).run(queries: 6)
        let snapshot = fixture.snapshot
        let columns = snapshot.columns
        let classes = WordBoundaryClasses(
            snapshot.dictionary, rows: snapshot.count, frequent: columns.frequentTerms.map { UInt32($0) })
        #expect(classes.frequent.count == WordBoundary.maxFrequent(rows: snapshot.count))
        for columnID in columns.searched {
            let source = WordBoundaryPostings(tokens: snapshot.columnIndex[columnID].tokens, classes: classes)
            var expected = [Set<Int>](repeating: [], count: classes.wordBoundary.keys)
            for row in 0..<snapshot.count {
                source.forEachKey(of: row, snapshot.bytes) { expected[$0].insert(row) }
            }
            let lists = snapshot.column(columnID).wordBoundaries
            #expect(lists.counts.count == expected.count)
            for key in expected.indices {
                var rows: [Int] = []
                lists.forEach(key) { row in
                    rows.append(row)
                    return true
                }
                #expect(rows == expected[key].sorted())
                let count = lists.count(key)
                #expect(count == rows.count)
            }
        }
    }

    @Test func `a merge chooses frequent words for a file that had none`() throws {
        let count = NGram.minRows * 5 / 4
        let old = try SnapshotFixture((0..<count).map { #"{"id":"\#($0)","title":"word\#($0)"}"# })
        #expect(Self.frequentWords(old.snapshot).isEmpty)
        let texts = (0..<count / 8).map { #"{"id":"new\#($0)","title":"water pump"}"# }
        let fresh = try Shelf.decode(texts, old.definition)
        let merged = try SnapshotFixture(old) { writer in
            for row in old.records.indices { _ = try writer.carry(row, from: old.snapshot, stateKey: nil) }
            for record in fresh { _ = try SnapshotFixture.append(record, to: &writer) }
            return old.records + fresh
        }
        #expect(Self.frequentWords(merged.snapshot) == ["water", "pump"])
        try SnapshotComparison(merged, seed: 13).run(queries: 6)
    }

    private static func frequentWords(_ snapshot: Snapshot) -> Set<String> {
        var words: Set<String> = []
        for term in snapshot.columns.frequentTerms {
            let bytes = snapshot.dictionary.term(term).array
            words.insert(String(decoding: bytes, as: UTF8.self))
        }
        return words
    }

    @Test func `merging is for a few new records among many`() throws {
        let old = try SnapshotFixture((0..<100).map { #"{"id":"\#($0)","title":"word\#($0)"}"# })
        let rows = (0..<80).map { UInt32($0) }
        #expect(CarriedRecords(old: old.snapshot, rows: rows, first: 20).isWorthMerging)
        #expect(!CarriedRecords(old: old.snapshot, rows: rows, first: 21).isWorthMerging)
    }

    @Test(arguments: [1, 2, 15, 400])
    func `a posting list that is written item by item reads the same`(step: Int) {
        var chance = SeededGenerator(seed: UInt64(step))
        var items: [UInt32] = []
        var item = 0
        while item < 200_000 {
            items.append(UInt32(item))
            item += Int.random(in: 1...step, using: &chance)
        }
        var list = PostingListWriter()
        for _ in 0..<2 {
            list.begin()
            for item in items { list.append(item) }
            list.end()
        }
        #expect(list.count == items.count)
        #expect(list.items == items.map(Int.init))
    }
}
