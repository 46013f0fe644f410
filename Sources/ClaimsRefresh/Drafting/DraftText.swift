// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Text from elsewhere in a file for people: it can neither end a comment nor reach a terminal as a control character.
enum DraftText {
    /// A JSON5 string that stands for `text`.
    static func quoted(_ text: String) -> String { "\"\(escaped(text, isQuoted: true))\"" }

    /// A text for a sentence.
    static func visible(_ text: String) -> String { escaped(text, isQuoted: false) }

    private static func escaped(_ text: String, isQuoted: Bool) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if TextSafety.isUnsafe(scalar) {
                for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                    let digits = String(unit, radix: 16)
                    result += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
                }
                continue
            }
            if isQuoted, scalar == "\"" || scalar == "\\" { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}
