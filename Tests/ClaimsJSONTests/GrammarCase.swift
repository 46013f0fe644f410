// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Bytes and what they are meant to show about the grammar.
struct GrammarCase: Sendable {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ text: String) {
        self.name = name
        bytes = Array(text.utf8)
    }

    /// Each character of `bytes`, up to U+00FF, is one byte: for what is not UTF-8.
    init(_ name: String, raw: String) {
        self.name = name
        bytes = raw.unicodeScalars.map { UInt8($0.value) }
    }
}
