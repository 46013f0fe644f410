// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// An escape in a text, in any of the ways that servers write: `%26`, `\/`, `\u0026`, `\x26`, `&amp;`, `&#38;`, `&#x26;`.
struct TextEscape: Equatable {
    /// The bytes that it stands for; never empty.
    let bytes: [UInt8]
    /// Its own length, in bytes.
    let length: Int

    /// The escape at an offset; nil where there is none.
    init?(_ text: [UInt8], at offset: Int) {
        let rest = text[offset...].prefix(Self.maxLength)
        switch rest.first {
        case UInt8(ascii: "%"):
            guard let byte = Self.number(rest.dropFirst().prefix(2), digits: 2) else { return nil }
            (bytes, length) = ([UInt8(byte)], 3)
        case ASCII.backslash:
            guard let escape = Self.backslash(rest.dropFirst()) else { return nil }
            (bytes, length) = (escape.bytes, escape.length + 1)
        case UInt8(ascii: "&"):
            guard let escape = Self.entity(rest.dropFirst()) else { return nil }
            (bytes, length) = (escape.bytes, escape.length + 1)
        default: return nil
        }
    }

    /// Whether a text ends within what may be an escape.
    static func isCutOff(_ text: [UInt8], at offset: Int) -> Bool {
        let rest = text[offset...]
        guard let first = rest.first, rest.count < maxLength, TextEscape(text, at: offset) == nil,
            [UInt8(ascii: "%"), ASCII.backslash, UInt8(ascii: "&")].contains(first)
        else { return false }
        return rest.dropFirst().allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "#") || $0 == ASCII.backslash }
    }

    /// The length of the longest escape: two halves of a character, as `\ud83d\ude00`.
    private static let maxLength = 12

    private static func backslash(_ rest: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        let digits = rest.dropFirst()
        switch rest.first {
        case ASCII.quote, ASCII.backslash, ASCII.slash, UInt8(ascii: "'"): return rest.first.map { ([$0], 1) }
        case UInt8(ascii: "b"): return ([8], 1)
        case UInt8(ascii: "f"): return ([12], 1)
        case UInt8(ascii: "n"): return ([10], 1)
        case UInt8(ascii: "r"): return ([13], 1)
        case UInt8(ascii: "t"): return ([9], 1)
        case UInt8(ascii: "x"): return number(digits.prefix(2), digits: 2).map { ([UInt8($0)], 3) }
        case UInt8(ascii: "u"):
            guard let unit = number(digits.prefix(4), digits: 4) else { return nil }
            let next = digits.dropFirst(4)
            if unit >> 10 == 0x36, next.starts(with: [ASCII.backslash, UInt8(ascii: "u")]),
                let low = number(next.dropFirst(2).prefix(4), digits: 4), low >> 10 == 0x37
            {
                return utf8(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF).map { ($0, 11) }
            }
            return utf8(unit).map { ($0, 5) }
        default: return nil
        }
    }

    private static func entity(_ rest: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        let name = rest.prefix { $0 == UInt8(ascii: "#") || isAlphanumeric($0) }
        let length = name.count + (rest.dropFirst(name.count).first == UInt8(ascii: ";") ? 1 : 0)
        if name.first == UInt8(ascii: "#") {
            let digits = name.dropFirst()
            let isHex = digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
            let code =
                isHex
                ? number(digits.dropFirst()) : Int(String(decoding: digits, as: UTF8.self)).map { UInt32(clamping: $0) }
            return code.flatMap(utf8).map { ($0, length) }
        }
        return named[String(decoding: name, as: UTF8.self)].map { ([$0], length) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func utf8(_ code: UInt32) -> [UInt8]? {
        Unicode.Scalar(code).map { Array(String(Character($0)).utf8) }
    }

    /// The number that hexadecimal digits write; nil for others, or for another number of digits.
    private static func number(_ text: ArraySlice<UInt8>, digits: Int? = nil) -> UInt32? {
        guard !text.isEmpty, text.count <= 6, digits == nil || text.count == digits else { return nil }
        var value: UInt32 = 0
        for byte in text {
            guard let digit = ASCII.hexValue(byte) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    /// The names of ASCII characters in HTML.
    private static let named: [String: UInt8] = [
        "amp": 0x26, "AMP": 0x26, "lt": 0x3C, "LT": 0x3C, "gt": 0x3E, "GT": 0x3E, "quot": 0x22, "QUOT": 0x22,
        "apos": 0x27, "sol": 0x2F, "bsol": 0x5C, "plus": 0x2B, "equals": 0x3D, "percnt": 0x25, "num": 0x23,
        "dollar": 0x24, "colon": 0x3A, "semi": 0x3B, "comma": 0x2C, "period": 0x2E, "excl": 0x21, "quest": 0x3F,
        "commat": 0x40, "ast": 0x2A, "midast": 0x2A, "lpar": 0x28, "rpar": 0x29, "lsqb": 0x5B, "lbrack": 0x5B,
        "rsqb": 0x5D, "rbrack": 0x5D, "lcub": 0x7B, "lbrace": 0x7B, "rcub": 0x7D, "rbrace": 0x7D, "verbar": 0x7C,
        "vert": 0x7C, "Hat": 0x5E, "lowbar": 0x5F, "UnderBar": 0x5F, "grave": 0x60, "Tab": 9, "NewLine": 10,
    ]
}
