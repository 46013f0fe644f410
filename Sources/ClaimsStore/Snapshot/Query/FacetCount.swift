// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How often one value of a field occurs among the matches.
public struct FacetCount: Sendable, Hashable {
    /// The most values that are told of one field; those that come first in its order.
    public static let valuesMax = 10_000

    /// Of an enum, the code's index in its vocabulary.
    public let code: Int?
    /// A row whose record has the value.
    public let row: Int
    public let count: Int
}
