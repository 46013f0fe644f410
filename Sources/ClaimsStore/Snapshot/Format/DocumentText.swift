// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The text of a field as it came, which only the record's document has: columns keep folded texts.
enum DocumentText {
    /// Empty where the document has no such text.
    static func read(_ name: [UInt8], of document: RawSpan, _ tape: inout JSONTape) -> [UInt8] {
        var text: [UInt8] = []
        guard (try? tape.parse(document, depth: depth)) != nil, let node = tape.member(name, of: 0, in: document)
        else { return text }
        tape.appendString(node, in: document, to: &text)
        return text
    }

    /// Documents hold upstream values of any depth that was accepted.
    private static let depth = 1024
}
