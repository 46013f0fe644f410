// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// The terms of an earlier snapshot, which keep their numbers, and behind them the terms that only new records have.
struct TermMerge: Sendable {
    let old: Snapshot
    let fresh: TermList
    /// The ranks among the new records' terms; they decide the order of their texts.
    let ranks: TermRanks
    /// The start of each of the new records' terms; then the end.
    let starts: [Int]
    /// The number here of each of the new records' terms.
    let numbers: [UInt32]
    /// The terms that the earlier snapshot does not have, by their numbers among the new records' terms.
    let added: [UInt32]
    /// The same terms in their byte order, and the rank in the earlier order before which each belongs.
    let addedInOrder: [(term: UInt32, rank: Int)]

    /// The number of terms.
    var count: Int { old.dictionary.count + added.count }

    init(_ old: Snapshot, _ fresh: TermList) {
        let (order, ranks, starts) = TermRanks.make(fresh)
        let dictionary = old.dictionary
        let bytes = fresh.terms.bytes
        var numbers = [UInt32](repeating: .max, count: fresh.count)
        var addedInOrder: [(term: UInt32, rank: Int)] = []
        var rank = 0
        for term in order {
            let text = bytes.part(starts[Int(term)], starts[Int(term) + 1] - starts[Int(term)] - 1)
            let found = LowerBound.find(from: rank, to: dictionary.count) {
                dictionary.term(dictionary.order[$0]).compare(text)
            }
            rank = found.index
            if found.order == 0 {
                numbers[Int(term)] = UInt32(truncatingIfNeeded: dictionary.order[rank])
            } else {
                addedInOrder.append((term, rank))
            }
        }
        // The terms are in the order in which they were first seen, like all terms.
        var added: [UInt32] = []
        for term in numbers.indices where numbers[term] == .max {
            numbers[term] = UInt32(truncatingIfNeeded: dictionary.count + added.count)
            added.append(UInt32(term))
        }
        self.old = old
        self.fresh = fresh
        self.ranks = ranks
        self.starts = starts
        self.numbers = numbers
        self.added = added
        self.addedInOrder = addedInOrder
    }

    /// Appends the text of some units of new records.
    func appendText(_ units: Range<Int>, of tokens: RawSpan, to text: inout [UInt8]) {
        let bytes = fresh.terms.bytes
        var index = units.lowerBound
        while index < units.upperBound {
            if index > units.lowerBound { text.append(UInt8(ascii: " ")) }
            let term = TokenUnits.next(&index) { tokens.u16(at: $0 &* 2) }
            guard term < fresh.count else { continue }
            text.append(bytes: bytes.part(starts[term], starts[term + 1] - starts[term] - 1))
        }
    }

    /// Appends units of new records with the numbers that their terms have here.
    func appendUnits(_ range: Range<Int>, of tokens: RawSpan, to units: inout [UInt16]) {
        var index = range.lowerBound
        while index < range.upperBound {
            let term = TokenUnits.next(&index) { tokens.u16(at: $0 &* 2) }
            TokenUnits.append(term < numbers.count ? Int(numbers[term]) : 0, to: &units)
        }
    }
}

/// Writes the terms of an earlier snapshot and behind them the new ones, their order, and the index of their trigrams.
struct TermDictionaryMerge: BuildJob {
    let terms: TermMerge
    let output: SnapshotOutput

    func write() throws(StoreError) {
        if terms.added.isEmpty { try copy() } else { try extend() }
    }

    private func copy() throws(StoreError) {
        let bytes = terms.old.bytes
        let kinds: [SectionKind] = [.termStarts, .terms, .termOrder, .trigramStarts, .trigramCounts, .trigrams]
        for section in terms.old.sections {
            guard let kind = SectionKind(rawValue: section.kind), kinds.contains(kind) else { continue }
            try output.write(kind, width: Int(section.width), bytes: bytes.part(section.offset, section.size))
        }
    }

    private func extend() throws(StoreError) {
        let old = terms.old
        let dictionary = old.dictionary
        var starts: [Int] = []
        starts.reserveCapacity(terms.count + 1)
        for number in 0..<dictionary.count { starts.append(dictionary.starts[number]) }
        starts.append(dictionary.text.byteCount)
        for term in terms.added {
            starts.append(starts[starts.count - 1] + terms.starts[Int(term) + 1] - terms.starts[Int(term)])
        }
        let size = starts[starts.count - 1]
        try SectionWriter.writeTable(.termStarts, count: starts.count, bound: size, to: output) { starts[$0] }
        var section = SectionWriter(.terms, size: size, to: output)
        try section.append(dictionary.text)
        for term in terms.added {
            let start = terms.starts[Int(term)]
            try section.append(terms.fresh.terms.bytes.part(start, terms.starts[Int(term) + 1] - start))
        }
        try section.finish()
        try writeOrder()
        try writeTrigrams(starts, at: section.offset)
    }

    private func writeOrder() throws(StoreError) {
        let old = terms.old
        let order = old.dictionary.order
        var merged: [UInt32] = []
        merged.reserveCapacity(terms.count)
        var rank = 0
        for added in terms.addedInOrder {
            while rank < added.rank {
                merged.append(UInt32(truncatingIfNeeded: order[rank]))
                rank += 1
            }
            merged.append(terms.numbers[Int(added.term)])
        }
        while rank < terms.old.dictionary.count {
            merged.append(UInt32(truncatingIfNeeded: order[rank]))
            rank += 1
        }
        try output.write(.termOrder, width: 4, merged.span)
    }

    /// - Parameter offset: the offset of the terms in the file.
    private func writeTrigrams(_ starts: [Int], at offset: Int) throws(StoreError) {
        guard terms.count >= Trigram.minTerms, starts[starts.count - 1] <= Trigram.maxTermBytes else { return }
        let buckets = Trigram.buckets(terms: terms.count)
        let source = TrigramPostings(starts: starts.map { $0 + offset }, buckets: buckets)
        let file = try output.map()
        try PostingBuilder(items: terms.count, keys: buckets, source: source).write(
            file.bytes, starts: .trigramStarts, counts: .trigramCounts, lists: .trigrams, id: 0, to: output)
    }
}

/// The rows and terms of a merging build, which all sections are written from.
struct MergeInput: Sendable {
    let rows: RowMerge
    /// The new records alone, in the order of their ids.
    let fresh: BuildInput
    let terms: TermMerge

    var output: SnapshotOutput { fresh.output }
    var old: Snapshot { rows.old }
    /// The number of rows.
    var count: Int { rows.numbers.count }
}
