// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Remembers the first distinct values of a field, up to a bound, so that frequent values are stored once.
///
/// It may forget: a value that is not found is only stored once more, and joined with its equals when the column is
/// sorted. Where nearly every value is new, it stops looking.
struct ValueInterner {
    /// The most values, and their most bytes, that are remembered.
    private static let countMax = 1 << 16
    private static let bytesMax = 1 << 22
    /// So many lookups are judged together; with fewer hits than a sixteenth of them it stops.
    private static let window = 1 << 13

    /// One remembered value; its bytes are `kept[start..<start + keyCount + tieCount]`.
    private struct Value {
        var hash: UInt64
        var start: UInt32
        var keyCount: UInt32
        var tieCount: UInt32
        var entry: UInt32
    }

    private let hash: ByteHash
    /// A value's index and 1; 0 where free.
    private var slots = [UInt32](repeating: 0, count: 64)
    private var values: [Value] = []
    private var kept: [UInt8] = []
    private var lookups = 0
    private var hits = 0
    private var isBlind = false

    init(seed: UInt64) {
        hash = ByteHash(seed: seed)
    }

    /// The entry of an equal value. Otherwise nil, and the value is remembered, where there is room, as `next`.
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
        guard values.count < Self.countMax, kept.count + key.byteCount + tie.byteCount < Self.bytesMax else {
            return nil
        }
        values.append(
            Value(
                hash: code, start: UInt32(kept.count), keyCount: UInt32(key.byteCount), tieCount: UInt32(tie.byteCount),
                entry: UInt32(next)))
        kept.append(copying: key)
        kept.append(copying: tie)
        slots[index] = UInt32(values.count)
        if values.count * 2 > slots.count { grow() }
        return nil
    }

    private func isSame(_ value: Value, _ key: RawSpan, _ tie: RawSpan) -> Bool {
        guard Int(value.keyCount) == key.byteCount, Int(value.tieCount) == tie.byteCount else { return false }
        let start = Int(value.start)
        return kept.raw.part(start, key.byteCount).isEqual(key)
            && (tie.isEmpty || kept.raw.part(start &+ key.byteCount, tie.byteCount).isEqual(tie))
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
