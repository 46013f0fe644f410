// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import Testing

/// The hash that ties a cursor to its query.
struct QueryHashTests {
    private func hash(_ filter: String, _ sort: String = "title", now: Int64 = Library.now) throws -> UInt64 {
        let context = FilterContext(definition: Library.definition, now: now)
        let predicate = try FilterParser.parse(filter).typed(in: context)
        return QueryHash(
            predicate, try SortParser.parse(sort, in: Library.definition), of: Library.definition.queryShape
        ).value
    }

    @Test func `queries that come to the same have one hash`() throws {
        #expect(try hash("state=lost,torn") == hash("state=TORN or state=lost"))
        #expect(try hash("pages=1 water") == hash("pages=1.0 and (water)"))
        #expect(try hash("added=today") == hash("added=2026-11-20"))
        #expect(try hash("water", "title") == hash("water", "title,id"))
    }

    @Test func `different queries have different hashes`() throws {
        let queries = FilterLine.all.map(\.text)
        var predicates: [Predicate: UInt64] = [:]
        for query in queries {
            predicates[try FilterParser.parse(query).typed(in: Library.context)] = try hash(query)
        }
        #expect(Set(predicates.values).count == predicates.count)
        #expect(try hash("water", "title") != hash("water", "-title"))
        #expect(try hash("water", "title") != hash("water", "title,-id"))
        #expect(try hash("added<now") != hash("added<now", now: Library.now + 1))
    }

    @Test func `the hash is the same in every process`() {
        let predicate = Predicate.or([
            .and([.codes(field: 3, [0, 2]), .not(.text([0x77])), .present(field: 1)]),
            .keys(field: 5, [KeyRange(lower: [1, 2], upper: [3], upperInclusive: false)]),
            .contains(field: 1, [[0x61], [0x62]]), .prefix(field: 1, [[0x63]]), .raw(field: 3, .equals([[0x64]])),
        ])
        let order = RecordOrder([SortKey(field: 4, descending: true)], idField: 0)
        #expect(QueryHash(predicate, order, of: Library.definition.queryShape).value == 9_665_576_875_080_300_868)
    }

    @Test func `what a caller adds counts, and where it ends too`() {
        let values = [["ab", "c"], ["a", "bc"], ["abc"], ["", "abc"]].map { parts in
            var hash = QueryHash()
            for part in parts { hash.add(part) }
            return hash.value
        }
        #expect(Set(values).count == values.count)
    }
}
