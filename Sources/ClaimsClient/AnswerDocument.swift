// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The bytes of one line from the daemon, and where its values lie in them.
public final class AnswerDocument: Sendable {
    public let bytes: [UInt8]
    public let tape: JSONTape

    /// How many containers may be open at once in a line: the records' own depth, and the answer around them.
    public static let depth = 128

    /// Reads a line.
    public init(_ bytes: [UInt8]) throws(JSONError) {
        var tape = JSONTape()
        _ = try tape.parse(bytes.rawSpan, from: 0, depth: Self.depth)
        self.bytes = bytes
        self.tape = tape
    }

    public var root: AnswerValue { AnswerValue(document: self, node: 0) }
}
