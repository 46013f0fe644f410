// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The entries of a column in the order of their values.
struct SortedEntries {
    /// The first entry of each distinct value, in order.
    let leaders: [UInt32]
    let distinct: Int
    /// By entry; empty where each entry is its ordinal.
    private let ordinals: [UInt32]

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

    static func make(_ input: BuildInput, _ collected: CollectedColumn, _ ranks: WordRanks?) -> SortedEntries {
        guard !collected.column.isCoded else { return SortedEntries(codes: collected.column.codes) }
        let used = usedEntries(input, collected)
        var (order, firsts) =
            if let ranks, collected.column.isText, collected.column.isSearched {
                KeySorter.sort(used, by: TokenKeys(collected.tokenCounts, ranks), collected.tokens.bytes)
            } else {
                KeySorter.sort(used, by: ByteKeys(collected.keyCounts), collected.keys.bytes)
            }
        if collected.column.hasTies { TieBreaker(input, collected).resolve(&order, &firsts) }
        return SortedEntries(order, firsts, entries: collected.count)
    }

    /// The entries that a remaining record has.
    private static func usedEntries(_ input: BuildInput, _ collected: CollectedColumn) -> [UInt32] {
        guard input.rows.count < input.arrivals else { return (0..<UInt32(collected.count)).map { $0 } }
        var isUsed = [Bool](repeating: false, count: collected.count)
        let codes = collected.codes.bytes
        for arrival in input.rows {
            let entry = Int(codes.u32(Int(arrival) * 4))
            if entry < isUsed.count { isUsed[entry] = true }
        }
        return (0..<UInt32(collected.count)).filter { isUsed[Int($0)] }
    }
}
