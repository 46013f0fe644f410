// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// The rows of a new snapshot: the rows taken from an earlier snapshot, and the new records between them.
struct RowMerge: Sendable {
    /// A value in `newRows`: the row is not taken over.
    static let gone = UInt32.max

    let carried: CarriedRecords
    /// The bit of a source that is a new record.
    static let fresh: UInt32 = 1 << 31

    /// The number of each row's record.
    let numbers: [UInt32]
    /// The row of each record in the earlier snapshot, or the number of the new record with the bit `fresh`.
    let sources: [UInt32]
    /// The row here of each row of the earlier snapshot, or `gone`.
    let newRows: [UInt32]
    /// The new records in the order of their rows.
    let fresh: [UInt32]
    /// The rows of the new records, ascending.
    let freshRows: [UInt32]
    /// Whether every row that is taken over keeps its number, and there are as many rows as before.
    let keepsRows: Bool

    var old: Snapshot { carried.old }

    /// - Parameters:
    ///   - carried: the records that may be taken over.
    ///   - dropped: by number: the carried records that are not.
    ///   - fresh: the new records that stay, in the order of their ids.
    ///   - keys: by new record: the natural key of its id, end to end.
    ///   - keyCounts: by new record: the length of that key, in bytes.
    init(
        _ carried: CarriedRecords, dropped: RowMarks, fresh: [UInt32], keys: SpilledElements<UInt8>,
        keyCounts: SpilledElements<UInt32>
    ) {
        let old = carried.old
        var numbersThere = [UInt32](repeating: Self.gone, count: old.count)
        for (index, row) in carried.rows.enumerated() where !dropped.contains(carried.first + index) {
            numbersThere[Int(row)] = UInt32(truncatingIfNeeded: carried.first + index)
        }
        var numbers: [UInt32] = []
        numbers.reserveCapacity(carried.rows.count + fresh.count)
        var sources: [UInt32] = []
        sources.reserveCapacity(carried.rows.count + fresh.count)
        var newRows = [UInt32](repeating: Self.gone, count: old.count)
        var freshRows: [UInt32] = []
        freshRows.reserveCapacity(fresh.count)
        var keepsRows = true
        var row = 0
        func carry(upTo end: Int) {
            while row < end {
                if numbersThere[row] != Self.gone {
                    if row != numbers.count { keepsRows = false }
                    newRows[row] = UInt32(truncatingIfNeeded: numbers.count)
                    numbers.append(numbersThere[row])
                    sources.append(UInt32(truncatingIfNeeded: row))
                }
                row += 1
            }
        }
        let source = ByteKeys(keyCounts)
        let bytes = keys.bytes
        var natural: [UInt8] = []
        let ids = old.column(old.definition.idField)
        for number in fresh {
            let key = bytes.part(source.range(Int(number)))
            let (first, order) = LowerBound.find(from: row, to: old.count) { row in
                natural.removeAll(keepingCapacity: true)
                KeyEncoding.natural(ids.key(row), into: &natural)
                return natural.rawSpan.compare(key)
            }
            carry(upTo: first)
            // The new version of a record takes its row.
            if order == 0 { row += 1 }
            freshRows.append(UInt32(truncatingIfNeeded: numbers.count))
            numbers.append(number)
            sources.append(Self.fresh | number)
        }
        carry(upTo: old.count)
        self.carried = carried
        self.numbers = numbers
        self.sources = sources
        self.newRows = newRows
        self.fresh = fresh
        self.freshRows = freshRows
        self.keepsRows = keepsRows && numbers.count == old.count
    }

    /// The rows of the earlier snapshot that are not taken over, as a bitmap. The bits behind its rows are set, too.
    var gone: [UInt64] {
        var bits = [UInt64](repeating: 0, count: Bits.wordCount(newRows.count))
        for row in 0..<bits.count * 64 where row >= newRows.count || newRows[row] == Self.gone {
            bits[row >> 6] |= 1 << UInt64(row & 63)
        }
        return bits
    }
}

/// Searches ascending sequences from a known position on.
enum LowerBound {
    /// The first index from `start` on, below `end`, for which `compare` returns 0 or more, and its result; `end` and 1
    /// if there is none.
    ///
    /// The number of comparisons grows with the logarithm of the distance from `start`.
    static func find(from start: Int, to end: Int, _ compare: (Int) -> Int) -> (index: Int, order: Int) {
        var low = start
        var high = start
        var step = 1
        var order = 1
        while high < end {
            let found = compare(high)
            if found >= 0 {
                order = found
                break
            }
            low = high + 1
            high += step
            step *= 2
        }
        // The last refusal is the result.
        let index = (low..<min(high, end)).partitionPoint { index in
            let found = compare(index)
            if found >= 0 { order = found }
            return found < 0
        }
        return (index, index < end ? order : 1)
    }
}
