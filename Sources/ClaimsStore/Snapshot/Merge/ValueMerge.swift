// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

/// The distinct values of a column: those of an earlier snapshot that are still there, and those of new records.
struct ValueMerge {
    /// By ordinal: the ordinal in the earlier snapshot, or `fresh` and the ordinal among the new records' values.
    private(set) var sources: [UInt32] = []
    /// By ordinal of the earlier snapshot: the ordinal here.
    private(set) var ofOld: [UInt32]
    /// By ordinal among the new records' values: the ordinal here.
    private(set) var ofFresh: [UInt32]

    /// The bit of a value that only new records have.
    static let fresh: UInt32 = 1 << 31

    var distinct: Int { sources.count }

    init(_ rows: RowMerge, _ column: Column, fresh leaders: [UInt32], _ comparison: ValueComparison) {
        let bytes = rows.old.bytes
        // How many rows with each value do not go on: mostly few, while to look at those that do takes long.
        var gone = [UInt32](repeating: 0, count: column.distinct)
        for row in rows.places.indices where rows.places[row] == RowMerge.gone {
            let ordinal = column.ordinal(row, bytes)
            if ordinal < column.distinct { gone[ordinal] += 1 }
        }
        var isUsed = gone.indices.map { column.slice($0..<$0 + 1, bytes).count > Int(gone[$0]) }
        var comparison = comparison
        var found: [(place: Int, isEqual: Bool)] = []
        found.reserveCapacity(leaders.count)
        var place = 0
        for leader in leaders {
            comparison.load(Int(leader))
            let (next, order) = LowerBound.find(from: place, to: column.distinct) { comparison.compare($0) }
            place = next
            found.append((place, order == 0))
            if order == 0 { isUsed[place] = true }
        }
        ofOld = [UInt32](repeating: 0, count: column.distinct)
        ofFresh = [UInt32](repeating: 0, count: leaders.count)
        sources.reserveCapacity(column.distinct + leaders.count)
        var ordinal = 0
        for index in found.indices {
            keep(ordinal..<found[index].place, isUsed)
            ordinal = found[index].place
            if found[index].isEqual {
                keep(ordinal..<ordinal + 1, isUsed)
                ordinal += 1
                ofFresh[index] = UInt32(truncatingIfNeeded: sources.count - 1)
            } else {
                ofFresh[index] = UInt32(truncatingIfNeeded: sources.count)
                sources.append(Self.fresh | UInt32(truncatingIfNeeded: index))
            }
        }
        keep(ordinal..<column.distinct, isUsed)
    }

    private mutating func keep(_ ordinals: Range<Int>, _ isUsed: [Bool]) {
        for ordinal in ordinals where isUsed[ordinal] {
            ofOld[ordinal] = UInt32(truncatingIfNeeded: sources.count)
            sources.append(UInt32(truncatingIfNeeded: ordinal))
        }
    }
}
