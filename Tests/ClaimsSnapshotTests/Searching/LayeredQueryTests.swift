// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

/// A random stack of snapshots, and the records of all for a search record by record.
struct LayeredShelf {
    let rows: ServedRows
    let oracle: ShelfOracle
    /// The rows that no list has.
    let left: Set<Int>
    let archived: Set<Int>

    /// A layer while the stack is made.
    private struct Layer {
        let records: [DecodedRecord]
        let snapshot: Snapshot
        var covered = RowBitmap()
        var unlisted = RowBitmap()
    }

    /// - Parameters:
    ///   - base: the snapshot below; nil for none.
    ///   - newer: the number of records of each layer over it, the oldest one first.
    init(_ base: SnapshotFixture?, newer: [Int], _ chance: inout SeededGenerator) throws {
        let definition = base?.definition ?? Shelf.definition
        var layers: [Layer] = []
        if let base { layers.append(Layer(records: base.records, snapshot: base.snapshot)) }
        var objects = ShelfObjects(seed: chance.next())
        for count in newer {
            // Half of the records are newer than one of any layer below, a fifth of those below may be gone.
            let below = Set(layers.flatMap { $0.records.map(\.id) })
            var known = below.map { String(decoding: $0, as: UTF8.self) }.sorted().shuffled(using: &chance)
            var own: [[UInt8]: DecodedRecord] = [:]
            while own.count < count {
                let id = chance.oneIn(2) ? known.popLast() : nil
                var record = try Shelf.decode([objects.object(id: id)], definition)[0]
                if !chance.oneIn(4) { record.pending = chance.pick(PendingState.allCases) }
                if id != nil || !below.contains(record.id) { own[record.id] = record }
            }
            let gone = Set(known.prefix(chance.oneIn(2) ? 0 : known.count / 5).map { Array($0.utf8) })
            for index in layers.indices {
                for (row, record) in layers[index].records.enumerated()
                where own[record.id] != nil || gone.contains(record.id) {
                    layers[index].covered.set(row, of: layers[index].records.count, to: true)
                }
            }
            let records = own.values.sorted { $0.idKey.lexicographicallyPrecedes($1.idKey) }
            if records.isEmpty { continue }
            var layer = Layer(records: records, snapshot: try Self.snapshot(records, definition))
            for row in records.indices where chance.oneIn(7) { layer.unlisted.set(row, of: records.count, to: true) }
            layers.append(layer)
        }
        self.init(layers, hasBase: base != nil, definition, &chance)
    }

    private init(_ layers: [Layer], hasBase: Bool, _ definition: Definition, _ chance: inout SeededGenerator) {
        var marks: [[UInt8]: Bool] = [:]
        var (left, archived): (Set<Int>, Set<Int>) = ([], [])
        var (stack, start): ([LayerRows], Int) = ([], 0)
        for (index, layer) in layers.enumerated() {
            var rows = LayerRows(layer.snapshot)
            rows.covered = layer.covered
            rows.unlisted = layer.unlisted
            var pending = PendingRows()
            let count = layer.records.count
            for (row, record) in layer.records.enumerated() {
                let isMarked = marks[record.id] ?? chance.oneIn(6)
                marks[record.id] = isMarked
                if isMarked {
                    rows.archived.set(row, of: count, to: true)
                    archived.insert(start + row)
                }
                if layer.covered.contains(row) || layer.unlisted.contains(row) { left.insert(start + row) }
                if let state = record.pending { pending[state].set(row, of: count, to: true) }
            }
            if index > 0 || !hasBase { rows.pending = pending }
            stack.append(rows)
            start += count
        }
        rows = ServedRows(base: hasBase ? stack.first : nil, newer: hasBase ? Array(stack.dropFirst()) : stack)
        oracle = ShelfOracle(definition: definition, records: layers.flatMap(\.records))
        self.left = left
        self.archived = archived
    }

    /// A snapshot that nothing lies over, without archived records.
    init(of base: SnapshotFixture) {
        rows = ServedRows(base: LayerRows(base.snapshot))
        oracle = ShelfOracle(definition: base.definition, records: base.records)
        (left, archived) = ([], [])
    }

