// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What somebody wrote, cut to a length that fits a sentence.
enum Excerpt {
    /// In Unicode scalars.
    static let longest = 48

    static func of(_ text: some StringProtocol) -> String {
        let scalars = text.unicodeScalars
        let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex)
        guard let end, end != scalars.endIndex else { return String(text) }
        return String(String.UnicodeScalarView(scalars[..<end])) + "…"
    }
}
