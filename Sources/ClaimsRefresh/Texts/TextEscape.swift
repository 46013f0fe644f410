// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// An escape in a text, in any of the ways that servers write: `%26`, `\/`, `\u0026`, `\u{26}`, `\x26`, `\046`, `&amp;`,
/// `&#38;`, `&#x26;`.
struct TextEscape: Equatable {
    /// The bytes that it means; never empty.
    let bytes: [UInt8]
    /// Its own length, in bytes.
    let length: Int

    /// The escape at an offset; nil if there is none.
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

    /// The escape `=26` of quoted-printable texts (RFC 2045, 6.7) at an offset; nil if there is none. It is no escape
    /// for ``init(_:at:)``, because `page=20` contains none.
    init?(quotedPrintable text: [UInt8], at offset: Int) {
        let rest = text[offset...].prefix(3)
        guard rest.first == UInt8(ascii: "="), let byte = Self.number(rest.dropFirst(), digits: 2) else { return nil }
        (bytes, length) = ([UInt8(byte)], 3)
    }

    /// Whether a text ends within a possible escape.
    static func isCutOff(_ text: [UInt8], at offset: Int) -> Bool {
        let rest = text[offset...]
        if unseen.contains(where: { $0.count > rest.count && $0.starts(with: rest) }) { return true }
        guard let first = rest.first, rest.count < maxLength,
            [UInt8(ascii: "%"), ASCII.backslash, UInt8(ascii: "&"), UInt8(ascii: "=")].contains(first)
        else { return false }
        // `&#1` at the end of a text may be the beginning of `&#101;`.
        let isOpen = first == UInt8(ascii: "&") && rest.last != UInt8(ascii: ";")
        if let escape = TextEscape(text, at: offset), !isOpen || escape.length < rest.count { return false }
        return rest.dropFirst().allSatisfy { isAlphanumeric($0) || [0x23, 0x7B, ASCII.backslash].contains($0) }
    }

    /// The length of invisible bytes at an offset: a line break, also one of quoted-printable, a soft hyphen, a space
    /// of no width. 0 if there are none.
    static func unseenLength(_ text: [UInt8], at offset: Int) -> Int {
        let rest = text[offset...].prefix(maxLength)
        return unseen.first { rest.starts(with: $0) }?.count ?? 0
    }

    private static let unseen = [
        "=\r\n", "=\n", "\r\n", "\n", "\r", "\u{AD}", "\u{200B}", "&shy;", "&#173;", "&#xad;", "&#xAD;", "&#8203;",
        "&#x200b;", "&#x200B;", "&ZeroWidthSpace;", "<wbr>", #"\u00ad"#, #"\u00AD"#, #"\u200b"#, #"\u200B"#, #"\n"#,
        #"\r"#,
    ].map { Array($0.utf8) }

    /// The length of the longest escape: a number of HTML with zeros before it.
    private static let maxLength = 24

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
        case 0x30?, 0x31?, 0x32?, 0x33?: return octal(rest.prefix(3)).map { ([$0], 3) }
        case UInt8(ascii: "u") where digits.first == UInt8(ascii: "{"):
            let inner = digits.dropFirst().prefix { ASCII.hexValue($0) != nil }
            guard digits.dropFirst(inner.count + 1).first == UInt8(ascii: "}") else { return nil }
            return number(inner.drop { $0 == UInt8(ascii: "0") }).flatMap(utf8).map { ($0, inner.count + 3) }
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
        let found = rest.first == UInt8(ascii: "#") ? numeric(rest) : name(rest)
        return found.map { ($0.bytes, $0.length + (rest.dropFirst($0.length).first == UInt8(ascii: ";") ? 1 : 0)) }
    }

    /// `#38` or `#x26`. As in a browser it ends at the first byte that is no digit.
    private static func numeric(_ rest: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        let isHex = rest.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
        let start = isHex ? 2 : 1
        let digits = rest.dropFirst(start).prefix { isHex ? ASCII.hexValue($0) != nil : ASCII.isDigit($0) }
        let code =
            isHex
            ? number(digits.drop { $0 == UInt8(ascii: "0") })
            : Int(String(decoding: digits, as: UTF8.self)).map { UInt32(clamping: $0) }
        return code.flatMap(utf8).map { ($0, start + digits.count) }
    }

    private static func name(_ rest: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        let name = rest.prefix(while: isAlphanumeric)
        if let byte = named[String(decoding: name, as: UTF8.self)] { return ([byte], name.count) }
        return unended.first { name.starts(with: $0.key.utf8) }.map { ([$0.value], $0.key.utf8.count) }
    }

    /// The names that a browser reads before a letter too, without `;`.
    private static let unended = named.filter { ["amp", "lt", "gt", "quot"].contains($0.key.lowercased()) }

    /// The byte that three octal digits write; nil for others.
    private static func octal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 << 3 | $1 & 7 }
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
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
