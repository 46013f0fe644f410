// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery
import ClaimsSnapshot

/// A query on a sound snapshot: a filter, an order, and the page's size, with lines between.
///
/// Pages of any size give each matching record once, and a record matches exactly where the matcher says so.
enum QueryTarget {
    private static let sound = Result { try FuzzSnapshot(FuzzCollection.records(150)) }

    static func check(_ input: [UInt8]) throws {
        let lines = input.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        let texts = lines.map { String(decoding: $0, as: UTF8.self) }
        let definition = FuzzCollection.definition
        guard let node = try? FilterParser.parse(texts[0]),
            let predicate = try? node.typed(in: FuzzCollection.context)
        else { return }
        let order = texts.count > 1 ? try? SortParser.parse(texts[1], in: definition) : nil
        var query = PageQuery(predicate: predicate, order: order ?? definition.defaultOrder)
        query.limit = Int(texts.last?.utf8.first ?? 50)
        query.isGrouped = query.limit % 2 == 1
        query.facets = [query.limit % definition.fields.count]
        try check(query, try sound.get(), texts[0])
    }

    private static func check(_ query: PageQuery, _ sound: FuzzSnapshot, _ filter: String) throws {
        let matcher = PredicateMatcher(query.predicate, definition: FuzzCollection.definition)
        let expected = sound.records.indices.filter { matcher.matches(sound.records[$0]) }
        let scratch = QueryScratch()
        var query = query
        var rows: [Int] = []
        var page: Page
        repeat {
            page = try sound.snapshot.execute(query, archive: .init(), scratch: scratch, budget: .unlimited)
            try FuzzFinding.unless(page.total == expected.count, "\(page.total), not \(expected.count): \(filter)")
            if query.isGrouped {
                let total = page.groups.reduce(0) { $0 + $1.total }
                try FuzzFinding.unless(total == page.total, "\(total) in groups, of \(page.total): \(filter)")
            }
            rows += page.rows.map(Int.init)
            try FuzzFinding.unless(rows.count <= expected.count, "a record comes twice: \(filter)")
            query.after = page.next
        } while page.next != nil
        if query.limit > 0 {
            try FuzzFinding.unless(rows.sorted() == expected, "\(rows.sorted()), not \(expected): \(filter)")
        }
        for row in [0, 77] {
            let isMatch = try sound.snapshot.matches(query.predicate, row: row)
            try FuzzFinding.unless(isMatch == expected.contains(row), "row \(row) differs: \(filter)")
        }
    }
}
