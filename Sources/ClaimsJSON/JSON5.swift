// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// JSON for people (https://spec.json5.org): comments, trailing commas, single quotes, bare keys.
///
/// Two demands go beyond the specification: keys of an object differ, and escapes of surrogates come in pairs.
public enum JSON5 {
    /// How many containers may be open at once.
    public static let maximumDepth = 64

    /// Parses a whole file; a byte order mark is white space. `file` is only for the positions.
    public static func parse(_ bytes: RawSpan, file: String) throws(JSON5Error) -> JSON5Node {
        var copy: [UInt8] = []
        copy.append(bytes: bytes)
        return try parse(copy, file: file)
    }

    /// Parses a whole file; a byte order mark is white space. `file` is only for the positions.
    public static func parse(_ bytes: [UInt8], file: String) throws(JSON5Error) -> JSON5Node {
        var reader = try JSON5Reader(bytes, file: file)
        try reader.skipBlank()
        let node = try reader.node(depth: maximumDepth)
        try reader.skipBlank()
        if !reader.isAtEnd { throw reader.error("expected the end of the file") }
        return node
    }
}
