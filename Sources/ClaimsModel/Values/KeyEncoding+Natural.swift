// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension KeyEncoding {
    /// An id in its natural order: runs of ASCII digits compare as numbers of any length, equal numbers by fewer
    /// digits first, all else by bytes. A total order: only equal ids have equal keys.
    ///
    /// A run becomes a byte in the place of the digits that says how many digits the number has without leading
    /// zeros (0x30 to 0x38: 0 to 8; 0x39: 9 and a count), these digits, and the count of leading zeros.
    package static func natural(_ id: RawSpan, into out: inout [UInt8]) {
        var offset = 0
        var plain = 0
        while offset < id.byteCount {
            guard isDigit(id.byte(at: offset)) else {
                offset &+= 1
                continue
            }
            if plain < offset { out.append(bytes: id.extracting(plain..<offset)) }
            let start = offset
            while id.byte(at: offset) == 0x30 { offset &+= 1 }
            let significant = offset
            while isDigit(id.byte(at: offset)) { offset &+= 1 }
            let count = offset - significant
            if count < 9 {
                out.append(UInt8(truncatingIfNeeded: 0x30 + count))
            } else {
                out.append(0x39)
                appendCount(count - 9, to: &out)
            }
            if count > 0 { out.append(bytes: id.extracting(significant..<offset)) }
            appendCount(significant - start, to: &out)
            plain = offset
        }
        if plain < offset { out.append(bytes: id.extracting(plain..<offset)) }
    }

    package static func natural(_ id: String) -> [UInt8] {
        var key: [UInt8] = []
        natural(Array(id.utf8).rawSpan, into: &key)
        return key
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
