// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Makes lists of n-grams more cheaply than by going through the lists of all terms.
protocol NGramListMaker: Sendable {
    /// Appends the list of the chosen n-gram with number `nGram` to `units`, and returns the number of its rows; if it
    /// cannot, it appends nothing and returns nil. To be called for each n-gram in ascending order.
    mutating func append(_ nGram: Int, to units: inout SpillStream<UInt16>) throws(StoreError) -> Int?
}

/// Writes, for one searched field, the rows that have each of the chosen n-grams.
struct NGramBuilder: BuildJob {
    let input: BuildInput
    let selection: NGramSelection
    let column: Column
    /// Makes most of the lists; nil if each is united from the lists of terms.
    var maker: (any NGramListMaker)?

    func write() throws(StoreError) {
        let file = try input.output.map()
        var lists = NGramLists(
            selection: selection, postings: column.postings, rows: input.rows.count,
            medium: input.output.medium, maker: maker)
        var first = 0
        while first < selection.numbers.count {
            let length = NGram.length(selection.numbers[first])
            var end = first
            while end < selection.numbers.count, NGram.length(selection.numbers[end]) == length { end += 1 }
            try lists.append(first..<end, in: file.bytes)
            first = end
        }
        try write(lists.levels)
    }

    private func write(_ levels: [NGramLists.Level]) throws(StoreError) {
        var starts: [UInt32] = [0]
        var counts: [UInt32] = []
        var size = 0
        for level in levels {
            for start in level.starts.dropFirst() { starts.append(UInt32(clamping: size + start)) }
            counts += level.counts
            size += level.units.count
        }
        guard size < Int(UInt32.max) else { throw StoreError(.tooLarge, "index the words") }
        let columnID = column.kind.columnID
        try input.output.write(.nGramStarts, id: columnID, width: 4, starts.span)
        try input.output.write(.nGramCounts, id: columnID, width: 4, counts.span)
        var section = SectionWriter(.nGramLists, id: columnID, width: 2, size: size * 2, to: input.output)
        for level in levels { try section.append(level.units.bytes) }
        try section.finish()
    }
}

/// The lists of a field's n-grams, made length by length. The n-grams of three bytes come first, because shorter ones
/// are united from them.
private struct NGramLists {
    /// The lists of the n-grams of one length.
    struct Level {
        /// The first of the n-grams.
        let first: Int
        /// The start of each n-gram's list, in units; then the end.
        var starts: [Int] = [0]
        /// The number of rows that have each n-gram.
        var counts: [UInt32] = []
        var units: SpilledElements<UInt16>

        func range(_ nGram: Int) -> Range<Int> { starts[nGram - first]..<starts[nGram - first + 1] }
    }

    private let selection: NGramSelection
    /// The lists of the terms.
    private let postings: PostingLists
    private let rows: Int
    private let medium: BuildMedium
    private var maker: (any NGramListMaker)?
    private(set) var levels: [Level] = []
    /// The rows of the current n-gram, as a bitmap.
    private var bits: [UInt64]

    init(
        selection: NGramSelection, postings: PostingLists, rows: Int, medium: BuildMedium, maker: (any NGramListMaker)?
    ) {
        self.selection = selection
        self.postings = postings
        self.rows = rows
        self.medium = medium
        self.maker = maker
        bits = [UInt64](repeating: 0, count: Bits.wordCount(rows))
    }

    /// Makes the lists of the next n-grams, which are all of one length.
    ///
    /// - Parameter bytes: the bytes with the lists of the terms.
    mutating func append(_ nGrams: Range<Int>, in bytes: RawSpan) throws(StoreError) {
        var level = Level(first: nGrams.lowerBound, units: SpilledElements([]))
        var units = SpillStream<UInt16>(medium)
        var list: [UInt16] = []
        for nGram in nGrams {
            if let count = try maker?.append(nGram, to: &units) {
                level.counts.append(UInt32(count))
                level.starts.append(units.count)
                continue
            }
            unite(nGram, in: bytes)
            list.removeAll(keepingCapacity: true)
            level.counts.append(UInt32(PostingLists.append(bits, to: &list)))
            try units.append(contentsOf: list.span)
            level.starts.append(units.count)
        }
        level.units = try units.seal()
        levels.append(level)
    }

