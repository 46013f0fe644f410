// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Where a value of the configuration stands.
public struct ConfigurationPlace: Sendable, Hashable {
    public let file: String
    /// 1-based; nil where the file as a whole is meant.
    public let line: Int?
    /// 1-based, in characters.
    public let column: Int?
    /// `fields.status.vocabulary`; empty for the file as a whole.
    public let keyPath: String

    public init(file: String, line: Int? = nil, column: Int? = nil, keyPath: String = "") {
        self.file = file
        self.line = line
        self.column = column
        self.keyPath = keyPath
    }
}
