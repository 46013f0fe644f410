// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

/// The third row of the screen: what is asked, how many match, and where the selection is among them.
struct QueryText {
    let list: ListState
    let collection: CollectionDescription
    let messages: Messages

    /// The left part: `Packs: 7 · /pump · with archive`.
    var query: String {
        let query = list.query
        let offers = collection.offers
        let view = query.view.map { name in offers.views.first { $0.name == name }?.title ?? name }
        let parts = [
            query.search.isEmpty ? nil : "/\(query.search)", query.filter.isEmpty ? nil : query.filter,
            view.map(messages.inView), query.order.map(messages.inOrder), archived,
        ]
        let title = Escaping.line(collection.title)
        let total = isAnswered ? "\(title): \(messages.number(list.total))" : title
        return ([total] + parts.compactMap { $0.map { Escaping.line($0) } }).joined(separator: " · ")
    }

    private var archived: String? {
        switch list.query.archived {
        case .exclude: nil
        case .include: messages.withArchived
        case .only: messages.onlyArchived
        }
    }

    /// Whether the rows answer the query, or will do so: those of a query that was refused are another one's.
    private var isAnswered: Bool {
        guard case .answered = list.phase else { return false }
        return list.answeredQuery == list.query || list.work.jump != nil
    }

    /// The right part: the rank of the selected record, or that the newest question has no answer yet.
    var rank: String {
        guard case .answered(let isSearching) = list.phase else { return "" }
        if isSearching { return messages.searching }
        guard isAnswered, let rank = list.selectedRank else { return "" }
        return "\(messages.number(rank))/\(messages.number(list.total))"
    }
}
