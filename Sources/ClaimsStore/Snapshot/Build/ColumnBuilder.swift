// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Sorts one column's values, and writes its ordinals, permutation, runs, keys and bitmaps.
struct ColumnBuilder: BuildJob {
    /// Columns of at most so many values get a bitmap for each.
    static let bitmapsMax = 48
    /// In fewer rows than this, bitmaps save nothing.
    static let bitmapRowsMin = 1 << 10

    let input: BuildInput
    let collected: CollectedColumn
    /// Of the words, for a searched text.
    let ranks: WordRanks?

    private var owner: Int { collected.column.owner }

    func write() throws(StoreError) {
        let entries = SortedEntries.make(input, collected, ranks)
        let absent = entries.distinct
        let codes = collected.codes.bytes
        var ordinals = [UInt32](repeating: 0, count: input.rows.count)
        var runs = [UInt32](repeating: 0, count: absent + 2)
        for row in ordinals.indices {
            let entry = codes.u32(Int(input.rows[row]) &* 4)
            let ordinal = entry == ColumnCollector.absent ? UInt32(absent) : entries.ordinal(Int(entry))
            ordinals[row] = ordinal
            runs[Int(ordinal) &+ 1] &+= 1
        }
        // A column without a value is known by having no sections.
        if absent == 0 { return }
        for ordinal in 0...absent { runs[ordinal + 1] += runs[ordinal] }
        try input.output.writeTable(.ordinals, owner: owner, count: ordinals.count, bound: absent) { Int(ordinals[$0]) }
        try input.output.write(.runs, owner: owner, width: 4, runs.span)
        try writePermutation(ordinals, runs)
        try writeBitmaps(ordinals, absent + 1)
        if collected.column.storesKeys {
            try KeySections(input: input, collected: collected, entries: entries).write()
        }
    }

    private func writePermutation(_ ordinals: [UInt32], _ runs: [UInt32]) throws(StoreError) {
        var next = runs
        var permutation = [UInt32](repeating: 0, count: ordinals.count)
        for row in ordinals.indices {
            let ordinal = Int(ordinals[row])
            permutation[Int(next[ordinal])] = UInt32(row)
            next[ordinal] &+= 1
        }
        try input.output.write(.permutation, owner: owner, width: 4, permutation.span)
    }

    private func writeBitmaps(_ ordinals: [UInt32], _ count: Int) throws(StoreError) {
        guard count <= Self.bitmapsMax, ordinals.count >= Self.bitmapRowsMin else { return }
        let length = (ordinals.count + 63) / 64
        var bitmaps = [UInt64](repeating: 0, count: length * count)
        for row in ordinals.indices {
            bitmaps[Int(ordinals[row]) &* length &+ row >> 6] |= 1 << UInt64(row & 63)
        }
        try input.output.write(.bitmaps, owner: owner, width: 8, bitmaps.span)
    }
}
