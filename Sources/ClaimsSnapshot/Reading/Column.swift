// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// The location of one column of a snapshot. A ``ColumnView`` reads it.
struct Column: Sendable {
    let kind: ColumnKind
    /// The number of rows of the snapshot.
    let rows: Int
    /// The ordinals of the rows' values, and the number of values.
    let ordinals: ColumnOrdinals
    let keyStarts: Table
    let keys: Blob
    /// The starts of folded values that differ from their keys.
    let foldedStarts: Table
    let folded: Blob
    /// The tokens of a searched field.
    let tokens: TokenTable
    let postings: PostingLists
    /// The lists of the n-grams that have lists of their own.
    let nGrams: PostingLists
    /// The lists of the word boundaries.
    let wordBoundaries: PostingLists
    let runs: Table
    let permutation: Table
    let bitmaps: Table
    let dictionary: TermDictionary

    init(_ kind: ColumnKind, _ sections: SectionIndex, _ dictionary: TermDictionary, rows: Int) {
        let columnID = kind.columnID
        self.kind = kind
        self.rows = rows
        self.dictionary = dictionary
        let runs = sections.table(.runs, columnID)
        let ordinals = sections.table(.ordinals, columnID)
        // A column that no record has a value in is not in the file.
        let isStored = ordinals.count == rows && runs.count > 1
        let distinct = kind.isIdentity ? rows : isStored ? runs.count - 2 : 0
        self.runs = isStored ? runs : Table()
        self.ordinals = ColumnOrdinals(
            table: isStored ? ordinals : Table(), distinct: distinct, isIdentity: kind.isIdentity)
        permutation = isStored ? sections.table(.permutation, columnID) : Table()
        keyStarts = sections.table(.keyStarts, columnID)
        keys = sections.blob(.keys, columnID)
        foldedStarts = sections.table(.foldedStarts, columnID)
        folded = sections.blob(.folded, columnID)
        let texts = sections.blob(.tokens, columnID)
        tokens = TokenTable(starts: sections.table(.tokenStarts, columnID), offset: texts.offset, size: texts.size / 2)
        postings = sections.postings(starts: .postingStarts, counts: .postingCounts, lists: .postings, id: columnID)
        nGrams = sections.postings(starts: .nGramStarts, counts: .nGramCounts, lists: .nGramLists, id: columnID)
        wordBoundaries = sections.postings(
            starts: .wordBoundaryStarts, counts: .wordBoundaryCounts, lists: .wordBoundaries, id: columnID)
        let bitmaps = sections.table(.bitmaps, columnID)
        self.bitmaps = bitmaps.width == 8 && bitmaps.count == (rows + 63) / 64 * (distinct + 1) ? bitmaps : Table()
    }

    @_lifetime(copy bytes)
    @inline(__always)
    func view(_ bytes: RawSpan) -> ColumnView { ColumnView(self, bytes) }
}

/// The location of the ordinals of a column's rows.
///
/// Keys of an order and tests of rows hold these ordinals and not the column, because a column is many times as large
/// and a key is copied often. A key is kept in arrays, where no view can be; so the functions get the bytes.
struct ColumnOrdinals: Sendable {
    fileprivate var table = Table()
    /// The number of values.
    fileprivate(set) var distinct = 0
    fileprivate var isIdentity = false

    /// The ordinal of a row's value; `distinct` if it is absent.
    @inline(__always)
    func ordinal(_ row: Int, _ bytes: RawSpan) -> Int {
        isIdentity ? row : min(table.view(bytes)[row], distinct)
    }

    /// The rank of a row's value in an order by this column; absent values come last in both directions.
    @inline(__always)
    func rank(_ row: Int, descending: Bool, _ bytes: RawSpan) -> Int {
        let ordinal = ordinal(row, bytes)
        return descending && ordinal < distinct ? distinct &- 1 &- ordinal : ordinal
    }
}

/// Reads one column of a snapshot.
///
/// Values are ordinals: numbers of the column's distinct values in their order. `distinct` itself is the ordinal of
/// absence, so that absent values come last. Nothing that a damaged file holds leads outside.
struct ColumnView: ~Escapable {
    private let location: Column
    private let bytes: RawSpan

    @_lifetime(copy bytes)
    @inline(__always)
    init(_ location: Column, _ bytes: RawSpan) {
        self.location = location
        self.bytes = bytes
    }

