// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Sizes in bytes in the notation of systemd, such as `64M`, `1.5G` or `4096`. K, M, G and T are powers of 1024.
public enum ByteSize {
    /// The greatest size that can be written, in bytes: 1 PiB.
    public static let maxSize = 1 << 50

    /// The number of bytes that `text` stands for; nil if it is malformed or greater than ``maxSize``.
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
