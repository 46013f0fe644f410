// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Unicode scalars in UTF-8 (RFC 3629).
enum Scalar {
    /// The scalar at `offset` and its length in bytes; U+FFFD and 1 for a byte that begins none.
    static func decode(_ text: RawSpan, at offset: Int) -> (scalar: UInt32, length: Int) {
        let first = UInt32(text.byte(at: offset))
        let length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        guard length > 1 else { return length == 1 ? (first, 1) : (0xFFFD, 1) }
        var scalar = first & (0x7F >> UInt32(length))
        for index in 1..<length {
            // Outside the span there are zeros, which continue nothing.
            let byte = UInt32(text.byte(at: offset + index))
            guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
            scalar = scalar << 6 | byte & 0x3F
        }
        let smallest: UInt32 = length == 3 ? 0x800 : length == 4 ? 0x10000 : 0x80
        guard scalar >= smallest, Unicode.Scalar(scalar) != nil else { return (0xFFFD, 1) }
        return (scalar, length)
    }

    static func append(_ scalar: UInt32, to out: inout [UInt8]) {
        guard scalar >= 0x80 else { return out.append(UInt8(truncatingIfNeeded: scalar)) }
        let length: UInt32 = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
        out.append(UInt8(truncatingIfNeeded: 0xF00 >> length | scalar >> (6 * (length - 1))))
        for index in (0..<length - 1).reversed() {
            out.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> (6 * index) & 0x3F))
        }
    }
}
