// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// One to three bytes in a row, as a number that also gives their count.
///
/// So short a pattern is in very many terms. If it would take long to unite the terms' posting lists, the snapshot has
/// a list of its own for the pattern.
enum NGram {
    static let maxLength = 3
    /// The number of rows below which snapshots have no n-grams, because their lists are short.
    static let minRows = 1 << 9
    /// The same for snapshots in memory, which are made anew with many commits.
    static let minRowsInMemory = 1 << 12
    /// The first number of n-grams of one and two bytes; those of three bytes are below. So the number of an n-gram is
    /// below the numbers of the n-grams in it.
    static let minShort: UInt32 = 1 << 24
    /// One byte is not below.
    static let minSingle: UInt32 = minShort + (1 << 16)
    /// The count of numbers of one and two bytes.
    static let shortCount = (1 << 16) + (1 << 8)

    /// The number of `count` bytes from `offset` on.
    @inline(__always)
    static func number(_ bytes: RawSpan, at offset: Int, count: Int) -> UInt32 {
        switch count {
        case 1: UInt32(bytes.byte(at: offset)) + minSingle
        case 2: UInt32(bytes.u16(at: offset)) + minShort
        default: UInt32(bytes.u16(at: offset)) | UInt32(bytes.byte(at: offset &+ 2)) << 16
        }
    }

    /// The number of bytes of an n-gram.
    static func length(_ number: UInt32) -> Int { number < minShort ? 3 : number < minSingle ? 2 : 1 }

    /// The two n-grams of one byte less that are in a longer one.
    static func parts(_ number: UInt32) -> (UInt32, UInt32) {
        length(number) == 3
            ? ((number & 0xFFFF) + minShort, (number >> 8) + minShort)
            : (((number - minShort) & 0xFF) + minSingle, ((number - minShort) >> 8) + minSingle)
    }

    /// Calls `body` with the number of each n-gram of a term and its offset; an n-gram that occurs twice comes twice.
    @inline(__always)
    static func forEach(in term: RawSpan, _ body: (UInt32, Int) -> Void) {
        for offset in 0..<term.byteCount {
            let left = term.byteCount &- offset
            body(number(term, at: offset, count: 1), offset)
            if left >= 2 { body(number(term, at: offset, count: 2), offset) }
            if left >= 3 { body(number(term, at: offset, count: 3), offset) }
        }
    }
}

/// Three bytes in a row, hashed into a bucket. Different trigrams may share a bucket, so its terms are checked.
enum Trigram {
    /// The number of bytes above which a dictionary has no trigram index: building it would take longer than it saves.
    static let maxTermBytes = 1 << 26
    /// A dictionary of fewer terms is scanned as fast.
    static let minTerms = 1 << 10

    @inline(__always)
    static func bucket(_ bytes: RawSpan, at offset: Int, of buckets: Int) -> Int {
        let trigram = UInt32(bytes.u16(at: offset)) | UInt32(bytes.byte(at: offset &+ 2)) << 16
        let hash = UInt64(trigram) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: ((hash >> 32) &* UInt64(truncatingIfNeeded: buckets)) >> 32)
    }

    /// The number of buckets of a dictionary.
    static func buckets(terms: Int) -> Int { terms < 1 << 16 ? 1 << 14 : 1 << 16 }
}

/// The border between two terms of a text: the last two bytes of the first term and the first two of the next, each
/// hashed into a class; or, if both terms are among the most frequent ones, these two terms themselves.
///
/// A phrase needs certain word boundaries. If the terms are frequent, far fewer rows have the word boundaries than the
/// terms. The rows of two frequent terms have that phrase, so nobody has to search their texts.
struct WordBoundary {
    /// The number of classes of the ends of terms, and of their beginnings; a power of two.
    let classes: Int
    /// The number of frequent terms, whose pairs have lists of their own.
    let frequent: Int

    /// The maximum number of frequent terms: their pairs are a small share of all keys.
    static let maxFrequent = 64
    /// A frequent term is in more than one of so many rows.
    static let frequentShare = 32
    private static let maxClasses = 1 << 12

    /// The classes for a number of rows.
    ///
    /// - Parameter frequent: the number of frequent terms, of which no more than ``maxFrequent(rows:)`` are used.
    init(rows: Int, frequent: Int) {
        classes = Self.classes(rows: rows)
        self.frequent = min(frequent, Self.maxFrequent(rows: rows))
    }

    private static func classes(rows: Int) -> Int {
        var classes = 16
        while classes < maxClasses, classes * classes < rows / 4 { classes *= 2 }
        return classes
    }

    /// The number of terms that can be frequent in a number of rows.
    static func maxFrequent(rows: Int) -> Int { min(maxFrequent, classes(rows: rows) / 4) }

    /// The classes of lists with a number of keys; nil if word boundaries cannot have that number.
    init?(keys: Int, frequent: Int) {
        let hashed = keys - frequent * frequent
        guard frequent <= Self.maxFrequent, hashed > 0, hashed & (hashed - 1) == 0, hashed.trailingZeroBitCount & 1 == 0
        else { return nil }
        classes = 1 << (hashed.trailingZeroBitCount / 2)
        self.frequent = frequent
    }

    var keys: Int { classes * classes + frequent * frequent }

    /// The key of two frequent terms, by their indices among the frequent ones.
    @inline(__always)
    func pair(_ first: Int, _ second: Int) -> Int { classes &* classes &+ first &* frequent &+ second }

    @inline(__always)
    func key(_ ending: Int, _ beginning: Int) -> Int { ending &* classes &+ beginning }

    func ending(of term: RawSpan) -> Int {
        let count = term.byteCount
        guard count > 1 else { return hashed(count == 1 ? UInt32(term.byte(at: 0)) : 0) }
        return hashed(UInt32(term.u16(at: count - 2)))
    }

    func beginning(of term: RawSpan) -> Int {
        let count = term.byteCount
        guard count > 1 else { return hashed(count == 1 ? UInt32(term.byte(at: 0)) : 0) }
        return hashed(UInt32(term.u16(at: 0)))
    }

    private func hashed(_ bytes: UInt32) -> Int {
        Int((bytes &* 0x9E37_79B1) >> 16) & (classes &- 1)
    }
}

/// Looks for single bytes, eight at a time.
enum ByteScan {
    /// The offset of the first space at or after `offset`; the span's end if there is none.
    @inline(__always)
    static func space(in bytes: RawSpan, from offset: Int) -> Int {
        var offset = offset
        while offset &+ 8 <= bytes.byteCount {
            let found = spaces(bytes.u64(at: offset))
            if found != 0 { return offset &+ found.trailingZeroBitCount >> 3 }
            offset &+= 8
        }
        while offset < bytes.byteCount, bytes.byte(at: offset) != 0x20 { offset &+= 1 }
        return offset
    }

    /// The highest bit of the first byte that is a space, and perhaps of later bytes; 0 if there is none.
    @inline(__always)
    static func spaces(_ word: UInt64) -> UInt64 {
        let difference = word ^ 0x2020_2020_2020_2020
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }
}
