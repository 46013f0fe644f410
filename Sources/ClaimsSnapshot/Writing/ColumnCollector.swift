// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// Gathers the values of one column while records arrive: distinct values as entries, and each record's entry.
struct ColumnCollector {
    /// The entry of a record without a value.
    static let absent = UInt32.max

    let column: ColumnKind
    private let tieHash: WyHash
    private var interner: ValueInterner
    private var count = 0
    private var codes: SpillStream<UInt32>
    private var keys: SpillStream<UInt8>
    private var keyCounts: SpillStream<UInt32>
    private var tieHashes: SpillStream<UInt64>
    private var firstArrivals: SpillStream<UInt32>
    private var tokens: SpillStream<UInt16>
    private var tokenCounts: SpillStream<UInt32>
    /// A buffer for the tokens of one text after the other.
    private var tokensOfText: [UInt16] = []

    init(_ column: ColumnKind, medium: BuildMedium, seed: UInt64) {
        self.column = column
        tieHash = WyHash(seed: ~seed)
        interner = ValueInterner(seed: seed)
        codes = SpillStream(medium)
        keys = SpillStream(medium)
        keyCounts = SpillStream(medium)
        tieHashes = SpillStream(medium)
        firstArrivals = SpillStream(medium)
        tokens = SpillStream(medium)
        tokenCounts = SpillStream(medium)
    }

    /// Appends the values that a batch has for this one of its columns.
    mutating func append(
        _ batch: borrowing ValueBatch, _ index: Int, of columns: Int, terms: inout TermTable
    ) throws(StoreError) {
        guard column.isGathered else { return }
        for record in 0..<batch.records {
            let value = batch.value(record, index, of: columns)
            if value.code < 0 || column.isCoded {
                try append(code: Int(value.code))
            } else {
                try append(
                    key: batch.part(value.key), tie: batch.part(value.tie), folded: batch.part(value.folded),
                    terms: &terms)
            }
        }
    }

    /// Appends the code of an enum; a negative one means that the record has no value.
    mutating func append(code: Int) throws(StoreError) {
        try codes.append(code < 0 ? Self.absent : UInt32(truncatingIfNeeded: code))
    }

    /// Appends a value: its key, the value that orders equal keys, and the folded text whose terms are searched.
    private mutating func append(
        key: RawSpan, tie: RawSpan, folded: RawSpan, terms: inout TermTable
    ) throws(StoreError) {
        if let entry = interner.find(key, tie, orEnter: count) {
            try codes.append(UInt32(truncatingIfNeeded: entry))
            return
        }
        var tokens: [UInt16] = []
        swap(&tokens, &self.tokensOfText)
        tokens.removeAll(keepingCapacity: true)
        if column.isSearched { try terms.append(folded, to: &tokens) }
        _ = try enter(key: key, tieHash: column.hasTies ? tieHash(tie) : 0, tokens: tokens.span)
        swap(&tokens, &self.tokensOfText)
    }

    /// Appends a value that an earlier record had, by the entry that `enter` returned for it.
    mutating func append(entry: Int) throws(StoreError) {
        try codes.append(UInt32(truncatingIfNeeded: entry))
    }

