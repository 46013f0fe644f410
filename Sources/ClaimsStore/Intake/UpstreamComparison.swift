// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// Compares upstream records as JSON values. Made to be reused.
struct UpstreamComparison {
    enum Verdict: Equatable {
        case same
        /// Only volatile members differ.
        case volatile
        /// Members differ that count.
        ///
        /// - Parameter unread: whether some of them are read by no field.
        case different(unread: Bool)
    }

    private let volatile: JSONPointerTree
    /// The members that fields read, and those that are volatile.
    private let known: JSONPointerTree
    private var oldTape = JSONTape()

    init(_ definition: Definition) {
        volatile = JSONPointerTree(definition.volatile)
        known = JSONPointerTree(definition.volatile + definition.readPointers)
    }

    /// Compares a record with the one that is kept, which differs in its bytes.
    mutating func verdict(_ tape: JSONTape, _ bytes: RawSpan, old: RawSpan) -> Verdict {
        guard (try? oldTape.parse(old, depth: JSONElements.bodyDepth)) != nil else { return .different(unread: true) }
        let (left, right) = (JSONTapeSource(oldTape, old), JSONTapeSource(tape, bytes))
        if JSONEquality.areEqual(left, right) { return .same }
        if !volatile.isEmpty, JSONEquality.areEqual(left, right, ignoring: volatile) { return .volatile }
        return .different(unread: !JSONEquality.areEqual(left, right, ignoring: known))
    }
}
