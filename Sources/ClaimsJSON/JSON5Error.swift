// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why a file is not JSON5, and where: for the person who wrote it.
public struct JSON5Error: Error, Equatable, Sendable {
    public let file: String
    /// From 1.
    public let line: Int
    /// In Unicode scalars, from 1.
    public let column: Int
    public let message: String

    public init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }
}
