// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsQuery

/// A filter in either form: what is read can be written and read again, typed, and run.
enum FilterTarget {
    static func check(text input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        do {
            try use(FilterParser.parse(text))
        } catch let error as FilterError {
            try check(error, length: text.utf8.count)
        }
    }

    static func check(tree input: [UInt8]) throws {
        guard let tree = try? JSONValue.parse(input) else { return }
        do {
            try use(FilterParser.parse(tree: tree))
        } catch let error as FilterError {
            try check(error, length: .max)
        }
    }

    private static func use(_ node: FilterNode) throws {
        // The written filter may be longer than the one that was read.
        let limits = FilterLimits(bytes: 1 << 20)
        guard (try? FilterParser.parse(node.text, limits: limits)) == node else {
            throw FuzzFinding("the text is read as another filter: \(node.text)")
        }
        guard (try? FilterParser.parse(tree: node.tree, limits: limits)) == node else {
            throw FuzzFinding("the tree is read as another filter: \(node.text)")
        }
        let predicate = try node.typed(in: FuzzCollection.context)
        try FuzzFinding.unless(predicate.simplified == predicate, "simplifying is not done: \(predicate)")
        let matcher = PredicateMatcher(predicate, definition: FuzzCollection.definition)
        let opposite = PredicateMatcher(.not(predicate), definition: FuzzCollection.definition)
        for record in FuzzCollection.records {
            let isMatch = matcher.matches(record)
            try FuzzFinding.unless(opposite.matches(record) != isMatch, "neither true nor false: \(node.text)")
        }
    }

    /// A refusal says why, and what it points at is inside the text.
    private static func check(_ error: FilterError, length: Int) throws {
        try FuzzFinding.unless(!error.message.isEmpty, "a refusal without a reason")
        guard let position = error.position else { return }
        let end = position + (error.length ?? 0)
        try FuzzFinding.unless(position >= 0 && end >= position && end <= length, "a place outside: \(error)")
    }
}
