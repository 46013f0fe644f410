// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Unicode scalars in UTF-8 (RFC 3629).
enum Scalar {
    /// The scalar at `offset` and its length in bytes; U+FFFD and 1 for a byte that begins none.
    static func decode(_ text: RawSpan, at offset: Int) -> (scalar: UInt32, length: Int) {
        let first = UInt32(text.byte(at: offset))
        let length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
        guard length > 1 else { return length == 1 ? (first, 1) : (0xFFFD, 1) }
        var scalar = first & (0x7F >> UInt32(length))
        for index in 1..<length {
            // Outside the span there are zeros, which continue nothing.
            let byte = UInt32(text.byte(at: offset + index))
            guard byte & 0xC0 == 0x80 else { return (0xFFFD, 1) }
            scalar = scalar << 6 | byte & 0x3F
        }
        let smallest: UInt32 = length == 3 ? 0x800 : length == 4 ? 0x10000 : 0x80
        guard scalar >= smallest, Unicode.Scalar(scalar) != nil else { return (0xFFFD, 1) }
        return (scalar, length)
    }

    static func append(_ scalar: UInt32, to out: inout [UInt8]) {
        guard scalar >= 0x80 else { return out.append(UInt8(truncatingIfNeeded: scalar)) }
        let length: UInt32 = scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4
        out.append(UInt8(truncatingIfNeeded: 0xF00 >> length | scalar >> (6 * (length - 1))))
        for index in (0..<length - 1).reversed() {
            out.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> (6 * index) & 0x3F))
        }
    }
}

/// Sizes in bytes in the notation of systemd, such as `64M`, `1.5G` or `4096`. K, M, G and T are powers of 1024.
public enum ByteSize {
    /// The greatest size that can be written, in bytes: 1 PiB.
    public static let maxSize = 1 << 50

    /// The number of bytes that `text` means; nil if it is malformed or greater than ``maxSize``.
    ///
    /// Only the first six digits of a fraction count.
    public static func parse(_ text: String) -> Int? {
        var number = text[...]
        var unit = 1
        if let suffix = number.last, let shift = shifts[suffix] {
            unit = 1 << shift
            number = number.dropLast()
        }
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, !whole.isEmpty, parts.allSatisfy({ $0.allSatisfy(isDigit) }) else { return nil }
        var count = 0
        for digit in whole.utf8 {
            count = count * 10 + Int(digit - UInt8(ascii: "0"))
            guard count <= maxSize / unit else { return nil }
        }
        var size = count * unit
        guard parts.count == 2 else { return size }
        guard !parts[1].isEmpty, unit > 1 else { return nil }
        // Digits after the sixth are dropped.
        let digits = parts[1].utf8.prefix(6)
        let fraction = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        size += fraction * unit / digits.reduce(1) { scale, _ in scale * 10 }
        return size <= maxSize ? size : nil
    }

    /// The text of a size in bytes, in the greatest unit of which it is a whole multiple, such as `64M` or `1000`.
    ///
    /// ``parse(_:)`` reads it back as the same size.
    public static func text(of size: Int) -> String {
        let power = size > 0 ? min(size.trailingZeroBitCount / 10, units.count) : 0
        return power == 0 ? "\(size)" : "\(size >> (10 * power))\(units[power - 1])"
    }

    private static let units: [Character] = ["K", "M", "G", "T"]
    private static let shifts: [Character: Int] = ["B": 0, "K": 10, "M": 20, "G": 30, "T": 40]

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}

/// The treatment of archived records in a query. The raw value is the name in the protocol and on the command line.
public enum ArchivedMode: String, CaseIterable, Sendable {
    /// Archived records are left out.
    case exclude
    /// Only archived records are found.
    case only
    /// Archived records are found like others.
    case include
}
