// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Where one term of a text ends and the next begins: the last two bytes of the one and the first two of the other,
/// each hashed into a class.
///
/// A phrase needs certain word boundaries. Far fewer rows have these than have the terms, where the terms are frequent.
struct WordBoundary {
    /// How many classes the ends of terms have, and their beginnings; a power of two.
    let classes: Int

    /// For so many rows.
    init(rows: Int) {
        var classes = 16
        while classes * classes < rows / 4 { classes *= 2 }
        self.classes = classes
    }

    /// Of lists with so many keys; nil if that is not what a word boundary has.
    init?(keys: Int) {
        guard keys > 0, keys & (keys - 1) == 0, keys.trailingZeroBitCount & 1 == 0 else { return nil }
        classes = 1 << (keys.trailingZeroBitCount / 2)
    }

    var keys: Int { classes * classes }

    @inline(__always)
    func key(_ ending: Int, _ beginning: Int) -> Int { ending &* classes &+ beginning }

    func ending(of term: RawSpan) -> Int {
        let count = term.byteCount
        guard count > 1 else { return hashed(count == 1 ? UInt32(term.byte(at: 0)) : 0) }
        return hashed(UInt32(term.u16(at: count - 2)))
    }

    func beginning(of term: RawSpan) -> Int {
        let count = term.byteCount
        guard count > 1 else { return hashed(count == 1 ? UInt32(term.byte(at: 0)) : 0) }
        return hashed(UInt32(term.u16(at: 0)))
    }

    private func hashed(_ bytes: UInt32) -> Int {
        Int((bytes &* 0x9E37_79B1) >> 16) & (classes &- 1)
    }
}

/// Looks for single bytes, eight at a time.
enum ByteScan {
    /// The offset of the first space at or after `offset`; the span's end where there is none.
    @inline(__always)
    static func space(in bytes: RawSpan, from offset: Int) -> Int {
        var offset = offset
        while offset &+ 8 <= bytes.byteCount {
            let found = spaces(bytes.u64(at: offset))
            if found != 0 { return offset &+ found.trailingZeroBitCount >> 3 }
            offset &+= 8
        }
        while offset < bytes.byteCount, bytes.byte(at: offset) != 0x20 { offset &+= 1 }
        return offset
    }

    /// The highest bit of the first byte that is a space, and perhaps of later bytes; 0 where none is.
    @inline(__always)
    static func spaces(_ word: UInt64) -> UInt64 {
        let difference = word ^ 0x2020_2020_2020_2020
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }
}
