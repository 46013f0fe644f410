// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// One entry of the section table: where a section is and what its bytes sum up to.
struct Section: Sendable {
    /// In bytes.
    static let entrySize = 32

    let kind: UInt16
    /// The ID of its column, the number of its stored order or of its file of records; 0 where there is only one.
    let id: UInt16
    /// The width of its integers in bytes; 0 where it is not a table.
    let width: UInt32
    let offset: Int
    let size: Int
    let checksum: UInt64

    init(_ kind: SectionKind, id: Int, width: Int, offset: Int, size: Int, checksum: UInt64) {
        self.kind = kind.rawValue
        self.id = UInt16(truncatingIfNeeded: id)
        self.width = UInt32(truncatingIfNeeded: width)
        self.offset = offset
        self.size = size
        self.checksum = checksum
    }

    /// The entry at `position` of the section table.
    init(_ table: RawSpan, at position: Int) {
        kind = table.u16(at: position)
        id = table.u16(at: position + 2)
        width = table.u32(at: position + 4)
        offset = Int(truncatingIfNeeded: table.u64(at: position + 8))
        size = Int(truncatingIfNeeded: table.u64(at: position + 16))
        checksum = table.u64(at: position + 24)
    }

    /// The same, with its place counted from the beginning of a mapping where the file begins at `origin`.
    init(_ section: Section, in origin: Int) {
        kind = section.kind
        id = section.id
        width = section.width
        offset = section.offset + origin
        size = section.size
        checksum = section.checksum
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: UInt32(kind) | UInt32(id) << 16)
        bytes.append(littleEndian: width)
        bytes.append(littleEndian: UInt64(offset))
        bytes.append(littleEndian: UInt64(size))
        bytes.append(littleEndian: checksum)
    }
}

/// The content of a section of a snapshot file. The raw values are on disk.
enum SectionKind: UInt16, Sendable {
    /// The records, in the order they arrived, each as `RecordBlock` says.
    case records = 1
    /// By row: where its record begins in the file (8 bytes).
    case recordOffsets = 2
    /// The hash table from ids to records, as `IDTable` says.
    case idTable = 3

    // Of each column (a field, or the raw values of one):

    /// By row: the value's ordinal; the number of values where it is absent.
    case ordinals = 10
    /// The rows ordered by ordinal, then by row.
    case permutation = 11
    /// By ordinal: where its rows begin in the permutation; then the absent ones', then the end.
    case runs = 12
    /// By ordinal: where its key begins among the keys; then their end.
    case keyStarts = 13
    case keys = 14
    /// Where folded values differ from their keys: by ordinal, where the folded value begins; then their end.
    case foldedStarts = 15
    case folded = 16
    /// By ordinal, the absent one's included: a bitmap of its rows.
    case bitmaps = 17

    // Of each searched field:

    /// By row: where its terms begin among the tokens, in units; `TokenTable.none` where it is absent.
    case tokenStarts = 20
    case tokens = 21
    /// By term: where its rows begin among the posting lists, in units; then their end.
    case postingStarts = 22
    /// By term: in how many rows it occurs.
    case postingCounts = 23
    case postings = 24

    /// By n-gram: where its rows begin among the lists, in units; then their end.
    case nGramStarts = 25
    /// By n-gram: how many rows have it.
    case nGramCounts = 26
    case nGramLists = 27

    /// By boundary between terms (`WordBoundary`): where its rows begin among the lists, in units; then their end.
    case wordBoundaryStarts = 28
    case wordBoundaryCounts = 29
    case wordBoundaries = 18

    // Of the terms:

    /// By term: where it begins; then their end. A space follows each term.
    case termStarts = 30
    case terms = 31
    /// The terms in their byte order.
    case termOrder = 32
    /// By bucket of trigrams: where its terms begin among the lists, in units; then their end.
    case trigramStarts = 33
    case trigramCounts = 34
    case trigrams = 35

    /// The n-grams that have lists of their own (`NGram`), ascending.
    case nGrams = 36
    /// The other n-grams of one and two bytes that occur, ascending; where the terms of each begin, and then the end;
    /// and the terms.
    case sparseNGrams = 37
    case sparseStarts = 38
    case sparseTerms = 39

    // Of each stored order:

    /// The rows in that order.
    case orderRows = 40
    /// By row: its place in that order.
    case orderRanks = 41

    // Of a file over others:

    /// By id that is gone: where it begins among the ids; then their end.
    case goneStarts = 42
    /// The ids that are gone since the file below, ascending by their bytes.
    case goneIDs = 43
}
