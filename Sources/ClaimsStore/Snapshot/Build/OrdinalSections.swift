// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Writes what follows from the ordinals of a column's rows: the ordinals, permutation, runs and bitmaps.
struct OrdinalSections {
    /// Columns of at most so many values get a bitmap for each.
    static let bitmapsMax = 48
    /// In fewer rows than this, bitmaps save nothing.
    static let bitmapRowsMin = 1 << 10

    let output: SnapshotOutput
    let owner: Int

    /// - Parameter ordinals: by row; `distinct` where the value is absent.
    func write(_ ordinals: [UInt32], distinct: Int) throws(StoreError) {
        var runs = [UInt32](repeating: 0, count: distinct + 2)
        for ordinal in ordinals { runs[Int(ordinal) &+ 1] &+= 1 }
        for ordinal in 0...distinct { runs[ordinal + 1] += runs[ordinal] }
        try output.writeTable(.ordinals, owner: owner, count: ordinals.count, bound: distinct) { Int(ordinals[$0]) }
        try output.write(.runs, owner: owner, width: 4, runs.span)
        try writePermutation(ordinals, runs)
        try writeBitmaps(ordinals, distinct + 1)
    }

    private func writePermutation(_ ordinals: [UInt32], _ runs: [UInt32]) throws(StoreError) {
        var next = runs
        var permutation = [UInt32](repeating: 0, count: ordinals.count)
        for row in ordinals.indices {
            let ordinal = Int(ordinals[row])
            permutation[Int(next[ordinal])] = UInt32(row)
            next[ordinal] &+= 1
        }
        try output.write(.permutation, owner: owner, width: 4, permutation.span)
    }

    private func writeBitmaps(_ ordinals: [UInt32], _ count: Int) throws(StoreError) {
        guard count <= Self.bitmapsMax, ordinals.count >= Self.bitmapRowsMin else { return }
        let length = (ordinals.count + 63) / 64
        var bitmaps = [UInt64](repeating: 0, count: length * count)
        for row in ordinals.indices {
            bitmaps[Int(ordinals[row]) &* length &+ row >> 6] |= 1 << UInt64(row & 63)
        }
        try output.write(.bitmaps, owner: owner, width: 8, bitmaps.span)
    }
}
