// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Sorts the records by their ids: the order of the rows, which many jobs wait for.
struct RowSorter: BuildJob {
    let arrived: ArrivedRecords
    let gathered: GatheredValues
    /// By arrival: the records that are not to be in the snapshot.
    let dropped: RowMarks
    let result = JobResult<BuildInput>()

    func write() throws(SnapshotError) {
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

    /// Whether every key is above the one before, as most sources send them.
    private static func isSorted(_ arrivals: [UInt32], _ source: ByteKeys, _ bytes: RawSpan) -> Bool {
        for index in arrivals.indices.dropFirst() {
            let last = bytes.part(source.range(Int(arrivals[index - 1])))
            if last.compare(bytes.part(source.range(Int(arrivals[index])))) >= 0 { return false }
        }
        return true
    }
}
