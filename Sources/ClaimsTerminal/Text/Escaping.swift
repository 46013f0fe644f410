// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Makes text that came from elsewhere safe for a terminal.
///
/// Control characters of both kinds (C0 and DEL, C1) and those that turn the direction of what follows are shown as
/// `\x1b` or `\u202e`, so that no record can move the cursor, change colours or pass for another text.
public enum Escaping {
    /// The text on one line: white space that would end a line or jump becomes a space.
    public static func line(_ text: String) -> String { escape(text, keepsLines: false) }

    /// The text with its line ends kept.
    public static func lines(_ text: String) -> String { escape(text, keepsLines: true) }

    /// Whether `scalar` must not reach a terminal as it is.
    public static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F: true
        case 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func escape(_ text: String, keepsLines: Bool) -> String {
        // All that is unsafe is below 0x20, or is 0x7F, or begins with 0xC2 or 0xE2.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }) else { return text }
        var escaped = ""
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n":
                if keepsLines {
                    escaped.unicodeScalars.append("\n")
                } else if previous != "\r" {
                    escaped.unicodeScalars.append(" ")
                }
            case "\r": escaped.unicodeScalars.append(contentsOf: keepsLines ? "".unicodeScalars : " ".unicodeScalars)
            case "\t": escaped.unicodeScalars.append(" ")
            default:
                if isUnsafe(scalar) {
                    escaped += name(scalar)
                } else {
                    escaped.unicodeScalars.append(scalar)
                }
            }
            previous = scalar
        }
        return escaped
    }

    /// `\x1b`, `\u202e`
    public static func name(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        let width = scalar.value < 0x100 ? 2 : 4
        return (width == 2 ? "\\x" : "\\u") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
