// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One parameter of a method, as `describe`, the man page and the reader know it.
package struct ParameterDescription: Sendable {
    package let key: ParameterName
    package let type: ParameterType
    package let isRequired: Bool
    /// What it does, in one sentence.
    package let summary: String
    package var name: String { key.text }

    package init(_ key: ParameterName, _ type: ParameterType, required: Bool = false, _ summary: String) {
        self.key = key
        self.type = type
        self.isRequired = required
        self.summary = summary
    }
}
