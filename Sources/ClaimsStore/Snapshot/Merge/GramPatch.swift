// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Makes the lists of a field's grams out of those of an earlier snapshot, where every row that goes on keeps its
/// number: only the few new records have to be looked at.
struct GramPatch {
    /// The most memory for the new records' grams, in bytes.
    private static let sizeMax = 16 << 20

    private let old: Snapshot
    private let lists: PostingLists
    private let gone: [UInt64]
    private let freshRows: [UInt32]
    /// By word: the new records that have it; those by their places among `freshRows`.
    private let words: FreshPostings
    private let places: [UInt32]
    private let selection: GramSelection
    /// By chosen gram: which of the new records have it.
    private var bits: [UInt64]
    private let width: Int
    private var rows: [UInt32] = []
    private(set) var list = PostingListWriter()

    /// nil where rows get other numbers, or there are too many new records.
    init?(_ merge: RowMerge, _ column: Column, _ selection: GramSelection, _ bytes: RawSpan) {
        let width = Bits.words(merge.freshRows.count)
        guard merge.keepsRows, selection.numbers.count * width * 8 <= Self.sizeMax else { return nil }
        self.selection = selection
        self.width = width
        old = merge.old
        lists = old.column(column.kind.owner).grams
        gone = merge.gone
        freshRows = merge.freshRows
        let words = FreshPostings(
            merge, TokenPostings(tokens: column.tokens), keys: column.postings.counts.count, bytes)
        var places = [UInt32](repeating: 0, count: merge.places.count)
        for (place, row) in merge.freshRows.enumerated() { places[Int(row)] = UInt32(truncatingIfNeeded: place) }
        self.places = words.rows.map { places[Int($0)] }
        self.words = words
        bits = [UInt64](repeating: 0, count: selection.numbers.count * width)
    }

    /// Makes `list` that of a gram; false where the earlier snapshot has none to begin with. To be called for one gram
    /// after the other.
    mutating func make(_ gram: Int) -> Bool {
        gather(gram)
        // The bytes are borrowed from this constant, not from the patch.
        let old = old
        let bytes = old.bytes
        guard let key = old.columns.grams.key(of: selection.numbers[gram], bytes) else { return false }
        var made = PostingListWriter(room: 0)
        swap(&made, &list)
        made.begin()
        let (rows, gone) = (rows, gone)
        var next = rows.indices
        lists.forEachContainer(key, bytes) { container in
            made.append(container, bytes, without: gone, rows, &next)
            return true
        }
        for index in next { made.append(rows[index]) }
        made.end()
        swap(&made, &list)
        return true
    }

    /// The new records that have a gram: as for all rows, those of the longer grams and those of other words.
    private mutating func gather(_ gram: Int) {
        let start = gram &* width
        for place in selection.longerStarts[gram]..<selection.longerStarts[gram + 1] {
            let other = Int(selection.longer[place]) &* width
            for index in 0..<width { bits[start &+ index] |= bits[other &+ index] }
        }
        for place in selection.wordStarts[gram]..<selection.wordStarts[gram + 1] {
            for index in words.range(Int(selection.words[place])) {
                let record = places[index]
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
