// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Turns the inside of a checked JSON string into UTF-8.
enum JSONUnescaper {
    /// Appends the text of `body`, a string without its quotes that a scanner has accepted.
    static func append(_ body: RawSpan, to out: inout [UInt8]) {
        var offset = 0
        while offset < body.byteCount {
            let plain = backslash(in: body, from: offset)
            if plain > offset { out.append(bytes: body.extracting(offset..<plain)) }
            offset = plain
            guard offset < body.byteCount else { return }
            let (scalar, length) = scalar(in: body, at: offset)
            offset += length
            UTF8.encode(scalar).map { out.append(contentsOf: $0) }
        }
    }

    /// Whether the text of `body` is `text`. Allocates nothing.
    static func compare(_ body: RawSpan, to text: RawSpan) -> Bool {
        var offset = 0
        var position = 0
        while offset < body.byteCount {
            if body.byte(at: offset) != ASCII.backslash {
                guard position < text.byteCount, body.byte(at: offset) == text.byte(at: position) else { return false }
                offset += 1
                position += 1
                continue
            }
            let (scalar, length) = scalar(in: body, at: offset)
            offset += length
            for byte in UTF8.encode(scalar) ?? UTF8.EncodedScalar() {
                guard position < text.byteCount, byte == text.byte(at: position) else { return false }
                position += 1
            }
        }
        return position == text.byteCount
    }

    /// The first backslash at or after `start`, or the byte count.
    private static func backslash(in body: RawSpan, from start: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var offset = start
        while body.hasWord(at: offset) {
            let word = body.word(at: offset) ^ (ones &* UInt64(ASCII.backslash))
            let found = (word &- ones) & ~word & (ones &* 0x80)
            if found != 0 { return offset + found.trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < body.byteCount, body.byte(at: offset) != ASCII.backslash { offset += 1 }
        return offset
    }

    /// The scalar of the escape at `offset`, and its number of bytes.
    private static func scalar(in body: RawSpan, at offset: Int) -> (Unicode.Scalar, length: Int) {
        switch body.byte(at: offset + 1) {
        case 0x62: return ("\u{8}", 2)
        case 0x66: return ("\u{C}", 2)
        case 0x6E: return ("\n", 2)
        case 0x72: return ("\r", 2)
        case 0x74: return ("\t", 2)
        case 0x75:
            let high = codeUnit(in: body, at: offset + 2)
            if let scalar = Unicode.Scalar(high) { return (scalar, 6) }
            let low = codeUnit(in: body, at: offset + 8)
            let pair = 0x10000 &+ (high & 0x3FF) << 10 &+ (low & 0x3FF)
            return (Unicode.Scalar(pair) ?? "\u{FFFD}", 12)
        case let plain: return (Unicode.Scalar(plain), 2)
        }
    }

    private static func codeUnit(in body: RawSpan, at offset: Int) -> UInt32 {
        var unit: UInt32 = 0
        for index in 0..<4 { unit = unit << 4 | (ASCII.hexValue(body.byte(at: offset + index)) ?? 0) }
        return unit
    }
}

extension RawSpan {
    /// The length of the well-formed UTF-8 sequence of two to four bytes at `offset`; 0 if there is none.
    ///
    /// Table 3-7 of the Unicode standard, the same as RFC 3629, section 4.
    @inline(__always)
    func multibyteLength(at offset: Int) -> Int {
        let first = byte(at: offset)
        let second = byte(at: offset &+ 1)
        switch first {
        case 0xC2...0xDF:
            return second & 0xC0 == 0x80 ? 2 : 0
        case 0xE0...0xEF:
            let lowest: UInt8 = first == 0xE0 ? 0xA0 : 0x80
            let highest: UInt8 = first == 0xED ? 0x9F : 0xBF
            guard second >= lowest, second <= highest, byte(at: offset &+ 2) & 0xC0 == 0x80 else { return 0 }
            return 3
        case 0xF0...0xF4:
            let lowest: UInt8 = first == 0xF0 ? 0x90 : 0x80
            let highest: UInt8 = first == 0xF4 ? 0x8F : 0xBF
            guard second >= lowest, second <= highest, byte(at: offset &+ 2) & 0xC0 == 0x80,
                byte(at: offset &+ 3) & 0xC0 == 0x80
            else { return 0 }
            return 4
        default:
            return 0
        }
    }
}
