// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

extension JSON5Reader {
    /// The number here, in the spelling that `JSON5Value.number` promises.
    mutating func number() throws(JSON5Error) -> String {
        let start = location
        var text = ""
        if next == "+" || next == "-" {
            if next == "-" { text = "-" }
            advance()
        }
        if next == "I" || next == "N" {
            let word = try identifier()
            guard word == "Infinity" || word == "NaN" else { throw error("expected a value", at: start) }
            return word == "NaN" ? word : text + word
        }
        if next == "0", second == "x" || second == "X" {
            text += try hexadecimalInteger(from: start)
        } else {
            text += try decimal(from: start)
        }
        // Nothing that could belong to a number or a name may touch it.
        if let scalar = next, Self.continuesIdentifier(scalar) || scalar == "." || scalar == "\\" {
            throw error("malformed number", at: start)
        }
        return text
    }

    private mutating func decimal(from start: Location) throws(JSON5Error) -> String {
        var whole = digits()
        if whole.count > 1, whole.first == "0" { throw error("number with a leading zero", at: start) }
        var fraction = ""
        if skip(".") {
            fraction = digits()
            if whole.isEmpty, fraction.isEmpty { throw error("malformed number", at: start) }
        }
        if whole.isEmpty {
            if fraction.isEmpty { throw unexpected("a digit") }
            whole = "0"
        }
        var text = fraction.isEmpty ? whole : whole + "." + fraction
        if next == "e" || next == "E" {
            advance()
            text += "e"
            if next == "+" || next == "-" {
                if next == "-" { text += "-" }
                advance()
            }
            let exponent = digits()
            if exponent.isEmpty { throw unexpected("the digits of an exponent") }
            text += exponent
        }
        return text
    }

    /// The digits after `0x`, at most 64 bits of them, in decimal.
    private mutating func hexadecimalInteger(from start: Location) throws(JSON5Error) -> String {
        advance()
        advance()
        var value: UInt64 = 0
        var count = 0
        while let scalar = next, let byte = UInt8(exactly: scalar.value), let digit = ASCII.hexValue(byte) {
            guard value >> 60 == 0 else { throw error("hexadecimal number beyond 64 bits", at: start) }
            value = value << 4 | UInt64(digit)
            count += 1
            advance()
        }
        if count == 0 { throw unexpected("hexadecimal digits") }
        return String(value)
    }

    private mutating func digits() -> String {
        var digits = String.UnicodeScalarView()
        while let scalar = next, "0"..."9" ~= scalar {
            digits.append(scalar)
            advance()
        }
        return String(digits)
    }
}

extension JSON5Reader {
    /// The string whose opening quote, of either kind, is next.
    mutating func string() throws(JSON5Error) -> String {
        let start = location
        let quote = next
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = next {
            switch scalar {
            case _ where scalar == quote:
                advance()
                return String(text)
            case "\n", "\r":
                throw error("line end in a string", at: location)
            case "\\":
                if let escaped = try escape() { text.append(escaped) }
            default:
                text.append(scalar)
                advance()
            }
        }
        throw error("string without an end", at: start)
    }

    /// The escape whose backslash is next; nil for a line continuation, which has no meaning.
    private mutating func escape() throws(JSON5Error) -> Unicode.Scalar? {
        let start = location
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
            _ = skip("\n")
            return nil
        case "\n", "\u{2028}", "\u{2029}": return nil
        default: return scalar
        }
    }

    /// Reads the text after `\u`: four digits, and the second half of a surrogate pair with its own `\u`.
    mutating func unicodeEscape(from start: Location) throws(JSON5Error) -> Unicode.Scalar {
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

    private mutating func hexadecimal(digits: Int, from start: Location) throws(JSON5Error) -> UInt32 {
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
