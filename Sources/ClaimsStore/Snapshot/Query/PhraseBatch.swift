// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Some rows whose texts are looked through for a phrase together.
///
/// Candidates lie far from each other: where their texts are is read for all before any is looked through, so that the
/// waits for memory overlap.
struct PhraseBatch {
    private static let size = 64

    private var rows: [Int] = []
    private var texts: [TokenTable.Units] = []
    private var sum: UInt16 = 0

    init() {
        rows.reserveCapacity(Self.size)
        texts.reserveCapacity(Self.size)
    }

    /// Adds a row of the bitmap `found`; checks all that are at hand once they are many.
    @inline(__always)
    mutating func append(
        _ row: Int, _ tokens: TokenTable, _ masks: borrowing PhraseMasks, _ found: inout [UInt64],
        _ steps: inout QuerySteps, _ bytes: RawSpan
    ) throws(QueryInterruption) {
        let text = tokens.units(row, bytes)
        // The sum is used, lest the read be optimised away.
        sum &+= text[text.count &- 1, bytes]
        rows.append(row)
        texts.append(text)
        if rows.count == Self.size { try check(masks, &found, &steps, bytes) }
    }

    /// Takes the rows at hand that do not have the phrase out of the bitmap.
    mutating func check(
        _ masks: borrowing PhraseMasks, _ found: inout [UInt64], _ steps: inout QuerySteps, _ bytes: RawSpan
    ) throws(QueryInterruption) {
        try steps.spend(rows.count * 8)
        masks.forEachMiss(texts, bytes) { place in
            let row = rows[place]
            found[row >> 6] &= ~(1 << UInt64(row & 63))
        }
        rows.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
    }
}
