// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

extension SetBuilder {
    /// The rows that have a phrase: rows that have each of its terms are checked term by term, except for those that a
    /// word boundary of two frequent terms shows to have it.
    mutating func matches(_ phrase: PhraseMatches) throws(QueryInterruption) -> RowSet {
        let boundaries = PhraseBoundaries(of: phrase, in: snapshot)
        var rows = try candidates(of: phrase, boundaries)
        guard phrase.middle.isEmpty, let pairs = boundaries.only?.pairs, !pairs.isEmpty else {
            return counted(try checked(rows, phrase))
        }
        let snapshot = snapshot
        let lists = snapshot.column(phrase.column).wordBoundaries
        var certain = scratch.bitmap(rows.count)
        for key in pairs { try add(key, of: lists, to: &certain) }
        Bits.subtract(&rows, certain)
        rows = try checked(rows, phrase)
        Bits.unite(&rows, certain)
        scratch.keep(certain)
        return counted(rows)
    }

    /// Those of the rows that have the phrase.
    private mutating func checked(
        _ candidates: consuming [UInt64], _ phrase: PhraseMatches
    ) throws(QueryInterruption) -> [UInt64] {
        let snapshot = snapshot
        let columns = snapshot.columns
        var rows = candidates
        guard phrase.middle.count + 2 <= PhraseMasks.maxTerms else {
            for index in rows.indices {
                var (left, found) = (rows[index], UInt64(0))
                while left != 0 {
                    let bit = left.trailingZeroBitCount
                    left &= left &- 1
                    try steps.spend(64)
                    if phrase.contains(index << 6 | bit, columns) { found |= 1 << UInt64(bit) }
                }
                rows[index] = found
            }
            return rows
        }
        let tokens = columns[phrase.column].tokens
        let masks = PhraseMasks(
            phrase, units: scratch.zeros(PhraseMasks.unitCount), terms: snapshot.dictionary.count)
        var batch = PhraseBatch()
        for index in rows.indices {
            var left = rows[index]
            while left != 0 {
                try batch.append(
                    index << 6 | left.trailingZeroBitCount, tokens: tokens, masks: masks, found: &rows, steps: &steps)
                left &= left &- 1
            }
        }
        try batch.check(masks, found: &rows, steps: &steps, snapshot.bytes)
        scratch.keep(zeros: masks.cleared(phrase))
        return rows
    }

    /// Lists, all of whose rows together are candidates.
    private struct Group {
        /// Whether the lists belong to word boundaries, not to terms.
        let isBoundary: Bool
        let keys: [Int]
        var total = 0
        /// The cost of uniting them.
        var cost = 0

        init(_ keys: [Int], isBoundary: Bool, in column: ColumnView, rows: Int) {
            self.isBoundary = isBoundary
            self.keys = keys
            let lists = isBoundary ? column.wordBoundaries : column.postings
            for key in keys {
                let count = lists.count(key)
                total += count
                cost += PostingLists.unionCost(of: count, rows: rows)
            }
        }
    }

    /// The rows that may have the phrase, as a bitmap: they have each of its terms and word boundaries whose lists are
    /// quickly united.
    private mutating func candidates(
        of phrase: PhraseMatches, _ boundaries: PhraseBoundaries
    ) throws(QueryInterruption) -> [UInt64] {
        let snapshot = snapshot
        let rows = rows
        let column = snapshot.column(phrase.column)
        var groups = ([phrase.first, phrase.last] + phrase.middle.map { [$0] })
            .map { Group($0, isBoundary: false, in: column, rows: rows) }
        groups += boundaries.all.map { boundary in
            // The rows of a pair of frequent terms are not checked if the phrase has no other terms.
            let keys = phrase.middle.isEmpty ? boundary.others : boundary.others + boundary.pairs
            return Group(keys, isBoundary: true, in: column, rows: rows)
        }
        groups.sort { $0.total < $1.total }
        var candidates = scratch.bitmap(Bits.wordCount(rows))
        var left = rows
        var isNarrowed = false
        for group in groups {
            // Uniting the lists costs as much as the number of their rows. It saves searching the texts of the other
            // rows, each of which takes as long as some 32 rows of a list. The number of other rows is only estimated.
            let saved = 32 * Double(left) * Double(rows) / Double(rows + group.total)
            guard Double(group.cost + rows / 32) < saved else { continue }
            var added = isNarrowed ? scratch.bitmap(candidates.count) : candidates
            if !isNarrowed { candidates = [] }
            let lists = group.isBoundary ? column.wordBoundaries : column.postings
            for key in group.keys { try add(key, of: lists, to: &added) }
            if isNarrowed {
                Bits.intersect(&candidates, added)
                scratch.keep(added)
            } else {
                candidates = added
                isNarrowed = true
            }
            left = Bits.count(candidates)
        }
        if !isNarrowed { Bits.invert(&candidates, rows: rows) }
        return candidates
    }
}

