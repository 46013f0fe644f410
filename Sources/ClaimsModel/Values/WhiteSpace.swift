// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// White space of any kind: the characters with Unicode's property White_Space.
enum WhiteSpace {
    static func contains(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Whether `text` is empty or nothing but white space.
    static func fills(_ text: RawSpan) -> Bool {
        var offset = 0
        while offset < text.byteCount {
            let byte = text.byte(at: offset)
            if byte < 0x80 {
                guard byte <= 0x20, contains(UInt32(byte)) else { return false }
                offset &+= 1
            } else {
                let (scalar, length) = Scalar.decode(text, at: offset)
                guard contains(scalar) else { return false }
                offset &+= length
            }
        }
        return true
    }

    /// `text` without the ASCII white space at its ends.
    @_lifetime(copy text)
    static func trimmed(_ text: RawSpan) -> RawSpan {
        var start = 0
        var end = text.byteCount
        while start < end, text.byte(at: start) <= 0x20, contains(UInt32(text.byte(at: start))) { start += 1 }
        while start < end, text.byte(at: end - 1) <= 0x20, contains(UInt32(text.byte(at: end - 1))) { end -= 1 }
        return text.extracting(start..<end)
    }
}
