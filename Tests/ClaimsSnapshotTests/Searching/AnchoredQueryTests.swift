// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

@Suite struct AnchoredQueryTests {
    /// A shelf, a query, and the rows that match it in their order.
    private struct Question {
        let shelf: LayeredShelf
        let query: PageQuery
        let expected: [Int]
        let comment: Comment
        private let scratch = QueryScratch()

        init(_ shelf: LayeredShelf, _ query: PageQuery, _ comment: Comment) {
            self.shelf = shelf
            self.query = query
            self.comment = comment
            expected = shelf.expected(query)
        }

        func page(at anchor: PageAnchor) throws -> (rows: [Int], rank: Int) {
            let found = try shelf.rows.page(of: query, at: anchor, scratch: scratch, budget: .unlimited)
            #expect(found.page.total == expected.count, comment)
            return (found.page.rows.map(Int.init), found.rank)
        }

        /// Expects a page to begin at a rank, and to have all records from there on that fit.
        func check(_ anchor: PageAnchor, begins rank: Int, count: Int? = nil) throws {
            let page = try page(at: anchor)
            let count = count ?? query.limit
            #expect(page.rank == rank, "\(comment), \(anchor)")
            #expect(page.rows == Array(expected.dropFirst(rank).prefix(count)), "\(comment), \(anchor)")
        }

        /// The number of matches that come before a row in the order, which need not match itself.
        func countBefore(_ row: Int) -> Int {
            expected.filter { shelf.oracle.precedes($0, row, query.order, isGrouped: query.isGrouped) }.count
        }
    }

    private func check(_ question: Question, _ chance: inout SeededGenerator) throws {
        let (total, limit) = (question.expected.count, question.query.limit)
        try question.check(.start, begins: 0)
        try question.check(.end, begins: max(0, total - limit))
        for _ in 0..<3 {
            let rank = Int.random(in: 0...total + 3, using: &chance)
            try question.check(.rank(rank), begins: rank < total ? rank : max(0, total - limit))
        }
        let all = question.shelf.oracle.records.count
        for _ in 0..<3 where all > 0 {
            let row = Int.random(in: 0..<all, using: &chance)
            // A covered row is not served: no position is made of it.
            guard !question.shelf.left.contains(row),
                let position = question.shelf.rows.position(of: row, in: question.query)
            else { continue }
            let before = question.countBefore(row)
            let isMatch = question.expected.contains(row)
            try question.check(.from(position), begins: before)
            try question.check(.after(position), begins: before + (isMatch ? 1 : 0))
            let start = max(0, before - limit)
            try question.check(.before(position), begins: start, count: before - start)
            var forgotten = position
            forgotten.generation = 77
            try question.check(.before(forgotten), begins: start, count: before - start)
        }
    }

    /// Goes to the end page by page and back, and expects every record once each way.
    private func walk(_ question: Question) throws {
        var (found, anchor): ([Int], PageAnchor) = ([], .start)
        while let next = try question.page(at: anchor).rows.nonEmpty {
            found += next
            guard let last = next.last, let position = question.shelf.rows.position(of: last, in: question.query) else {
                break
            }
            anchor = .after(position)
        }
        #expect(found == question.expected, question.comment)
        (found, anchor) = ([], .end)
        while let previous = try question.page(at: anchor).rows.nonEmpty {
            found = previous + found
            guard let first = previous.first,
                let position = question.shelf.rows.position(of: first, in: question.query)
            else { break }
            anchor = .before(position)
        }
        #expect(found == question.expected, question.comment)
    }

    @Test(arguments: LayeredQueryTests.stacks)
    func `a page at an anchor is what a record by record search finds there`(counts: [Int]) throws {
        for seed in 1...UInt64(RandomRounds.count(2)) {
            var chance = SeededGenerator(seed: seed &* 104_729 &+ UInt64(counts.reduce(0) { $0 * 5 + $1 }))
            var objects = ShelfObjects(seed: chance.next())
            let base = try SnapshotFixture(objects.objects(counts[0]))
            let shelf = try LayeredShelf(base, newer: Array(counts.dropFirst()), &chance)
            for round in 0..<12 {
                let query = LayeredQueryTests.query(shelf, &chance)
                let question = Question(shelf, query, "seed \(seed), round \(round), \(counts)")
                try check(question, &chance)
                if round < 3 { try walk(question) }
            }
        }
    }

    @Test func `a snapshot without an overlay and an overlay alone answer as well`() throws {
        var chance = SeededGenerator(seed: 21)
        var objects = ShelfObjects(seed: 5)
        let base = try SnapshotFixture(objects.objects(300))
        let shelf = LayeredShelf(of: base)
        for order in SnapshotComparison.orders {
            for isGrouped in [false, true] {
                var query = PageQuery(predicate: .constant(true), order: order)
                query.isGrouped = isGrouped
                query.limit = 7
                let question = Question(shelf, query, "\(order)")
                try check(question, &chance)
                try walk(question)
            }
        }
        let alone = try LayeredShelf(nil, newer: [80], &chance)
        for round in 0..<20 {
            try check(Question(alone, LayeredQueryTests.query(alone, &chance), "alone, round \(round)"), &chance)
        }
    }

    @Test func `an anchor in a collection without records finds none`() throws {
        let nothing = ServedRows(base: nil)
        let query = PageQuery(predicate: .constant(true), order: Shelf.definition.defaultOrder)
        for anchor in [PageAnchor.start, .end, .rank(4)] {
            let found = try nothing.page(of: query, at: anchor, scratch: QueryScratch(), budget: .unlimited)
            #expect(found.page.rows.isEmpty && found.rank == 0 && found.page.total == 0)
        }
    }

    @Test func `a page before a record that is gone ends with what comes before its place`() throws {
        for seed in 1...UInt64(RandomRounds.count(20)) {
            var chance = SeededGenerator(seed: seed)
            var objects = ShelfObjects(seed: chance.next())
            objects.ids = 150
            let base = try SnapshotFixture(objects.objects(80))
            let next = chance.oneIn(3) ? try SnapshotFixture(objects.objects(80), generation: 2) : base
            let before = try LayeredShelf(base, newer: [30, 8], &chance)
            let after = try LayeredShelf(next, newer: [20, 30, 3], &chance)
            var query = LayeredQueryTests.query(before, &chance)
            query.predicate = .constant(true)
            query.facets = []
            guard let row = before.expected(query).randomElement(using: &chance),
                let position = before.rows.position(of: row, in: query)
            else { continue }
            let oracle = ShelfOracle(
                definition: base.definition, records: after.oracle.records + [before.oracle.records[row]])
            let last = after.oracle.records.count
            let expected = after.expected(query).filter {
                oracle.precedes($0, last, query.order, isGrouped: query.isGrouped)
            }
            let found = try after.rows.page(
                of: query, at: .before(position), scratch: QueryScratch(), budget: .unlimited)
            #expect(found.page.rows.map(Int.init) == Array(expected.suffix(query.limit)), "seed \(seed)")
            #expect(found.rank == max(0, expected.count - query.limit), "seed \(seed)")
        }
    }
}

extension Array {
    /// The array, or nil where it has no elements.
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
