// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

/// Compares values of an earlier snapshot with one of a new record.
struct ValueComparison {
    private let old: Snapshot
    private let column: Column
    private let arrived: ArrivedRecords
    private let collected: CollectedColumn
    private let words: WordMerge
    /// By entry: where its key, or its words, begin and end.
    private let ranges: ByteKeys
    private let name: [UInt8]
    private var key: [UInt8] = []
    private var natural: [UInt8] = []
    private var tape = JSONTape()
    /// The new value's text as it came, once it has been needed.
    private var text: [UInt8]?
    private var entry = 0

    init(_ old: Snapshot, _ arrived: ArrivedRecords, _ collected: CollectedColumn, _ words: WordMerge) {
        self.old = old
        self.arrived = arrived
        self.collected = collected
        self.words = words
        column = old.column(collected.column.owner)
        ranges = ByteKeys(collected.column.storesKeys ? collected.keyCounts : collected.tokenCounts)
        name = Array(arrived.definition.fields[collected.column.field].name.utf8)
    }

    /// Takes an entry of the new records' values to compare with.
    mutating func load(_ entry: Int) {
        self.entry = entry
        text = nil
        let collected = collected
        var key: [UInt8] = []
        swap(&key, &self.key)
        key.removeAll(keepingCapacity: true)
        if collected.column.storesKeys {
            key.append(copying: collected.keys.bytes.part(ranges.range(entry)))
        } else {
            words.appendText(ranges.range(entry), of: collected.tokens.bytes, to: &key)
        }
        swap(&key, &self.key)
    }

    /// Negative, 0 or positive as the value with this ordinal orders before, like or after the one taken.
    mutating func compare(_ ordinal: Int) -> Int {
        let old = old
        let bytes = old.bytes
        let key = key
        let order = column.compare(ordinal, key.raw, isPrefix: false, bytes, &natural)
        guard order == 0, collected.column.hasTies else { return order }
        let row = column.sample(ordinal, bytes)
        let there = DocumentText.read(name, of: old.document(row), &tape)
        return there.raw.compare(loadText().raw)
    }

    private mutating func loadText() -> [UInt8] {
        if let text { return text }
        let arrival = Int(collected.firstArrivals.bytes.u32(entry * 4))
        var tape = JSONTape()
        let read = arrived.withDocument(of: arrival) { DocumentText.read(name, of: $0, &tape) }
        text = read
        return read
    }
}
