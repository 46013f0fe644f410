// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A running SHA-256 (FIPS 180-4): the name of a file's content, the same everywhere.
///
/// ```swift
/// var hash = SHA256()
/// hash.update(firstPart)
/// hash.update(secondPart)
/// let name = hash.hexadecimal
/// ```
public struct SHA256: Sendable {
    /// The size of a block in bytes.
    private static let blockSize = 64

    private var state = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
    /// The bytes since the last whole block.
    private var rest: [UInt8] = []
    /// The number of bytes so far.
    private var count: UInt64 = 0

    /// A hash that has taken in no bytes.
    public init() {}

    /// The digest of `bytes` alone, in lower-case hexadecimal.
    public static func hexadecimal(of bytes: RawSpan) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.hexadecimal
    }

    /// Adds `bytes`. The division of the content into parts does not change the digest.
    public mutating func update(_ bytes: RawSpan) {
        count &+= UInt64(bytes.byteCount)
        var start = 0
        if !rest.isEmpty {
            start = min(Self.blockSize - rest.count, bytes.byteCount)
            rest.append(bytes: bytes.part(0, start))
            guard rest.count == Self.blockSize else { return }
            let block = rest
            rest = []
            Self.compress(block.rawSpan, into: &state)
        }
        while bytes.byteCount - start >= Self.blockSize {
            Self.compress(bytes.part(start, Self.blockSize), into: &state)
            start += Self.blockSize
        }
        rest.append(bytes: bytes.part(start..<bytes.byteCount))
    }

    /// The 32 bytes of the digest of everything so far; more may follow.
    public var digest: [UInt8] {
        let words = finished(rest.rawSpan, in: state, count: count)
        return (0..<8).flatMap { index in
            (0..<4).map { byte in UInt8(truncatingIfNeeded: words[index] >> UInt32(24 - 8 * byte)) }
        }
    }

    /// The eight words of the digest of everything so far and of `bytes` after it.
    ///
    /// Nothing is allocated if all before were whole blocks, as it is with the key of an HMAC.
    public func words(adding bytes: RawSpan) -> SIMD8<UInt32> {
        guard rest.isEmpty else {
            var last = self
            last.update(bytes)
            return finished(last.rest.rawSpan, in: last.state, count: last.count)
        }
        var (state, start) = (state, 0)
        while bytes.byteCount - start >= Self.blockSize {
            Self.compress(bytes.part(start, Self.blockSize), into: &state)
            start += Self.blockSize
        }
        return finished(bytes.part(start..<bytes.byteCount), in: state, count: count &+ UInt64(bytes.byteCount))
    }

    /// The eight words of the digest of everything so far, in whole blocks, and of another digest after it.
    public func words(adding digest: SIMD8<UInt32>) -> SIMD8<UInt32> {
        var block = InlineArray<16, UInt32>(repeating: 0)
        for index in 0..<8 { block[index] = digest[index] }
        block[8] = 0x8000_0000
        let bits = (count &+ 32) &* 8
        block[14] = UInt32(truncatingIfNeeded: bits >> 32)
        block[15] = UInt32(truncatingIfNeeded: bits)
        var state = state
        Self.compress(block, into: &state)
        return state
    }

    /// The words of the digest once the last bytes, fewer than a block, are padded (FIPS 180-4, section 5.1.1).
    ///
    /// - Parameter count: the number of all bytes.
    private func finished(_ last: RawSpan, in state: SIMD8<UInt32>, count: UInt64) -> SIMD8<UInt32> {
        let size = last.byteCount < Self.blockSize - 8 ? Self.blockSize : 2 * Self.blockSize
        var state = state
        for start in stride(from: 0, to: size, by: Self.blockSize) {
            var block = InlineArray<16, UInt32>(repeating: 0)
            // Outside of the bytes there are zeros.
            for index in 0..<16 { block[index] = last.u32(padded: start + 4 * index) }
            if start == last.byteCount / Self.blockSize * Self.blockSize {
                let word = last.byteCount % Self.blockSize / 4
                block[word] |= 0x80 << UInt32(24 - 8 * (last.byteCount % 4))
            }
            if start + Self.blockSize == size {
                block[14] = UInt32(truncatingIfNeeded: count &* 8 >> 32)
                block[15] = UInt32(truncatingIfNeeded: count &* 8)
            }
            Self.compress(block, into: &state)
        }
        return state
    }

    /// The digest in lower-case hexadecimal: 64 characters.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest.flatMap { byte in [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }, as: UTF8.self)
    }

    /// Processes one block (FIPS 180-4, section 6.2.2).
    private static func compress(_ block: RawSpan, into state: inout SIMD8<UInt32>) {
        var words = InlineArray<16, UInt32>(repeating: 0)
        for index in 0..<16 { words[index] = block.u32(at: 4 &* index).byteSwapped }
        compress(words, into: &state)
    }

    private static func compress(_ block: InlineArray<16, UInt32>, into state: inout SIMD8<UInt32>) {
        // The message schedule: only its last sixteen words are needed at a time.
        var words = block
        let constants = constants
        var a = state[0], b = state[1], c = state[2], d = state[3]
        var e = state[4], f = state[5], g = state[6], h = state[7]
        @inline(__always)
        func advance(
            _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32,
            _ h: inout UInt32, _ round: Int
        ) {
            let choice = g ^ (e & (f ^ g))
            let majority = (a & b) | (c & (a | b))
            h =
                h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constants[round]
                &+ words[round & 15]
            d = d &+ h
            h = h &+ (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
        }
        // Eight rounds at a time: the variables change roles and are not moved, which takes two thirds of the time.
        for start in stride(from: 0, to: 64, by: 8) {
            if start >= 16, start % 16 == 0 {
                for index in 0..<16 {
                    let early = words[(index &+ 1) & 15], late = words[(index &+ 14) & 15]
                    words[index] =
                        words[index] &+ (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3)
                        &+ words[(index &+ 9) & 15] &+ (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10)
                }
            }
            advance(a, b, c, &d, e, f, g, &h, start)
            advance(h, a, b, &c, d, e, f, &g, start &+ 1)
            advance(g, h, a, &b, c, d, e, &f, start &+ 2)
            advance(f, g, h, &a, b, c, d, &e, start &+ 3)
            advance(e, f, g, &h, a, b, c, &d, start &+ 4)
            advance(d, e, f, &g, h, a, b, &c, start &+ 5)
            advance(c, d, e, &f, g, h, a, &b, start &+ 6)
            advance(b, c, d, &e, f, g, h, &a, start &+ 7)
        }
        state = state &+ SIMD8(a, b, c, d, e, f, g, h)
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 &- count) }

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes (section 4.2.2).
    private static let constants: InlineArray<64, UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension RawSpan {
    /// The four bytes from `offset` on as a big-endian number, with zeros for those outside.
    fileprivate func u32(padded offset: Int) -> UInt32 {
        if offset &+ 4 <= byteCount { return u32(at: offset).byteSwapped }
        var word: UInt32 = 0
        for index in 0..<4 { word = word << 8 | UInt32(byte(at: offset &+ index)) }
        return word
    }
}
