// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Texts as sort keys, by the ranks of their words: two or three words at a time.
struct TokenKeys: KeySource {
    private let ranks: WordRanks
    /// By item: where its units begin; then the end.
    private let starts: [Int]
    /// By item: where its next word is.
    private var cursors: [Int]
    private let wordsAtOnce: Int
    private let bits: UInt64

    init(_ counts: SpilledElements<UInt32>, _ ranks: WordRanks) {
        let bytes = counts.bytes
        var starts: [Int] = []
        starts.reserveCapacity(counts.count + 1)
        var start = 0
        for index in 0..<counts.count {
            starts.append(start)
            start += Int(bytes.u32(index * 4))
        }
        starts.append(start)
        self.starts = starts
        self.ranks = ranks
        cursors = starts
        (wordsAtOnce, bits) = ranks.bound < 1 << 21 - 1 ? (3, 21) : (2, 32)
    }

    @inline(__always)
    mutating func word(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> UInt64 {
        let end = starts[item &+ 1]
        var index = depth == 0 ? starts[item] : cursors[item]
        var word: UInt64 = 0
        for _ in 0..<wordsAtOnce {
            word <<= bits
            guard index < end else { continue }
            let number = TokenUnits.next(&index) { bytes.u16($0 &* 2) }
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
