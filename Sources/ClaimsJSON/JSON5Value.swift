// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The parser of JSON5 (https://spec.json5.org): JSON with comments, trailing commas, single quotes and bare keys.
///
/// Two rules go beyond the specification: the keys of an object differ, and escapes of surrogates come in pairs.
public enum JSON5 {
    /// The maximal number of containers open at once in a file.
    public static let maximumDepth = 64

    /// Parses a whole file; a byte order mark counts as white space.
    ///
    /// `file` is the name that nodes and errors carry; nothing is opened. Throws at the first character that is not
    /// JSON5.
    public static func parse(_ bytes: RawSpan, file: String) throws(JSON5Error) -> JSON5Node {
        var copy: [UInt8] = []
        copy.append(bytes: bytes)
        return try parse(copy, file: file)
    }

    /// Parses a whole file; a byte order mark counts as white space.
    ///
    /// `file` is the name that nodes and errors carry; nothing is opened. Throws at the first character that is not
    /// JSON5.
    public static func parse(_ bytes: [UInt8], file: String) throws(JSON5Error) -> JSON5Node {
        var reader = try JSON5Reader(bytes, file: file)
        try reader.skipBlank()
        let node = try reader.node(depth: maximumDepth)
        try reader.skipBlank()
        if !reader.isAtEnd { throw reader.error("expected the end of the file") }
        return node
    }
}

/// The value of a JSON5 node.
public indirect enum JSON5Value: Sendable {
    case null
    case bool(Bool)
    /// A number in the notation of JSON: without `+`, with digits on both sides of the point, and decimal.
    ///
    /// `Infinity`, `-Infinity` and `NaN`, which JSON does not have, keep these spellings.
    case number(String)
    case string(String)
    case array([JSON5Node])
    /// The members in the order of the file. Their keys differ.
    case object([JSON5Member])
}

/// A JSON5 value with the file, line and column of its first character.
public struct JSON5Node: Sendable {
    /// The value that the file has there.
    public var value: JSON5Value
    /// The name of the file, as it was given to the parser.
    public let file: String
    /// The line of the first character, from 1.
    public let line: Int
    /// The column of the first character, in Unicode scalars from 1.
    public let column: Int

    public init(value: JSON5Value, file: String, line: Int, column: Int) {
        self.value = value
        self.file = file
        self.line = line
        self.column = column
    }
}

/// A member of a JSON5 object, with the line and column of its key.
public struct JSON5Member: Sendable {
    /// The key without quotes and escapes.
    public let key: String
    /// The line of the key, from 1.
    public let keyLine: Int
    /// The column of the key, in Unicode scalars from 1.
    public let keyColumn: Int
    /// The value of the member, with its own location.
    public var node: JSON5Node

    public init(key: String, keyLine: Int, keyColumn: Int, node: JSON5Node) {
        self.key = key
        self.keyLine = keyLine
        self.keyColumn = keyColumn
        self.node = node
    }
}

/// The reason why a file is not JSON5, and the location where its author must look.
public struct JSON5Error: Error, Equatable, Sendable {
    /// The name of the file, as it was given to the parser.
    public let file: String
    /// The line of the error, from 1.
    public let line: Int
    /// The column of the error, in Unicode scalars from 1.
    public let column: Int
    /// The reason as a phrase for people, without the location.
    public let message: String

    public init(file: String, line: Int, column: Int, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }
}
