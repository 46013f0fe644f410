// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Reading numbers and parts out of bytes that may be damaged.
///
/// One contract holds for all of these: a read never traps, and a read that is not wholly inside the span gives 0 or
/// no bytes. So no number in a damaged file or a hostile request can do harm, and a parser needs no check of its own
/// for the end. Numbers are little-endian unless the name says otherwise; offsets need no alignment.
///
/// ```swift
/// let header = file.part(0, 16)
/// let count = Int(header.u32(at: 4))          // 0 where the header is too short
/// let names = file.part(16, count &* 8)       // empty if they are not all there
/// ```
extension RawSpan {
    /// Whether all `count` bytes from `offset` on are inside the span; false for a negative number.
    @inlinable
    @inline(__always)
    public func contains(_ offset: Int, _ count: Int) -> Bool {
        offset >= 0 && count >= 0 && count <= byteCount && offset <= byteCount &- count
    }

    /// The byte at `offset`; 0 if that is outside the span.
    ///
    /// No JSON token holds or follows a zero byte, so that a reader meets a byte that it cannot accept, and asks only
    /// then whether the bytes have ended.
    @inlinable
    @inline(__always)
    public func byte(at offset: Int) -> UInt8 {
        // One unsigned comparison refuses negative offsets too.
        guard UInt(bitPattern: offset) < UInt(bitPattern: byteCount) else { return 0 }
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// The two bytes from `offset` on as a little-endian number; 0 if they are not both inside.
    @inlinable
    @inline(__always)
    public func u16(at offset: Int) -> UInt16 {
        guard contains(offset, 2) else { return 0 }
        return unsafe UInt16(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
    }

    /// The four bytes from `offset` on as a little-endian number; 0 if they are not all inside.
    @inlinable
    @inline(__always)
    public func u32(at offset: Int) -> UInt32 {
        guard contains(offset, 4) else { return 0 }
        return unsafe UInt32(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
    }

    /// The eight bytes from `offset` on as a little-endian number; 0 if they are not all inside.
    @inlinable
    @inline(__always)
    public func u64(at offset: Int) -> UInt64 {
        guard contains(offset, 8) else { return 0 }
        return unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// The eight bytes from `offset` on as a big-endian number, which orders as the bytes do. Bytes outside the span
    /// count as zeros.
    @inlinable
    @inline(__always)
    public func bigEndianWord(at offset: Int) -> UInt64 {
        if contains(offset, 8) {
            return unsafe UInt64(bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
        }
        var word: UInt64 = 0
        for index in 0..<8 { word = word << 8 | UInt64(byte(at: offset &+ index)) }
        return word
    }

    /// Whether eight bytes at `offset` are inside the span, as ``word(at:)`` requires. `offset` must not be negative.
    @inlinable
    @inline(__always)
    public func hasWord(at offset: Int) -> Bool { offset <= byteCount &- 8 }

    /// The eight bytes from `offset` on as a little-endian number, without the bounds check of ``u64(at:)``.
    ///
    /// The caller must have asked ``hasWord(at:)`` for this offset; otherwise memory outside the span is read.
    @inlinable
    @inline(__always)
    public func word(at offset: Int) -> UInt64 {
        assert(offset >= 0 && hasWord(at: offset))
        // `hasWord` has been asked: offset...offset + 7 are inside.
        return unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// The `count` bytes from `offset` on; an empty span if they are not all inside.
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    public func part(_ offset: Int, _ count: Int) -> RawSpan {
        guard contains(offset, count) else { return extracting(0..<0) }
        return unsafe extracting(unchecked: offset..<offset &+ count)
    }

    /// The bytes at the offsets of `range`; an empty span if they are not all inside.
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    public func part(_ range: Range<Int>) -> RawSpan { part(range.lowerBound, range.count) }

    /// A copy of all bytes of the span.
    @inlinable
    public var array: [UInt8] {
        unsafe withUnsafeBytes { unsafe Array($0) }
    }

    /// The bytes decoded as UTF-8, with U+FFFD in place of each invalid sequence.
    @inlinable
    public var text: String {
        unsafe withUnsafeBytes { buffer in unsafe String(decoding: buffer, as: UTF8.self) }
    }
}

extension [UInt8] {
    /// The bytes of the array, as a span that is valid until the array is changed.
    @inlinable
    @inline(__always)
    public var rawSpan: RawSpan {
        @_lifetime(borrow self)
        // Bytes have no padding, which is what makes `Span.bytes` unsafe in general.
        get { unsafe span.bytes }
    }

    /// Appends a copy of `bytes` at the end.
    @inlinable
    @inline(__always)
    public mutating func append(bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }

    /// Appends the bytes of `value`, least significant first: as many as its type has.
    @inlinable
    @inline(__always)
    public mutating func append(littleEndian value: some FixedWidthInteger & BitwiseCopyable) {
        unsafe Swift.withUnsafeBytes(of: value.littleEndian) { unsafe append(contentsOf: $0) }
    }
}