    static func snapshot(_ records: [DecodedRecord], _ definition: Definition) throws -> Snapshot {
        let identity = SnapshotIdentity(
            epoch: 0, generation: .max, fileID: RandomBytes.integer() | 1, definitionHash: definition.shapeHash)
        var writer = try SnapshotWriter(inMemory: definition, identity: identity)
        for record in records { _ = try writer.append(record, firstSeen: 1, changedAt: 2, stateKey: 3) }
        return try writer.finishInMemory()
    }

    /// The rows of a query, in its order.
    func expected(_ query: PageQuery) -> [Int] {
        let found = oracle.matches(query.predicate, query.archived, archived).filter { !left.contains($0) }
        return oracle.sorted(found, query.order, isGrouped: query.isGrouped)
    }

    /// The rows of all pages, and the first page.
    func pages(_ query: PageQuery) throws -> (rows: [Int], first: Page) {
        var (query, found): (PageQuery, [Int]) = (query, [])
        let scratch = QueryScratch()
        let first = try rows.execute(query, scratch: scratch, budget: .unlimited)
        var page = first
        while true {
            found += page.rows.map(Int.init)
            guard let next = page.next else { return (found, first) }
            query.after = next
            page = try rows.execute(query, scratch: scratch, budget: .unlimited)
            guard page.total == first.total, !page.rows.isEmpty else { throw TestFailure("a page without rows") }
        }
    }
}

@Suite struct LayeredQueryTests {
    static func query(_ shelf: LayeredShelf, _ chance: inout SeededGenerator) -> PageQuery {
        var predicates = ShelfPredicates(seed: chance.next(), shelf.oracle.records)
        var predicate = predicates.predicate()
        switch Int.random(in: 0..<6, using: &chance) {
        case 0, 1: predicate = .constant(true)
        case 2: predicate = .pending(PendingState.allCases.filter { _ in chance.oneIn(2) })
        case 3: predicate = .and([predicate, .not(.pending([.stuck]))])
        case 4: predicate = .or([predicate, .pending([.queued, .accepted])])
        default: break
        }
        var query = PageQuery(predicate: predicate, order: chance.pick(SnapshotComparison.orders))
        query.isGrouped = chance.oneIn(2)
        query.archived = chance.pick([.exclude, .include, .only])
        query.facets = (0..<12).filter { _ in chance.oneIn(4) }
        query.limit = Int.random(in: 1...max(3, shelf.oracle.records.count / 5), using: &chance)
        return query
    }

    private func check(_ shelf: LayeredShelf, _ query: PageQuery, _ comment: Comment) throws {
        let expected = shelf.expected(query)
        let (found, first) = try shelf.pages(query)
        #expect(found == expected, comment)
        #expect(first.total == expected.count, comment)
        for (field, counts) in zip(query.facets, first.facets) {
            #expect(counts.map(\.count) == shelf.oracle.facet(expected, field), comment)
            for count in counts {
                guard let row = count.row else { continue }
                let exists = shelf.rows.layer(of: row) != nil
                #expect(exists, comment)
            }
        }
        if query.isGrouped {
            var totals: [Int: Int] = [:]
            for row in expected { totals[shelf.oracle.group(row), default: 0] += 1 }
            let groups = totals.sorted { $0.key < $1.key }.map { Page.Group(group: $0.key, total: $0.value) }
            #expect(first.groups == groups, comment)
        }
        let scratch = QueryScratch()
        let count = try shelf.rows.count(
            query.predicate, archived: query.archived, scratch: scratch, budget: .unlimited)
        #expect(count == expected.count, comment)
        var all: [Int] = []
        try shelf.rows.forEachMatch(query.predicate, scratch: scratch, budget: .unlimited) { all.append($0) }
        var included = query
        included.archived = .include
        #expect(all.sorted() == shelf.expected(included).sorted(), comment)
        if !shelf.oracle.records.isEmpty {
            let row = query.limit * 7 % shelf.oracle.records.count
            let isTrue = try shelf.rows.matches(query.predicate, row: row, scratch: scratch)
            #expect(isTrue == shelf.oracle.matches(query.predicate, .include, []).contains(row), comment)
        }
    }

