// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// The verdicts of all entry points about some bytes. They have to agree.
struct Verdict {
    /// The tree, if the bytes are a document.
    let value: JSONValue?
    let isUnanimous: Bool

    init(_ bytes: [UInt8], depth: Int = 64) {
        func outcome(_ body: () throws -> Void) -> JSONError? {
            do {
                try body()
                return nil
            } catch { return error as? JSONError }
        }
        var tree: JSONValue?
        var tape = JSONTape()
        let errors = [
            outcome { try JSONValidator.validate(bytes.rawSpan, depth: depth) },
            outcome { _ = try tape.parse(bytes.rawSpan, depth: depth) },
            outcome { tree = try JSONValue.parse(bytes, depth: depth) },
        ]
        value = tree
        isUnanimous = errors.allSatisfy { $0 == errors[0] } && (tree == nil) == (errors[0] != nil)
    }
}
