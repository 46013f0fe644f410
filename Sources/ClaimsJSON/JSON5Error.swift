// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why a file is not JSON5, and where: for the person who wrote it.
package struct JSON5Error: Error, Equatable, Sendable {
    package let file: String
    /// From 1.
    package let line: Int
    /// In Unicode scalars, from 1.
    package let column: Int
    package let message: String

    package init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }
}
