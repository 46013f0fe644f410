// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What the characters of a filter's text mean: the lexical half of the grammar, over UTF-8.
enum FilterCharacters {
    static let openParenthesis = UInt8(ascii: "(")
    static let closeParenthesis = UInt8(ascii: ")")
    static let comma = UInt8(ascii: ",")
    static let dot = UInt8(ascii: ".")
    static let equals = UInt8(ascii: "=")
    static let backslash = UInt8(ascii: "\\")

    static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
    }

    static func isPunctuation(_ byte: UInt8) -> Bool {
        byte == openParenthesis || byte == closeParenthesis || byte == comma
    }

    /// The bytes of the white space character at `offset` (Unicode's White_Space property); 0: it is another one.
    static func whiteSpace(in bytes: [UInt8], at offset: Int) -> Int {
        guard offset < bytes.count else { return 0 }
        switch bytes[offset] {
        case 0x09...0x0D, 0x20: return 1
        case 0xC2 where offset + 1 < bytes.count:
            return bytes[offset + 1] == 0x85 || bytes[offset + 1] == 0xA0 ? 2 : 0
        case 0xE1...0xE3 where offset + 2 < bytes.count:
            switch (bytes[offset], bytes[offset + 1], bytes[offset + 2]) {
            case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF),
                (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
                return 3
            default: return 0
            }
        default: return 0
        }
    }

    /// Whether a bare word ends at `offset`.
    static func isDelimiter(in bytes: [UInt8], at offset: Int) -> Bool {
        offset >= bytes.count || isPunctuation(bytes[offset]) || whiteSpace(in: bytes, at: offset) > 0
    }

    /// The end of the bare characters from `offset` on.
    static func bareEnd(in bytes: [UInt8], from offset: Int) -> Int {
        var end = offset
        while !isDelimiter(in: bytes, at: end) { end += 1 }
        return end
    }

    /// Whether `..` stands at `offset`.
    static func isRange(in bytes: [UInt8], at offset: Int) -> Bool {
        offset + 1 < bytes.count && bytes[offset] == dot && bytes[offset + 1] == dot
    }

    /// The words that are not free text where they stand alone.
    static func isKeyword(_ word: some Sequence<UInt8>) -> Bool {
        word.elementsEqual("and".utf8) || word.elementsEqual("or".utf8) || word.elementsEqual("not".utf8)
    }
}
