// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The style of a piece of text. A style never carries a meaning that the text does not have.
public enum Style: Sendable {
    case plain, bold, dim, heading, badge, warning

    /// The parameter of SGR. Red is what the screen of `browse` has too: yellow and blue cannot be read on some grounds.
    private var code: String {
        switch self {
        case .plain: ""
        case .bold: "1"
        case .dim: "2"
        case .heading: "1;4"
        case .badge: "1;31"
        case .warning: "31"
        }
    }

    /// The text between SGR escape sequences (ECMA-48); the text as it is without colours or for `plain`.
    public func apply(to text: String, isColored: Bool) -> String {
        guard isColored, !code.isEmpty, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    /// A text without the escape sequences of styles.
    static func plainText(of text: some StringProtocol) -> String {
        var plain = ""
        var isEscape = false
        for scalar in text.unicodeScalars {
            if scalar == "\u{1B}" { isEscape = true }
            if !isEscape { plain.unicodeScalars.append(scalar) }
            if scalar == "m" { isEscape = false }
        }
        return plain
    }
}
