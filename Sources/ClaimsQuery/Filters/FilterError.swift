// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A filter or an order that cannot be used, and why.
public struct FilterError: Error, Sendable, Hashable {
    /// The kinds by their names in the protocol.
    public enum Kind: String, Sendable, Hashable {
        case badFilter = "bad_filter"
        case badSort = "bad_sort"
    }

    public let kind: Kind
    /// One clause for people, in English.
    public let message: String
    /// What is wrong, in bytes of the text; nil where a tree was given.
    public let position: Int?
    public let length: Int?
    /// What is wrong, as a JSON Pointer into the tree or array; nil where a text was given.
    public let pointer: String?
    /// What to write instead.
    public let hint: String?

    init(_ message: String, at place: FilterPlace?, hint: String? = nil, kind: Kind = .badFilter) {
        self.kind = kind
        self.message = message
        self.hint = hint
        switch place {
        case .text(let position, let length)?:
            (self.position, self.length, pointer) = (position, length, nil)
        case .tree(let path)?:
            (position, length, pointer) = (nil, nil, path)
        case nil:
            (position, length, pointer) = (nil, nil, nil)
        }
    }

    static func badSort(_ message: String, at place: FilterPlace?, hint: String? = nil) -> FilterError {
        FilterError(message, at: place, hint: hint, kind: .badSort)
    }
}
