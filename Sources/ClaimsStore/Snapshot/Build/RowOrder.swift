// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Puts the records that stay in the order of their ids.
enum RowOrder {
    /// By row: the number by which its record arrived.
    ///
    /// Of records with one id the last to arrive stays.
    static func arrivals(
        count: Int, dropped: RowMarks, keys: SpilledElements<UInt8>, keyCounts: SpilledElements<UInt32>
    ) -> [UInt32] {
        var live: [UInt32] = []
        live.reserveCapacity(max(0, count - dropped.count))
        for arrival in 0..<count where !dropped.contains(arrival) { live.append(UInt32(arrival)) }
        let source = ByteKeys(keyCounts)
        let bytes = keys.bytes
        if isSorted(live, source, bytes) { return live }
        let (order, firsts) = KeySorter.sort(live, by: source, bytes)
        var rows: [UInt32] = []
        rows.reserveCapacity(order.count)
        for index in order.indices {
            if firsts[index] { rows.append(order[index]) } else { rows[rows.count - 1] = order[index] }
        }
        return rows
    }

    /// Whether every key is above the one before; usually they come so.
    private static func isSorted(_ arrivals: [UInt32], _ source: ByteKeys, _ bytes: RawSpan) -> Bool {
        for index in arrivals.indices.dropFirst() {
            let last = bytes.part(source.range(Int(arrivals[index - 1])))
            if last.compare(bytes.part(source.range(Int(arrivals[index])))) >= 0 { return false }
        }
        return true
    }
}
