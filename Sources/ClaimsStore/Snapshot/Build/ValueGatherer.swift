// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Gathers what is to be sorted of all records: the ids' keys, the columns' values and their words.
struct ValueGatherer: Sendable {
    private var idKeys: SpillStream<UInt8>
    private var idKeyCounts: SpillStream<UInt32>
    private var columns: [ColumnCollector]
    private var words: WordTable

    init(_ kinds: [ColumnKind], directory: String, seed: UInt64) {
        idKeys = SpillStream(directory)
        idKeyCounts = SpillStream(directory)
        words = WordTable(directory, seed: seed)
        columns = kinds.map { ColumnCollector($0, directory: directory, seed: seed ^ UInt64($0.owner)) }
    }

    /// Column by column, so that what one needs is at hand.
    mutating func append(_ batch: borrowing ValueBatch) throws(StoreError) {
        for record in 0..<batch.records { try append(idKey: batch.idKey(record)) }
        let count = columns.count
        for index in 0..<count { try columns[index].append(batch, index, of: count, words: &words) }
    }

    /// Appends records of an earlier snapshot of the same definition.
    mutating func append(_ carried: CarriedRecords) throws(StoreError) {
        let base = carried.old
        var carriedWords = CarriedWords()
        var key: [UInt8] = []
        for row in carried.rows {
            key.removeAll(keepingCapacity: true)
            KeyEncoding.natural(base.id(Int(row)), into: &key)
            try append(idKey: key.raw)
            for index in columns.indices where columns[index].column.isGathered {
                try columns[index].carry(
                    Int(row), from: base, base.column(columns[index].column.owner), words: &carriedWords, into: &words)
            }
        }
    }

    private mutating func append(idKey: RawSpan) throws(StoreError) {
        try idKeys.append(idKey)
        try idKeyCounts.append(UInt32(truncatingIfNeeded: idKey.byteCount))
    }

    /// Ends the gathering and hands everything over.
    mutating func seal() throws(StoreError) -> GatheredValues {
        var collected: [CollectedColumn] = []
        for index in columns.indices { collected.append(try columns[index].seal()) }
        return GatheredValues(
            idKeys: try idKeys.seal(), idKeyCounts: try idKeyCounts.seal(), columns: collected,
            words: try words.seal())
    }
}
