// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Gathers the values of one column while records arrive: distinct values as entries, and each record's entry.
struct ColumnCollector {
    /// The entry of a record without a value.
    static let absent = UInt32.max

    let column: ColumnKind
    private let tieHash: ByteHash
    private var interner: ValueInterner
    private var count = 0
    private var codes: SpillStream<UInt32>
    private var keys: SpillStream<UInt8>
    private var keyCounts: SpillStream<UInt32>
    private var tieHashes: SpillStream<UInt64>
    private var firstArrivals: SpillStream<UInt32>
    private var tokens: SpillStream<UInt16>
    private var tokenCounts: SpillStream<UInt32>
    private var units: [UInt16] = []
    /// By ordinal of the snapshot that records are carried from: the entry here, and 1; 0 where there is none yet.
    private var carried: [UInt32] = []

    init(_ column: ColumnKind, directory: String, seed: UInt64) {
        self.column = column
        tieHash = ByteHash(seed: ~seed)
        interner = ValueInterner(seed: seed)
        codes = SpillStream(directory)
        keys = SpillStream(directory)
        keyCounts = SpillStream(directory)
        tieHashes = SpillStream(directory)
        firstArrivals = SpillStream(directory)
        tokens = SpillStream(directory)
        tokenCounts = SpillStream(directory)
    }

    /// Appends the values that a batch has for this one of its columns.
    mutating func append(
        _ batch: borrowing ValueBatch, _ index: Int, of columns: Int, words: inout WordTable
    ) throws(StoreError) {
        guard column.isGathered else { return }
        for record in 0..<batch.records {
            let value = batch.value(record, index, of: columns)
            if value.code < 0 || column.isCoded {
                try append(code: Int(value.code))
            } else {
                try append(
                    key: batch.part(value.key), tie: batch.part(value.tie), folded: batch.part(value.folded),
                    words: &words)
            }
        }
    }

    /// Appends the code of an enum; negative: none.
    private mutating func append(code: Int) throws(StoreError) {
        try codes.append(code < 0 ? Self.absent : UInt32(truncatingIfNeeded: code))
    }

    /// Appends a value: its key, what orders equal keys, and the folded text whose words are searched.
    private mutating func append(
        key: RawSpan, tie: RawSpan, folded: RawSpan, words: inout WordTable
    ) throws(StoreError) {
        if let entry = interner.find(key, tie, orEnter: count) {
            try codes.append(UInt32(truncatingIfNeeded: entry))
            return
        }
        if column.isSearched {
            units.removeAll(keepingCapacity: true)
            try words.append(folded, to: &units)
        }
        try enter(key: key, tieHash: column.hasTies ? tieHash(tie) : 0)
    }

    /// Appends the value that row `row` of `old`, a snapshot of the same definition, has.
    mutating func carry(
        _ row: Int, from old: Snapshot, _ layout: Column, words: inout CarriedWords, into table: inout WordTable
    ) throws(StoreError) {
        let bytes = old.bytes
        let ordinal = layout.ordinal(row, bytes)
        guard ordinal < layout.distinct else { return try append(code: -1) }
        if column.isCoded { return try append(code: ordinal) }
        if carried.isEmpty { carried = [UInt32](repeating: 0, count: layout.distinct) }
        if carried[ordinal] != 0 { return try codes.append(carried[ordinal] - 1) }
        if column.isSearched {
            units.removeAll(keepingCapacity: true)
            let source = layout.tokens.units(row, bytes)
            var index = 0
            while index < source.count {
                let number = TokenUnits.next(&index) { source[$0, bytes] }
                TokenUnits.append(try words.number(of: number, in: old, &table), to: &units)
            }
        }
        carried[ordinal] = UInt32(truncatingIfNeeded: count + 1)
        // No two ordinals have one value; where their folded keys are equal, the texts themselves decide.
        try enter(key: layout.key(ordinal, bytes), tieHash: UInt64(ordinal))
    }

    private mutating func enter(key: RawSpan, tieHash: UInt64) throws(StoreError) {
        guard count < Int(Self.absent) else { throw StoreError(.tooLarge, "gather the values of a field") }
        if column.isSearched {
            var text: [UInt16] = []
            swap(&text, &units)
            try tokens.append(contentsOf: text.span)
            try tokenCounts.append(UInt32(truncatingIfNeeded: text.count))
            swap(&text, &units)
        }
        if column.storesKeys {
            try keys.append(key)
            try keyCounts.append(UInt32(truncatingIfNeeded: key.byteCount))
        }
        if column.hasTies {
            try tieHashes.append(tieHash)
            try firstArrivals.append(UInt32(truncatingIfNeeded: codes.count))
        }
        try codes.append(UInt32(truncatingIfNeeded: count))
        count += 1
    }

    /// Ends the gathering and hands the values over.
    mutating func seal() throws(StoreError) -> CollectedColumn {
        interner = ValueInterner(seed: 0)
        carried = []
        return CollectedColumn(
            column: column, count: count, codes: try codes.seal(), keys: try keys.seal(),
            keyCounts: try keyCounts.seal(), tieHashes: try tieHashes.seal(), firstArrivals: try firstArrivals.seal(),
            tokens: try tokens.seal(), tokenCounts: try tokenCounts.seal())
    }
}