/// The word boundaries of a phrase: for each border between two of its terms the keys of the lists that it can be in.
private struct PhraseBoundaries {
    struct Keys {
        /// The keys of two frequent terms: the rows in their lists have such a border.
        var pairs: [Int] = []
        /// The keys of the classes of other terms.
        var others: [Int] = []
    }

    /// The keys of each border; empty if the column has no word boundaries.
    private(set) var all: [Keys] = []

    init(of phrase: PhraseMatches, in snapshot: Snapshot) {
        let columns = snapshot.columns
        let column = columns[phrase.column]
        let frequent = columns.frequentTerms
        let keys = column.wordBoundaries.counts.count
        guard let wordBoundary = WordBoundary(keys: keys, frequent: frequent.count) else { return }
        let dictionary = snapshot.dictionary
        let terms = ([phrase.first] + phrase.middle.map { [$0] } + [phrase.last])
            .map { $0.filter { column.postings.count($0) > 0 } }
        all = terms.indices.dropLast().map { index in
            let endings = Sides(terms[index], frequent, of: wordBoundary) {
                wordBoundary.ending(of: dictionary.term($0))
            }
            let beginnings = Sides(terms[index + 1], frequent, of: wordBoundary) {
                wordBoundary.beginning(of: dictionary.term($0))
            }
            var keys = Keys()
            for first in endings.frequent {
                for second in beginnings.frequent { keys.pairs.append(wordBoundary.pair(first, second)) }
            }
            for (ending, isRare) in endings.classes {
                for (beginning, isOtherRare) in beginnings.classes where isRare || isOtherRare {
                    keys.others.append(wordBoundary.key(ending, beginning))
                }
            }
            return keys
        }
    }

    /// The only border of a phrase of two terms.
    var only: Keys? { all.count == 1 ? all[0] : nil }

    /// The terms at one side of a border.
    private struct Sides {
        /// The indices of its frequent terms among all frequent ones.
        private(set) var frequent: [Int] = []
        /// The classes of its terms, and whether a term that is not frequent has them.
        private(set) var classes: [(number: Int, isRare: Bool)] = []

        init(_ terms: [Int], _ frequent: [Int], of wordBoundary: WordBoundary, _ classOf: (Int) -> Int) {
            var isFound = [Bool](repeating: false, count: wordBoundary.classes)
            var isRare = isFound
            for term in terms {
                let one = classOf(term)
                isFound[one] = true
                let index = frequent.indices.partitionPoint { frequent[$0] < term }
                if index < frequent.count, frequent[index] == term {
                    self.frequent.append(index)
                } else {
                    isRare[one] = true
                }
            }
            classes = isFound.indices.filter { isFound[$0] }.map { ($0, isRare[$0]) }
        }
    }
}

/// Some rows whose texts are searched for a phrase together.
///
/// Candidates lie far from each other: the offsets of all texts are read before any text is searched, so that the waits
/// for memory overlap.
struct PhraseBatch {
    private static let size = 64

    /// The offset of a text's units in the file, and their number.
    struct Text {
        let offset: Int
        let count: Int
    }

    private var rows: [Int] = []
    private var texts: [Text] = []
    private var sum: UInt16 = 0

    init() {
        rows.reserveCapacity(Self.size)
        texts.reserveCapacity(Self.size)
    }

    /// Adds a row of the bitmap `found`; checks all that are at hand once they are many.
    @inline(__always)
    mutating func append(
        _ row: Int, tokens: TokenTableView, masks: borrowing PhraseMasks, found: inout [UInt64],
        steps: inout QuerySteps
    ) throws(QueryInterruption) {
        let text = tokens.units(row)
        // The sum is used, lest the read be optimised away.
        sum &+= text[text.count &- 1]
        rows.append(row)
        texts.append(Text(offset: text.offset, count: text.count))
        if rows.count == Self.size { try check(masks, found: &found, steps: &steps, tokens.bytes) }
    }

