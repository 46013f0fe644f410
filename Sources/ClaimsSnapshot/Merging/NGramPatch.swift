// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Makes the lists of a field's n-grams from the lists of an earlier snapshot.
///
/// Every row that is taken over must keep its number, so that only the few new records have to be examined.
struct NGramPatch: NGramListMaker {
    /// The maximal memory for the new records' n-grams, in bytes.
    private static let maxSize = 16 << 20

    private let old: Snapshot
    private let lists: PostingLists
    private let gone: [UInt64]
    private let freshRows: [UInt32]
    /// The new records that have each term.
    private let terms: FreshPostings
    /// The rows of `terms` as indices of `freshRows`.
    private let indices: [UInt32]
    private let selection: NGramSelection
    /// The new records that have each chosen n-gram.
    private var bits: [UInt64]
    private let width: Int
    private var rows: [UInt32] = []
    private(set) var list = PostingListWriter()

    /// nil if rows get other numbers, or there are too many new records.
    ///
    /// - Parameters:
    ///   - column: the column in the new snapshot, whose tokens and lists of terms lie in `bytes`.
    ///   - selection: the chosen n-grams of the new snapshot.
    init?(_ column: Column, in bytes: RawSpan, selection: NGramSelection, rows merge: RowMerge) {
        let width = Bits.wordCount(merge.freshRows.count)
        guard merge.keepsRows, selection.numbers.count * width * 8 <= Self.maxSize else { return nil }
        self.selection = selection
        self.width = width
        old = merge.old
        lists = old.columnIndex[column.kind.columnID].nGrams
        gone = merge.gone
        freshRows = merge.freshRows
        let terms = FreshPostings(
            merge, TokenPostings(tokens: column.tokens), keys: column.postings.counts.count, bytes)
        var indices = [UInt32](repeating: 0, count: merge.newRows.count)
        for (index, row) in merge.freshRows.enumerated() { indices[Int(row)] = UInt32(truncatingIfNeeded: index) }
        self.indices = terms.rows.map { indices[Int($0)] }
        self.terms = terms
        bits = [UInt64](repeating: 0, count: selection.numbers.count * width)
    }

    mutating func append(_ nGram: Int, to units: inout SpillStream<UInt16>) throws(StoreError) -> Int? {
        guard make(nGram) else { return nil }
        try units.append(contentsOf: list.units.span)
        return list.count
    }

    /// Sets `list` to the list of an n-gram; false if the earlier snapshot has none to begin with. To be called for one
    /// n-gram after the other.
    mutating func make(_ nGram: Int) -> Bool {
        gather(nGram)
        // The bytes are borrowed from this constant, not from the patch.
        let old = old
        let bytes = old.bytes
        guard let key = old.columns.nGrams.key(of: selection.numbers[nGram]) else { return false }
        var made = PostingListWriter(room: 0)
        swap(&made, &list)
        made.begin()
        let gone = gone
        var added = AddedRows(rows, rows.indices)
        lists.view(bytes).forEachContainer(key) { container in
            made.append(container, in: bytes, without: gone, adding: &added)
            return true
        }
        for index in added.range { made.append(rows[index]) }
        made.end()
        swap(&made, &list)
        return true
    }

    /// Gathers the new records that have an n-gram: the records of the longer n-grams and of other terms, as for all
    /// rows.
    private mutating func gather(_ nGram: Int) {
        let start = nGram &* width
        for longer in selection.longer[of: nGram] {
            let other = Int(longer) &* width
            for index in 0..<width { bits[start &+ index] |= bits[other &+ index] }
        }
        for term in selection.terms[of: nGram] {
            for index in terms.range(Int(term)) {
                let record = indices[index]
                bits[start &+ Int(record >> 6)] |= 1 << UInt64(record & 63)
            }
        }
        rows.removeAll(keepingCapacity: true)
        for index in 0..<width {
            var word = bits[start &+ index]
            while word != 0 {
                rows.append(freshRows[index << 6 | word.trailingZeroBitCount])
                word &= word &- 1
            }
        }
    }
}
