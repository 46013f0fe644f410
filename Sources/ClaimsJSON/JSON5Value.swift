// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What a JSON5 node holds.
public indirect enum JSON5Value: Sendable {
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
public struct JSON5Node: Sendable {
    public var value: JSON5Value
    public let file: String
    public let line: Int
    public let column: Int

    public init(value: JSON5Value, file: String, line: Int, column: Int) {
        self.value = value
        self.file = file
        self.line = line
        self.column = column
    }
}

/// A member of a JSON5 object and the place of its key.
public struct JSON5Member: Sendable {
    public let key: String
    public let keyLine: Int
    public let keyColumn: Int
    public var node: JSON5Node

    public init(key: String, keyLine: Int, keyColumn: Int, node: JSON5Node) {
        self.key = key
        self.keyLine = keyLine
        self.keyColumn = keyColumn
        self.node = node
    }
}
