// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CBits
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

    // `CBits` reads and writes no more words than both bitmaps have.

    static func count(_ bits: [UInt64]) -> Int {
        unsafe bits.withUnsafeBufferPointer { unsafe bits_count($0.baseAddress, $0.count) }
    }

    static func intersect(_ bits: inout [UInt64], _ other: [UInt64]) {
        let common = min(bits.count, other.count)
        unsafe bits.withUnsafeMutableBufferPointer { bits in
            unsafe other.withUnsafeBytes { unsafe bits_intersect(bits.baseAddress, $0.baseAddress, common) }
        }
        for index in common..<bits.count { bits[index] = 0 }
    }

    static func unite(_ bits: inout [UInt64], _ other: [UInt64]) {
        let common = min(bits.count, other.count)
        unsafe bits.withUnsafeMutableBufferPointer { bits in
            unsafe other.withUnsafeBytes { unsafe bits_unite(bits.baseAddress, $0.baseAddress, common) }
        }
    }

    static func subtract(_ bits: inout [UInt64], _ other: [UInt64]) {
        let common = min(bits.count, other.count)
        unsafe bits.withUnsafeMutableBufferPointer { bits in
            unsafe other.withUnsafeBytes { unsafe bits_subtract(bits.baseAddress, $0.baseAddress, common) }
        }
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
        var words = bits.mutableSpan
        unite(&words, from: 0, source)
    }

    /// Adds the words of `source` to those from `first` on; words that lie behind the last one are left out.
    static func unite(_ words: inout MutableSpan<UInt64>, from first: Int, _ source: RawSpan) {
        guard first >= 0, first < words.count else { return }
        let common = min(words.count &- first, source.byteCount / 8)
        unsafe words.withUnsafeMutableBufferPointer { words in
            unsafe source.withUnsafeBytes { source in
                unsafe bits_unite(words.baseAddress.map { unsafe $0 + first }, source.baseAddress, common)
            }
        }
    }

    /// The number of rows that it shares with a bitmap that begins at byte `offset` of the file.
    static func countCommon(_ bits: [UInt64], _ bytes: RawSpan, at offset: Int) -> Int {
        let source = bytes.part(offset, bits.count * 8)
        return source.byteCount == bits.count * 8 ? countCommon(bits, from: 0, source) : 0
    }

    /// The number of bits that the words from `first` on share with the words of `source`.
    static func countCommon(_ bits: [UInt64], from first: Int, _ source: RawSpan) -> Int {
        guard first >= 0, first < bits.count else { return 0 }
        let common = min(bits.count &- first, source.byteCount / 8)
        return unsafe bits.withUnsafeBufferPointer { words in
            unsafe source.withUnsafeBytes { source in
                unsafe bits_count_common(words.baseAddress.map { unsafe $0 + first }, source.baseAddress, common)
            }
        }
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
