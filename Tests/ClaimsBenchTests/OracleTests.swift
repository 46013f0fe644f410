// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import Testing

@testable import claims_bench

/// The benchmark judges the daemon's answers, so what it holds them against must be right.
@Suite struct OracleTests {
    private static let lexicon = Lexicon(seed: CollectionShape.seed, count: 1000)

    private func generator(unique: Bool = false) -> RecordGenerator {
        RecordGenerator(shape: CollectionShape(records: 300, hasUniqueTerms: unique), lexicon: Self.lexicon)
    }

    /// Heading and remark of each record, folded, a line each.
    private func bodies(_ generator: RecordGenerator) -> [[String]] {
        var text = RecordGenerator.Text()
        return (0..<generator.shape.records).map { record in
            String(decoding: generator.foldedText(record, text: &text), as: UTF8.self)
                .split(separator: "\n").map(String.init)
        }
    }

    @Test(arguments: [false, true])
    func `every query of every class finds as many records as a scan of their texts`(unique: Bool) throws {
        let generator = generator(unique: unique)
        let bodies = bodies(generator)
        let sets = QueryMaker(generator: generator).sets()
        #expect(sets.count >= 10)
        for set in sets {
            for (query, total) in zip(set.queries, set.totals) {
                let found = bodies.indices.count { record in
                    matches(query, bodies[record], generator, record)
                }
                #expect(found == total, "\(set.kind): \(query.filter)")
            }
        }
    }

    private func matches(_ query: Query, _ texts: [String], _ generator: RecordGenerator, _ record: Int) -> Bool {
        if let phase = query.phase, generator.phase(record) != phase { return false }
        if let price = query.priceFrom, generator.price(record) < price * 100 { return false }
        let parts: [String] =
            switch query.pattern {
            case .none: []
            case .term(let term): [term]
            case .terms(let one, let other): [one, other]
            case .phrase(let terms): [terms.joined(separator: " ")]
            }
        return parts.allSatisfy { part in texts.contains { $0.utf8Contains(part) } }
    }

    @Test func `a record is made the same again, and is one JSON object of the usual size`() throws {
        let generator = generator()
        var text = RecordGenerator.Text()
        var size = 0
        for record in 0..<generator.shape.records {
            let document = generator.document(record, text: &text)
            #expect(document == generator.document(record, text: &text))
            let object = try #require(try JSONValue.parse(document).object)
            #expect(object["id"]?.string == "\(RecordGenerator.id(record))")
            #expect(object["moment"]?.string?.utf8.count == 20)
            size += document.count
        }
        #expect((250...400).contains(size / generator.shape.records))
    }

    @Test func `about one record in a hundred differs in the changed collection`() {
        var shape = CollectionShape(records: 10_000)
        let base = RecordGenerator(shape: shape, lexicon: Self.lexicon)
        shape.changedOneIn = 100
        let changed = RecordGenerator(shape: shape, lexicon: Self.lexicon)
        let count = (0..<shape.records).count { base.price($0) != changed.price($0) }
        #expect((70...130).contains(count))
    }

    @Test func `the order of a file is a permutation`() {
        for count in [1, 2, 1000, 100_000] {
            #expect(Set((0..<count).map { CollectionFiles.position($0, of: count) }).count == count)
        }
    }
}
