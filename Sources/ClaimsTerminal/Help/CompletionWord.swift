// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The words that a shell is given to choose from.
enum CompletionWord {
    /// The maximum size of a word, in bytes.
    static let maxSize = 256

    /// Whether every shell takes the text for one plain word, wherever it stands: letters and digits of any script, and
    /// `-`, `.`, `_`, `/`, `:`, `@`, `+`, `,`, but no hyphen first.
    ///
    /// A text with any other character is left out, so that no shell has anything to evaluate.
    static func isPlain(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= maxSize, text.unicodeScalars.first != "-" else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "/", ":", "@", "+", ",": true
            default:
                scalar.value >= 0x80 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            }
        }
    }
}
