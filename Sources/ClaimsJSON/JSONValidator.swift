// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Says whether bytes are one JSON document (RFC 8259), and keeps nothing of it.
public enum JSONValidator {
    /// Throws at the first byte that is not part of one JSON document with at most `depth` open containers.
    public static func validate(_ bytes: RawSpan, depth: Int) throws(JSONError) {
        let scanner = JSONScanner(bytes)
        _ = try scanner.end(of: skip(bytes, from: 0, depth: depth))
    }

    /// The offset after the value at `offset`, which it checks.
    static func skip(_ bytes: RawSpan, from offset: Int, depth: Int) throws(JSONError) -> Int {
        var nesting = NestingSink()
        return try JSONScanner(bytes).walk(from: offset, depth: depth, into: &nesting)
    }
}
