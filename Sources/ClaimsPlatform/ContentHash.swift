// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A running 128-bit hash of content: SipHash-1-3 with its 128-bit output, under one fixed key.
///
/// It decides whether bytes are the ones that were seen before, so its value may be stored and compared later and by
/// other builds: neither key nor construction ever changes. Two different contents agree by chance once in 2^128 pairs.
/// The key is no secret, so it is no proof against somebody who searches for collisions; whoever sends both contents
/// gains nothing from that. One pass, no memory of its own.
///
/// Aumasson, Bernstein: SipHash, a fast short-input PRF (2012), with the 128-bit output of its reference code.
public struct ContentHash: Sendable {
    /// A finished hash.
    public struct Digest: Hashable, Sendable {
        public let low: UInt64
        public let high: UInt64

        public init(low: UInt64, high: UInt64) {
            self.low = low
            self.high = high
        }

        /// The 16 bytes of `stored`, or `nil` if it has another length.
        public init?(_ stored: RawSpan) {
            guard stored.byteCount == 16 else { return nil }
            low = unsafe UInt64(littleEndian: stored.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
            high = unsafe UInt64(littleEndian: stored.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }

        /// The 16 bytes to store, in the order of the reference code.
        public var bytes: [UInt8] {
            [low, high].flatMap { word in (0..<8).map { place in UInt8(truncatingIfNeeded: word &>> (8 * place)) } }
        }
    }

    /// The four words of SipHash's state.
    private struct State {
        var v0, v1, v2, v3: UInt64

        @inline(__always)
        mutating func round() {
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

        @inline(__always)
        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            v0 ^= word
        }

        mutating func output(_ mark: UInt64) -> UInt64 {
            if mark == 0xee { v2 ^= mark } else { v1 ^= mark }
            round()
            round()
            round()
            return v0 ^ v1 ^ v2 ^ v3
        }
    }

    private var state: State
    /// The bytes since the last whole word, the first in the lowest place.
    private var rest: UInt64 = 0
    /// How many bytes were taken in; only the lowest eight bits count.
    private var count: UInt64 = 0

    public init() {
        self.init(key: (0x2e64_736d_6961_6c63, 0x3174_6e65_746e_6f63))  // "claimsd.content1"
    }

    init(key: (UInt64, UInt64)) {
        state = State(
            v0: 0x736f_6d65_7073_6575 ^ key.0, v1: 0x646f_7261_6e64_6f6d ^ key.1 ^ 0xee,
            v2: 0x6c79_6765_6e65_7261 ^ key.0, v3: 0x7465_6462_7974_6573 ^ key.1)
    }

    /// The hash of `bytes` alone.
    public static func digest(of bytes: RawSpan) -> Digest {
        var hash = ContentHash()
        hash.update(bytes)
        return hash.digest
    }

    /// Takes in `bytes`; how content is cut into calls makes no difference.
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
            unsafe bytes.withUnsafeBytes { buffer in
                var position = start
                while position < offset {
                    let word = unsafe buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                    state.absorb(UInt64(littleEndian: word))
                    position &+= 8
                }
            }
            self.state = state
            count &+= UInt64(offset - start)
        }
        while offset < length {
            append(bytes.byte(at: offset))
            offset += 1
        }
    }

    /// The hash of all that was taken in so far; more may follow.
    public var digest: Digest {
        var final = state
        final.absorb(rest | count &<< 56)
        let low = final.output(0xee)
        return Digest(low: low, high: final.output(0xdd))
    }

    private mutating func append(_ byte: UInt8) {
        rest |= UInt64(byte) &<< (8 * (count & 7))
        count &+= 1
        if count & 7 == 0 {
            state.absorb(rest)
            rest = 0
        }
    }
}

extension RawSpan {
    fileprivate func byte(at offset: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
