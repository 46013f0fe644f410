// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Writes the rows in one of the stored orders, and their ranks in it.
struct OrderBuilder: BuildJob {
    let input: BuildInput
    let order: StoredOrder
    /// The stored order that is built.
    let number: Int
    let columns: ColumnIndex

    func write() throws(SnapshotError) {
        let file = try input.output.map()
        let bytes = file.bytes
        let count = input.rows.count
        var rows = [UInt32](repeating: 0, count: count)
        let isBackwards = order.order.keys.last?.descending ?? false
        for index in rows.indices { rows[index] = UInt32(isBackwards ? count - 1 - index : index) }
        // From the last key to the first, each time keeping the order of equals.
        for key in order.order.keys.dropLast().reversed() {
            let column = columns[key.field].view(bytes)
            Self.sort(&rows, buckets: column.distinct + 1) { column.rank($0, descending: key.descending) }
        }
        if order.isGrouped, let grouping = Grouping(input.definition) {
            let column = columns[grouping.field].view(bytes)
            Self.sort(&rows, buckets: grouping.groups + 1) { grouping.group(column.ordinal($0)) }
        }
        try input.output.write(.orderRows, id: number, width: 4, rows.span)
        var ranks = [UInt32](repeating: 0, count: count)
        for (rank, row) in rows.enumerated() { ranks[Int(row)] = UInt32(rank) }
        try input.output.write(.orderRanks, id: number, width: 4, ranks.span)
    }

    /// A stable counting sort by the bucket of each row, which is below `buckets`.
    private static func sort(_ rows: inout [UInt32], buckets: Int, _ bucket: (Int) -> Int) {
        var next = [UInt32](repeating: 0, count: buckets + 1)
        for row in rows { next[bucket(Int(row)) &+ 1] &+= 1 }
        for index in 1...buckets { next[index] += next[index - 1] }
        var sorted = [UInt32](repeating: 0, count: rows.count)
        for row in rows {
            let index = bucket(Int(row))
            sorted[Int(next[index])] = row
            next[index] &+= 1
        }
        rows = sorted
    }
}
