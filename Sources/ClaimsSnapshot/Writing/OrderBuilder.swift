// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// Writes the rows in one of the stored orders, and their ranks in it.
struct OrderBuilder: BuildJob {
    let input: BuildInput
    let order: StoredOrder
    /// The stored order that is built.
    let number: Int
    let columns: ColumnIndex

    func write() throws(StoreError) {
        let file = try input.output.map()
        let bytes = file.bytes
        let count = input.rows.count
        var rows = [UInt32](repeating: 0, count: count)
        let isBackwards = order.order.keys.last?.descending ?? false
        for index in rows.indices { rows[index] = UInt32(isBackwards ? count - 1 - index : index) }
        // The sort goes from the last key to the first, and each time keeps the order of equal rows.
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

/// Sorts the records by their ids: the order of the rows, which many jobs wait for.
struct RowSorter: BuildJob {
    let arrived: ArrivedRecords
    let gathered: GatheredValues
    /// The records that the snapshot does not get, in the order of arrival.
    let dropped: RowMarks
    let result = JobResult<BuildInput>()

    func write() throws(StoreError) {
        try result.make { BuildInput(arrived: arrived, rows: rows(of: arrived.count)) }
    }

    /// The first `count` records to arrive, without the dropped ones, in the order of their ids.
    ///
    /// Where several records have one id, the last of them stays.
    func rows(of count: Int) -> [UInt32] {
        var live: [UInt32] = []
        live.reserveCapacity(max(0, count - dropped.count))
        for arrival in 0..<count where !dropped.contains(arrival) { live.append(UInt32(arrival)) }
        let source = ByteKeys(gathered.idKeyCounts)
        let bytes = gathered.idKeys.bytes
        if Self.isSorted(live, source, bytes) { return live }
        let (order, firsts) = KeySorter.sort(live, by: source, bytes)
        var rows: [UInt32] = []
        rows.reserveCapacity(order.count)
        for index in order.indices {
            if firsts[index] { rows.append(order[index]) } else { rows[rows.count - 1] = order[index] }
        }
        return rows
    }

    /// Whether every key is above the one before; most sources send records in this order.
    private static func isSorted(_ arrivals: [UInt32], _ source: ByteKeys, _ bytes: RawSpan) -> Bool {
        for index in arrivals.indices.dropFirst() {
            let last = bytes.part(source.range(Int(arrivals[index - 1])))
            if last.compare(bytes.part(source.range(Int(arrivals[index])))) >= 0 { return false }
        }
        return true
    }
}
