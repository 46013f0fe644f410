// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsModel
package import ClaimsQuery

/// What one page of records is made of.
package struct PageQuery: Sendable {
    package var predicate: Predicate
    package var order: RecordOrder
    /// Records come group by group, in the definition's order; those of no group come last.
    package var isGrouped = false
    package var archived = ArchivedMode.exclude
    /// The fields whose values are counted over all matches.
    package var facets: [Int] = []
    /// The most records; 0 for totals only.
    package var limit = 50
    /// Where the page before ended; nil for the first.
    package var after: PagePosition?

    package init(predicate: Predicate, order: RecordOrder) {
        self.predicate = predicate
        self.order = order
    }
}
