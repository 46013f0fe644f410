// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension JSONWriter {
    /// Appends text with what JSON demands escaped, without quotes around it.
    mutating func appendEscaped(_ text: RawSpan) {
        var done = 0
        var offset = 0
        while offset < text.byteCount {
            // Words without anything to escape are stepped over; text that is not ASCII needs no escape either.
            while text.hasWord(at: offset), Self.escapedBytes(text.word(at: offset)) == 0 { offset &+= 8 }
            guard offset < text.byteCount else { break }
            let byte = text.byte(at: offset)
            if byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash {
                bytes.append(bytes: text.extracting(done..<offset))
                appendEscape(byte)
                done = offset + 1
            }
            offset &+= 1
        }
        bytes.append(bytes: text.extracting(done..<text.byteCount))
    }

    /// Not zero if some byte of `word` is a quote, a backslash or a control character.
    @inline(__always)
    private static func escapedBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* UInt64(ASCII.quote))
        let backslashes = word ^ (ones &* UInt64(ASCII.backslash))
        let found =
            ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | ((word &- ones &* 0x20) & ~word)
        return found & (ones &* 0x80)
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(ASCII.backslash)
        switch byte {
        case ASCII.quote, ASCII.backslash: bytes.append(byte)
        case 0x08: bytes.append(0x62)
        case 0x09: bytes.append(0x74)
        case 0x0A: bytes.append(0x6E)
        case 0x0C: bytes.append(0x66)
        case 0x0D: bytes.append(0x72)
        default:
            bytes.append(0x75)
            bytes.append(ASCII.zero)
            bytes.append(ASCII.zero)
            bytes.append(ASCII.zero + byte >> 4)
            bytes.append(byte & 15 < 10 ? ASCII.zero + byte & 15 : 0x57 + byte & 15)
        }
    }

    /// Appends an integer in decimal.
    mutating func appendDigits<Value: FixedWidthInteger>(_ value: Value) {
        guard let magnitude = UInt64(exactly: value.magnitude) else {
            bytes.append(contentsOf: String(value).utf8)
            return
        }
        bytes.append(addingCapacity: 21) { out in
            if value < 0 { out.append(ASCII.minus) }
            out.append(digitsOf: magnitude)
        }
    }
}
