// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Makes text from records and upstreams safe for a terminal.
///
/// Control characters (C0, DEL and C1), characters that change the direction of text and those that cannot be seen are
/// shown as `\x1b` or `\u202e`. So no record can move the cursor, change colours, or pass for another text. A cluster
/// keeps its first eight scalars.
public enum Escaping {
    /// The text on one line: each line end and tab becomes a space, and unsafe characters are escaped.
    public static func line(_ text: String) -> String { escape(text, keepsLines: false) }

    /// The text with its line feeds: carriage returns are dropped, a tab becomes a space, and unsafe characters are
    /// escaped.
    public static func lines(_ text: String) -> String { escape(text, keepsLines: true) }

    private static func escape(_ text: String, keepsLines: Bool) -> String {
        guard TextSafety.needsCare(text.utf8) else { return text }
        var escaped = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for character in text {
            let character = TextSafety.cut(character) ?? character
            for scalar in character.unicodeScalars {
                switch scalar {
                case "\n":
                    if keepsLines {
                        escaped.append("\n")
                    } else if previous != "\r" {
                        escaped.append(" ")
                    }
                case "\r": if !keepsLines { escaped.append(" ") }
                case "\t": escaped.append(" ")
                default:
                    if TextSafety.isUnsafe(scalar, in: character) {
                        escaped.append(contentsOf: name(scalar).unicodeScalars)
                    } else {
                        escaped.append(scalar)
                    }
                }
                previous = scalar
            }
        }
        return String(escaped)
    }

    /// Whether the text has a control character: C0, DEL or C1.
    static func hasControls(_ text: String) -> Bool { text.unicodeScalars.contains(where: isControl) }

    /// The text with every control character escaped, line ends and tabs too.
    static func controls(_ text: String) -> String {
        text.unicodeScalars.map { isControl($0) ? name($0) : String($0) }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// The escape that is shown for a scalar: `\x1b` below U+0100, `\u202e` from there on, `\u{e0041}` from U+10000 on.
    public static func name(_ scalar: Unicode.Scalar) -> String {
        if scalar.value > 0xFFFF { return "\\u{" + String(scalar.value, radix: 16) + "}" }
        let digits = String(scalar.value, radix: 16)
        let width = scalar.value < 0x100 ? 2 : 4
        return (width == 2 ? "\\x" : "\\u") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension StringProtocol {
    /// Where `text` is found first; nil if it is not.
    func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }

    /// The text with `new` in the place of each `old`, which is not empty.
    func substituting(_ old: String, with new: String) -> String {
        var result = ""
        var rest = self[...]
        while let range = rest.range(of: old) {
            result += String(rest[..<range.lowerBound]) + new
            rest = rest[range.upperBound...]
        }
        return result + String(rest)
    }
}
