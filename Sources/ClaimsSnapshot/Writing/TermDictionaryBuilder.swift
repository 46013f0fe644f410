// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// Writes the terms, their order, and the index of their trigrams.
///
/// The columns use the ranks that it computes.
final class TermDictionaryBuilder: BuildJob {
    private let list: TermList
    private let output: SnapshotOutput
    /// The ranks of the terms, which decide the order of texts.
    let ranks = JobResult<TermRanks>()

    init(_ list: TermList, _ output: SnapshotOutput) {
        self.list = list
        self.output = output
    }

    func write() throws(StoreError) {
        let list = list
        let (order, ranks, starts) = TermRanks.make(list)
        try self.ranks.make { ranks }
        let bytes = list.terms.bytes
        try SectionWriter.writeTable(.termStarts, count: starts.count, bound: starts[starts.count - 1], to: output) {
            starts[$0]
        }
        try output.write(.terms, bytes: bytes)
        try output.write(.termOrder, width: 4, order.span)
        if list.count >= Trigram.minTerms, starts[starts.count - 1] <= Trigram.maxTermBytes {
            let buckets = Trigram.buckets(terms: list.count)
            let source = TrigramPostings(starts: starts, buckets: buckets)
            try PostingBuilder(items: list.count, keys: buckets, source: source).write(
                bytes, starts: .trigramStarts, counts: .trigramCounts, lists: .trigrams, id: 0, to: output)
        }
    }
}

/// The trigrams of each term, hashed into buckets.
struct TrigramPostings: PostingSource {
    /// The start of each term; then the end of all. A space follows each term.
    let starts: [Int]
    let buckets: Int

    @inline(__always)
    func forEachKey(of item: Int, _ bytes: RawSpan, _ body: (Int) -> Void) {
        let end = starts[item &+ 1] &- 3
        var offset = starts[item]
        while offset < end {
            body(Trigram.bucket(bytes, at: offset, of: buckets))
            offset &+= 1
        }
    }
}

/// Numbers that order the terms of texts such that texts, compared term by term, order like their bytes.
///
/// A term has two ranks: one as the last term of a text, and one if a space follows. The end of a text comes before a
/// space, and a space comes before nearly all characters of terms, but not before control characters.
struct TermRanks: Sendable {
    /// The rank of each term among all terms.
    private let ranks: [UInt32]
    /// The rank of each term before a space; empty if it is just above the rank as the last term.
    private let inner: [UInt32]

    /// Sorts terms: returns their numbers in byte order, their ranks, and the start of each number's term, then the
    /// end.
    static func make(_ list: TermList) -> (order: [UInt32], ranks: TermRanks, starts: [Int]) {
        let keys = TermKeys(list)
        let bytes = list.terms.bytes
        let (order, _) = KeySorter.sort((0..<UInt32(list.count)).map { $0 }, by: keys, bytes)
        var ranks = [UInt32](repeating: 0, count: list.count)
        guard list.hasControls else {
            for rank in order.indices { ranks[Int(order[rank])] = UInt32(rank) }
            return (order, TermRanks(ranks: ranks, inner: []), keys.termStarts)
        }
        var inner = ranks
        let (both, _) = KeySorter.sort((0..<UInt32(list.count * 2)).map { $0 }, by: keys, bytes)
        for rank in both.indices {
            let item = Int(both[rank])
            if item < list.count { ranks[item] = UInt32(rank) } else { inner[item - list.count] = UInt32(rank) }
        }
        return (order, TermRanks(ranks: ranks, inner: inner), keys.termStarts)
    }

    /// A number above every rank.
    var bound: Int { ranks.count * 2 }

    /// The rank of a term; 0 if there is no such term.
    ///
    /// - Parameter isLast: whether the text ends with it.
    @inline(__always)
    func rank(_ term: Int, isLast: Bool) -> UInt64 {
        guard term < ranks.count else { return 0 }
        if inner.isEmpty { return UInt64(ranks[term]) &* 2 &+ (isLast ? 0 : 1) }
        return UInt64(isLast ? ranks[term] : inner[term])
    }
}

/// The terms as sort keys: item N is term N as the last of a text, item `count` + N is term N before a space.
struct TermKeys: ByteKeySource {
    private let starts: [Int]
    private let count: Int

    init(_ list: TermList) {
        let lengths = list.lengths.bytes
        var starts: [Int] = []
        starts.reserveCapacity(list.count + 1)
        var start = 0
        for index in 0..<list.count {
            starts.append(start)
            start += Int(lengths.u32(at: index * 4)) + 1
        }
        starts.append(start)
        self.starts = starts
        count = list.count
    }

    /// The start of each term, in bytes; then the end of all. A space follows each term.
    var termStarts: [Int] { starts }

    @inline(__always)
    func range(_ item: Int) -> Range<Int> {
        item < count ? starts[item]..<starts[item + 1] - 1 : starts[item - count]..<starts[item - count + 1]
    }
}

/// Texts as sort keys: the ranks of their terms, two or three in each 64 bits.
struct TokenKeys: KeySource {
    private let ranks: TermRanks
    /// The start of each item's units; then the end.
    private let starts: [Int]
    /// The position of each item's next term.
    private var cursors: [Int]
    private let termsAtOnce: Int
    private let bits: UInt64

    init(_ counts: SpilledElements<UInt32>, _ ranks: TermRanks) {
        let bytes = counts.bytes
        var starts: [Int] = []
        starts.reserveCapacity(counts.count + 1)
        var start = 0
        for index in 0..<counts.count {
            starts.append(start)
            start += Int(bytes.u32(at: index * 4))
        }
        starts.append(start)
        self.starts = starts
        self.ranks = ranks
        cursors = starts
        (termsAtOnce, bits) = ranks.bound < 1 << 21 - 1 ? (3, 21) : (2, 32)
    }

    @inline(__always)
    mutating func word(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> UInt64 {
        let end = starts[item &+ 1]
        var index = depth == 0 ? starts[item] : cursors[item]
        var word: UInt64 = 0
        for _ in 0..<termsAtOnce {
            word <<= bits
            guard index < end else { continue }
            let number = TokenUnits.next(&index) { bytes.u16(at: $0 &* 2) }
            word |= ranks.rank(number, isLast: index >= end) &+ 1
        }
        cursors[item] = index
        return word
    }

    @inline(__always)
    func rest(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> Int {
        cursors[item] < starts[item &+ 1] ? Self.goesOn : 0
    }
}
