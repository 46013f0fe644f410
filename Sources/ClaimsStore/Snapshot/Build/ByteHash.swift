// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A fast seeded hash of bytes (after wyhash: products of 64 by 64 bits, folded).
///
/// The seed is random in each build, so that nobody upstream can prepare collisions.
struct ByteHash: Sendable {
    let seed: UInt64

    private static let factor1: UInt64 = 0xA076_1D64_78BD_642F
    private static let factor2: UInt64 = 0xE703_7ED1_A0B4_28DB
    private static let factor3: UInt64 = 0x8EBC_6AF0_9C88_C6E3

    @inline(__always)
    func callAsFunction(_ bytes: RawSpan) -> UInt64 {
        let (low, high) = wide(bytes)
        return low ^ high
    }

    /// 128 bits.
    @inline(__always)
    func wide(_ bytes: RawSpan) -> (low: UInt64, high: UInt64) {
        let count = bytes.byteCount
        var hash = seed ^ UInt64(truncatingIfNeeded: count) &* Self.factor1
        if count >= 8 {
            var offset = 0
            while offset &+ 8 < count {
                hash = Self.mix(hash ^ bytes.u64(offset), Self.factor2)
                offset &+= 8
            }
            hash = Self.mix(hash ^ bytes.u64(count &- 8), Self.factor3)
        } else {
            hash = Self.mix(hash ^ Self.short(bytes), Self.factor3)
        }
        let product = hash.multipliedFullWidth(by: Self.factor1 ^ seed)
        return (product.low, product.high)
    }

    /// Fewer than eight bytes as one number, different for different bytes of one count.
    @inline(__always)
    private static func short(_ bytes: RawSpan) -> UInt64 {
        let count = bytes.byteCount
        if count >= 4 { return UInt64(bytes.u32(0)) << 32 | UInt64(bytes.u32(count &- 4)) }
        if count == 0 { return 0 }
        return UInt64(bytes.u8(0)) << 16 | UInt64(bytes.u8(count >> 1)) << 8 | UInt64(bytes.u8(count &- 1))
    }

    @inline(__always)
    private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}
