// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Eight characters of ASCII at a time.
enum ASCIIWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The word with its capitals made small; nil if a byte is not ASCII, is a control character, or is a space after
    /// another one.
    @inline(__always)
    static func fold(_ word: UInt64, afterSpace: Bool) -> UInt64? {
        guard word & highBits == 0 else { return nil }
        // All bytes are below 0x80, so a sum of two never carries into the next byte.
        let isPrintable = word &+ ones &* 0x60
        let spaces = spaces(in: word)
        let isDoubled = spaces & (spaces << 8 | (afterSpace ? 0x80 : 0))
        guard ~isPrintable & highBits | isDoubled == 0 else { return nil }
        let capitals = (word &+ ones &* 0x3F) & ~(word &+ ones &* 0x25) & highBits
        return word | capitals >> 2
    }

    @inline(__always)
    static func endsInSpace(_ word: UInt64) -> Bool { word >> 56 == 0x20 }

    /// 0x80 in the place of each space.
    @inline(__always)
    private static func spaces(in word: UInt64) -> UInt64 {
        ~((word ^ ones &* 0x20) &+ ones &* 0x7F) & highBits
    }
}
