// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

@Suite struct NGramSelectionTests {
    private let snapshot: Snapshot
    private let selection: NGramSelection
    /// By number: the words that have the n-gram, ascending, of all n-grams of words that occur.
    private let words: [UInt32: [Int]]
    /// By number: what uniting the lists of those words costs, counted as often as a word has the n-gram.
    private let costs: [UInt32: Int]

    init() throws {
        var objects = ShelfObjects(seed: 5)
        objects.hasOwnWords = true
        // Two letters with bytes that no other word has.
        let rare = [#"{"id":"r1","title":"\u0177"}"#, #"{"id":"r2","title":"\u4e07"}"#]
        let snapshot = try SnapshotFixture(objects.objects(NGram.minRows * 2) + rare).snapshot
        let bytes = snapshot.bytes
        let lists = snapshot.columnIndex.searched.map { snapshot.columnIndex[$0].postings }
        var words: [UInt32: [Int]] = [:]
        var costs: [UInt32: Int] = [:]
        for word in 0..<snapshot.dictionary.count {
            let cost = lists.reduce(0) {
                $0 + PostingLists.unionCost(of: $1.view(bytes).count(word), rows: snapshot.count)
            }
            guard cost > 0 else { continue }
            NGram.forEach(in: snapshot.dictionary.term(word)) { number, _ in
                if words[number]?.last != word { words[number, default: []].append(word) }
                costs[number, default: 0] += cost
            }
        }
        selection = NGramSelection(snapshot.dictionary, rows: snapshot.count, counts: lists.map(\.counts), bytes)
        self.snapshot = snapshot
        self.words = words
        self.costs = costs
    }

    @Test func `a chosen n-gram is in its own words and those of the longer chosen ones, and in no others`() {
        var found: [Set<Int>] = []
        var wrong: [UInt32] = []
        for (nGram, number) in selection.numbers.enumerated() {
            var all = Set(selection.terms[of: nGram].map { Int($0) })
            for longer in selection.longer[of: nGram] { all.formUnion(found[Int(longer)]) }
            found.append(all)
            if all != Set(words[number] ?? []) { wrong.append(number) }
        }
        #expect(selection.numbers.count > 50 && wrong.isEmpty)
        let lengths = selection.numbers.map { NGram.length($0) }
        #expect(lengths == lengths.sorted(by: >) && Set(lengths) == [1, 2, 3])
    }

    @Test func `an n-gram of one or two bytes is either chosen or kept with its words`() {
        let chosen = Set(selection.numbers)
        let kept = Set(selection.sparse)
        #expect(!kept.isEmpty && chosen.isDisjoint(with: kept))
        let short = Set(words.keys.filter { $0 >= NGram.minShort })
        #expect(chosen.filter { $0 >= NGram.minShort }.union(kept) == short)
        for (index, number) in selection.sparse.enumerated() {
            let listed = Set(selection.sparseTerms[of: index].map { Int($0) })
            #expect(listed == Set(words[number] ?? []))
        }
    }

    @Test func `an n-gram of three bytes is chosen where its words cost more than a quarter of the rows`() {
        let chosen = selection.numbers.filter { $0 < NGram.minShort }
        let expensive = costs.filter { $0.key < NGram.minShort && $0.value > snapshot.count / 4 }.map(\.key)
        #expect(!chosen.isEmpty && chosen == expensive.sorted())
    }
}
