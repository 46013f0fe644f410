// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// The distinct values of a merged column: the values of an earlier snapshot that are still used, and the values of new
/// records.
struct ValueMerge {
    /// The ordinal in the earlier snapshot of each value, or its ordinal among the new records' values with the bit
    /// `fresh`.
    private(set) var sources: [UInt32] = []
    /// The ordinal here of each ordinal of the earlier snapshot.
    private(set) var ofOld: [UInt32]
    /// The ordinal here of each ordinal among the new records' values.
    private(set) var ofFresh: [UInt32]

    /// The bit of a value that only new records have.
    static let fresh: UInt32 = 1 << 31

    var distinct: Int { sources.count }

    /// - Parameters:
    ///   - column: the column in the earlier snapshot.
    ///   - leaders: the new records' values in order: an entry of each.
    ///   - comparison: compares an entry with the values of `column`.
    init(_ rows: RowMerge, _ column: ColumnView, fresh leaders: [UInt32], comparison: ValueComparison) {
        // The number of rows with each value that are not taken over: these rows are few, unlike the ones that are.
        var gone = [UInt32](repeating: 0, count: column.distinct)
        for row in rows.newRows.indices where rows.newRows[row] == RowMerge.gone {
            let ordinal = column.ordinal(row)
            if ordinal < column.distinct { gone[ordinal] += 1 }
        }
        var isUsed = gone.indices.map { column.slice($0..<$0 + 1).count > Int(gone[$0]) }
        var comparison = comparison
        var found: [(ordinal: Int, isEqual: Bool)] = []
        found.reserveCapacity(leaders.count)
        var next = 0
        for leader in leaders {
            comparison.load(Int(leader))
            let (first, order) = LowerBound.find(from: next, to: column.distinct) { comparison.compare($0) }
            next = first
            found.append((next, order == 0))
            if order == 0 { isUsed[next] = true }
        }
        ofOld = [UInt32](repeating: 0, count: column.distinct)
        ofFresh = [UInt32](repeating: 0, count: leaders.count)
        sources.reserveCapacity(column.distinct + leaders.count)
        var ordinal = 0
        for index in found.indices {
            keep(ordinal..<found[index].ordinal, isUsed)
            ordinal = found[index].ordinal
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

/// Compares values of an earlier snapshot with one of a new record.
struct ValueComparison {
    private let old: Snapshot
    private let column: Column
    private let arrived: ArrivedRecords
    private let collected: CollectedColumn
    private let terms: TermMerge
    /// The range of the key, or of the terms, of each entry.
    private let ranges: ByteKeys
    private let name: [UInt8]
    private var key: [UInt8] = []
    private var natural: [UInt8] = []
    private var tape = JSONTape()
    /// The entry's text as the upstream sent it; nil until it is needed.
    private var text: [UInt8]?
    private var entry = 0

    /// - Parameters:
    ///   - collected: the column of the new records' values.
    ///   - arrived: the new records, whose documents are read if folded texts are equal.
    ///   - terms: the new records' terms, which texts are made of.
    init(of collected: CollectedColumn, in arrived: ArrivedRecords, with old: Snapshot, terms: TermMerge) {
        self.old = old
        self.arrived = arrived
        self.collected = collected
        self.terms = terms
        column = old.columnIndex[collected.column.columnID]
        ranges = ByteKeys(collected.column.storesKeys ? collected.keyCounts : collected.tokenCounts)
        name = Array(arrived.definition.fields[collected.column.field].name.utf8)
    }

    /// Sets the entry of the new records' values that `compare` compares with.
    mutating func load(_ entry: Int) {
        self.entry = entry
        text = nil
        let collected = collected
        var key: [UInt8] = []
        swap(&key, &self.key)
        key.removeAll(keepingCapacity: true)
        if collected.column.storesKeys {
            key.append(bytes: collected.keys.bytes.part(ranges.range(entry)))
        } else {
            terms.appendText(ranges.range(entry), of: collected.tokens.bytes, to: &key)
        }
        swap(&key, &self.key)
    }

    /// Negative, 0 or positive if the earlier value with this ordinal is before, equal to or after the entry.
    mutating func compare(_ ordinal: Int) -> Int {
        let old = old
        let column = column.view(old.bytes)
        let key = key
        let order = column.compare(ordinal, to: key.rawSpan, isPrefix: false, natural: &natural)
        guard order == 0, collected.column.hasTies else { return order }
        let row = column.sample(ordinal)
        let there = DocumentText.read(name, of: old.document(row), &tape)
        return there.rawSpan.compare(loadText().rawSpan)
    }

    private mutating func loadText() -> [UInt8] {
        if let text { return text }
        let arrival = Int(collected.firstArrivals.bytes.u32(at: entry * 4))
        var tape = JSONTape()
        let read = arrived.withDocument(of: arrival) { DocumentText.read(name, of: $0, &tape) }
        text = read
        return read
    }
}