    /// Appends a value as a new entry, and returns the number of that entry.
    ///
    /// - Parameters:
    ///   - tieHash: distinguishes texts whose keys are equal.
    ///   - tokens: the numbers of the text's terms as `TokenUnits`; they are ignored if the column is not searched.
    /// - Throws: `tooLarge` if there are as many entries as a code can distinguish.
    mutating func enter(key: RawSpan, tieHash: UInt64, tokens text: Span<UInt16>) throws(StoreError) -> Int {
        guard count < Int(Self.absent) else { throw StoreError(.tooLarge, "gather the values of a field") }
        if column.isSearched {
            try tokens.append(contentsOf: text)
            try tokenCounts.append(UInt32(truncatingIfNeeded: text.count))
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
        return count - 1
    }

    /// Ends the gathering and returns the values. Nothing may be appended afterwards.
    mutating func seal() throws(StoreError) -> CollectedColumn {
        interner = ValueInterner(seed: 0)
        return CollectedColumn(
            column: column, count: count, codes: try codes.seal(), keys: try keys.seal(),
            keyCounts: try keyCounts.seal(), tieHashes: try tieHashes.seal(), firstArrivals: try firstArrivals.seal(),
            tokens: try tokens.seal(), tokenCounts: try tokenCounts.seal())
    }
}

/// The gathered values of one column.
struct CollectedColumn: Sendable {
    let column: ColumnKind
    /// The number of entries: distinct values, some of them perhaps more than once.
    let count: Int
    /// The entry of each record, in the order of arrival; for an enum its code.
    let codes: SpilledElements<UInt32>
    /// The keys of the entries, end to end, with their lengths, if the column stores keys.
    let keys: SpilledElements<UInt8>
    let keyCounts: SpilledElements<UInt32>
    /// A hash of the original text of each entry, and the first record that has it.
    let tieHashes: SpilledElements<UInt64>
    let firstArrivals: SpilledElements<UInt32>
    /// The tokens of the entries, end to end, with their lengths in units, if the column is searched.
    let tokens: SpilledElements<UInt16>
    let tokenCounts: SpilledElements<UInt32>
}

/// Remembers the first distinct values of a field, up to a bound, so that frequent values are stored once.
///
/// It may forget: a value that is not found is only stored once more, and joined with its equals when the column is
/// sorted. Where nearly every value is new, it stops looking.
struct ValueInterner {
    /// The maximal number of values that are remembered.
    private static let maxCount = 1 << 16
    /// The maximal number of bytes of values that are remembered.
    private static let maxBytes = 1 << 22
    /// The number of lookups after which the hits are counted. With fewer hits than a sixteenth, the interner stops
    /// looking.
    private static let window = 1 << 13

    /// One remembered value; its bytes are `kept[start..<start + keyCount + tieCount]`.
    private struct Value {
        var hash: UInt64
        var start: UInt32
        var keyCount: UInt32
        var tieCount: UInt32
        var entry: UInt32
    }

    private let hash: WyHash
    /// The index of each slot's value, plus 1; 0 if free.
    private var slots = [UInt32](repeating: 0, count: 64)
    private var values: [Value] = []
    private var kept: [UInt8] = []
    private var lookups = 0
    private var hits = 0
    private var isBlind = false

    init(seed: UInt64) {
        hash = WyHash(seed: seed)
    }

    /// The entry of an equal value; nil if none is remembered. Then the value is remembered as entry `next`, if there
    /// is room.
    mutating func find(_ key: RawSpan, _ tie: RawSpan, orEnter next: Int) -> Int? {
        if isBlind { return nil }
        let code = tie.isEmpty ? hash(key) : hash(key) ^ (hash(tie) &* 0x9E37_79B9_7F4A_7C15)
        let mask = slots.count &- 1
        var index = Int(truncatingIfNeeded: code) & mask
        lookups &+= 1
        while slots[index] != 0 {
            let value = values[Int(slots[index]) &- 1]
            if value.hash == code, isSame(value, key, tie) {
                hits &+= 1
                return Int(value.entry)
            }
            index = (index &+ 1) & mask
        }
        if lookups >= Self.window {
            isBlind = hits * 16 < lookups
            lookups = 0
            hits = 0
        }
        guard values.count < Self.maxCount, kept.count + key.byteCount + tie.byteCount < Self.maxBytes else {
            return nil
        }
        values.append(
            Value(
                hash: code, start: UInt32(kept.count), keyCount: UInt32(key.byteCount), tieCount: UInt32(tie.byteCount),
                entry: UInt32(next)))
        kept.append(bytes: key)
        kept.append(bytes: tie)
        slots[index] = UInt32(values.count)
        if values.count * 2 > slots.count { grow() }
        return nil
    }

    private func isSame(_ value: Value, _ key: RawSpan, _ tie: RawSpan) -> Bool {
        guard Int(value.keyCount) == key.byteCount, Int(value.tieCount) == tie.byteCount else { return false }
        let start = Int(value.start)
        return kept.rawSpan.part(start, key.byteCount).equals(key)
            && (tie.isEmpty || kept.rawSpan.part(start &+ key.byteCount, tie.byteCount).equals(tie))
    }

    private mutating func grow() {
        var larger = [UInt32](repeating: 0, count: slots.count * 2)
        let mask = larger.count - 1
        for index in values.indices {
            var slot = Int(truncatingIfNeeded: values[index].hash) & mask
            while larger[slot] != 0 { slot = (slot + 1) & mask }
            larger[slot] = UInt32(index + 1)
        }
        slots = larger
    }
}
