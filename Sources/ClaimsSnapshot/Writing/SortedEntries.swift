// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// The entries of a column in the order of their values.
struct SortedEntries {
    /// The first entry of each distinct value, in order.
    let leaders: [UInt32]
    let distinct: Int
    /// The ordinal of each entry; empty if each entry is its ordinal.
    private let ordinals: [UInt32]

    /// The ordinal of an entry; of an enum, the entry is the code.
    @inline(__always)
    func ordinal(_ entry: Int) -> UInt32 {
        ordinals.isEmpty ? UInt32(truncatingIfNeeded: min(entry, distinct)) : ordinals[entry]
    }

    private init(codes: Int) {
        leaders = []
        distinct = codes
        ordinals = []
    }

    private init(_ order: [UInt32], _ firsts: [Bool], entries: Int) {
        var leaders: [UInt32] = []
        var ordinals = [UInt32](repeating: 0, count: entries)
        for index in order.indices {
            if firsts[index] { leaders.append(order[index]) }
            ordinals[Int(order[index])] = UInt32(leaders.count - 1)
        }
        self.leaders = leaders
        distinct = leaders.count
        self.ordinals = ordinals
    }

    /// Sorts all entries, and then leaves out entries without a row; `rows` is called after the sorting.
    static func make(
        _ arrived: ArrivedRecords, _ collected: CollectedColumn, _ ranks: TermRanks?,
        rows: () throws(StoreError) -> [UInt32]
    ) throws(StoreError) -> SortedEntries {
        guard !collected.column.isCoded else { return SortedEntries(codes: collected.column.codes) }
        let all = (0..<UInt32(collected.count)).map { $0 }
        var (order, firsts) =
            if let ranks, collected.column.isText, collected.column.isSearched {
                KeySorter.sort(all, by: TokenKeys(collected.tokenCounts, ranks), collected.tokens.bytes)
            } else {
                KeySorter.sort(all, by: ByteKeys(collected.keyCounts), collected.keys.bytes)
            }
        if collected.column.hasTies { TieBreaker(arrived, collected).resolve(&order, &firsts) }
        let rows = try rows()
        if rows.count < arrived.count { keepUsed(by: rows, collected, &order, &firsts) }
        return SortedEntries(order, firsts, entries: collected.count)
    }

    /// Leaves the entries that a remaining record has.
    private static func keepUsed(
        by rows: [UInt32], _ collected: CollectedColumn, _ order: inout [UInt32], _ firsts: inout [Bool]
    ) {
        var isUsed = [Bool](repeating: false, count: collected.count)
        let codes = collected.codes.bytes
        for arrival in rows {
            let entry = Int(codes.u32(at: Int(arrival) * 4))
            if entry < isUsed.count { isUsed[entry] = true }
        }
        var kept = 0
        // Whether another value has begun since the last entry that was kept.
        var isFirst = false
        for index in order.indices {
            if firsts[index] { isFirst = true }
            guard isUsed[Int(order[index])] else { continue }
            order[kept] = order[index]
            firsts[kept] = isFirst
            isFirst = false
            kept += 1
        }
        order.removeLast(order.count - kept)
        firsts.removeLast(firsts.count - kept)
    }
}

/// Orders texts that fold alike by their bytes, which it reads from the records' documents.
struct TieBreaker {
    private let arrived: ArrivedRecords
    private let collected: CollectedColumn
    private let name: [UInt8]

    init(_ arrived: ArrivedRecords, _ collected: CollectedColumn) {
        self.arrived = arrived
        self.collected = collected
        name = Array(arrived.definition.fields[collected.column.field].name.utf8)
    }

    /// Completes an order by folded texts; `firsts` marks each beginning of a new folded text.
    func resolve(_ order: inout [UInt32], _ firsts: inout [Bool]) {
        let hashes = collected.tieHashes.bytes
        var start = 0
        while start < order.count {
            var end = start + 1
            var isTied = false
            while end < order.count, !firsts[end] {
                if hashes.u64(at: Int(order[end]) * 8) != hashes.u64(at: Int(order[start]) * 8) { isTied = true }
                end += 1
            }
            if isTied { sort(start..<end, &order, &firsts) }
            start = end
        }
    }

    private func sort(_ range: Range<Int>, _ order: inout [UInt32], _ firsts: inout [Bool]) {
        // Entries with the same hash are the same text: one of them is read.
        let hashes = collected.tieHashes.bytes
        var tape = JSONTape()
        var texts: [UInt64: [UInt8]] = [:]
        for entry in order[range] {
            let hash = hashes.u64(at: Int(entry) * 8)
            if texts[hash] == nil { texts[hash] = text(Int(entry), &tape) }
        }
        let sorted = order[range].map { entry in (entry, texts[hashes.u64(at: Int(entry) * 8)] ?? []) }
            .sorted { $0.1.rawSpan.compare($1.1.rawSpan) < 0 }
        for (index, (entry, text)) in sorted.enumerated() {
            order[range.lowerBound + index] = entry
            firsts[range.lowerBound + index] = index == 0 || sorted[index - 1].1 != text
        }
    }

    private func text(_ entry: Int, _ tape: inout JSONTape) -> [UInt8] {
        let arrival = Int(collected.firstArrivals.bytes.u32(at: entry * 4))
        return arrived.withDocument(of: arrival) { DocumentText.read(name, of: $0, &tape) }
    }
}
