// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// A filter that is refused, where, and words of the message and the hint.
struct ErrorLine: Sendable, CustomTestStringConvertible {
    let text: String
    let position: Int
    let length: Int
    let message: String
    let hint: String?

    init(_ text: String, _ position: Int, _ length: Int, _ message: String, hint: String? = nil) {
        self.text = text
        self.position = position
        self.length = length
        self.message = message
        self.hint = hint
    }

    var testDescription: String { text }
}
