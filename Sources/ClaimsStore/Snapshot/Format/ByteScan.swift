// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Looks for single bytes, eight at a time.
enum ByteScan {
    /// The offset of the first space at or after `offset`; the span's end where there is none.
    @inline(__always)
    static func space(in bytes: RawSpan, from offset: Int) -> Int {
        var offset = offset
        while offset &+ 8 <= bytes.byteCount {
            let found = spaces(bytes.u64(offset))
            if found != 0 { return offset &+ found.trailingZeroBitCount >> 3 }
            offset &+= 8
        }
        while offset < bytes.byteCount, bytes.u8(offset) != 0x20 { offset &+= 1 }
        return offset
    }

    /// The highest bit of the first byte that is a space, and perhaps of later bytes; 0 where none is.
    @inline(__always)
    static func spaces(_ word: UInt64) -> UInt64 {
        let difference = word ^ 0x2020_2020_2020_2020
        return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
    }
}
