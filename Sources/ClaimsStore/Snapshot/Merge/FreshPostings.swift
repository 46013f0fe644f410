// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// By key: the rows of new records that have it, ascending.
struct FreshPostings {
    private let starts: [Int]
    let rows: [UInt32]

    init<Source: PostingSource>(_ merge: RowMerge, _ source: Source, keys: Int, _ bytes: RawSpan) {
        // By key: the last new record that has it, and 1.
        var last = [UInt32](repeating: 0, count: keys)
        var starts = [Int](repeating: 0, count: keys + 1)
        func forEach(_ body: (_ key: Int, _ row: UInt32) -> Void) {
            for (index, row) in merge.freshRows.enumerated() {
                let mark = UInt32(truncatingIfNeeded: index + 1)
                source.forEachKey(of: Int(row), bytes) { key in
                    guard key < keys, last[key] != mark else { return }
                    last[key] = mark
                    body(key, row)
                }
            }
        }
        forEach { key, _ in starts[key + 1] += 1 }
        for key in 0..<keys { starts[key + 1] += starts[key] }
        for key in last.indices { last[key] = 0 }
        var next = starts
        var rows = [UInt32](repeating: 0, count: starts[keys])
        forEach { key, row in
            rows[next[key]] = row
            next[key] += 1
        }
        self.starts = starts
        self.rows = rows
    }

    @inline(__always)
    func range(_ key: Int) -> Range<Int> { starts[key]..<starts[key + 1] }
}
