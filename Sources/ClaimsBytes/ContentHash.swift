// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A running 128-bit hash of content: SipHash-1-3 with its 128-bit output, under one fixed key.
///
/// It decides whether bytes are the ones that were seen before. Its value may be stored and compared later and by
/// other builds: neither key nor construction ever changes. Two different contents agree by chance once in 2^128 pairs.
/// The key is no secret, so the hash does not resist a search for collisions; a source that sends both
/// contents gains nothing from that. One pass, no memory of its own.
///
/// Aumasson, Bernstein: SipHash, a fast short-input PRF (2012), with the 128-bit output of its reference code.
public struct ContentHash: Sendable {
    /// A finished hash: 128 bits that may be compared, stored and used as a key.
    public struct Digest: Hashable, Sendable {
        /// The first eight bytes of the digest, read as a little-endian number.
        public let low: UInt64
        /// The last eight bytes of the digest, read as a little-endian number.
        public let high: UInt64

        public init(low: UInt64, high: UInt64) {
            self.low = low
            self.high = high
        }

        /// Reads a digest that was stored as ``bytes``; nil unless `stored` has exactly 16 bytes.
        public init?(_ stored: RawSpan) {
            guard stored.byteCount == 16 else { return nil }
            low = stored.u64(at: 0)
            high = stored.u64(at: 8)
        }

        /// The 16 bytes to store, in the order of the reference code: ``low``, then ``high``, each little-endian.
        public var bytes: [UInt8] {
            [low, high].flatMap { word in (0..<8).map { index in UInt8(truncatingIfNeeded: word &>> (8 * index)) } }
        }
    }

    private var state: SipState
    /// The bytes since the last whole word, the first of them the least significant.
    private var rest: UInt64 = 0
    /// The number of bytes so far; only the lowest eight bits count.
    private var count: UInt64 = 0

    /// A hash that has taken in no bytes.
    public init() {
        self.init(key: (0x2e64_736d_6961_6c63, 0x3174_6e65_746e_6f63))  // "claimsd.content1"
    }

    init(key: (UInt64, UInt64)) {
        state = SipState(key0: key.0, key1: key.1)
        state.v1 ^= 0xee
    }

    /// The digest of `bytes` alone, the same as one ``update(_:)`` on a new hash gives.
    public static func digest(of bytes: RawSpan) -> Digest {
        var hash = ContentHash()
        hash.update(bytes)
        return hash.digest
    }

    /// Adds `bytes`. The division of the content into calls does not change the digest.
    public mutating func update(_ bytes: RawSpan) {
        let length = bytes.byteCount
        var offset = 0
        while count & 7 != 0, offset < length {
            append(bytes.byte(at: offset))
            offset += 1
        }
        if offset + 8 <= length {
            var state = self.state
            let start = offset
            offset = length - (length - offset) & 7
            var position = start
            while position < offset {
                // `offset` is a multiple of eight bytes behind `start`, and inside.
                state.absorb(bytes.word(at: position), rounds: 1)
                position &+= 8
            }
            self.state = state
            count &+= UInt64(offset - start)
        }
        while offset < length {
            append(bytes.byte(at: offset))
            offset += 1
        }
    }

    /// The digest of all bytes taken in so far. The hash stays usable, and more bytes may follow.
    public var digest: Digest {
        var final = state
        final.absorb(rest | count &<< 56, rounds: 1)
        final.v2 ^= 0xee
        let low = final.output(rounds: 3)
        final.v1 ^= 0xdd
        return Digest(low: low, high: final.output(rounds: 3))
    }

    private mutating func append(_ byte: UInt8) {
        rest |= UInt64(byte) &<< (8 * (count & 7))
        count &+= 1
        if count & 7 == 0 {
            state.absorb(rest, rounds: 1)
            rest = 0
        }
    }
}
