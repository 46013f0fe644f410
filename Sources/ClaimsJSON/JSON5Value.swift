// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a JSON5 node holds.
package indirect enum JSON5Value: Sendable {
    case null
    case bool(Bool)
    /// A number as JSON writes it: without `+`, with digits on both sides of the point, hexadecimal turned to decimal.
    /// `Infinity`, `-Infinity` and `NaN`, which JSON does not have, stay these words.
    case number(String)
    case string(String)
    case array([JSON5Node])
    /// In the order of the file; no two of one key.
    case object([JSON5Member])
}

/// A JSON5 value and the place of its first character.
package struct JSON5Node: Sendable {
    package var value: JSON5Value
    package let file: String
    package let line: Int
    package let column: Int

    package init(value: JSON5Value, file: String, line: Int, column: Int) {
        self.value = value
        self.file = file
        self.line = line
        self.column = column
    }
}

/// A member of a JSON5 object and the place of its key.
package struct JSON5Member: Sendable {
    package let key: String
    package let keyLine: Int
    package let keyColumn: Int
    package var node: JSON5Node

    package init(key: String, keyLine: Int, keyColumn: Int, node: JSON5Node) {
        self.key = key
        self.keyLine = keyLine
        self.keyColumn = keyColumn
        self.node = node
    }
}
