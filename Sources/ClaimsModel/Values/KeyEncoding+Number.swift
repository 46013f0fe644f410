// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension KeyEncoding {
    /// A number in JSON's spelling, exactly: of any length, with or without an exponent. Equal values have equal
    /// keys, however they are spelled.
    ///
    /// The first byte tells sign and exponent, two digits a byte follow, and a zero byte ends them. A negative
    /// number's key is the complement of its counterpart's.
    ///
    /// - Returns: false, with nothing appended, if `text` is not a JSON number or has an exponent of more than 17
    ///   digits.
    public static func number(_ text: RawSpan, into out: inout [UInt8]) -> Bool {
        guard let number = NumberText(text) else { return false }
        append(number, of: text, to: &out)
        return true
    }

    public static func number(_ text: String) -> [UInt8]? {
        var key: [UInt8] = []
        return number(Array(text.utf8).rawSpan, into: &key) ? key : nil
    }

    static func append(_ number: NumberText, of text: RawSpan, to out: inout [UInt8]) {
        let start = out.count
        out.append(upTo: number.digitCount / 2 + 11) { put(number, of: text, to: &$0) }
        guard number.isNegative, !number.isZero else { return }
        for index in start..<out.count { out[index] = ~out[index] }
    }

    /// The key of a number without its sign.
    @inline(__always)
    private static func put(_ number: NumberText, of text: RawSpan, to cursor: inout ByteCursor) {
        guard !number.isZero else { return cursor.put(zero) }
        switch number.exponent {
        case ..<(-nearExponent): put(farExponent: number.exponent, marker: zero + 1, to: &cursor)
        case -nearExponent...nearExponent:
            cursor.put(zero + 2 + UInt8(truncatingIfNeeded: number.exponent + nearExponent))
        default: put(farExponent: number.exponent, marker: 0xFF, to: &cursor)
        }
        var tens: UInt8 = 0
        var isHalf = false
        for offset in number.firstDigit..<number.digitsEnd {
            let digit = text.byte(at: offset) &- 0x30
            // A point between the digits.
            guard digit < 10 else { continue }
            if isHalf {
                cursor.put(tens &+ digit &+ 1)
            } else {
                tens = digit &* 10
            }
            isHalf.toggle()
        }
        if isHalf { cursor.put(tens &+ 1) }
        cursor.put(0)
    }

    private static let zero: UInt8 = 0x80

    /// Exponents up to this size, of either sign, fit in the first byte.
    private static let nearExponent: Int64 = 60

    private static func put(farExponent exponent: Int64, marker: UInt8, to cursor: inout ByteCursor) {
        cursor.put(marker)
        cursor.put(bigEndian: UInt64(bitPattern: exponent) ^ 1 << 63)
    }
}
