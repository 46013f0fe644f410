// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One to three bytes in a row, as a number that tells their count too.
///
/// So short a pattern is in very many words. For those that would take long to put together from the words' posting
/// lists, a snapshot has lists of their own.
enum Gram {
    static let longest = 3
    /// Snapshots of fewer rows have none: their lists are short.
    static let rowsMin = 1 << 9
    /// Three bytes are below, two bytes and one are not: a gram's number is below those of the grams in it.
    static let shortMin: UInt32 = 1 << 24
    /// One byte is not below.
    static let singleMin: UInt32 = shortMin + (1 << 16)
    /// How many numbers of one and two bytes there are.
    static let shortCount = (1 << 16) + (1 << 8)

    /// The number of `count` bytes from `offset` on.
    @inline(__always)
    static func number(_ bytes: RawSpan, at offset: Int, count: Int) -> UInt32 {
        switch count {
        case 1: UInt32(bytes.u8(offset)) + singleMin
        case 2: UInt32(bytes.u16(offset)) + shortMin
        default: UInt32(bytes.u16(offset)) | UInt32(bytes.u8(offset &+ 2)) << 16
        }
    }

    /// How many bytes a gram has.
    static func length(_ number: UInt32) -> Int { number < shortMin ? 3 : number < singleMin ? 2 : 1 }

    /// The two grams of one byte less that are in a longer one.
    static func parts(_ number: UInt32) -> (UInt32, UInt32) {
        length(number) == 3
            ? ((number & 0xFFFF) + shortMin, (number >> 8) + shortMin)
            : (((number - shortMin) & 0xFF) + singleMin, ((number - shortMin) >> 8) + singleMin)
    }

    /// Calls `body` with the number of each gram of a word and where it is; one that is in it twice comes twice.
    @inline(__always)
    static func forEach(in word: RawSpan, _ body: (UInt32, Int) -> Void) {
        for offset in 0..<word.byteCount {
            let left = word.byteCount &- offset
            body(number(word, at: offset, count: 1), offset)
            if left >= 2 { body(number(word, at: offset, count: 2), offset) }
            if left >= 3 { body(number(word, at: offset, count: 3), offset) }
        }
    }
}
