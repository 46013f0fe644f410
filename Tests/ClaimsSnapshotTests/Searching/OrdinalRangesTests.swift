// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

struct OrdinalRangesTests {
    private static func random(_ chance: inout SeededGenerator) -> [Range<Int>] {
        (0..<Int.random(in: 0...6, using: &chance)).map { _ in
            let start = Int.random(in: 0..<40, using: &chance)
            return start..<start + Int.random(in: 0...8, using: &chance)
        }
    }

    private static func isNormal(_ ranges: [Range<Int>]) -> Bool {
        ranges.allSatisfy { !$0.isEmpty }
            && zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
    }

    @Test func `union, intersection and complement are those of the sets, in ranges that do not touch`() {
        var chance = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let (one, other) = (Self.random(&chance), Self.random(&chance))
            let (left, right) = (OrdinalRanges.united(one), OrdinalRanges.united(other))
            let (leftSet, rightSet) = (Set(one.joined()), Set(other.joined()))
            #expect(Self.isNormal(left) && Set(left.joined()) == leftSet)
            let common = OrdinalRanges.intersection(left, right)
            #expect(Self.isNormal(common) && Set(common.joined()) == leftSet.intersection(rightSet))
            let complement = OrdinalRanges.complement(left, below: 50)
            #expect(Self.isNormal(complement) && Set(complement.joined()) == Set(0..<50).subtracting(leftSet))
            for ordinal in 0..<50 { #expect(OrdinalRanges.contains(ordinal, left) == leftSet.contains(ordinal)) }
        }
    }

    @Test func `ranges of a column count its rows, those without a value among them`() throws {
        let fixture = try SnapshotFixture([
            #"{"id":"1","level":5}"#, #"{"id":"2","level":7}"#, #"{"id":"3"}"#, #"{"id":"4","level":5}"#,
        ])
        let snapshot = fixture.snapshot
        let column = snapshot.columns[Shelf.level]
        let distinct = column.distinct
        #expect(distinct == 2)
        let five = OrdinalRanges([0..<1], of: column)
        #expect(five.columnID == Shelf.level && five.count == 2)
        #expect(Self.rows(of: five, in: snapshot) == [0, 3])
        let others = OrdinalRanges(OrdinalRanges.complement(five.ranges, below: 3), of: column)
        #expect(Self.rows(of: others, in: snapshot) == [1, 2])
        #expect(others.count == 2)
    }

    @Test func `a text is found inside one value of a column, not across two that lie side by side`() throws {
        let places = ["ab", "cd", "xbc", "bcx"]
        let fixture = try SnapshotFixture(places.enumerated().map { #"{"id":"\#($0)","place":"\#($1)"}"# })
        let snapshot = fixture.snapshot
        func rows(_ pattern: String, atStart: Bool = false) throws -> [Int] {
            var steps = QuerySteps(.unlimited)
            let column = snapshot.column(3)
            let ranges = try column.ordinals(containing: [Array(pattern.utf8)], atStart: atStart, steps: &steps)
            return Self.rows(of: OrdinalRanges(ranges, of: column), in: snapshot)
        }
        #expect(try rows("bc") == [2, 3])
        #expect(try rows("bc", atStart: true) == [3])
        #expect(try rows("abb").isEmpty && rows("bcd").isEmpty && rows("dx").isEmpty)
    }

    private static func rows(of ranges: OrdinalRanges, in snapshot: Snapshot) -> [Int] {
        let column = snapshot.column(ranges.columnID)
        var rows: [Int] = []
        for row in 0..<snapshot.count where ranges.contains(row, column) { rows.append(row) }
        return rows
    }
}

struct RowSetTests {
    @Test func `every form of a set tells how many rows it has`() throws {
        let fixture = try SnapshotFixture((1...9).map { #"{"id":"\#($0)","level":\#($0 % 2)}"# })
        let snapshot = fixture.snapshot
        let ordinals = OrdinalRanges([1..<2], of: snapshot.column(Shelf.level))
        #expect(RowSet.none.count(9) == 0 && RowSet.all.count(9) == 9 && RowSet.ordinals(ordinals).count(9) == 5)
        #expect(RowSet.rows([3, 1]).count(9) == 2 && RowSet.bits([0b101], count: 2).count(9) == 2)
    }

    @Test func `a set is tested row by row where that needs no bitmap of it`() throws {
        let fixture = try SnapshotFixture((1...9).map { #"{"id":"\#($0)","level":\#($0 % 2)}"# })
        let snapshot = fixture.snapshot
        #expect(Self.rows(in: .none, of: snapshot) == nil)
        #expect(Self.rows(in: .rows([1]), of: snapshot) == nil)
        let ordinals = OrdinalRanges([1..<2], of: snapshot.column(Shelf.level))
        #expect(Self.rows(in: .ordinals(ordinals), excluding: [0b1_0000], of: snapshot) == [0, 2, 6, 8])
        #expect(Self.rows(in: .bits([0b110], count: 2), of: snapshot) == [1, 2])
    }

    /// The rows that pass the test of a set; nil where the set has no test.
    private static func rows(in set: RowSet, excluding excluded: [UInt64] = [], of snapshot: Snapshot) -> [Int]? {
        guard let test = RowTest(set, excluding: excluded, in: snapshot) else { return nil }
        var rows: [Int] = []
        for row in 0..<snapshot.count where test(row) { rows.append(row) }
        return rows
    }
}
