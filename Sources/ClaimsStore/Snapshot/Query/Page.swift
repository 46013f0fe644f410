// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Some records of a query's answer, and what was counted over all of it.
public struct Page: Sendable {
    public struct Group: Sendable, Hashable {
        /// The index of the group in the definition; the number of groups for records of no group.
        public let group: Int
        public let total: Int
    }

    /// In the order asked for.
    public var rows: [UInt32] = []
    /// How many records match in all.
    public var total = 0
    /// Of a grouped query: the groups that have matches, in their order.
    public var groups: [Group] = []
    /// For each facet: the values that occur, in the field's order.
    public var facets: [[FacetCount]] = []
    /// Where the next page begins; nil after the last record.
    public var next: PagePosition?
}