    /// Takes the rows at hand that do not have the phrase out of the bitmap.
    mutating func check(
        _ masks: borrowing PhraseMasks, found: inout [UInt64], steps: inout QuerySteps, _ bytes: RawSpan
    ) throws(QueryInterruption) {
        try steps.spend(rows.count * 8)
        masks.forEachMiss(texts, bytes) { index in
            let row = rows[index]
            found[row >> 6] &= ~(1 << UInt64(row & 63))
        }
        rows.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
    }
}

/// The positions in a phrase that each term can take, one bit for each position.
///
/// Nearly all tokens are terms of one unit. These are looked up by the unit without a test of its kind.
@safe struct PhraseMasks {
    /// The most terms of a phrase: each position has a bit.
    static let maxTerms = 7
    /// The bit of units for which the whole term must be read.
    private static let longBit: UInt8 = 0x80

    /// The mask of each unit.
    private var units: [UInt8]
    /// The mask of each term; empty if all terms of the phrase have one unit.
    private var terms: [UInt8] = []
    /// The bit of the last position.
    private let last: UInt8

    /// - Parameter units: zeros, one for each value of a unit.
    init(_ phrase: PhraseMatches, units: consuming [UInt8], terms count: Int) {
        self.units = units
        last = 1 << UInt8(truncatingIfNeeded: phrase.middle.count + 1)
        let greatest = max(phrase.first.last ?? 0, phrase.last.last ?? 0, phrase.middle.max() ?? 0)
        if greatest >= TokenUnits.lead {
            terms = [UInt8](repeating: 0, count: count)
            for unit in TokenUnits.lead..<Self.unitCount { self.units[unit] = Self.longBit }
        }
        for term in phrase.first { mark(term, 1) }
        for (index, term) in phrase.middle.enumerated() { mark(term, 2 << UInt8(truncatingIfNeeded: index)) }
        for term in phrase.last { mark(term, last) }
    }

    /// The number of values of a unit.
    static let unitCount = 1 << 16

    private mutating func mark(_ term: Int, _ bit: UInt8) {
        if term < TokenUnits.lead { units[term] |= bit }
        if term < terms.count { terms[term] |= bit }
    }

    /// Gives the units back, all zeros again.
    consuming func cleared(_ phrase: PhraseMatches) -> [UInt8] {
        for term in phrase.first where term < units.count { units[term] = 0 }
        for term in phrase.middle where term < units.count { units[term] = 0 }
        for term in phrase.last where term < units.count { units[term] = 0 }
        if !terms.isEmpty { for unit in TokenUnits.lead..<Self.unitCount { units[unit] = 0 } }
        return units
    }

    /// Calls `body` with the index of each text that does not have the phrase.
    func forEachMiss(_ texts: [PhraseBatch.Text], _ bytes: RawSpan, _ body: (Int) -> Void) {
        unsafe units.withUnsafeBufferPointer { units in
            guard let units = units.baseAddress else { return }
            for index in texts.indices {
                let span = bytes.part(texts[index].offset, texts[index].count &* 2)
                let isFound = unsafe span.withUnsafeBytes { text in
                    guard let start = text.baseAddress else { return false }
                    return unsafe isIn(start, text.count, units)
                }
                if !isFound { body(index) }
            }
        }
    }

    /// Whether a text has the phrase: all positions that the terms so far can have reached are followed at once
    /// (Shift-And).
    ///
    /// `text` has `size` bytes, an even number; `units` has a mask for each value of a unit, so none is outside of it.
    @unsafe @inline(__always)
    private func isIn(_ text: UnsafeRawPointer, _ size: Int, _ units: UnsafePointer<UInt8>) -> Bool {
        var (state, reached): (UInt8, UInt8) = (0, 0)
        var offset = 0
        while offset < size {
            var mask = unsafe units[Int(text.loadUnaligned(fromByteOffset: offset, as: UInt16.self))]
            offset &+= 2
            if mask & Self.longBit != 0 {
                offset &-= 2
                mask = unsafe longMask(UnsafeRawBufferPointer(start: text, count: size), &offset)
            }
            state = (state &+ state | 1) & mask
            reached |= state
        }
        return reached & last != 0
    }

    /// The mask of a term of several units, behind which `offset` moves.
    @unsafe @inline(never)
    private func longMask(_ text: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt8 {
        var index = offset / 2
        let term = TokenUnits.next(&index) { unit in
            unit * 2 + 2 <= text.count ? unsafe text.loadUnaligned(fromByteOffset: unit * 2, as: UInt16.self) : 0
        }
        offset = index * 2
        return term < terms.count ? terms[term] : 0
    }
}
