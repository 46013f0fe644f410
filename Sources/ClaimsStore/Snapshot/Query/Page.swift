// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Some records of a query's answer, and what was counted over all of it.
package struct Page: Sendable {
    package struct Group: Sendable, Hashable {
        /// The index of the group in the definition; the number of groups for records of no group.
        package let group: Int
        package let total: Int
    }

    /// In the order asked for.
    package var rows: [UInt32] = []
    /// How many records match in all.
    package var total = 0
    /// Of a grouped query: the groups that have matches, in their order.
    package var groups: [Group] = []
    /// For each facet: the values that occur, in the field's order.
    package var facets: [[FacetCount]] = []
    /// Where the next page begins; nil after the last record.
    package var next: PagePosition?
}
