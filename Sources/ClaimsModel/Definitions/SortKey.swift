// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One field of an order. Absent values come last in both directions.
public struct SortKey: Sendable, Hashable {
    public let field: Int
    public let descending: Bool

    public init(field: Int, descending: Bool = false) {
        self.field = field
        self.descending = descending
    }
}
