// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Encodes values as byte strings that compare like the values: as unsigned bytes, a prefix before the longer string
/// (memcmp(3)). A function that takes `out` appends to it.
///
/// A text needs no encoding of its own: its key is its folded form (``Folding``).
public enum KeyEncoding {
    /// Appends the key of a text that is folded already: its bytes.
    public static func text(folded text: RawSpan, into out: inout [UInt8]) {
        out.append(bytes: text)
    }

    /// Appends the key of an address: its bytes.
    public static func url(_ url: RawSpan, into out: inout [UInt8]) {
        out.append(bytes: url)
    }

    /// Appends the key of a moment, given in milliseconds since 1970 (UTC): eight bytes.
    public static func instant(_ ms: Int64, into out: inout [UInt8]) {
        out.append(upTo: 8) { $0.put(bigEndian: UInt64(bitPattern: ms) ^ 1 << 63) }
    }

    /// The moment of a key that ``instant(_:into:)`` has made, in milliseconds since 1970.
    public static func instant(ofKey key: RawSpan) -> Int64 {
        Int64(bitPattern: key.bigEndianWord(at: 0) ^ 1 << 63)
    }

    /// Appends the key of a calendar day, counted from 1970-01-01: four bytes.
    public static func date(_ days: Int, into out: inout [UInt8]) {
        let biased = UInt32(bitPattern: Int32(clamping: days)) ^ 1 << 31
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            out.append(UInt8(truncatingIfNeeded: biased >> shift))
        }
    }

    /// Appends the key of a boolean: one byte. False comes before true.
    public static func bool(isTrue: Bool, into out: inout [UInt8]) {
        out.append(isTrue ? 1 : 0)
    }

    /// A count as bytes that compare like it and contain their own length: one byte below 240, otherwise the number of
    /// bytes and the bytes.
    ///
    /// At most nine bytes.
    @inline(__always)
    static func put(count: Int, to cursor: inout ByteCursor) {
        if count < 240 { return cursor.put(UInt8(truncatingIfNeeded: count)) }
        let length = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
        cursor.put(UInt8(truncatingIfNeeded: 239 + length))
        for index in stride(from: length - 1, through: 0, by: -1) {
            cursor.put(UInt8(truncatingIfNeeded: count >> (index * 8)))
        }
    }
}

extension KeyEncoding {
    /// Appends the key of an id in its natural order, in which only equal ids have equal keys.
    ///
    /// Runs of ASCII digits compare as numbers of any length, equal numbers by fewer digits first, and everything else
    /// by bytes.
    ///
    /// A run becomes a byte that gives the number of its digits without leading zeros (0x30 to 0x38: 0 to 8; 0x39: 9
    /// and a count), then these digits, then the count of leading zeros.
    public static func natural(_ id: RawSpan, into out: inout [UInt8]) {
        // The longest key is made from single digits between other bytes: three bytes for each digit.
        out.append(upTo: id.byteCount * 3) { put(natural: id, to: &$0) }
    }

    @inline(__always)
    private static func put(natural id: RawSpan, to cursor: inout ByteCursor) {
        var offset = 0
        var plain = 0
        while offset < id.byteCount {
            guard isDigit(id.byte(at: offset)) else {
                offset &+= 1
                continue
            }
            if plain < offset { cursor.put(id.extracting(plain..<offset)) }
            let start = offset
            while id.byte(at: offset) == 0x30 { offset &+= 1 }
            let significant = offset
            while isDigit(id.byte(at: offset)) { offset &+= 1 }
            let count = offset &- significant
            cursor.put(UInt8(truncatingIfNeeded: 0x30 &+ min(count, 9)))
            if count >= 9 { put(count: count &- 9, to: &cursor) }
            if count > 0 { cursor.put(id.extracting(significant..<offset)) }
            put(count: significant &- start, to: &cursor)
            plain = offset
        }
        if plain < offset { cursor.put(id.extracting(plain..<offset)) }
    }

    /// The key of an id in its natural order.
    public static func natural(_ id: String) -> [UInt8] {
        var key: [UInt8] = []
        natural(Array(id.utf8).rawSpan, into: &key)
        return key
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}

extension KeyEncoding {
    /// Appends the exact key of a number in the notation of JSON, of any length and with or without an exponent.
    ///
    /// Equal values have equal keys, however they are spelled.
    ///
    /// The first byte gives sign and exponent, each byte after it two digits, and a zero byte ends them. The key of a
    /// negative number is the complement of its positive counterpart's.
    ///
    /// - Returns: False, with nothing appended, if `text` is not a JSON number or has an exponent of more than 17
    ///   digits.
    public static func number(_ text: RawSpan, into out: inout [UInt8]) -> Bool {
        guard let number = NumberText(text) else { return false }
        append(number, of: text, to: &out)
        return true
    }

    /// The key of a number in the notation of JSON; nil if it is not a number or has an exponent of more than 17
    /// digits.
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

/// A number in JSON's spelling (RFC 8259, section 6), taken apart and never turned into binary floating point.
///
/// Its value is 0.d₁d₂…dₙ × 10^`exponent`, with d₁ and dₙ not zero; zero has no digits.
struct NumberText {
    let isNegative: Bool
    /// The index of d₁ in the text; between d₁ and dₙ there may be a point.
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

    /// The digits after an `e`; `Int64.max` if there are too many, which only matters if the number is not zero.
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
