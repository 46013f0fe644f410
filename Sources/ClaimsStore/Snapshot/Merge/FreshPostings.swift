// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// By word: the rows of new records that have it, ascending.
struct FreshPostings {
    private let starts: [Int]
    let rows: [UInt32]

    init(_ merge: RowMerge, _ tokens: FreshTokens, words: Int) {
        // By word: the last new record that has it, and 1.
        var last = [UInt32](repeating: 0, count: words)
        var starts = [Int](repeating: 0, count: words + 1)
        func forEach(_ body: (_ word: Int, _ row: UInt32) -> Void) {
            for index in merge.fresh.indices {
                guard let range = tokens.range(of: merge.fresh[index]) else { continue }
                let mark = UInt32(truncatingIfNeeded: index + 1)
                tokens.forEachWord(in: range) { word in
                    guard word < words, last[word] != mark else { return }
                    last[word] = mark
                    body(word, merge.freshRows[index])
                }
            }
        }
        forEach { word, _ in starts[word + 1] += 1 }
        for word in 0..<words { starts[word + 1] += starts[word] }
        for word in last.indices { last[word] = 0 }
        var next = starts
        var rows = [UInt32](repeating: 0, count: starts[words])
        forEach { word, row in
            rows[next[word]] = row
            next[word] += 1
        }
        self.starts = starts
        self.rows = rows
    }

    @inline(__always)
    func range(_ word: Int) -> Range<Int> { starts[word]..<starts[word + 1] }
}
