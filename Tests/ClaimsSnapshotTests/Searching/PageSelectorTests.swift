// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

struct PageSelectorTests {
    private let fixture: SnapshotFixture

    /// 200 records with ten levels; the title of every seventh is "rare", of the others "common".
    init() throws {
        fixture = try SnapshotFixture(
            (1...200).map { id in
                #"{"id":"\#(id)","title":"\#(id % 7 == 0 ? "rare" : "common")","level":\#(id % 10)}"#
            })
    }

    private static let orders = [
        Shelf.order(), Shelf.order("-id"), Shelf.order("level"), Shelf.order("-level"), Shelf.order("level", "-id"),
        Shelf.order("title", "-price"), Shelf.order("place", "-level"),
    ]

    /// Rows by the record-by-record search, and a selector that begins after one of them.
    private func selector(
        _ order: RecordOrder, after row: Int?, limit: Int = 5, excluded: [UInt64] = []
    ) -> PageSelector {
        let snapshot = fixture.snapshot
        let plan = OrderPlan(order, isGrouped: false, snapshot)
        let finder = PositionFinder(snapshot: snapshot, plan: plan)
        return PageSelector(
            snapshot: snapshot, plan: plan, limit: limit,
            after: row.map { finder.boundary(of: finder.position(of: $0)) },
            excluded: excluded)
    }

    private func rows(_ selector: PageSelector, of predicate: Predicate) throws -> [Int] {
        let scratch = QueryScratch()
        var planner = QueryPlanner(fixture.snapshot, scratch: scratch, steps: QuerySteps(.unlimited))
        var builder = SetBuilder(fixture.snapshot, scratch: scratch, steps: QuerySteps(.unlimited))
        let set = try builder.set(try planner.plan(predicate))
        return try selector.rows(set, count: set.count(fixture.snapshot.count), &builder).map(Int.init)
    }

    private func sorted(_ predicate: Predicate, _ order: RecordOrder) -> [Int] {
        let oracle = ShelfOracle(definition: fixture.definition, records: fixture.records)
        return oracle.sorted(oracle.matches(predicate, .include, []), order, isGrouped: false)
    }

    private static let predicates: [Predicate] = [
        .constant(true), .text(Array("rare".utf8)), .text(Array("common".utf8)),
        .or([.text(Array("rare".utf8)), .codes(field: Shelf.state, [0])]),
        .not(.text(Array("rare".utf8))),
    ]

    @Test(arguments: orders.indices)
    func `a page begins with the row after its boundary, whatever the order and the set`(index: Int) throws {
        let order = Self.orders[index]
        for predicate in Self.predicates {
            let all = sorted(predicate, order)
            for rank in [0, 1, all.count / 2, all.count - 2, all.count - 1] {
                let expected = all.dropFirst(rank + 1).prefix(5)
                #expect(try rows(selector(order, after: all[rank]), of: predicate) == Array(expected), "\(rank)")
            }
        }
    }

    @Test func `ascending and descending pages after one row share nothing and leave nothing out`() throws {
        let predicate = Predicate.text(Array("common".utf8))
        for row in [0, 1, 99, 198, 199] {
            let later = try rows(selector(Shelf.order("level"), after: row, limit: 200), of: predicate)
            let earlier = try rows(selector(Shelf.order("-level", "-id"), after: row, limit: 200), of: predicate)
            let found = Set(later + earlier)
            #expect(found.count == later.count + earlier.count && !found.contains(row))
            #expect(found.union([row]) == Set(sorted(predicate, Shelf.order())).union([row]))
        }
    }

    @Test func `the first page begins with the first row, and a page after the last row is empty`() throws {
        for order in Self.orders {
            let all = sorted(.constant(true), order)
            #expect(try rows(selector(order, after: nil), of: .constant(true)) == Array(all.prefix(5)))
            #expect(try rows(selector(order, after: all.last), of: .constant(true)).isEmpty)
        }
    }

    @Test func `a page of no rows is empty`() throws {
        #expect(try rows(selector(Shelf.order(), after: nil, limit: 0), of: .constant(true)).isEmpty)
        #expect(try rows(selector(Shelf.order(), after: nil), of: .text(Array("absent".utf8))).isEmpty)
    }

    @Test(arguments: orders.indices)
    func `excluded rows are passed over, and the page is full nevertheless`(index: Int) throws {
        let order = Self.orders[index]
        var excluded = [UInt64](repeating: 0, count: Bits.wordCount(fixture.snapshot.count))
        let all = sorted(.constant(true), order)
        for row in all[3..<7] { excluded[row >> 6] |= 1 << UInt64(row & 63) }
        let page = try rows(selector(order, after: all[1], excluded: excluded), of: .constant(true))
        #expect(page == [all[2]] + all[7..<11])
    }

    @Test func `a walk that needs too many steps gives up, and one that fills its page does not`() throws {
        let selector = selector(Shelf.order("level"), after: nil)
        var steps = QuerySteps(.unlimited)
        let none = [UInt64](repeating: 0, count: Bits.wordCount(fixture.snapshot.count))
        let snapshot = fixture.snapshot
        guard let empty = RowTest(.bits(none, count: 0), excluding: [], in: snapshot),
            let all = RowTest(.all, excluding: [], in: snapshot)
        else { throw TestFailure("the sets have no tests") }
        let short = try selector.walk(empty, bound: 20, steps: &steps)
        #expect(short == nil)
        let whole = try selector.walk(empty, bound: .max, steps: &steps)
        #expect(whole == [])
        let page = try selector.walk(all, bound: 20, steps: &steps)
        #expect(page?.count == 5)
    }
}
