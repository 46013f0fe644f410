// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads that never trap: what lies outside the span is 0 or empty, so that no number in a damaged file can do harm.
extension RawSpan {
    @inline(__always)
    func contains(_ offset: Int, _ count: Int) -> Bool {
        offset >= 0 && count >= 0 && count <= byteCount && offset <= byteCount &- count
    }

    @inline(__always)
    func u8(_ offset: Int) -> UInt8 {
        guard contains(offset, 1) else { return 0 }
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    @inline(__always)
    func u16(_ offset: Int) -> UInt16 {
        guard contains(offset, 2) else { return 0 }
        return unsafe UInt16(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
    }

    @inline(__always)
    func u32(_ offset: Int) -> UInt32 {
        guard contains(offset, 4) else { return 0 }
        return unsafe UInt32(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
    }

    @inline(__always)
    func u64(_ offset: Int) -> UInt64 {
        guard contains(offset, 8) else { return 0 }
        return unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// `count` bytes from `offset`; empty where they are not all inside.
    @inline(__always)
    @_lifetime(copy self)
    func part(_ offset: Int, _ count: Int) -> RawSpan {
        guard contains(offset, count) else { return extracting(0..<0) }
        return unsafe extracting(unchecked: offset..<offset &+ count)
    }

    @inline(__always)
    @_lifetime(copy self)
    func part(_ range: Range<Int>) -> RawSpan { part(range.lowerBound, range.count) }

    /// The first eight bytes from `offset` as a number that orders like them; zeros where the span ends.
    @inline(__always)
    func bigEndianWord(_ offset: Int) -> UInt64 {
        if contains(offset, 8) {
            return unsafe UInt64(bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
        }
        var word: UInt64 = 0
        for index in 0..<8 { word = word << 8 | UInt64(u8(offset &+ index)) }
        return word
    }

    /// Negative, 0 or positive as the bytes order before, like or after those of `other`; a beginning comes first.
    @inline(__always)
    func compare(_ other: RawSpan) -> Int {
        let common = min(byteCount, other.byteCount)
        let order = unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right -> Int32 in
                guard common > 0, let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                return unsafe memcmp(left, right, common)
            }
        }
        return order != 0 ? Int(order) : byteCount &- other.byteCount
    }

    @inline(__always)
    func isEqual(_ other: RawSpan) -> Bool {
        byteCount == other.byteCount && compare(other) == 0
    }

    @inline(__always)
    func hasPrefix(_ other: RawSpan) -> Bool {
        byteCount >= other.byteCount && part(0, other.byteCount).compare(other) == 0
    }

    @inline(__always)
    func hasSuffix(_ other: RawSpan) -> Bool {
        byteCount >= other.byteCount && part(byteCount &- other.byteCount, other.byteCount).compare(other) == 0
    }

    /// A copy of the bytes.
    var copied: [UInt8] {
        unsafe withUnsafeBytes { unsafe Array($0) }
    }
}

extension [UInt8] {
    /// The bytes of this array, for as long as it is not changed.
    var raw: RawSpan {
        @_lifetime(borrow self) @inline(__always) get { unsafe span.bytes }
    }

    @inline(__always)
    mutating func append(copying bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }

    mutating func append(littleEndian value: UInt32) {
        unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
    }

    mutating func append(littleEndian value: UInt64) {
        unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
    }
}
