// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsProtocol

/// The lists that a collection offers beside all its records, and whether it has an archive and deals.
public struct ListOffers: Sendable {
    /// A named order, with its keys.
    public struct Order: Sendable {
        public let name: String
        public let keys: [String]
    }

    /// A view: a filter with a name.
    public struct View: Sendable {
        public let name: String
        public let filter: String
        /// The title in the language of the request; nil if the definition has none.
        public let title: String?
    }

    /// Whether records can be archived.
    public let isArchivable: Bool
    /// Whether there are deals.
    public let hasDeals: Bool
    /// The keys of the collection's own order.
    public let sort: [String]
    public let orders: [Order]
    public let views: [View]

    /// The offers of a collection with an archive and nothing else.
    public init() {
        (isArchivable, hasDeals, sort, orders, views) = (true, false, [], [], [])
    }

    /// Reads one element of `collections` in an answer of `describe`.
    public init(_ value: AnswerValue) {
        typealias Entry = DescribeResult.CollectionEntry
        isArchivable = value[Entry.archive] ?? true
        hasDeals = value[Entry.deal] ?? false
        sort = value[Entry.sort].map(\.text)
        orders = value[Entry.sorts].compactMap { order in
            order[DescribeResult.OrderEntry.name].map {
                Order(name: $0, keys: order[DescribeResult.OrderEntry.keys].map(\.text))
            }
        }
        views = value[Entry.views].compactMap { view in
            view[DescribeResult.ViewEntry.name].map {
                View(
                    name: $0, filter: view[DescribeResult.ViewEntry.filter] ?? "",
                    title: view[DescribeResult.ViewEntry.title])
            }
        }
    }
}
