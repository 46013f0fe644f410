// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

/// Asks a snapshot and the oracle the same random questions.
struct SnapshotComparison {
    let fixture: SnapshotFixture
    let oracle: ShelfOracle
    let archive: RowBitmap
    let archived: Set<Int>
    private var chance: SeededGenerator
    private let seed: UInt64
    private let scratch = QueryScratch()

    init(_ fixture: SnapshotFixture, seed: UInt64, archivesOneIn rarity: Int = 9) {
        self.fixture = fixture
        self.seed = seed
        oracle = ShelfOracle(definition: fixture.definition, records: fixture.records)
        chance = SeededGenerator(seed: seed ^ 0xABCD)
        var rows: Set<Int> = []
        for row in fixture.records.indices where rarity > 0 {
            if chance.oneIn(rarity) { rows.insert(row) }
        }
        archived = rows
        var bitmap = RowBitmap()
        for row in rows { bitmap.set(row, of: fixture.records.count, to: true) }
        archive = bitmap
    }

    static let orders: [RecordOrder] = [
        Shelf.order(), Shelf.order("-id"), Shelf.order("-state", "-at", "day", "-id"), Shelf.order("title", "-price"),
        Shelf.order("-level"), Shelf.order("level", "-id"), Shelf.order("-level", "-id"), Shelf.order("title"),
        Shelf.order("-title"), Shelf.order("-price", "title", "-id"), Shelf.order("note", "-place", "kind"),
        Shelf.order("place", "-id"), Shelf.order("flag", "link"), Shelf.order("link"), Shelf.order("state", "id"),
        Shelf.order("-kind", "level", "-day", "price"),
    ]

    func run(queries: Int) throws {
        var comparison = self
        var predicates = ShelfPredicates(seed: seed, fixture.records)
        for number in 0..<RandomRounds.count(queries) {
            try comparison.compare(number == 0 ? .constant(true) : predicates.predicate())
        }
    }

    mutating func compare(_ predicate: Predicate) throws {
        var query = PageQuery(predicate: predicate, order: chance.pick(Self.orders))
        query.archived = chance.pick([.exclude, .only, .include])
        query.isGrouped = chance.oneIn(3)
        query.limit = chance.pick([1, 3, 10, 50, 1000])
        query.facets = [chance.pick([1, 3, 4, 5, 6, 10])]
        let matches = oracle.matches(predicate, query.archived, archived)
        let expected = oracle.sorted(matches, query.order, isGrouped: query.isGrouped)
        var found: [Int] = []
        var pages = 0
        while true {
            let page = try fixture.snapshot.execute(query, archive: archive, scratch: scratch, budget: .unlimited)
            #expect(page.total == expected.count, "\(predicate)")
            if pages == 0 { check(page, query, matches) }
            found.append(contentsOf: page.rows.map(Int.init))
            pages += 1
            guard let next = page.next else { break }
            #expect(page.rows.count == query.limit)
            query.after = forget(next)
            if pages > 12 { break }
        }
        #expect(found == Array(expected.prefix(pages > 12 ? found.count : expected.count)), "\(predicate) \(query)")
        let total = try fixture.snapshot.count(
            predicate, archived: query.archived, archive: archive, scratch: scratch, budget: .unlimited)
        #expect(total == expected.count, "\(predicate)")
    }

    /// A position that must be looked up, as of another generation, half the time.
    private mutating func forget(_ position: PagePosition) -> PagePosition {
        var position = position
        if chance.oneIn(2) { position.generation = 0 }
        return position
    }

    private func check(_ page: Page, _ query: PageQuery, _ matches: [Int]) {
        #expect(page.facets.map { $0.map(\.count) } == query.facets.map { oracle.facet(matches, $0) })
        guard query.isGrouped else {
            #expect(page.groups.isEmpty)
            return
        }
        var totals: [Int: Int] = [:]
        for row in matches { totals[oracle.group(row), default: 0] += 1 }
        #expect(page.groups == totals.sorted { $0.key < $1.key }.map { Page.Group(group: $0.key, total: $0.value) })
    }
}
