// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Where one column of a snapshot lies, and how to read it.
///
/// Values are ordinals: places among the column's distinct values in their order. `distinct` itself is the ordinal of
/// absence, so that absent values come last. Nothing that a damaged file holds leads outside.
struct Column: Sendable {
    let kind: ColumnKind
    /// How many rows the snapshot has.
    let rows: Int
    /// How many values there are.
    let distinct: Int
    let keyStarts: Table
    let keys: Blob
    /// Of folded values that differ from their keys.
    let foldedStarts: Table
    let folded: Blob
    /// Of a searched field.
    let tokens: TokenTable
    let postings: PostingLists
    /// Of the grams that have lists of their own.
    let grams: PostingLists
    /// Of the places where one word ends and the next begins.
    let junctions: PostingLists
    let ordinals: Table
    private let runs: Table
    private let permutation: Table
    private let bitmaps: Table
    private let vocabulary: Vocabulary

    init(_ kind: ColumnKind, _ sections: SectionIndex, _ vocabulary: Vocabulary, rows: Int) {
        let owner = kind.owner
        self.kind = kind
        self.rows = rows
        self.vocabulary = vocabulary
        let runs = sections.table(.runs, owner)
        let ordinals = sections.table(.ordinals, owner)
        // A column that no record has a value in is not in the file.
        let isStored = ordinals.count == rows && runs.count > 1
        distinct = kind.isIdentity ? rows : isStored ? runs.count - 2 : 0
        self.runs = isStored ? runs : Table()
        self.ordinals = isStored ? ordinals : Table()
        permutation = isStored ? sections.table(.permutation, owner) : Table()
        keyStarts = sections.table(.keyStarts, owner)
        keys = sections.blob(.keys, owner)
        foldedStarts = sections.table(.foldedStarts, owner)
        folded = sections.blob(.folded, owner)
        let texts = sections.blob(.tokens, owner)
        tokens = TokenTable(starts: sections.table(.tokenStarts, owner), offset: texts.offset, size: texts.size / 2)
        postings = sections.postings(.postingStarts, .postingCounts, .postings, owner)
        grams = sections.postings(.gramStarts, .gramCounts, .gramLists, owner)
        junctions = sections.postings(.junctionStarts, .junctionCounts, .junctions, owner)
        let bitmaps = sections.table(.bitmaps, owner)
        self.bitmaps = bitmaps.width == 8 && bitmaps.count == (rows + 63) / 64 * (distinct + 1) ? bitmaps : Table()
    }

    /// The ordinal of a row's value; `distinct` where it is absent.
    @inline(__always)
    func ordinal(_ row: Int, _ bytes: RawSpan) -> Int {
        kind.isIdentity ? row : min(ordinals[row, bytes], distinct)
    }

    /// Where a row comes in an order by this column; absent ones last in both directions.
    @inline(__always)
    func place(_ row: Int, descending: Bool, _ bytes: RawSpan) -> Int {
        let ordinal = ordinal(row, bytes)
        return descending && ordinal < distinct ? distinct &- 1 &- ordinal : ordinal
    }

    /// The places in the permutation of the rows with these ordinals.
    @inline(__always)
    func slice(_ ordinals: Range<Int>, _ bytes: RawSpan) -> Range<Int> {
        if kind.isIdentity { return min(ordinals.lowerBound, rows)..<min(ordinals.upperBound, rows) }
        guard distinct > 0 else { return 0..<(ordinals.contains(0) ? rows : 0) }
        let start = min(runs[ordinals.lowerBound, bytes], rows)
        let end = min(runs[ordinals.upperBound, bytes], rows)
        return start <= end ? start..<end : start..<start
    }

    /// The row at a place of the permutation.
    @inline(__always)
    func row(at place: Int, _ bytes: RawSpan) -> Int {
        kind.isIdentity || distinct == 0 ? place : min(permutation[place, bytes], max(rows &- 1, 0))
    }

    /// A row with this ordinal, which must be below `distinct`.
    func sample(_ ordinal: Int, _ bytes: RawSpan) -> Int {
        row(at: slice(ordinal..<ordinal + 1, bytes).lowerBound, bytes)
    }

    /// Where the bitmap of an ordinal's rows begins in the file; nil where the column has none.
    @inline(__always)
    func bitmap(_ ordinal: Int) -> Int? {
        bitmaps.count == 0 || ordinal > distinct ? nil : bitmaps.offset + ordinal * ((rows + 63) / 64) * 8
    }

    /// The key of a value; of an id the id itself, of a searched text nothing (its words are the key).
    @_lifetime(copy bytes)
    @inline(__always)
    func key(_ ordinal: Int, _ bytes: RawSpan) -> RawSpan {
        keys.part(keyStarts.range(ordinal, bytes), bytes)
    }

    /// Appends the key of a value, made of its words where that is what is stored. Of an id it is the natural key.
    func appendKey(_ ordinal: Int, to out: inout [UInt8], _ bytes: RawSpan) {
        if kind.isText && kind.isSearched {
            vocabulary.appendText(tokens.units(sample(ordinal, bytes), bytes), to: &out, bytes)
        } else {
            out.append(copying: key(ordinal, bytes))
        }
    }

    /// Orders the key of a value against `probe`; with `isPrefix`, a key that begins with the probe equals it.
    func compare(_ ordinal: Int, _ probe: RawSpan, isPrefix: Bool, _ bytes: RawSpan, _ natural: inout [UInt8]) -> Int {
        if kind.isText && kind.isSearched {
            let units = tokens.units(sample(ordinal, bytes), bytes)
            return vocabulary.compare(units, probe, isPrefix: isPrefix, bytes)
        }
        if kind.isIdentity {
            natural.removeAll(keepingCapacity: true)
            KeyEncoding.natural(key(ordinal, bytes), into: &natural)
            return Self.compare(natural.raw, probe, isPrefix: isPrefix)
        }
        return Self.compare(key(ordinal, bytes), probe, isPrefix: isPrefix)
    }

    private static func compare(_ key: RawSpan, _ probe: RawSpan, isPrefix: Bool) -> Int {
        isPrefix && key.hasPrefix(probe) ? 0 : key.compare(probe)
    }
}
