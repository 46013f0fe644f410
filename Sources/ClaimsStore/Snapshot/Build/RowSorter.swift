// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Sorts the records by their ids, which all that is in the order of the rows waits for.
struct RowSorter: BuildJob {
    let arrived: ArrivedRecords
    let gathered: GatheredValues
    let dropped: RowMarks
    let result = JobResult<BuildInput>()

    func write() throws(StoreError) {
        try result.make { BuildInput(arrived: arrived, rows: rows(of: arrived.count)) }
    }

    /// The first records to arrive, as far as they stay, in the order of their ids.
    func rows(of count: Int) -> [UInt32] {
        RowOrder.arrivals(count: count, dropped: dropped, keys: gathered.idKeys, keyCounts: gathered.idKeyCounts)
    }
}
