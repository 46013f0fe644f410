// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// Comparison of spans with each other, and search for bytes in them.
extension RawSpan {
    /// Whether both spans hold the same bytes and are equally long.
    @inlinable
    @inline(__always)
    public func equals(_ other: RawSpan) -> Bool {
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

    /// Compares the bytes with those of `other`: negative if they order before, 0 if equal, positive if after.
    ///
    /// Bytes are compared unsigned, like memcmp(3); if one span begins with the other, the shorter comes first.
    @inlinable
    @inline(__always)
    public func compare(_ other: RawSpan) -> Int {
        let common = Swift.min(byteCount, other.byteCount)
        let order = unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right -> Int32 in
                // Both have `common` bytes; an empty one may have no address, which memcmp must not be given.
                guard common > 0, let left = left.baseAddress, let right = right.baseAddress else { return 0 }
                return unsafe memcmp(left, right, common)
            }
        }
        return order != 0 ? Int(order) : byteCount &- other.byteCount
    }

    /// Whether the span begins with the bytes of `other`; true for an empty `other`.
    @inlinable
    @inline(__always)
    public func hasPrefix(_ other: RawSpan) -> Bool {
        byteCount >= other.byteCount && part(0, other.byteCount).compare(other) == 0
    }

    /// Whether the span ends with the bytes of `other`; true for an empty `other`.
    @inlinable
    @inline(__always)
    public func hasSuffix(_ other: RawSpan) -> Bool {
        byteCount >= other.byteCount && part(byteCount &- other.byteCount, other.byteCount).compare(other) == 0
    }

    /// Whether the bytes from `offset` on begin with the UTF-8 of `expected`; false if they are not all inside the
    /// span.
    @inlinable
    @inline(__always)
    public func matches(_ expected: StaticString, at offset: Int) -> Bool {
        let length = expected.utf8CodeUnitCount
        guard offset >= 0, offset <= byteCount &- length else { return false }
        for index in 0..<length
        where unsafe byte(at: offset &+ index) != expected.utf8Start[index] { return false }
        return true
    }

    /// The offset of the first `byte` at or after `start`; nil if there is none (memchr(3)).
    @inlinable
    public func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start >= 0, start < byteCount else { return nil }
        // memchr reads only the `count - start` bytes from `start` on.
        return unsafe withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            guard let found = unsafe memchr(base + start, Int32(byte), buffer.count &- start) else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
