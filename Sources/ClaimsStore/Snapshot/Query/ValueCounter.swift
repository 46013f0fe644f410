// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Counts the values of a column over a set of rows.
struct ValueCounter {
    let snapshot: Snapshot
    /// Rows of the set that do not count.
    let excluded: [UInt64]

    /// By ordinal, absence last: how many rows of the set have it.
    func counts(_ owner: Int, _ set: RowSet, _ builder: inout SetBuilder) throws(QueryInterruption) -> [Int] {
        let bytes = snapshot.bytes
        let column = snapshot.columns[owner]
        var counts = [Int](repeating: 0, count: column.distinct + 1)
        if let ranges = whole(owner, set, column) {
            for range in ranges {
                for ordinal in range { counts[ordinal] = column.slice(ordinal..<ordinal + 1, bytes).count }
            }
            try Bits.forEach(excluded) { row throws(QueryInterruption) in
                try builder.steps.spend()
                let ordinal = column.ordinal(row, bytes)
                if row < snapshot.count, OrdinalRanges.contains(ordinal, ranges) { counts[ordinal] -= 1 }
                return true
            }
            return counts
        }
        if case .bits(let bits, let count) = set, column.bitmap(0) != nil,
            bits.count * (column.distinct + 1) < count * 2
        {
            for ordinal in 0...column.distinct {
                try builder.steps.spend(bits.count / 8)
                if let offset = column.bitmap(ordinal) { counts[ordinal] = Bits.countCommon(bits, bytes, at: offset) }
            }
            return counts
        }
        try builder.forEach(in: set) { row in
            if excluded.isEmpty || !Bits.contains(excluded, row) { counts[column.ordinal(row, bytes)] &+= 1 }
            return true
        }
        return counts
    }

    /// The ordinals that the set has all rows of, where that is what it is.
    private func whole(_ owner: Int, _ set: RowSet, _ column: Column) -> [Range<Int>]? {
        switch set {
        case .all: return [0..<column.distinct + 1]
        case .slices(let slices): return slices.owner == owner ? slices.ranges : nil
        default: return nil
        }
    }
}
