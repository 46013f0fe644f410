// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Writes the words, their order, and the index of their trigrams.
///
/// What it finds out about the words' order is kept for the columns.
final class VocabularyBuilder: BuildJob {
    private let list: WordList
    private let output: SnapshotOutput
    /// What orders texts by their words.
    let ranks = JobResult<WordRanks>()

    init(_ list: WordList, _ output: SnapshotOutput) {
        self.list = list
        self.output = output
    }

    func write() throws(StoreError) {
        let list = list
        let (order, ranks, starts) = WordRanks.make(list)
        try self.ranks.make { ranks }
        let bytes = list.words.bytes
        try output.writeTable(.wordStarts, count: starts.count, bound: starts[starts.count - 1]) { starts[$0] }
        try output.write(.words, bytes: bytes)
        try output.write(.wordOrder, width: 4, order.span)
        if list.count >= Trigram.vocabularyMin, starts[starts.count - 1] <= Trigram.vocabularyMax {
            let buckets = Trigram.buckets(words: list.count)
            let source = TrigramPostings(starts: starts, buckets: buckets)
            try PostingBuilder(items: list.count, keys: buckets, source: source).write(
                bytes, starts: .trigramStarts, counts: .trigramCounts, lists: .trigrams, owner: 0, to: output)
        }
    }
}
