// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Makes text from records and upstreams safe for a terminal.
///
/// Control characters (C0, DEL and C1) and characters that change the direction of text are shown as `\x1b` or
/// `\u202e`. So no record can move the cursor, change colours, or pass for another text.
public enum Escaping {
    /// The text on one line: each line end and tab becomes a space, and unsafe characters are escaped.
    public static func line(_ text: String) -> String { escape(text, keepsLines: false) }

    /// The text with its line feeds: carriage returns are dropped, a tab becomes a space, and unsafe characters are
    /// escaped.
    public static func lines(_ text: String) -> String { escape(text, keepsLines: true) }

    /// Whether a terminal must not receive this scalar: a control character, or one that ends lines or changes
    /// direction.
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

    /// The escape that is shown for a scalar: `\x1b` below U+0100, `\u202e` from there on.
    public static func name(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        let width = scalar.value < 0x100 ? 2 : 4
        return (width == 2 ? "\\x" : "\\u") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
