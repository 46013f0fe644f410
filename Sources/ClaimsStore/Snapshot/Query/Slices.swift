// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The rows whose values in one column have certain ordinals: slices of the column's permutation.
struct Slices {
    /// The column: a field, or with `ColumnKind.rawBit` its raw values.
    let owner: Int
    /// Ascending, neither overlapping nor touching. The ordinal of absence may be among them.
    let ranges: [Range<Int>]
    /// How many rows have them.
    let count: Int

    init(_ owner: Int, _ ranges: [Range<Int>], _ column: Column, _ bytes: RawSpan) {
        self.owner = owner
        self.ranges = ranges
        count = ranges.reduce(0) { $0 + column.slice($1, bytes).count }
    }

    @inline(__always)
    func contains(_ row: Int, _ column: Column, _ bytes: RawSpan) -> Bool {
        OrdinalRanges.contains(column.ordinal(row, bytes), ranges)
    }
}
