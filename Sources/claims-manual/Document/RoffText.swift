// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Texts in roff's spelling.
enum RoffText {
    /// Words for people.
    static func plain(_ text: String) -> String { escaped(text, isVerbatim: false) }

    /// Characters that are to be copied as they are: their hyphens are minus signs.
    static func verbatim(_ text: String) -> String { escaped(text, isVerbatim: true) }

    static func strong(_ text: String) -> String { "\\fB\(verbatim(text))\\fR" }

    static func emphasis(_ text: String) -> String { "\\fI\(plain(text))\\fR" }

    /// One argument of a macro.
    static func argument(_ text: String) -> String { "\"\(verbatim(text))\"" }

    /// A line that is not taken for a request.
    static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }

    /// Lines of a length that people can read, too.
    static func wrapped(_ text: String) -> String {
        var lines = ""
        var line = ""
        for word in text.split(separator: " ") {
            if line.utf8.count + word.utf8.count >= 100 {
                lines += guarded(line) + "\n"
                line = ""
            }
            if !line.isEmpty { line += " " }
            line += word
        }
        return lines + guarded(line) + "\n"
    }

    private static func escaped(_ text: String, isVerbatim: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\e"
            case "\"": escaped += "\\(dq"
            case "-": escaped += isVerbatim ? "\\-" : "-"
            case "'": escaped += "\\(aq"
            case "`": escaped += "\\(ga"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "\u{20}"..."\u{7E}": escaped.unicodeScalars.append(scalar)
            default: escaped += "\\[u" + hexadecimal(scalar.value) + "]"
            }
        }
        return escaped
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
