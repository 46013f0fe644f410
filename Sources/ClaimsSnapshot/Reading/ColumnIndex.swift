// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// Where a snapshot's columns are, by field. A ``ColumnsView`` reads them.
struct ColumnIndex: Sendable {
    let dictionary: TermDictionary
    let nGrams: NGramIndex
    private let fields: [Column]
    private let raws: [Column]
    /// The searched fields' columns.
    let searched: [Int]

    init(_ definition: Definition, _ sections: SectionIndex, rows: Int) {
        let dictionary = TermDictionary(sections)
        self.dictionary = dictionary
        nGrams = NGramIndex(sections)
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

    /// The column of a field, or with `ColumnKind.rawBit` that of its raw values.
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

    /// The column of a field, or with `ColumnKind.rawBit` that of its raw values.
    subscript(_ columnID: Int) -> ColumnView {
        @_lifetime(copy self) @inline(__always) get { index[columnID].view(bytes) }
    }
}

/// Finds the sections of a file by what they hold.
struct SectionIndex: Sendable {
    private let sections: [UInt32: Section]

    init(_ sections: [Section]) {
        self.sections = Dictionary(
            sections.map { (UInt32($0.kind) << 16 | UInt32($0.id), $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ kind: SectionKind, _ id: Int) -> Section? {
        sections[UInt32(kind.rawValue) << 16 | UInt32(truncatingIfNeeded: id)]
    }

    /// A section of integers; an empty table where there is none.
    func table(_ kind: SectionKind, _ id: Int = 0) -> Table {
        guard let section = self[kind, id], [1, 2, 4, 8].contains(section.width) else { return Table() }
        let width = Int(section.width)
        return Table(offset: section.offset, count: section.size / width, width: width)
    }

    /// A section of bytes; an empty one where there is none.
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
