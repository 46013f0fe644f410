// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Where the rows of an earlier snapshot go, and the new records between them.
struct RowMerge: Sendable {
    /// The place of a row that does not go on.
    static let gone = UInt32.max

    let carried: CarriedRecords
    /// The bit of a source that is a new record.
    static let fresh: UInt32 = 1 << 31

    /// By row: the number of its record.
    let numbers: [UInt32]
    /// By row: its row in the earlier snapshot, or `fresh` and the number of the new record.
    let sources: [UInt32]
    /// By row of the earlier snapshot: its row here, or `gone`.
    let places: [UInt32]
    /// The new records, and their rows, in the order of these.
    let fresh: [UInt32]
    let freshRows: [UInt32]
    /// Whether every row that goes on keeps its number.
    let keepsRows: Bool

    var old: Snapshot { carried.old }

    /// - Parameters:
    ///   - fresh: the new records that stay, in the order of their ids.
    ///   - keys: by new record: the id's key, end to end; `keyCounts` are their lengths.
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
        var places = [UInt32](repeating: Self.gone, count: old.count)
        var freshRows: [UInt32] = []
        freshRows.reserveCapacity(fresh.count)
        var keepsRows = true
        var row = 0
        func take(upTo end: Int) {
            while row < end {
                if numbersThere[row] != Self.gone {
                    if row != numbers.count { keepsRows = false }
                    places[row] = UInt32(truncatingIfNeeded: numbers.count)
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
        let idBytes = old.bytes
        for number in fresh {
            let key = bytes.part(source.range(Int(number)))
            let (place, order) = LowerBound.find(from: row, to: old.count) { row in
                natural.removeAll(keepingCapacity: true)
                KeyEncoding.natural(ids.key(row, idBytes), into: &natural)
                return natural.raw.compare(key)
            }
            take(upTo: place)
            // The new version of a record takes its row.
            if order == 0 { row += 1 }
            freshRows.append(UInt32(truncatingIfNeeded: numbers.count))
            numbers.append(number)
            sources.append(Self.fresh | number)
        }
        take(upTo: old.count)
        self.carried = carried
        self.numbers = numbers
        self.sources = sources
        self.places = places
        self.fresh = fresh
        self.freshRows = freshRows
        self.keepsRows = keepsRows && numbers.count == old.count
    }

    /// The rows of the earlier snapshot that do not go on, as a bitmap; what lies behind its rows does not either.
    var gone: [UInt64] {
        var bits = [UInt64](repeating: 0, count: Bits.words(places.count))
        for row in 0..<bits.count * 64 where row >= places.count || places[row] == Self.gone {
            bits[row >> 6] |= 1 << UInt64(row & 63)
        }
        return bits
    }
}
