// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One field of an order. Absent values come last in both directions.
package struct SortKey: Sendable, Hashable {
    package let field: Int
    package let descending: Bool

    package init(field: Int, descending: Bool = false) {
        self.field = field
        self.descending = descending
    }
}
