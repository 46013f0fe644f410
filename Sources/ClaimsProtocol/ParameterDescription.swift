// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One parameter of a method, as `describe`, the man page and the reader know it.
package struct ParameterDescription: Sendable {
    package let name: String
    package let type: ParameterType
    package let isRequired: Bool
    /// What it does, in one sentence.
    package let summary: String
    /// The name as bytes, for comparing with what came.
    package let utf8: [UInt8]

    package init(_ name: String, _ type: ParameterType, required: Bool = false, _ summary: String) {
        self.name = name
        self.type = type
        self.isRequired = required
        self.summary = summary
        self.utf8 = Array(name.utf8)
    }
}
