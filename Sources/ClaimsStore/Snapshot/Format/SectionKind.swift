// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a section of a snapshot file holds. The raw values are on disk.
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

    /// By row: where its words begin among the tokens, in units; `TokenTable.none` where it is absent.
    case tokenStarts = 20
    case tokens = 21
    /// By word: where its rows begin among the posting lists, in units; then their end.
    case postingStarts = 22
    /// By word: in how many rows it occurs.
    case postingCounts = 23
    case postings = 24

    /// By gram: where its rows begin among the lists, in units; then their end.
    case gramStarts = 25
    /// By gram: how many rows have it.
    case gramCounts = 26
    case gramLists = 27

    /// By junction of words (`Junction`): where its rows begin among the lists, in units; then their end.
    case junctionStarts = 28
    case junctionCounts = 29
    case junctions = 18

    // Of the words:

    /// By word: where it begins; then their end. A space follows each word.
    case wordStarts = 30
    case words = 31
    /// The words in their byte order.
    case wordOrder = 32
    /// By bucket of trigrams: where its words begin among the lists, in units; then their end.
    case trigramStarts = 33
    case trigramCounts = 34
    case trigrams = 35

    /// The grams that have lists of their own (`Gram`), ascending.
    case grams = 36
    /// The other grams of one and two bytes that occur, ascending; where the words of each begin, and then the end; and
    /// the words.
    case fewGrams = 37
    case fewStarts = 38
    case fewWords = 39

    // Of each stored order:

    /// The rows in that order.
    case orderRows = 40
    /// By row: its place in that order.
    case orderRanks = 41
}
