// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// SipHash-2-4 with a key of 128 bits: a tag of 64 bits that only holders of the key can make.
///
/// Aumasson, Bernstein: SipHash, a fast short-input PRF (2012).
///
/// ```swift
/// let hash = SipHash(key0: secret.0, key1: secret.1)
/// let isOurs = hash.tag(payload) == tag
/// ```
public struct SipHash: Sendable {
    private let key0: UInt64
    private let key1: UInt64

    /// A hash under one secret key of 128 bits.
    ///
    /// - Parameters:
    ///   - key0: The first eight bytes of the key, as a little-endian number.
    ///   - key1: The last eight bytes of the key, as a little-endian number.
    public init(key0: UInt64, key1: UInt64) {
        self.key0 = key0
        self.key1 = key1
    }

    /// The 64-bit tag of the bytes under this key.
    public func tag(_ bytes: [UInt8]) -> UInt64 { tag(bytes.rawSpan) }

    /// The 64-bit tag of the bytes under this key.
    ///
    /// The function is not generic, because a generic one is not specialised in other modules.
    public func tag(_ bytes: RawSpan) -> UInt64 {
        var state = SipState(key0: key0, key1: key1)
        var word: UInt64 = 0
        var filled: UInt64 = 0
        for offset in 0..<bytes.byteCount {
            word |= UInt64(bytes.byte(at: offset)) << (8 * (filled & 7))
            filled += 1
            if filled & 7 == 0 {
                state.absorb(word, rounds: 2)
                word = 0
            }
        }
        state.absorb(word | filled << 56, rounds: 2)
        state.v2 ^= 0xff
        return state.output(rounds: 4)
    }
}

/// The four words of SipHash's state, which ``SipHash`` and ``ContentHash`` share.
struct SipState: Sendable {
    var v0, v1, v2, v3: UInt64

    init(key0: UInt64, key1: UInt64) {
        v0 = key0 ^ 0x736f_6d65_7073_6575
        v1 = key1 ^ 0x646f_7261_6e64_6f6d
        v2 = key0 ^ 0x6c79_6765_6e65_7261
        v3 = key1 ^ 0x7465_6462_7974_6573
    }

    /// Adds eight bytes of the message.
    @inline(__always)
    mutating func absorb(_ word: UInt64, rounds: Int) {
        v3 ^= word
        for _ in 0..<rounds { round() }
        v0 ^= word
    }

    /// Eight bytes of the hash, after the mark of the variant has been put in.
    mutating func output(rounds: Int) -> UInt64 {
        for _ in 0..<rounds { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    @inline(__always)
    private mutating func round() {
        v0 &+= v1
        v2 &+= v3
        v1 = (v1 &<< 13 | v1 &>> 51) ^ v0
        v3 = (v3 &<< 16 | v3 &>> 48) ^ v2
        v0 = v0 &<< 32 | v0 &>> 32
        v2 &+= v1
        v0 &+= v3
        v1 = (v1 &<< 17 | v1 &>> 47) ^ v2
        v3 = (v3 &<< 21 | v3 &>> 43) ^ v0
        v2 = v2 &<< 32 | v2 &>> 32
    }
}