    /// The records of the snapshot at the bottom, and of each layer over it.
    static let stacks = [
        [0, 5], [1, 1], [40, 0], [40, 40], [200, 20], [200, 90], [600, 540], [1, 1, 1, 1, 1], [40, 0, 7],
        [100, 40, 20],
        [300, 150, 60, 20, 5], [30, 90, 5, 60, 1], [500, 31, 12, 0, 3],
    ]

    @Test(arguments: stacks)
    func `queries answer what a record by record search of all layers finds`(counts: [Int]) throws {
        for seed in 1...UInt64(RandomRounds.count(2)) {
            var chance = SeededGenerator(seed: seed &* 7919 &+ UInt64(counts.reduce(0) { $0 * 3 + $1 }))
            var objects = ShelfObjects(seed: chance.next())
            let base = try SnapshotFixture(objects.objects(counts[0]))
            let shelf = try LayeredShelf(base, newer: Array(counts.dropFirst()), &chance)
            for round in 0..<15 {
                try check(shelf, Self.query(shelf, &chance), "seed \(seed), round \(round), \(counts)")
            }
        }
    }

    @Test func `an overlay alone answers, and one that hides everything`() throws {
        var chance = SeededGenerator(seed: 4)
        let alone = try LayeredShelf(nil, newer: [60], &chance)
        for round in 0..<20 { try check(alone, Self.query(alone, &chance), "alone, round \(round)") }
        var objects = ShelfObjects(seed: 8)
        let base = try SnapshotFixture(objects.objects(100))
        var all = LayerRows(base.snapshot)
        for row in 0..<base.snapshot.count { all.covered.set(row, of: base.snapshot.count, to: true) }
        let hidden = ServedRows(base: all)
        var query = PageQuery(predicate: .constant(true), order: Shelf.definition.defaultOrder)
        query.facets = [Shelf.state]
        let page = try hidden.execute(query, scratch: QueryScratch(), budget: .unlimited)
        #expect(page.rows.isEmpty && page.total == 0 && page.facets == [[]] && hidden.count == 0)
        let nothing = ServedRows(base: nil)
        let empty = try nothing.execute(query, scratch: QueryScratch(), budget: .unlimited)
        #expect(empty.total == 0 && empty.facets == [[]] && nothing.end == 0)
    }

    @Test func `a page goes on where the one before ended, whatever the overlay has become`() throws {
        for seed in 1...UInt64(RandomRounds.count(40)) {
            var chance = SeededGenerator(seed: seed)
            var objects = ShelfObjects(seed: chance.next())
            objects.ids = 150
            let base = try SnapshotFixture(objects.objects(80))
            let next = chance.oneIn(3) ? try SnapshotFixture(objects.objects(80), generation: 2) : base
            let before = try LayeredShelf(base, newer: [30, 8], &chance)
            let after = try LayeredShelf(next, newer: [20, 30, 3], &chance)
            var query = Self.query(before, &chance)
            query.predicate = .constant(true)
            query.facets = []
            let first = try before.rows.execute(query, scratch: QueryScratch(), budget: .unlimited)
            guard let position = first.next, let last = first.rows.last else { continue }
            query.after = position
            query.limit = 1000
            let rest = try after.rows.execute(query, scratch: QueryScratch(), budget: .unlimited)
            // The record that the page ended with stands beside those that are served now.
            let oracle = ShelfOracle(
                definition: base.definition, records: after.oracle.records + [before.oracle.records[Int(last)]])
            let place = after.oracle.records.count
            let expected = after.expected(query).filter {
                oracle.precedes(place, $0, query.order, isGrouped: query.isGrouped)
            }
            #expect(rest.rows.map(Int.init) == expected, "seed \(seed)")
        }
    }
}
