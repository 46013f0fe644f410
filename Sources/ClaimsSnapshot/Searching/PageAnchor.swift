// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The beginning of a page, or its end, anywhere in the order of a query.
public enum PageAnchor: Sendable, Hashable {
    /// The first page.
    case start
    /// The last records, as many as a page has.
    case end
    /// The page whose first record has a rank, from 0; past the end the last page.
    case rank(Int)
    /// The page that begins with the record of a position; where it does not match, with the first one after it.
    case from(PagePosition)
    /// The page that begins after a position.
    case after(PagePosition)
    /// The page that ends before a position.
    case before(PagePosition)

    /// Whether the page is known by its end, so that its last records are those that matter.
    public var isBackward: Bool {
        switch self {
        case .end, .before: true
        case .start, .rank, .from, .after: false
        }
    }
}

/// A page that began at an anchor, and where it lies.
public struct AnchoredPage: Sendable {
    /// The rows with the totals; its `next` is always nil.
    public var page: Page
    /// The number of matches before the first row of the page, or before the anchor where the page is empty.
    public var rank: Int
}
