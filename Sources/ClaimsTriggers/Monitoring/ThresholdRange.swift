// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A range of values without alert, as monitoring plug-ins take it after `-w` and `-c`.
///
/// | text | alerts |
/// |---|---|
/// | `10` | below 0 and above 10 |
/// | `10:` | below 10 |
/// | `~:10` | above 10 |
/// | `10:20` | below 10 and above 20 |
/// | `@10:20` | from 10 to 20 |
///
/// The form is that of the Monitoring Plugins Development Guidelines. Numbers are decimal, with a sign or a fraction.
struct ThresholdRange: Equatable {
    /// The range as it was written; plug-ins repeat it behind the value.
    let text: String
    private let low: Double
    private let high: Double
    /// Whether the values of the range alert, and not those outside of it.
    private let isInverted: Bool

    /// The maximum length of a range, in bytes.
    private static let maxLength = 64

    /// Reads a range; nil for a text that is none, and for one whose start is above its end.
    init?(_ text: String) {
        guard text.utf8.count <= Self.maxLength else { return nil }
        self.text = text
        isInverted = text.hasPrefix("@")
        let parts = text.dropFirst(isInverted ? 1 : 0).split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let last = parts.last else { return nil }
        if parts.count == 1 {
            guard let end = Self.number(last) else { return nil }
            (low, high) = (0, end)
        } else {
            guard let start = Self.start(parts[0]), let end = last.isEmpty ? .infinity : Self.number(last) else {
                return nil
            }
            (low, high) = (start, end)
        }
        guard low <= high else { return nil }
    }

    /// Whether the value alerts.
    func alerts(_ value: Int64) -> Bool {
        let value = Double(value)
        return (value >= low && value <= high) == isInverted
    }

    private static func start(_ text: Substring) -> Double? {
        switch text {
        case "": 0
        case "~": -.infinity
        default: number(text)
        }
    }

    /// A decimal number; nil for everything else that Swift reads as one, such as `nan`, `inf` or `0x1p3`.
    private static func number(_ text: Substring) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") })
        else { return nil }
        return Double(text)
    }
}
