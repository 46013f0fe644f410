// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Sizes in bytes as systemd writes them: `64M`, `1.5G`, `4096`, with K, M, G and T to the base 1024.
public enum ByteSize {
    /// The largest size that is read: 1 PiB.
    public static let largest = 1 << 50

    /// The number of bytes that `text` is; nil if it is none, or more than `largest`.
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
            guard count <= largest / unit else { return nil }
        }
        var size = count * unit
        guard parts.count == 2 else { return size }
        guard !parts[1].isEmpty, unit > 1 else { return nil }
        // What comes after the sixth digit is dropped.
        let digits = parts[1].utf8.prefix(6)
        let fraction = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        size += fraction * unit / digits.reduce(1) { scale, _ in scale * 10 }
        return size <= largest ? size : nil
    }

    private static let shifts: [Character: Int] = ["B": 0, "K": 10, "M": 20, "G": 30, "T": 40]

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