    /// Sets `bits` to the rows of an n-gram: the rows of the longer n-grams that contain it, and of other terms.
    private mutating func unite(_ nGram: Int, in bytes: RawSpan) {
        for index in bits.indices { bits[index] = 0 }
        if let above = levels.last {
            for longer in selection.longer[of: nGram] {
                PostingUnion.add(above.range(Int(longer)), above.units.bytes, to: &bits)
            }
        }
        let lists = postings.view(bytes)
        for term in selection.terms[of: nGram] { PostingUnion.add(Int(term), of: lists, to: &bits) }
        Bits.clearTail(&bits, rows: rows)
    }
}

/// Writes, for one searched field, the rows that have each boundary between terms.
struct WordBoundaryBuilder: BuildJob {
    let input: BuildInput
    let column: Column
    let classes: WordBoundaryClasses

    func write() throws(StoreError) {
        let file = try input.output.map()
        let source = WordBoundaryPostings(tokens: column.tokens, classes: classes)
        try PostingBuilder(items: input.rows.count, keys: classes.wordBoundary.keys, source: source).write(
            file.bytes, starts: .wordBoundaryStarts, counts: .wordBoundaryCounts, lists: .wordBoundaries,
            id: column.kind.columnID,
            to: input.output)
    }
}

/// The classes of the end and the beginning of each term, as `WordBoundary` defines them.
struct WordBoundaryClasses: Sendable {
    let wordBoundary: WordBoundary
    /// The numbers of the frequent terms, ascending.
    let frequent: [UInt32]
    /// The class of each term's end in the upper 12 bits, then 12 bits with the class of its beginning, then the index
    /// among the frequent terms, from 1 on; 0 for other terms.
    private let classes: [UInt32]

    /// - Parameter frequent: the numbers of the frequent terms, ascending.
    init(_ dictionary: TermDictionaryView, rows: Int, frequent: [UInt32]) {
        let wordBoundary = WordBoundary(rows: rows, frequent: frequent.count)
        self.wordBoundary = wordBoundary
        self.frequent = Array(frequent.prefix(wordBoundary.frequent))
        var classes = (0..<dictionary.count).map { number in
            let term = dictionary.term(number)
            return UInt32(wordBoundary.ending(of: term) << 20 | wordBoundary.beginning(of: term) << 8)
        }
        for (index, term) in self.frequent.enumerated() where Int(term) < classes.count {
            classes[Int(term)] |= UInt32(index + 1)
        }
        self.classes = classes
    }

    /// The terms that are in most rows of the searched fields, ascending by their numbers.
    ///
    /// - Parameter counts: the number of rows of each term, for each searched field.
    static func frequent(_ counts: [Table], terms: Int, rows: Int, _ bytes: RawSpan) -> [UInt32] {
        var found: [(term: UInt32, count: Int)] = []
        for term in 0..<terms {
            let count = counts.reduce(0) { $0 + $1.view(bytes)[term] }
            if count > rows / WordBoundary.frequentShare { found.append((UInt32(term), count)) }
        }
        found.sort { ($1.count, $0.term) < ($0.count, $1.term) }
        return found.prefix(WordBoundary.maxFrequent(rows: rows)).map(\.term).sorted()
    }

    /// The classes of a term; the classes of the first one if there is no such term.
    @inline(__always)
    subscript(_ term: Int) -> UInt32 { term < classes.count ? classes[term] : 0 }

    /// The key of two terms, by their classes.
    @inline(__always)
    func key(_ first: UInt32, _ second: UInt32) -> Int {
        let (one, other) = (Int(first & 0xFF), Int(second & 0xFF))
        if one != 0, other != 0 { return wordBoundary.pair(one &- 1, other &- 1) }
        return wordBoundary.key(Int(first >> 20), Int(second >> 8 & 0xFFF))
    }
}

/// The boundaries between the terms of each row of one field.
struct WordBoundaryPostings: PostingSource {
    let tokens: TokenTable
    let classes: WordBoundaryClasses

    @inline(__always)
    func forEachKey(of item: Int, _ bytes: RawSpan, _ body: (Int) -> Void) {
        let units = tokens.view(bytes).units(item)
        guard units.count > 0 else { return }
        var index = 0
        var last = classes[TokenUnits.next(&index) { units[$0] }]
        while index < units.count {
            let next = classes[TokenUnits.next(&index) { units[$0] }]
            body(classes.key(last, next))
            last = next
        }
    }
}