    var kind: ColumnKind { @inline(__always) get { location.kind } }
    /// The number of values.
    var distinct: Int { @inline(__always) get { location.ordinals.distinct } }
    private var rows: Int { @inline(__always) get { location.rows } }
    var keyStarts: TableView { @_lifetime(copy self) @inline(__always) get { location.keyStarts.view(bytes) } }
    /// The starts of folded values that differ from their keys.
    var foldedStarts: TableView { @_lifetime(copy self) @inline(__always) get { location.foldedStarts.view(bytes) } }
    /// The tokens of a searched field.
    var tokens: TokenTableView { @_lifetime(copy self) @inline(__always) get { location.tokens.view(bytes) } }
    var postings: PostingListsView { @_lifetime(copy self) @inline(__always) get { location.postings.view(bytes) } }
    /// The lists of the n-grams that have lists of their own.
    var nGrams: PostingListsView { @_lifetime(copy self) @inline(__always) get { location.nGrams.view(bytes) } }
    /// The lists of the word boundaries.
    var wordBoundaries: PostingListsView {
        @_lifetime(copy self) @inline(__always) get { location.wordBoundaries.view(bytes) }
    }
    private var runs: TableView { @_lifetime(copy self) @inline(__always) get { location.runs.view(bytes) } }
    private var permutation: TableView {
        @_lifetime(copy self) @inline(__always) get { location.permutation.view(bytes) }
    }
    private var dictionary: TermDictionaryView {
        @_lifetime(copy self) @inline(__always) get { location.dictionary.view(bytes) }
    }
    /// All keys, end to end.
    var keys: RawSpan { @_lifetime(copy self) get { location.keys.all(bytes) } }
    /// All folded values, end to end.
    var folded: RawSpan { @_lifetime(copy self) get { location.folded.all(bytes) } }

    /// The ordinal of a row's value; `distinct` if it is absent.
    @inline(__always)
    func ordinal(_ row: Int) -> Int { location.ordinals.ordinal(row, bytes) }

    /// The rank of a row's value in an order by this column; absent values come last in both directions.
    @inline(__always)
    func rank(_ row: Int, descending: Bool) -> Int { location.ordinals.rank(row, descending: descending, bytes) }

    /// The range of the permutation that holds the rows with these ordinals.
    @inline(__always)
    func slice(_ ordinals: Range<Int>) -> Range<Int> {
        if kind.isIdentity { return min(ordinals.lowerBound, rows)..<min(ordinals.upperBound, rows) }
        guard distinct > 0 else { return 0..<(ordinals.contains(0) ? rows : 0) }
        let start = min(runs[ordinals.lowerBound], rows)
        let end = min(runs[ordinals.upperBound], rows)
        return start <= end ? start..<end : start..<start
    }

    /// The row at an index of the permutation.
    @inline(__always)
    func row(at index: Int) -> Int {
        kind.isIdentity || distinct == 0 ? index : min(permutation[index], max(rows &- 1, 0))
    }

    /// A row with this ordinal, which must be below `distinct`.
    func sample(_ ordinal: Int) -> Int {
        row(at: slice(ordinal..<ordinal + 1).lowerBound)
    }

    /// The offset in the file of the bitmap of an ordinal's rows; nil if the column has none.
    @inline(__always)
    func bitmap(_ ordinal: Int) -> Int? {
        location.bitmaps.count == 0 || ordinal > distinct
            ? nil : location.bitmaps.offset + ordinal * ((rows + 63) / 64) * 8
    }

    /// The key of a value; of an id the id itself, of a searched text nothing (its terms are the key).
    @_lifetime(copy self)
    @inline(__always)
    func key(_ ordinal: Int) -> RawSpan {
        location.keys.part(keyStarts.range(ordinal), bytes)
    }

    /// Appends the key of a value, which is made from its terms if these are stored. For an id it is the natural key.
    func appendKey(_ ordinal: Int, to out: inout [UInt8]) {
        if kind.isText && kind.isSearched {
            dictionary.appendText(tokens.units(sample(ordinal)), to: &out)
        } else {
            out.append(bytes: key(ordinal))
        }
    }

    /// Orders the key of a value against `probe`; with `isPrefix`, a key that begins with the probe equals it.
    func compare(
        _ ordinal: Int, to probe: RawSpan, isPrefix: Bool, natural: inout [UInt8]
    ) -> Int {
        if kind.isText && kind.isSearched {
            let units = tokens.units(sample(ordinal))
            return dictionary.compare(units, probe, isPrefix: isPrefix)
        }
        if kind.isIdentity {
            natural.removeAll(keepingCapacity: true)
            KeyEncoding.natural(key(ordinal), into: &natural)
            return Self.compare(natural.rawSpan, probe, isPrefix: isPrefix)
        }
        return Self.compare(key(ordinal), probe, isPrefix: isPrefix)
    }

