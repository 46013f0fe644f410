// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

@Suite struct RowMergeTests {
    /// Records with these ids that are merged into a snapshot of "10", "20", "30" and "40", without some of its rows.
    private func merge(_ ids: [String], without gone: Set<Int> = []) throws -> RowMerge {
        let old = try SnapshotFixture(["10", "20", "30", "40"].map { #"{"id":"\#($0)"}"# })
        let fresh = try Shelf.decode(ids.map { #"{"id":"\#($0)"}"# }, Shelf.definition)
        let rows = (0..<4).filter { !gone.contains($0) }.map { UInt32($0) }
        return RowMerge(
            CarriedRecords(old: old.snapshot, rows: rows, first: fresh.count), dropped: RowMarks(),
            fresh: fresh.indices.map { UInt32($0) }, keys: SpilledElements(fresh.flatMap(\.idKey)),
            keyCounts: SpilledElements(fresh.map { UInt32($0.idKey.count) }))
    }

    @Test func `new records stand where their ids order, and later rows get other numbers`() throws {
        let merge = try merge(["5", "25", "50"])
        let fresh = RowMerge.fresh
        #expect(merge.sources == [fresh, 0, 1, fresh | 1, 2, 3, fresh | 2])
        #expect(merge.numbers == [0, 3, 4, 1, 5, 6, 2])
        #expect(merge.newRows == [1, 2, 4, 5])
        #expect(merge.freshRows == [0, 3, 6])
        #expect(!merge.keepsRows)
    }

    @Test func `a new version of a record takes its row, and all rows keep their numbers`() throws {
        let merge = try merge(["20"], without: [1])
        #expect(merge.sources == [0, RowMerge.fresh, 2, 3])
        #expect(merge.newRows == [0, RowMerge.gone, 2, 3])
        #expect(merge.keepsRows)
        #expect(merge.gone == [~0b1101])
    }

    @Test func `without its last row a snapshot does not keep its rows, though no other row moves`() throws {
        let merge = try merge([], without: [3])
        #expect(merge.newRows == [0, 1, 2, RowMerge.gone])
        #expect(!merge.keepsRows)
    }

    @Test(arguments: 0...20)
    func `the lower bound is the first value that is not below, from wherever the search begins`(start: Int) {
        let values = [0, 2, 2, 3, 5, 8, 8, 8, 9, 12, 15, 15, 16, 20, 21, 22, 30, 31, 33, 40]
        for wanted in -1...41 {
            let (index, order) = LowerBound.find(from: start, to: values.count) { values[$0] - wanted }
            let expected = values.indices.dropFirst(start).first { values[$0] >= wanted } ?? max(start, values.count)
            #expect(index == expected)
            #expect((order == 0) == (expected < values.count && values[expected] == wanted))
        }
    }
}
