// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What tells words apart, in 96 bits: the bytes of a word of at most 8, otherwise a seeded hash.
///
/// Words of up to 8 bytes have `high` 0, and other words never have; they are told apart exactly. The hash's seed is
/// random in each build.
struct WordKey {
    let low: UInt64
    let high: UInt32

    /// What must follow a text: two of these.
    static let spaces: UInt64 = 0x2020_2020_2020_2020

    init(low: UInt64, high: UInt32) {
        self.low = low
        self.high = high
    }

    /// Reads the word at `offset` of a text with 16 spaces after it, and where the word ends.
    ///
    /// Words of up to 16 bytes take the same steps, whatever their length: it is as hard to predict as the text.
    @inline(__always)
    static func read(_ text: RawSpan, at offset: Int, _ seed: UInt64) -> (key: WordKey, end: Int) {
        let first = text.u64(offset)
        let second = text.u64(offset &+ 8)
        let firstSpaces = ByteScan.spaces(first)
        let secondSpaces = ByteScan.spaces(second)
        guard firstSpaces | secondSpaces != 0 else { return readLong(text, at: offset, seed) }
        let isShort = firstSpaces != 0
        let bits = UInt64((isShort ? firstSpaces : secondSpaces).trailingZeroBitCount) & 0x38
        let mask: UInt64 = (1 &<< bits) &- 1
        let count = Int(bits >> 3) &+ (isShort ? 0 : 8)
        let product = (first ^ seed).multipliedFullWidth(by: second & mask ^ 0xA076_1D64_78BD_642F)
        let isInOne = count <= 8
        return (
            WordKey(
                low: isShort ? first & mask : isInOne ? first : product.low ^ first,
                high: isInOne ? 0 : UInt32(truncatingIfNeeded: product.high) | 1), offset &+ count
        )
    }

    private static func readLong(_ text: RawSpan, at offset: Int, _ seed: UInt64) -> (key: WordKey, end: Int) {
        let end = ByteScan.space(in: text, from: offset)
        let (low, high) = ByteHash(seed: seed).wide(text.part(offset, end &- offset))
        return (WordKey(low: low, high: UInt32(truncatingIfNeeded: high) | 1), end)
    }

    /// A place in a table; `factor` is random and odd, so that nobody upstream can choose words that meet.
    @inline(__always)
    func hash(_ factor: UInt64) -> Int {
        let product = (low ^ UInt64(high) << 13).multipliedFullWidth(by: factor)
        return Int(truncatingIfNeeded: (product.high ^ product.low) >> 2)
    }
}
