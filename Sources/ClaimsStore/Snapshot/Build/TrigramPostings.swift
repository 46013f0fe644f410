// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The trigrams of each word, hashed into buckets.
struct TrigramPostings: PostingSource {
    /// By word: where it begins; then where all end. A space follows each word.
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
