// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Writes the terms, their order, and the index of their trigrams.
///
/// The columns use the ranks that it computes.
final class TermDictionaryBuilder: BuildJob {
    private let list: TermList
    private let output: SnapshotOutput
    /// The ranks of the terms, by which texts are ordered.
    let ranks = JobResult<TermRanks>()

    init(_ list: TermList, _ output: SnapshotOutput) {
        self.list = list
        self.output = output
    }

    func write() throws(SnapshotError) {
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
    /// By term: where it begins; then where all end. A space follows each term.
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
