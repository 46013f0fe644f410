// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

struct SnapshotQueryTests {
    @Test(arguments: [0, 1, 2, 63, 64, 65, 129, 300, 1100])
    func `queries answer what a record by record search finds`(count: Int) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            var objects = ShelfObjects(seed: seed &* 1000 &+ UInt64(count))
            let definition = seed == 2 ? Shelf.searchingIDs : Shelf.definition
            let fixture = try SnapshotFixture(objects.objects(count), definition)
            try SnapshotComparison(fixture, seed: seed, archivesOneIn: seed == 3 ? 2 : 9)
                .run(queries: RandomRounds.count(80))
        }
    }

    @Test func `collections of several chunks are searched whole`() throws {
        var objects = ShelfObjects(seed: 77)
        objects.ids = 10_000_000
        let fixture = try SnapshotFixture(objects.objects(66_500))
        #expect(fixture.snapshot.count > 65_536)
        try SnapshotComparison(fixture, seed: 5, archivesOneIn: 0).run(queries: RandomRounds.count(2))
        try SnapshotComparison(fixture, seed: 6, archivesOneIn: 3000).run(queries: RandomRounds.count(2))
        try SnapshotComparison(fixture, seed: 7, archivesOneIn: 4).run(queries: RandomRounds.count(2))
    }

    @Test func `paging goes on where it was when records come and go`() throws {
        var objects = ShelfObjects(seed: 11)
        objects.ids = 400
        let first = try SnapshotFixture(objects.objects(300))
        let second = try SnapshotFixture(objects.objects(300), generation: 2)
        let oracle = ShelfOracle(definition: first.definition, records: first.records + second.records)
        let scratch = QueryScratch()
        for order in SnapshotComparison.orders {
            for isGrouped in [false, true] {
                let ranked = oracle.sorted(Array(oracle.records.indices), order, isGrouped: isGrouped)
                var query = PageQuery(predicate: .constant(true), order: order)
                query.isGrouped = isGrouped
                query.limit = 20
                let page = try first.snapshot.execute(
                    query, archive: RowBitmap(), scratch: scratch, budget: .unlimited)
                let last = Int(try #require(page.rows.last))
                query.after = page.next
                query.limit = 1000
                let rest = try second.snapshot.execute(
                    query, archive: RowBitmap(), scratch: scratch, budget: .unlimited)
                let place = try #require(ranked.firstIndex(of: last))
                let later = ranked[place...].filter { $0 >= first.records.count }.map { $0 - first.records.count }
                // The same record with the same values is at the place, not after it.
                let expected = later.filter { second.records[$0].id != first.records[last].id || $0 != later.first }
                let isSame = expected == rest.rows.map(Int.init) || later == rest.rows.map(Int.init)
                #expect(isSame, "\(order) \(isGrouped)")
            }
        }
    }

    @Test func `a query stops when its budget is used up or nobody waits any more`() throws {
        var objects = ShelfObjects(seed: 1)
        objects.ids = 1_000_000
        let fixture = try SnapshotFixture(objects.objects(9000))
        var query = PageQuery(
            predicate: .or([.contains(field: 1, [Array("a".utf8)]), .present(field: 3)]),
            order: Shelf.order("-kind", "at"))
        query.facets = [1, 3]
        let scratch = QueryScratch()
        #expect(throws: QueryInterruption.outOfTime) {
            try fixture.snapshot.execute(
                query, archive: RowBitmap(), scratch: scratch, budget: QueryBudget(limit: .zero))
        }
        #expect(throws: QueryInterruption.cancelled) {
            try fixture.snapshot.execute(
                query, archive: RowBitmap(), scratch: scratch, budget: QueryBudget(limit: .seconds(60)) { true })
        }
        #expect(
            try fixture.snapshot.execute(
                query, archive: RowBitmap(), scratch: scratch, budget: QueryBudget(limit: .seconds(60))
            ).rows.count == 50)
    }

    @Test func `a test of few rows is not prepared by reading all values of a column`() throws {
        var objects = ShelfObjects(seed: 31)
        objects.ids = 10_000
        let fixture = try SnapshotFixture(objects.objects(3000))
        func isPrepared(_ predicate: Predicate, forAbout count: Int) throws -> Bool {
            try fixture.snapshot.prepare(
                predicate, forAbout: count, scratch: QueryScratch(), budget: .unlimited) != nil
        }
        let scan = Predicate.contains(field: fixture.definition.idField, [Array("12".utf8)])
        #expect(try !isPrepared(scan, forAbout: 8) && isPrepared(scan, forAbout: 3000))
        #expect(try !isPrepared(.and([.not(scan), .present(field: 1)]), forAbout: 8))
        #expect(try isPrepared(.present(field: 1), forAbout: 8) && isPrepared(.constant(true), forAbout: 1))
    }

    @Test func `one record is tested without any set`() throws {
        var objects = ShelfObjects(seed: 21)
        let fixture = try SnapshotFixture(objects.objects(200))
        let oracle = ShelfOracle(definition: fixture.definition, records: fixture.records)
        var predicates = ShelfPredicates(seed: 22, fixture.records)
        for _ in 0..<40 {
            let predicate = predicates.predicate()
            let matches = Set(oracle.matches(predicate, .include, []))
            let prepared = try fixture.snapshot.prepare(
                predicate, forAbout: .max, scratch: QueryScratch(), budget: .unlimited)
            let test = try #require(prepared)
            for row in -1...fixture.snapshot.count { #expect(test.contains(row) == matches.contains(row)) }
            for row in 0..<fixture.snapshot.count {
                #expect(try fixture.snapshot.matches(predicate, row: row) == matches.contains(row))
            }
        }
    }
}
