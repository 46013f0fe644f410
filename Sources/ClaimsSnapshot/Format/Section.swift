// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// One entry of the section table: the location of a section and its checksum.
struct Section: Sendable {
    /// The size of an entry, in bytes.
    static let entrySize = 32

    let kind: UInt16
    /// The ID of its column, or the number of its stored order or of its file of records; 0 if there is only one.
    let id: UInt16
    /// The width of its integers in bytes; 0 if it is not a table.
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

    /// The same section with its offset in a mapping in which the file begins at `origin`.
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
    /// The records, in the order in which they arrived, each as a `RecordBlock`.
    case records = 1
    /// The offset of each row's record in the file (8 bytes).
    case recordOffsets = 2
    /// The hash table from ids to records, an `IDTable`.
    case idTable = 3

    // Sections of each column (a field, or the raw values of one):

    /// The ordinal of each row's value; the number of values if it is absent.
    case ordinals = 10
    /// The rows ordered by ordinal, then by row.
    case permutation = 11
    /// The start of each ordinal's rows in the permutation; then the start of the rows without a value, then the end.
    case runs = 12
    /// The start of each ordinal's key among the keys; then their end.
    case keyStarts = 13
    case keys = 14
    /// The start of each ordinal's folded value, if folded values differ from their keys; then their end.
    case foldedStarts = 15
    case folded = 16
    /// A bitmap of the rows of each ordinal, including the ordinal of absence.
    case bitmaps = 17

    // Sections of each searched field:

    /// The start of each row's terms among the tokens, in units; `TokenTable.none` if the value is absent.
    case tokenStarts = 20
    case tokens = 21
    /// The start of each term's rows among the posting lists, in units; then their end.
    case postingStarts = 22
    /// The number of rows in which each term occurs.
    case postingCounts = 23
    case postings = 24

    /// The start of each n-gram's rows among the lists, in units; then their end.
    case nGramStarts = 25
    /// The number of rows that have each n-gram.
    case nGramCounts = 26
    case nGramLists = 27

    /// The start of the rows of each boundary between terms (`WordBoundary`) among the lists, in units; then their end.
    case wordBoundaryStarts = 28
    case wordBoundaryCounts = 29
    case wordBoundaries = 18
    /// The terms whose pairs have word boundaries of their own, ascending; the same for all searched fields.
    case frequentTerms = 19

    // Sections of the terms:

    /// The start of each term; then their end. A space follows each term.
    case termStarts = 30
    case terms = 31
    /// The terms in their byte order.
    case termOrder = 32
    /// The start of the terms of each bucket of trigrams among the lists, in units; then their end.
    case trigramStarts = 33
    case trigramCounts = 34
    case trigrams = 35

    /// The n-grams that have lists of their own (`NGram`), ascending.
    case nGrams = 36
    /// The other n-grams of one and two bytes that occur, ascending; the start of the terms of each, and then the end;
    /// and the terms.
    case sparseNGrams = 37
    case sparseStarts = 38
    case sparseTerms = 39

    // Sections of each stored order:

    /// The rows in that order.
    case orderRows = 40
    /// The rank of each row in that order.
    case orderRanks = 41

    // Sections of a file over others:

    /// The start of each gone id among the ids; then their end.
    case goneStarts = 42
    /// The ids that are gone since the file below, ascending by their bytes.
    case goneIDs = 43
    /// The numbers in the names of the files below (8 bytes).
    case coveredFiles = 44
    /// The rows of each of these files whose ids it has, as records or as gone, ascending.
    case coveredRows = 45
}
