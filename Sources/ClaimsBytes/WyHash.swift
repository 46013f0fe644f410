// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A fast hash of bytes under a seed, for tables: products of 64 by 64 bits, folded, after wyhash.
///
/// Give each table a random seed, so that an author of the bytes cannot prepare collisions. The value for a seed
/// never changes: snapshots keep tables that were made with it, together with their seed.
///
/// ```swift
/// let hash = WyHash(seed: .random(in: .min ... .max))
/// let slot = Int(truncatingIfNeeded: hash(name.rawSpan)) & mask
/// ```
public struct WyHash: Sendable {
    @usableFromInline let seed: UInt64

    /// A hash under `seed`, which may be any number. Values are comparable only under the same seed.
    @inlinable
    public init(seed: UInt64) {
        self.seed = seed
    }

    @inlinable @inline(__always)
    static var factor1: UInt64 { 0xA076_1D64_78BD_642F }
    @inlinable @inline(__always)
    static var factor2: UInt64 { 0xE703_7ED1_A0B4_28DB }
    @inlinable @inline(__always)
    static var factor3: UInt64 { 0x8EBC_6AF0_9C88_C6E3 }

    /// The 64-bit hash of `bytes` under the seed.
    @inlinable
    @inline(__always)
    public func callAsFunction(_ bytes: RawSpan) -> UInt64 {
        let (low, high) = wide(bytes)
        return low ^ high
    }

    /// The two words of the last 128-bit product, which ``callAsFunction(_:)`` combines by XOR.
    ///
    /// They derive from one state of 64 bits: two different contents agree about once in 2^64 pairs.
    @inlinable
    @inline(__always)
    public func wide(_ bytes: RawSpan) -> (low: UInt64, high: UInt64) {
        let count = bytes.byteCount
        var hash = seed ^ UInt64(truncatingIfNeeded: count) &* Self.factor1
        if count >= 8 {
            var offset = 0
            while offset &+ 8 < count {
                hash = Self.mix(hash ^ bytes.u64(at: offset), Self.factor2)
                offset &+= 8
            }
            hash = Self.mix(hash ^ bytes.u64(at: count &- 8), Self.factor3)
        } else {
            hash = Self.mix(hash ^ Self.short(bytes), Self.factor3)
        }
        let product = hash.multipliedFullWidth(by: Self.factor1 ^ seed)
        return (product.low, product.high)
    }

    /// Fewer than eight bytes as one number, different for different bytes of one count.
    @inlinable
    @inline(__always)
    static func short(_ bytes: RawSpan) -> UInt64 {
        let count = bytes.byteCount
        if count >= 4 { return UInt64(bytes.u32(at: 0)) << 32 | UInt64(bytes.u32(at: count &- 4)) }
        if count == 0 { return 0 }
        return UInt64(bytes.byte(at: 0)) << 16 | UInt64(bytes.byte(at: count >> 1)) << 8
            | UInt64(bytes.byte(at: count &- 1))
    }

    @inlinable
    @inline(__always)
    static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
