// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

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

    /// Completes an order by folded texts, in which `firsts` tells where a new folded text begins.
    func resolve(_ order: inout [UInt32], _ firsts: inout [Bool]) {
        let hashes = collected.tieHashes.bytes
        var start = 0
        while start < order.count {
            var end = start + 1
            var isTied = false
            while end < order.count, !firsts[end] {
                if hashes.u64(Int(order[end]) * 8) != hashes.u64(Int(order[start]) * 8) { isTied = true }
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
            let hash = hashes.u64(Int(entry) * 8)
            if texts[hash] == nil { texts[hash] = text(Int(entry), &tape) }
        }
        let sorted = order[range].map { entry in (entry, texts[hashes.u64(Int(entry) * 8)] ?? []) }
            .sorted { $0.1.raw.compare($1.1.raw) < 0 }
        for (index, (entry, text)) in sorted.enumerated() {
            order[range.lowerBound + index] = entry
            firsts[range.lowerBound + index] = index == 0 || sorted[index - 1].1 != text
        }
    }

    private func text(_ entry: Int, _ tape: inout JSONTape) -> [UInt8] {
        let arrival = Int(collected.firstArrivals.bytes.u32(entry * 4))
        return arrived.withDocument(of: arrival) { DocumentText.read(name, of: $0, &tape) }
    }
}
