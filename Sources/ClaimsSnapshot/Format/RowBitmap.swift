// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// A set of a snapshot's rows as one bit a row.
public struct RowBitmap: Sendable {
    /// One bit a row, the lowest first; empty if no row is in the set.
    public private(set) var bits: [UInt64] = []
    /// The rows that are in the set.
    public private(set) var count = 0

    /// An empty set.
    public init() {}

    /// The set of these bits, one a row, the lowest first.
    init(bits: [UInt64]) {
        count = Bits.count(bits)
        self.bits = count == 0 ? [] : bits
    }

    public func contains(_ row: Int) -> Bool {
        let word = row >> 6
        return word < bits.count && bits[word] >> UInt64(row & 63) & 1 != 0
    }

    /// Adds `row` to the set or removes it; `rows` is the number of rows of the snapshot.
    public mutating func set(_ row: Int, of rows: Int, to isContained: Bool) {
        guard row >= 0, row < rows else { return }
        if bits.isEmpty { bits = [UInt64](repeating: 0, count: (rows + 63) / 64) }
        let bit: UInt64 = 1 << UInt64(row & 63)
        guard (bits[row >> 6] & bit != 0) != isContained else { return }
        bits[row >> 6] ^= bit
        count += isContained ? 1 : -1
    }

    /// Adds the rows of another set of the same snapshot.
    public mutating func formUnion(_ other: RowBitmap) {
        if other.count == 0 { return }
        if count == 0 {
            self = other
            return
        }
        Bits.unite(&bits, other.bits)
        count = Bits.count(bits)
    }

    /// Removes the rows of another set of the same snapshot.
    public mutating func subtract(_ other: RowBitmap) {
        if count == 0 || other.count == 0 { return }
        Bits.subtract(&bits, other.bits)
        count = Bits.count(bits)
    }

    /// Calls `body` with each row of the set, in ascending order.
    public func forEach(_ body: (Int) -> Void) {
        Bits.forEach(bits) { row in
            body(row)
            return true
        }
    }
}

/// Operations on bitmaps of rows: one bit a row, the lowest first.
enum Bits {
    static func wordCount(_ rows: Int) -> Int { (rows + 63) / 64 }

    @inline(__always)
    static func contains(_ bits: [UInt64], _ row: Int) -> Bool {
        let word = row >> 6
        return word < bits.count && bits[word] & 1 << UInt64(row & 63) != 0
    }

    @inline(__always)
    static func insert(_ row: Int, into bits: inout [UInt64]) {
        let word = row >> 6
        guard word < bits.count else { return }
        bits[word] |= 1 << UInt64(row & 63)
    }

    static func count(_ bits: [UInt64]) -> Int {
        var count = 0
        for word in bits { count &+= word.nonzeroBitCount }
        return count
    }

    static func intersect(_ bits: inout [UInt64], _ other: [UInt64]) {
        for index in 0..<min(bits.count, other.count) { bits[index] &= other[index] }
        if other.count < bits.count { for index in other.count..<bits.count { bits[index] = 0 } }
    }

    static func unite(_ bits: inout [UInt64], _ other: [UInt64]) {
        for index in 0..<min(bits.count, other.count) { bits[index] |= other[index] }
    }

    static func subtract(_ bits: inout [UInt64], _ other: [UInt64]) {
        for index in 0..<min(bits.count, other.count) { bits[index] &= ~other[index] }
    }

    /// All rows that are not in it.
    static func invert(_ bits: inout [UInt64], rows: Int) {
        for index in bits.indices { bits[index] = ~bits[index] }
        clearTail(&bits, rows: rows)
    }

    /// Bits of a file above the last row are no rows.
    static func clearTail(_ bits: inout [UInt64], rows: Int) {
        if rows & 63 != 0, !bits.isEmpty { bits[bits.count - 1] &= 1 << UInt64(rows & 63) - 1 }
    }

    /// Adds a bitmap that begins at byte `offset` of the file.
    static func unite(_ bits: inout [UInt64], _ bytes: RawSpan, at offset: Int) {
        let source = bytes.part(offset, bits.count * 8)
        guard source.byteCount == bits.count * 8 else { return }
        for index in bits.indices { bits[index] |= source.u64(at: index &* 8) }
    }

    /// The number of rows that it shares with a bitmap that begins at byte `offset` of the file.
    static func countCommon(_ bits: [UInt64], _ bytes: RawSpan, at offset: Int) -> Int {
        let source = bytes.part(offset, bits.count * 8)
        guard source.byteCount == bits.count * 8 else { return 0 }
        var count = 0
        for index in bits.indices { count &+= (bits[index] & source.u64(at: index &* 8)).nonzeroBitCount }
        return count
    }

    /// Calls `body` with each row from `first` on, in ascending order, until it returns false.
    @inline(__always)
    static func forEach<Failure: Error>(
        _ bits: [UInt64], from first: Int = 0, _ body: (Int) throws(Failure) -> Bool
    ) throws(Failure) {
        var index = first >> 6
        guard index < bits.count else { return }
        var word = bits[index] & UInt64.max << UInt64(first & 63)
        while true {
            while word != 0 {
                guard try body(index << 6 | word.trailingZeroBitCount) else { return }
                word &= word &- 1
            }
            index &+= 1
            guard index < bits.count else { return }
            word = bits[index]
        }
    }
}
