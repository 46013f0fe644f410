// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A number in JSON's spelling (RFC 8259, section 6), taken apart and never turned into binary floating point.
///
/// Its value is 0.d₁d₂…dₙ × 10^`exponent`, with d₁ and dₙ not zero; zero has no digits.
struct NumberText {
    let isNegative: Bool
    /// Where d₁ is in the text; between d₁ and dₙ there may be a point.
    let firstDigit: Int
    /// After dₙ in the text.
    let digitsEnd: Int
    /// n
    let digitCount: Int
    let exponent: Int64

    var isZero: Bool { digitCount == 0 }

    /// Whether the value has no fraction.
    var isWhole: Bool { exponent >= Int64(digitCount) || isZero }

    /// The longest exponent that is read, in digits. It is far beyond what any number of use has.
    static let exponentDigits = 17

    /// - Returns: nil if `text` is not exactly a JSON number, or its exponent has more than `exponentDigits`.
    init?(_ text: RawSpan) {
        var offset = 0
        isNegative = text.byte(at: 0) == UInt8(ascii: "-")
        if isNegative { offset = 1 }
        let wholeStart = offset
        var first = -1
        var last = -1
        while text.byte(at: offset) &- 0x30 < 10 {
            if text.byte(at: offset) != 0x30 {
                if first < 0 { first = offset }
                last = offset
            }
            offset &+= 1
        }
        let point = offset
        guard point > wholeStart, point == wholeStart + 1 || text.byte(at: wholeStart) != 0x30 else { return nil }
        if text.byte(at: offset) == UInt8(ascii: ".") {
            offset &+= 1
            while text.byte(at: offset) &- 0x30 < 10 {
                if text.byte(at: offset) != 0x30 {
                    if first < 0 { first = offset }
                    last = offset
                }
                offset &+= 1
            }
            guard offset > point + 1 else { return nil }
        }
        var exponent: Int64 = 0
        if text.byte(at: offset) | 0x20 == UInt8(ascii: "e") {
            guard let (value, end) = Self.exponent(text, from: offset + 1) else { return nil }
            exponent = value
            offset = end
        }
        guard offset == text.byteCount else { return nil }
        guard first >= 0 else {
            (firstDigit, digitsEnd, digitCount, self.exponent) = (wholeStart, wholeStart, 0, 0)
            return
        }
        guard exponent != Int64.max else { return nil }
        firstDigit = first
        digitsEnd = last + 1
        digitCount = last + 1 - first - (first < point && last > point ? 1 : 0)
        self.exponent = exponent + Int64(first < point ? point - first : point + 1 - first)
    }

    /// The digits after an `e`; `Int64.max` where there are too many, which only matters if the number is not zero.
    private static func exponent(_ text: RawSpan, from start: Int) -> (value: Int64, end: Int)? {
        var offset = start
        let isNegative = text.byte(at: offset) == UInt8(ascii: "-")
        if isNegative || text.byte(at: offset) == UInt8(ascii: "+") { offset &+= 1 }
        let digits = offset
        while text.byte(at: offset) == 0x30 { offset &+= 1 }
        let significant = offset
        var value: Int64 = 0
        while text.byte(at: offset) &- 0x30 < 10 {
            if offset - significant < exponentDigits { value = value * 10 + Int64(text.byte(at: offset) &- 0x30) }
            offset &+= 1
        }
        guard offset > digits else { return nil }
        guard offset - significant <= exponentDigits else { return (Int64.max, offset) }
        return (isNegative ? -value : value, offset)
    }
}
