// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension JSON5Reader {
    /// The number here, in the spelling that `JSON5Value.number` promises.
    mutating func number() throws(JSON5Error) -> String {
        let start = place
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

    private mutating func decimal(from start: Place) throws(JSON5Error) -> String {
        var whole = digits()
        if whole.count > 1, whole.first == "0" { throw error("number with a leading zero", at: start) }
        var fraction = ""
        if take(".") {
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
    private mutating func hexadecimalInteger(from start: Place) throws(JSON5Error) -> String {
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
