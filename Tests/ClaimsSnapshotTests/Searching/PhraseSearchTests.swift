// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

/// Phrases: `PhraseMatches`, `PhraseMasks` and `PhraseBatch` find the same rows.
struct PhraseSearchTests {
    private let fixture: SnapshotFixture

    private static let titles = [
        "red water pump works", "water pump", "pump water", "water water pump", "waters pump", "floodwater pumping",
        "water red pump", "water", "pump water pump", "a b c d e f g h i", "a b c d e f g h", "a a a a a a a a b",
        "b a a a a a a a", "Straße\twater  pump", "a b c x e f g h i",
    ]

    /// The titles, then 200 records that have both words of "water pump" but not the phrase.
    init() throws {
        let titles = Self.titles + (0..<200).map { "pump number\($0) water" }
        fixture = try SnapshotFixture(
            titles.enumerated().map { index, title in
                let escaped = title.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "\\t")
                return #"{"id":"\#(index + 1)","title":"\#(escaped)"\#(title == "water" ? #","note":"pump""# : "")}"#
            })
    }

    private func plan(_ phrase: String) throws -> QueryPlan {
        var planner = QueryPlanner(fixture.snapshot, scratch: QueryScratch(), steps: QuerySteps(.unlimited))
        return try planner.plan(.text(Array(phrase.utf8)))
    }

    /// The titles that have the phrase, by the set and by each row alone, which must agree.
    private func titles(_ phrase: String) throws -> [String] {
        let snapshot = fixture.snapshot
        let plan = try plan(phrase)
        var builder = SetBuilder(snapshot, scratch: QueryScratch(), steps: QuerySteps(.unlimited))
        let rows = try builder.listed(try builder.set(plan)).map(Int.init).sorted()
        #expect(
            rows == (0..<snapshot.count).filter { plan.contains($0, snapshot.columns) }, "\(phrase)")
        return rows.map { $0 < Self.titles.count ? Self.titles[$0] : "another" }
    }

    @Test func `a phrase begins inside its first word and ends inside its last`() throws {
        #expect(
            try titles("water pump") == [
                "red water pump works", "water pump", "water water pump", "floodwater pumping", "pump water pump",
                "Straße\twater  pump",
            ])
        #expect(try titles("ter pum") == titles("water pump"))
        #expect(try titles("s pump") == ["waters pump"])
    }

    @Test func `the words between are whole words`() throws {
        #expect(try titles("red water pump") == ["red water pump works"])
        #expect(try titles("red wate pump").isEmpty)
        #expect(try titles("d water p") == ["red water pump works"])
    }

    @Test func `a phrase is found at the beginning, at the end and over a whole text`() throws {
        #expect(try titles("red water") == ["red water pump works"])
        #expect(try titles("pump works") == ["red water pump works"])
        #expect(try titles("red water pump works") == ["red water pump works"])
        #expect(try titles("strasse water") == ["Straße\twater  pump"])
    }

    @Test func `a phrase does not go on from one field into the next`() throws {
        #expect(try !titles("water pump").contains("water"))
        #expect(try titles("works works").isEmpty)
    }

    @Test func `repeated words count as often as they stand`() throws {
        #expect(try titles("water water") == ["water water pump"])
        #expect(try titles("water water water").isEmpty)
        #expect(try titles("pump water pump") == ["pump water pump"])
        #expect(try titles("a a a b") == ["a a a a a a a a b"])
        #expect(try titles("a a a a a a a") == ["a a a a a a a a b", "b a a a a a a a"])
    }

    @Test func `phrases of more terms than a mask has bits are found too`() throws {
        #expect(PhraseMasks.maxTerms == 7)
        #expect(try titles("a b c d e f g") == ["a b c d e f g h i", "a b c d e f g h"])
        #expect(try titles("a b c d e f g h") == ["a b c d e f g h i", "a b c d e f g h"])
        #expect(try titles("a b c d e f g h i") == ["a b c d e f g h i"])
        #expect(try titles("a a a a a a a a b") == ["a a a a a a a a b"])
    }

    @Test func `a batch clears the rows that lack the phrase, however many rows there are`() throws {
        let snapshot = fixture.snapshot
        guard case .phrase(let phrase) = try plan("water pump") else {
            Issue.record("two words are no phrase")
            return
        }
        let units = [UInt8](repeating: 0, count: PhraseMasks.unitCount)
        let masks = PhraseMasks(phrase, units: units, terms: snapshot.dictionary.count)
        var found = [UInt64](repeating: 0, count: Bits.wordCount(snapshot.count))
        for row in 0..<snapshot.count { found[row >> 6] |= 1 << UInt64(row & 63) }
        var batch = PhraseBatch()
        var steps = QuerySteps(.unlimited)
        let tokens = snapshot.columns[phrase.column].tokens
        for row in 0..<snapshot.count {
            try batch.append(row, tokens: tokens, masks: masks, found: &found, steps: &steps)
        }
        try batch.check(masks, found: &found, steps: &steps, snapshot.bytes)
        #expect((0..<snapshot.count).filter { Bits.contains(found, $0) } == [0, 1, 3, 5, 8, 13])
        #expect(masks.cleared(phrase).allSatisfy { $0 == 0 })
    }

    /// The commonest words come first; some begin or end with others.
    private static let words = [
        "the", "of", "to", "in", "proof", "then", "into", "they", "a", "other", "bathe", "soft", "often", "main",
        "ofthe",
        "tothe", "on", "onto", "kin", "he",
    ]

    @Test func `phrases of frequent words are found wherever they are, and nowhere else`() throws {
        var chance = SeededGenerator(seed: 61)
        let titles = (0..<6000).map { _ in
            (0..<Int.random(in: 1...9, using: &chance)).map { _ in
                let rank = Int.random(in: 0..<Self.words.count, using: &chance)
                return chance.oneIn(3) ? Self.words[rank] : Self.words[rank / 5]
            }.joined(separator: " ")
        }
        let fixture = try SnapshotFixture(titles.enumerated().map { #"{"id":"\#($0)","title":"\#($1)"}"# })
        let snapshot = fixture.snapshot
        let frequent = snapshot.columns.frequentTerms.map { term in
            String(decoding: snapshot.dictionary.term(term).array, as: UTF8.self)
        }
        #expect(frequent.count == WordBoundary.maxFrequent(rows: titles.count) && frequent.contains("the"))
        var texts: [Int: String] = [:]
        for row in 0..<snapshot.count {
            let id = String(decoding: snapshot.id(row).array, as: UTF8.self)
            texts[row] = titles[try #require(Int(id))]
        }
        for _ in 0..<RandomRounds.count(300) {
            let words = (0..<Int.random(in: 2...4, using: &chance)).map { _ in
                Self.words.randomElement(using: &chance) ?? "the"
            }
            var phrase = words.joined(separator: " ")
            if chance.oneIn(3) { phrase = String(phrase.dropFirst(min(1, words[0].count - 1))) }
            if chance.oneIn(3), let last = words.last, last.count > 1 { phrase = String(phrase.dropLast()) }
            var planner = QueryPlanner(snapshot, scratch: QueryScratch(), steps: QuerySteps(.unlimited))
            let plan = try planner.plan(.text(Array(phrase.utf8)))
            var builder = SetBuilder(snapshot, scratch: QueryScratch(), steps: QuerySteps(.unlimited))
            let rows = try builder.listed(try builder.set(plan)).map(Int.init).sorted()
            #expect(rows == texts.filter { $0.value.contains(phrase) }.keys.sorted(), "\(phrase)")
        }
    }

    @Test func `word boundaries of files without frequent terms are read, and no other number of keys`() {
        #expect(WordBoundary(keys: 256, frequent: 0)?.classes == 16)
        #expect(WordBoundary(keys: 256 + 16, frequent: 4)?.classes == 16)
        #expect(WordBoundary(keys: 256, frequent: 4) == nil)
        #expect(WordBoundary(keys: 512, frequent: 0) == nil)
        #expect(WordBoundary(keys: 0, frequent: 0) == nil)
        let million = WordBoundary(rows: 1_000_000, frequent: 1000)
        #expect(million.frequent == WordBoundary.maxFrequent)
        #expect(WordBoundary(keys: million.keys, frequent: million.frequent)?.classes == million.classes)
    }
}
