// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Where one word of a text ends and the next begins: the last two bytes of the one and the first two of the other, each
/// hashed into a class.
///
/// A phrase needs certain junctions. Far fewer rows have these than have the words, where the words are frequent.
struct Junction {
    /// How many classes the ends of words have, and their beginnings; a power of two.
    let classes: Int

    /// For so many rows.
    init(rows: Int) {
        var classes = 16
        while classes * classes < rows / 4 { classes *= 2 }
        self.classes = classes
    }

    /// Of lists with so many keys; nil if that is not what a junction has.
    init?(keys: Int) {
        guard keys > 0, keys & (keys - 1) == 0, keys.trailingZeroBitCount & 1 == 0 else { return nil }
        classes = 1 << (keys.trailingZeroBitCount / 2)
    }

    var keys: Int { classes * classes }

    @inline(__always)
    func key(_ ending: Int, _ beginning: Int) -> Int { ending &* classes &+ beginning }

    func ending(of word: RawSpan) -> Int {
        let count = word.byteCount
        guard count > 1 else { return hashed(count == 1 ? UInt32(word.u8(0)) : 0) }
        return hashed(UInt32(word.u16(count - 2)))
    }

    func beginning(of word: RawSpan) -> Int {
        let count = word.byteCount
        guard count > 1 else { return hashed(count == 1 ? UInt32(word.u8(0)) : 0) }
        return hashed(UInt32(word.u16(0)))
    }

    private func hashed(_ bytes: UInt32) -> Int {
        Int((bytes &* 0x9E37_79B1) >> 16) & (classes &- 1)
    }
}
