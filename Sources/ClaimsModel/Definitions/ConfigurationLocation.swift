// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The location of a value in the configuration files.
public struct ConfigurationLocation: Sendable, Hashable {
    /// The path of the file.
    public let file: String
    /// The line, from 1; nil if only the file is known.
    public let line: Int?
    /// The column in Unicode scalars, from 1; nil if only the file is known.
    public let column: Int?
    /// The keys that lead to the value, such as `fields.status.vocabulary`; empty if the file as a whole is meant.
    public let keyPath: String

    public init(file: String, line: Int? = nil, column: Int? = nil, keyPath: String = "") {
        self.file = file
        self.line = line
        self.column = column
        self.keyPath = keyPath
    }
}
