// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension JSON5Reader {
    /// The string whose opening quote, of either kind, is next.
    mutating func string() throws(JSON5Error) -> String {
        let start = place
        let quote = next
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = next {
            switch scalar {
            case _ where scalar == quote:
                advance()
                return String(text)
            case "\n", "\r":
                throw error("line end in a string", at: place)
            case "\\":
                if let escaped = try escape() { text.append(escaped) }
            default:
                text.append(scalar)
                advance()
            }
        }
        throw error("string without an end", at: start)
    }

    /// The escape whose backslash is next; nil for a line continuation, which stands for nothing.
    private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
        let start = place
        advance()
        guard let scalar = next else { throw unexpected("the rest of an escape") }
        advance()
        switch scalar {
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{B}"
        case "x": return Unicode.Scalar(try hexadecimal(digits: 2, from: start))
        case "u": return try unicodeEscape(from: start)
        case "0":
            if let digit = next, "0"..."9" ~= digit { throw error("octal escape", at: start) }
            return "\0"
        case "1"..."9": throw error("unknown escape", at: start)
        case "\r":
            _ = take("\n")
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        default: return scalar
        }
    }

    /// What follows `\u`: four digits, and the second half of a surrogate pair with its own `\u`.
    mutating func unicodeEscape(from start: Place) throws(JSON5Error) -> Unicode.Scalar {
        let unit = try hexadecimal(digits: 4, from: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, next == "\\", second == "u" else {
            throw error("half of a surrogate pair", at: start)
        }
        advance()
        advance()
        let low = try hexadecimal(digits: 4, from: start)
        guard low & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)) else {
            throw error("half of a surrogate pair", at: start)
        }
        return scalar
    }

    private mutating func hexadecimal(digits: Int, from start: Place) throws(JSON5Error) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let scalar = next, let byte = UInt8(exactly: scalar.value), let digit = ASCII.hexValue(byte) else {
                throw error("expected \(digits) hexadecimal digits", at: start)
            }
            value = value << 4 | digit
            advance()
        }
        return value
    }
}
