// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// A 64-bit checksum of a section, made block by block (after xxHash's XXH64, four lanes of eight bytes).
///
/// It finds damage, not malice: an attacker who can write the folder can also write the checksum.
public struct Checksum {
    private var lanes: (UInt64, UInt64, UInt64, UInt64)
    private var count: UInt64 = 0
    private var rest: UInt64 = 0

    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9

    init() {
        lanes = (Self.prime1 &+ Self.prime2, Self.prime2, 0, 0 &- Self.prime1)
    }

    /// Adds a block. Every block but the last must be a multiple of `stride` bytes.
    mutating func add(_ block: RawSpan) {
        assert(count % UInt64(Self.stride) == 0)
        count &+= UInt64(block.byteCount)
        var offset = 0
        var (a, b, c, d) = lanes
        while offset &+ Self.stride <= block.byteCount {
            a = Self.round(a, block.u64(at: offset))
            b = Self.round(b, block.u64(at: offset &+ 8))
            c = Self.round(c, block.u64(at: offset &+ 16))
            d = Self.round(d, block.u64(at: offset &+ 24))
            offset &+= Self.stride
        }
        lanes = (a, b, c, d)
        while offset < block.byteCount {
            rest = (rest ^ UInt64(block.byte(at: offset)) &+ 1) &* Self.prime1
            rest = rest &<< 11 | rest &>> 53
            offset &+= 1
        }
    }

    var value: UInt64 {
        var hash = count &* Self.prime3 ^ rest
        for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
            hash = (hash ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime2
        }
        hash = (hash ^ hash &>> 33) &* Self.prime2
        hash = (hash ^ hash &>> 29) &* Self.prime3
        return hash ^ hash &>> 32
    }

    public static func of(_ bytes: RawSpan) -> UInt64 {
        var checksum = Checksum()
        checksum.add(bytes)
        return checksum.value
    }

    /// The size of a block, in bytes.
    static let stride = 32

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        let sum = lane &+ input &* prime2
        return (sum &<< 31 | sum &>> 33) &* prime1
    }
}
