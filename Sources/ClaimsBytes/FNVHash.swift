// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A 64-bit hash that is the same in every process and version, for values that are stored or shown.
///
/// FNV-1a (RFC 9923). Numbers and texts are added as self-delimiting pieces, so that no two sequences of them run into
/// one another. The hash distinguishes values; it does not resist a search for collisions.
///
/// ```swift
/// var hash = FNVHash()
/// hash.add("status")
/// hash.add(3)
/// store(hash.value)
/// ```
public struct FNVHash: Sendable {
    /// The 64-bit hash of everything added so far; the FNV offset basis before that.
    public var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// A hash to which nothing was added.
    @inlinable
    @inline(__always)
    public init() {}

    /// Adds one byte, without a length before it.
    @inlinable
    @inline(__always)
    public mutating func add(byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    /// Adds a number as eight bytes, the least significant first.
    @inlinable
    public mutating func add(_ number: Int) {
        let word = UInt64(bitPattern: Int64(number))
        for shift in stride(from: UInt64(0), to: 64, by: 8) { add(byte: UInt8(truncatingIfNeeded: word >> shift)) }
    }

    /// Adds the number of bytes, as eight bytes, and then the bytes.
    @inlinable
    public mutating func add(_ bytes: some Collection<UInt8>) {
        add(bytes.count)
        for byte in bytes { add(byte: byte) }
    }

    /// Adds the length of the text's UTF-8 in bytes, as eight bytes, and then that UTF-8.
    @inlinable
    public mutating func add(_ text: String) { add(text.utf8) }
}
