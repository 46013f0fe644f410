// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

struct RankSelectionTests {
    private static let orders = [
        Shelf.order(), Shelf.order("-id"), Shelf.order("level"), Shelf.order("-level", "-id"),
        Shelf.order("state", "level"), Shelf.order("-state", "level", "-title"), Shelf.order("place", "-level", "-id"),
    ]

    private static func selection(
        _ rows: [Int], of snapshot: Snapshot, _ order: RecordOrder, isBackward: Bool, _ ranks: Range<Int>,
        within budget: QueryBudget = .unlimited
    ) throws(QueryInterruption) -> [Int] {
        let plan = OrderPlan(order, isGrouped: false, snapshot)
        var steps = QuerySteps(budget)
        var selection = RankSelection(plan, isBackward: isBackward, snapshot.bytes)
        for row in rows { selection.add(row) }
        return try selection.rows(ranks, &steps).map(Int.init)
    }

    @Test func `the rows at any ranks are those of all rows sorted`() throws {
        for seed in 1...UInt64(RandomRounds.count(3)) {
            var chance = SeededGenerator(seed: seed &* 7919)
            var objects = ShelfObjects(seed: chance.next())
            let fixture = try SnapshotFixture(objects.objects(300))
            let oracle = ShelfOracle(definition: fixture.definition, records: fixture.records)
            for order in Self.orders {
                let rows = fixture.records.indices.shuffled(using: &chance)
                let count = Int.random(in: 0...rows.count, using: &chance)
                let some = chance.oneIn(3) ? Array(0..<count) : Array(rows.prefix(count))
                let sorted = oracle.sorted(some, order, isGrouped: false)
                for isBackward in [false, true] {
                    let expected = isBackward ? sorted.reversed() : sorted
                    let start = Int.random(in: 0...count, using: &chance)
                    for ranks in [start..<start + 7, 0..<count, count..<count + 3, max(0, count - 1)..<count] {
                        let found = try Self.selection(
                            some, of: fixture.snapshot, order, isBackward: isBackward, ranks)
                        #expect(
                            found == Array(expected[ranks.clamped(to: 0..<count)]), "seed \(seed), \(order), \(ranks)")
                    }
                }
            }
        }
    }

    @Test func `rows that are equal, ascending or descending cost no more`() throws {
        let objects = (0..<3_000).map { #"{"id":"\#($0)","title":"x","level":\#($0 / 1_000)}"# }
        let fixture = try SnapshotFixture(objects)
        let all = Array(0..<3_000)
        let pipes = all.filter { $0.isMultiple(of: 2) } + all.filter { !$0.isMultiple(of: 2) }.reversed()
        for rows in [all, all.reversed(), pipes] {
            let found = try Self.selection(
                rows, of: fixture.snapshot, Shelf.order("title", "level"), isBackward: false, 1_500..<1_503)
            #expect(found == [1_500, 1_501, 1_502])
        }
    }

    @Test func `a selection ends with its budget`() throws {
        let fixture = try SnapshotFixture((0..<9_000).map { #"{"id":"\#($0)","level":\#($0 % 7)}"# })
        #expect(throws: QueryInterruption.outOfTime) {
            try Self.selection(
                Array(0..<9_000), of: fixture.snapshot, Shelf.order("level", "title"), isBackward: false,
                4_000..<4_010, within: QueryBudget(limit: .zero))
        }
    }
}
