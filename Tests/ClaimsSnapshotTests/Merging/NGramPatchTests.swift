// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

/// The lists of n-grams that are made out of an earlier snapshot's.
@Suite struct NGramPatchTests {
    /// The upstream objects of rows 0, 1, 2 and so on.
    private static func objects(_ count: Int, seed: UInt64) -> [String] {
        var objects = ShelfObjects(seed: 3)
        return (0..<count).map { objects.object(id: "\($0)") }
    }

    /// The fate of the rows of `old` in a build where these records are new, all others go on, and `gone` do not.
    private func merge(
        _ old: SnapshotFixture, fresh: [DecodedRecord], gone: Set<[UInt8]> = []
    ) -> RowMerge {
        let replaced = gone.union(fresh.map(\.id))
        let rows = old.records.indices.filter { !replaced.contains(old.records[$0].id) }.map { UInt32($0) }
        return RowMerge(
            CarriedRecords(old: old.snapshot, rows: rows, first: fresh.count), dropped: RowMarks(),
            fresh: fresh.indices.map { UInt32($0) }, keys: SpilledElements(fresh.flatMap(\.idKey)),
            keyCounts: SpilledElements(fresh.map { UInt32($0.idKey.count) }))
    }

    private func selection(_ snapshot: Snapshot) -> NGramSelection {
        NGramSelection(
            snapshot.dictionary, rows: snapshot.count,
            counts: snapshot.columnIndex.searched.map { snapshot.columnIndex[$0].postings.counts }, snapshot.bytes)
    }

    @Test func `where records change in place, each list is what building it of all records makes`() throws {
        let count = NGram.minRows
        var texts = Self.objects(count, seed: 3)
        let old = try SnapshotFixture(texts)
        let others = Self.objects(count, seed: 4)
        // Some words that no record had before, in enough records for their n-grams to get lists.
        for row in stride(from: 1, to: count, by: 9) {
            texts[row] = row % 2 == 0 ? others[row] : #"{"id":"\#(row)","title":"qzxv the qzxv\#(row)","note":"jjkk"}"#
        }
        let new = try SnapshotFixture(texts)
        let known = Set(old.records.map(\.upstream))
        let fresh = new.records.filter { !known.contains($0.upstream) }
        let merge = merge(old, fresh: fresh)
        #expect(merge.keepsRows && !fresh.isEmpty)
        let snapshot = new.snapshot
        let selection = selection(snapshot)
        let bytes = snapshot.bytes
        let before = old.snapshot
        for columnID in snapshot.columns.searched {
            let column = snapshot.columnIndex[columnID]
            let attempt = NGramPatch(column, in: bytes, selection: selection, rows: merge)
            var patch = try #require(attempt)
            var (made, unmade) = (0, 0)
            var wrong: [UInt32] = []
            for (nGram, number) in selection.numbers.enumerated() {
                let isMade = patch.make(nGram)
                let earlier = before.columns.nGrams.key(of: number)
                if isMade != (earlier != nil) { wrong.append(number) }
                guard isMade else {
                    unmade += 1
                    continue
                }
                made += 1
                let known = snapshot.columns.nGrams.key(of: number)
                let key = try #require(known)
                var expected: [Int] = []
                column.nGrams.view(bytes).forEach(key) { row in
                    expected.append(row)
                    return true
                }
                if patch.list.items != expected || patch.list.count != expected.count { wrong.append(number) }
            }
            #expect(wrong.isEmpty && made > 100 && unmade > 0)
        }
    }

    @Test func `where rows get other numbers, nothing is made`() throws {
        let texts = Self.objects(NGram.minRows, seed: 8)
        let old = try SnapshotFixture(texts)
        let column = old.snapshot.columnIndex[old.snapshot.columnIndex.searched[0]]
        let selection = selection(old.snapshot)
        func isMade(_ merge: RowMerge) -> Bool {
            let snapshot = old.snapshot
            let bytes = snapshot.bytes
            let patch = NGramPatch(column, in: bytes, selection: selection, rows: merge)
            return patch != nil
        }
        #expect(isMade(merge(old, fresh: [old.records[7]])))
        #expect(!isMade(merge(old, fresh: [], gone: [old.records[7].id])))
        #expect(!isMade(merge(old, fresh: [], gone: [old.records[old.records.count - 1].id])))
        let additions = try Shelf.decode([#"{"id":"7a","title":"water"}"#], Shelf.definition)
        #expect(!isMade(merge(old, fresh: additions)))
    }
}
