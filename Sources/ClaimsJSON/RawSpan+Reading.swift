// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The only unchecked reads of this module. Each states why it stays inside the span.
extension RawSpan {
    /// The byte at `offset`; 0 for any offset outside the span.
    ///
    /// No JSON token holds or follows a zero byte, so a reader needs no end check of its own: it meets a byte that
    /// it cannot accept and asks only then whether the bytes have ended.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        // One unsigned comparison refuses negative offsets too; what passes it is inside.
        guard UInt(bitPattern: offset) < UInt(bitPattern: byteCount) else { return 0 }
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// Whether `word(at:)` may be asked at `offset`, which must not be negative.
    @inline(__always)
    func hasWord(at offset: Int) -> Bool { offset <= byteCount &- 8 }

    /// Eight bytes, the first of them the least significant. Only where `hasWord(at:)` holds.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        assert(offset >= 0 && hasWord(at: offset))
        // `hasWord` has been asked: offset...offset + 7 are inside.
        return unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// Whether the bytes from `offset` on begin with `expected`.
    @inline(__always)
    func matches(_ expected: StaticString, at offset: Int) -> Bool {
        let length = expected.utf8CodeUnitCount
        guard offset >= 0, offset <= byteCount &- length else { return false }
        for index in 0..<length
        where unsafe byte(at: offset &+ index) != expected.utf8Start[index] { return false }
        return true
    }

    /// Whether both hold the same bytes.
    @inline(__always)
    func equals(_ other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        var index = 0
        while hasWord(at: index) {
            // The counts are equal, so what holds for one holds for the other.
            if word(at: index) != other.word(at: index) { return false }
            index &+= 8
        }
        while index < byteCount {
            if byte(at: index) != other.byte(at: index) { return false }
            index &+= 1
        }
        return true
    }
}

extension [UInt8] {
    /// The bytes of the array. Bytes have no padding, which is what makes `Span.bytes` unsafe in general.
    @inlinable
    @inline(__always)
    public var rawSpan: RawSpan {
        @_lifetime(borrow self)
        get { unsafe span.bytes }
    }

    /// Appends all bytes of `bytes`.
    @inline(__always)
    mutating func append(bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { buffer in unsafe append(contentsOf: buffer) }
    }
}
