// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Where a part of a filter or of an order was written.
public enum FilterPlace: Sendable, Hashable {
    /// Bytes of the text.
    case text(position: Int, length: Int)
    /// A JSON Pointer into the tree.
    case tree(String)

    init(_ range: Range<Int>) {
        self = .text(position: range.lowerBound, length: range.count)
    }
}
