// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How a piece of text stands out. Never the only carrier of what it means.
public enum Style: Sendable {
    case plain, bold, dim, heading, badge, warning, good

    private var code: String {
        switch self {
        case .plain: ""
        case .bold: "1"
        case .dim: "2"
        case .heading: "1;4"
        case .badge: "1;33"
        case .warning: "33"
        case .good: "32"
        }
    }

    /// `text` in this style, or as it is where there is no colour.
    public func apply(to text: String, isColored: Bool) -> String {
        guard isColored, !code.isEmpty, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
