// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Writes, for one searched field, the rows that have each boundary between terms.
struct WordBoundaryBuilder: BuildJob {
    let input: BuildInput
    let column: Column
    let classes: WordBoundaryClasses

    func write() throws(SnapshotError) {
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
    /// By term: the class of its end in the upper 16 bits, that of its beginning in the lower 16.
    private let classes: [UInt32]

    init(_ dictionary: TermDictionaryView, rows: Int) {
        let wordBoundary = WordBoundary(rows: rows)
        self.wordBoundary = wordBoundary
        classes = (0..<dictionary.count).map { number in
            let term = dictionary.term(number)
            return UInt32(wordBoundary.ending(of: term) << 16 | wordBoundary.beginning(of: term))
        }
    }

    /// The classes of a term; those of the first where there is no such term.
    @inline(__always)
    subscript(_ term: Int) -> UInt32 { term < classes.count ? classes[term] : 0 }

    /// The key of two terms, by their classes.
    @inline(__always)
    func key(_ first: UInt32, _ second: UInt32) -> Int { wordBoundary.key(Int(first >> 16), Int(second & 0xFFFF)) }
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
