// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Where a value of the configuration stands.
package struct ConfigurationPlace: Sendable, Hashable {
    package let file: String
    /// 1-based; nil where the file as a whole is meant.
    package let line: Int?
    /// 1-based, in characters.
    package let column: Int?
    /// `fields.status.vocabulary`; empty for the file as a whole.
    package let keyPath: String

    package init(file: String, line: Int? = nil, column: Int? = nil, keyPath: String = "") {
        self.file = file
        self.line = line
        self.column = column
        self.keyPath = keyPath
    }
}
