// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Bytes and the tape over them: what most tests ask about.
struct Document {
    let bytes: [UInt8]
    private(set) var tape = JSONTape()
    /// Where parsing ended.
    let end: Int

    init(_ bytes: [UInt8], from offset: Int = 0, depth: Int = 64, as scope: JSONTape.Scope = .document)
        throws(JSONError)
    {
        self.bytes = bytes
        end = try tape.parse(bytes.rawSpan, from: offset, depth: depth, as: scope)
    }

    init(_ text: String, from offset: Int = 0, depth: Int = 64, as scope: JSONTape.Scope = .document) throws(JSONError)
    {
        try self.init(Array(text.utf8), from: offset, depth: depth, as: scope)
    }

    var hasDuplicates: Bool { tape.hasDuplicates(in: bytes.rawSpan) }

    func member(_ name: String, of object: Int = 0) -> Int? {
        tape.member(Array(name.utf8), of: object, in: bytes.rawSpan)
    }

    func resolve(_ pointer: String) throws(JSONError) -> String? {
        tape.resolve(try JSONPointer(pointer), in: bytes.rawSpan).map { source($0) }
    }

    func source(_ node: Int) -> String { String(decoding: bytes[tape[node].range], as: UTF8.self) }

    func string(_ node: Int) -> String? { tape.string(node, in: bytes.rawSpan) }

    func compact(_ node: Int = 0) -> String {
        var out: [UInt8] = []
        tape.appendCompact(node, in: bytes.rawSpan, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    var value: JSONValue { JSONValue(tape, 0, in: bytes.rawSpan) }
}