    /// The first ordinal whose key is not below `probe`, or with `isAfter` the first whose key is above it; with
    /// `isPrefix`, keys that begin with the probe equal it.
    func bound(_ probe: [UInt8], isAfter: Bool, isPrefix: Bool = false) -> Int {
        var natural: [UInt8] = []
        return (0..<distinct).partitionPoint { ordinal in
            let order = compare(ordinal, to: probe.rawSpan, isPrefix: isPrefix, natural: &natural)
            return order < 0 || isAfter && order == 0
        }
    }

    private static func compare(_ key: RawSpan, _ probe: RawSpan, isPrefix: Bool) -> Int {
        isPrefix && key.hasPrefix(probe) ? 0 : key.compare(probe)
    }
}

/// The locations of a snapshot's columns, by field. A ``ColumnsView`` reads them.
struct ColumnIndex: Sendable {
    let dictionary: TermDictionary
    let nGrams: NGramIndex
    /// The terms whose pairs have word boundaries of their own.
    fileprivate let frequentTerms: Table
    private let fields: [Column]
    private let raws: [Column]
    /// The searched fields' columns.
    let searched: [Int]

    init(_ definition: Definition, _ sections: SectionIndex, rows: Int) {
        let dictionary = TermDictionary(sections)
        self.dictionary = dictionary
        nGrams = NGramIndex(sections)
        frequentTerms = sections.table(.frequentTerms)
        let kinds = ColumnKind.columns(of: definition)
        fields = definition.fields.indices.map { index in
            let kind = kinds.first { $0.field == index && !$0.isRaw } ?? ColumnKind.none(index)
            return Column(kind, sections, dictionary, rows: rows)
        }
        raws = definition.fields.indices.map { index in
            let kind = kinds.first { $0.field == index && $0.isRaw } ?? ColumnKind.none(index)
            return Column(kind, sections, dictionary, rows: rows)
        }
        searched = kinds.filter(\.isSearched).map(\.field)
    }

    /// The column of a field, or of its raw values if the ID has `ColumnKind.rawBit`.
    @inline(__always)
    subscript(_ columnID: Int) -> Column {
        columnID & ColumnKind.rawBit == 0 ? fields[columnID] : raws[columnID & ~ColumnKind.rawBit]
    }
}

/// A snapshot's columns by field.
struct ColumnsView: ~Escapable {
    private let index: ColumnIndex
    private let bytes: RawSpan

    @_lifetime(copy bytes)
    @inline(__always)
    init(_ index: ColumnIndex, _ bytes: RawSpan) {
        self.index = index
        self.bytes = bytes
    }

    var dictionary: TermDictionaryView { @_lifetime(copy self) @inline(__always) get { index.dictionary.view(bytes) } }
    var nGrams: NGramIndexView { @_lifetime(copy self) @inline(__always) get { index.nGrams.view(bytes) } }
    /// The searched fields' columns.
    var searched: [Int] { index.searched }
    /// The terms whose pairs have word boundaries of their own, ascending; none if the file has other ones.
    var frequentTerms: [Int] {
        let table = index.frequentTerms.view(bytes)
        guard table.count <= WordBoundary.maxFrequent else { return [] }
        let terms = (0..<table.count).map { table[$0] }
        return zip(terms, terms.dropFirst()).allSatisfy { $0 < $1 } ? terms : []
    }

    /// The column of a field, or of its raw values if the ID has `ColumnKind.rawBit`.
    subscript(_ columnID: Int) -> ColumnView {
        @_lifetime(copy self) @inline(__always) get { index[columnID].view(bytes) }
    }
}

/// Finds the sections of a file by their kind.
struct SectionIndex: Sendable {
    private let sections: [UInt32: Section]

    init(_ sections: [Section]) {
        self.sections = Dictionary(
            sections.map { (UInt32($0.kind) << 16 | UInt32($0.id), $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ kind: SectionKind, _ id: Int) -> Section? {
        sections[UInt32(kind.rawValue) << 16 | UInt32(truncatingIfNeeded: id)]
    }

    /// A section of integers; an empty table if there is none.
    func table(_ kind: SectionKind, _ id: Int = 0) -> Table {
        guard let section = self[kind, id], [1, 2, 4, 8].contains(section.width) else { return Table() }
        let width = Int(section.width)
        return Table(offset: section.offset, count: section.size / width, width: width)
    }

    /// A section of bytes; an empty one if there is none.
    func blob(_ kind: SectionKind, _ id: Int = 0) -> Blob {
        guard let section = self[kind, id] else { return Blob() }
        return Blob(offset: section.offset, size: section.size)
    }

    func postings(
        starts: SectionKind, counts: SectionKind, lists: SectionKind, id: Int = 0
    ) -> PostingLists {
        let blob = blob(lists, id)
        return PostingLists(
            starts: table(starts, id), counts: table(counts, id), offset: blob.offset, size: blob.size / 2)
    }
}
