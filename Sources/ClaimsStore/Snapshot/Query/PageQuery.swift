// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsQuery

/// What one page of records is made of.
public struct PageQuery: Sendable {
    public var predicate: Predicate
    public var order: RecordOrder
    /// Records come group by group, in the definition's order; those of no group come last.
    public var isGrouped = false
    public var archived = ArchivedMode.exclude
    /// The fields whose values are counted over all matches.
    public var facets: [Int] = []
    /// The most records; 0 for totals only.
    public var limit = 50
    /// Where the page before ended; nil for the first.
    public var after: PagePosition?

    public init(predicate: Predicate, order: RecordOrder) {
        self.predicate = predicate
        self.order = order
    }
}
