// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How names and codes are put for people where nobody wrote a label.
public enum Wording {
    /// A name or code as words: `SENT_TO_PRESS` and `sent-to-press` become "Sent to press".
    public static func humanized(_ name: String) -> String {
        let isShouted = !name.utf8.contains { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
        let words = (isShouted ? name.lowercased() : name).split { $0 == "_" || $0 == "-" || $0 == " " }
        let text = words.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
