// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How long it would take to put together the rows that have a gram, in single rows to be added.
struct GramWeights {
    static let buckets = 1 << 16
    /// A pattern of one or two bytes in more words than this takes too long to look for.
    private static let wordsMax = 256

    private var short = [Int](repeating: 0, count: Gram.shortCount)
    private var shortWords = [Int32](repeating: 0, count: Gram.shortCount)
    /// Three bytes, counted together with others: only those in heavy buckets can be heavy themselves.
    private var long = [Int](repeating: 0, count: GramWeights.buckets)

    init(_ vocabulary: Vocabulary, _ costs: [Int], _ bytes: RawSpan) {
        for word in costs.indices where costs[word] > 0 {
            Gram.forEach(in: vocabulary.word(word, bytes)) { number, _ in
                if number >= Gram.shortMin {
                    short[Int(number &- Gram.shortMin)] += costs[word]
                    shortWords[Int(number &- Gram.shortMin)] += 1
                } else {
                    long[Self.bucket(number)] += costs[word]
                }
            }
        }
    }

    /// The numbers of the grams that are worth a list, ascending.
    func heavy(_ vocabulary: Vocabulary, _ costs: [Int], rows: Int, _ bytes: RawSpan) -> [UInt32] {
        let longMin = rows / 4
        var exact: [UInt32: Int] = [:]
        for word in costs.indices where costs[word] > 0 {
            Gram.forEach(in: vocabulary.word(word, bytes)) { number, _ in
                guard number < Gram.shortMin, long[Self.bucket(number)] > longMin else { return }
                exact[number, default: 0] += costs[word]
            }
        }
        return exact.filter { $0.value > longMin }.map(\.key).sorted()
            + short.indices.filter { isHeavy($0, rows) }.map { UInt32($0) + Gram.shortMin }
    }

    /// The numbers of the short grams that occur and are not worth a list, ascending.
    func light(rows: Int) -> [UInt32] {
        short.indices.filter { shortWords[$0] > 0 && !isHeavy($0, rows) }.map { UInt32($0) + Gram.shortMin }
    }

    private func isHeavy(_ place: Int, _ rows: Int) -> Bool {
        short[place] > rows / 16 || shortWords[place] > Self.wordsMax
    }

    @inline(__always)
    static func bucket(_ number: UInt32) -> Int {
        Int(truncatingIfNeeded: (UInt64(number) &* 0x9E37_79B9_7F4A_7C15) >> 48)
    }
}
