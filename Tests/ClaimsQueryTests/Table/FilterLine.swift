// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// A filter as text and as tree, and the ids of the records of `Library` that it finds.
struct FilterLine: Sendable, CustomTestStringConvertible {
    let text: String
    let tree: String
    let ids: String

    init(_ text: String, _ tree: String, _ ids: String) {
        self.text = text
        self.tree = tree
        self.ids = ids
    }

    init(_ text: String, _ tree: String, allBut ids: String) {
        let left = Set(ids.split(separator: " "))
        let found = Library.allIDs.split(separator: " ").filter { !left.contains($0) }
        self.init(text, tree, found.joined(separator: " "))
    }

    var testDescription: String { text }

    static let all = text + codes + numbers + dates + identities + freeText + logic
}
