// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsQuery

/// A query for one page of records: its filter, order, facets and position.
public struct PageQuery: Sendable {
    /// The condition that a record must match.
    public var predicate: Predicate
    /// The order of the records.
    public var order: RecordOrder
    /// Whether records come group by group, in the definition's order; records without a group come last.
    public var isGrouped = false
    /// The treatment of archived records.
    public var archived = ArchivedMode.exclude
    /// The indices of the fields whose values are counted over all matches.
    public var facets: [Int] = []
    /// The maximum number of rows on the page; 0 for totals only.
    public var limit = 50
    /// The position that the previous page ended with; nil for the first page.
    public var after: PagePosition?

    /// Makes a query for the first page, with 50 rows, and without groups, archived records and facets.
    public init(predicate: Predicate, order: RecordOrder) {
        self.predicate = predicate
        self.order = order
    }
}

/// One page of a query's result: its rows, and the totals over all matches.
public struct Page: Sendable {
    /// A group with the number of its matches.
    public struct Group: Sendable, Hashable {
        /// The index of the group in the definition; the number of groups for records of no group.
        public let group: Int
        /// The number of matches in the group, over all pages; at least 1.
        public let total: Int
    }

    /// The rows of the page, in the query's order.
    public var rows: [UInt32] = []
    /// The exact number of matches, over all pages.
    public var total = 0
    /// The groups that have matches, in the definition's order; empty for a query that is not grouped.
    public var groups: [Group] = []
    /// The values that occur, one array for each facet of the query, in the order of the field's values. Last come the
    /// matches without a value, if there are any.
    public var facets: [[FacetCount]] = []
    /// The position of the page's last row, at which the next page begins; nil after the last record.
    public var next: PagePosition?
}

/// A value of a field, with the number of matches that have it; or the number of matches without a value.
public struct FacetCount: Sendable, Hashable {
    /// The maximum number of values counted for one field; the first ones in its order are kept.
    public static let maxValues = 10_000

    /// The index of the code in its vocabulary; nil for a field that is no enum, and without a value.
    public let code: Int?
    /// A row whose record has the value, for reading the value; nil for the matches without a value.
    public let row: Int?
    /// The number of matches that have the value, over all pages; at least 1.
    public let count: Int
    /// The ordinal of the value in its column; that after the last for the matches without a value.
    let ordinal: Int
}

/// A position in an order of records: the position of a record, by the values that order it.
///
/// It stays valid in later generations of the collection, even if its record is gone.
public struct PagePosition: Sendable, Hashable {
    /// The record's group; the number of groups means no group. Nil in a query that is not grouped.
    public var group: Int?
    /// The order-preserving keys of the record's values, one for each key of the order but the id; nil for an absent
    /// value.
    ///
    /// The key of a text is the folded text, a zero byte, and the text as it came. The key of an enum is the code's
    /// index in its vocabulary, in four bytes, the highest first.
    public var keys: [[UInt8]?]
    /// The bytes of the record's id, which decides between equal keys.
    public var id: [UInt8]
    /// The generation in which the record was found; with ``row`` it saves looking the values up.
    public var generation: UInt64
    /// The row of the record in that generation, from 0.
    public var row: Int

    /// Makes a position from its parts.
    public init(group: Int?, keys: [[UInt8]?], id: [UInt8], generation: UInt64, row: Int) {
        self.group = group
        self.keys = keys
        self.id = id
        self.generation = generation
        self.row = row
    }
}

/// The beginning of a page, or its end, anywhere in the order of a query.
public enum PageAnchor: Sendable, Hashable {
    /// The first page.
    case start
    /// The last records, as many as a page has.
    case end
    /// The page whose first record has a rank, from 0; past the end the last page.
    case rank(Int)
    /// The page that begins with the record of a position, or with the first match after it if the record does not
    /// match.
    case from(PagePosition)
    /// The page that begins after a position.
    case after(PagePosition)
    /// The page that ends before a position.
    case before(PagePosition)

    /// Whether the page is defined by its end, so that its last records matter.
    public var isBackward: Bool {
        switch self {
        case .end, .before: true
        case .start, .rank, .from, .after: false
        }
    }
}

/// A page that began at an anchor, and its rank.
public struct AnchoredPage: Sendable {
    /// The rows with the totals; its `next` is always nil.
    public var page: Page
    /// The number of matches before the first row of the page, or before the anchor if the page is empty.
    public var rank: Int
}
