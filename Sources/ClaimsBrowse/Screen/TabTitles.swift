// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The titles of the tabs in a line: `1 Units [2 Packs] 3 Claims!  4 Status`.
struct TabTitles {
    /// A tab, with a mark where it needs attention.
    struct Title {
        let name: String
        let isCurrent: Bool
        let isUrgent: Bool
    }

    /// A part of the line: a tab with its number, and its name where there is room.
    struct Piece {
        /// The index of the tab.
        let index: Int
        let text: String
        let isCurrent: Bool
    }

    let titles: [Title]

    init(
        _ tabs: [BrowseTab], current: BrowseTab, collections: [CollectionDescription], status: AnswerValue?,
        _ messages: Messages
    ) {
        let urgent = status.map(StatusSummary.needyCollections) ?? []
        titles = tabs.map { tab in
            switch tab {
            case .collection(let name):
                let title = collections.first { $0.name == name }?.title ?? name
                return Title(
                    name: Escaping.line(title), isCurrent: tab == current, isUrgent: urgent.contains(name))
            case .outbox:
                let stuck = status?[StatusResult.outbox]?[StatusResult.Outbox.stuck] ?? 0
                return Title(name: messages.outboxTitle, isCurrent: tab == current, isUrgent: stuck > 0)
            case .status:
                let problems = status?[StatusResult.problems] ?? []
                return Title(name: messages.statusTitle, isCurrent: tab == current, isUrgent: !problems.isEmpty)
            }
        }
    }

    /// The pieces of a line of at most `width` cells; where there is no room for all, tabs farther from the
    /// current one are their numbers.
    func pieces(width: Int) -> [Piece] {
        let full = pieces(titles.indices.map { "\($0 + 1) \(titles[$0].name)" })
        if cells(full) <= width { return full }
        let current = titles.firstIndex(where: \.isCurrent) ?? 0
        let short = pieces(titles.indices.map { $0 == current ? "\($0 + 1) \(titles[$0].name)" : "\($0 + 1)" })
        if cells(short) <= width { return named(short, full, around: current, width: width) }
        // The tabs around the current one.
        var first = current
        var shown = [short[first]]
        var next = first + 1
        while true {
            if next < short.count, cells(shown) + cells([short[next]]) <= width {
                shown.append(short[next])
                next += 1
            } else if first > 0, cells(shown) + cells([short[first - 1]]) <= width {
                first -= 1
                shown.insert(short[first], at: 0)
            } else {
                return shown
            }
        }
    }

    /// The index of the tab that stands in a column of a line of `width` cells; nil right of the last one.
    func tab(at column: Int, width: Int) -> Int? {
        var end = 0
        return pieces(width: width).first { piece in
            end += cells([piece])
            return column < end
        }?.index
    }

    /// Gives tabs their names again, those beside the current one first, as far as there is room.
    private func named(_ short: [Piece], _ full: [Piece], around current: Int, width: Int) -> [Piece] {
        var pieces = short
        var room = width - cells(short)
        for index in pieces.indices.sorted(by: { abs($0 - current) < abs($1 - current) }) {
            let more = cells([full[index]]) - cells([short[index]])
            guard more <= room else { break }
            pieces[index] = full[index]
            room -= more
        }
        return pieces
    }

    private func pieces(_ names: [String]) -> [Piece] {
        titles.indices.map { index in
            let title = titles[index]
            let text = names[index] + (title.isUrgent ? "!" : "")
            return Piece(
                index: index, text: title.isCurrent ? "[\(text)]" : " \(text) ", isCurrent: title.isCurrent)
        }
    }

    private func cells(_ pieces: [Piece]) -> Int {
        pieces.reduce(0) { $0 + StyledLine($1.text).cells }
    }
}

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
        return list.answeredQuery == list.query || list.isJumping
    }

    /// The right part: the rank of the selected record, or that the newest question has no answer yet.
    var rank: String {
        guard case .answered(let isSearching) = list.phase else { return "" }
        if isSearching { return messages.searching }
        guard isAnswered, let rank = list.held.selectedRank else { return "" }
        return "\(messages.number(rank))/\(messages.number(list.total))"
    }
}
