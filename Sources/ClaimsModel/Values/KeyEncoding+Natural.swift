// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension KeyEncoding {
    /// An id in its natural order: runs of ASCII digits compare as numbers of any length, equal numbers by fewer
    /// digits first, all else by bytes. A total order: only equal ids have equal keys.
    ///
    /// A run becomes a byte in the place of the digits that says how many digits the number has without leading
    /// zeros (0x30 to 0x38: 0 to 8; 0x39: 9 and a count), these digits, and the count of leading zeros.
    public static func natural(_ id: RawSpan, into out: inout [UInt8]) {
        // The longest key is that of single digits between other bytes: three bytes for each digit.
        out.append(upTo: id.byteCount * 3) { put(natural: id, to: &$0) }
    }

    @inline(__always)
    private static func put(natural id: RawSpan, to cursor: inout ByteCursor) {
        var offset = 0
        var plain = 0
        while offset < id.byteCount {
            guard isDigit(id.byte(at: offset)) else {
                offset &+= 1
                continue
            }
            if plain < offset { cursor.put(id.extracting(plain..<offset)) }
            let start = offset
            while id.byte(at: offset) == 0x30 { offset &+= 1 }
            let significant = offset
            while isDigit(id.byte(at: offset)) { offset &+= 1 }
            let count = offset &- significant
            cursor.put(UInt8(truncatingIfNeeded: 0x30 &+ min(count, 9)))
            if count >= 9 { put(count: count &- 9, to: &cursor) }
            if count > 0 { cursor.put(id.extracting(significant..<offset)) }
            put(count: significant &- start, to: &cursor)
            plain = offset
        }
        if plain < offset { cursor.put(id.extracting(plain..<offset)) }
    }

    public static func natural(_ id: String) -> [UInt8] {
        var key: [UInt8] = []
        natural(Array(id.utf8).rawSpan, into: &key)
        return key
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
