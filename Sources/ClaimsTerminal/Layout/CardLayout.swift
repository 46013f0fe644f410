// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// A layout of rows as cards, for terminals too narrow for columns: a title, longer texts, then the rest by name.
public struct CardLayout: Sendable {
    private let columns: [TableColumn]
    private let width: Int

    /// Makes a layout for lines of `width` cells; a width below 8 counts as 8.
    public init(columns: [TableColumn], width: Int) {
        self.columns = columns
        self.width = max(8, width)
    }

    /// The lines of one row, with as many cells as there are columns; empty values take no room.
    public func lines(_ row: [Cell], isColored: Bool) -> [String] {
        var lines: [String] = []
        let hasBadge = row.contains(where: \.isBadge)
        let title = columns.firstIndex(where: \.isEmphasized) ?? columns.firstIndex { $0.lines > 1 }
        let badges = row.filter(\.isBadge)
        if let title {
            let badge = badges.map(\.text).joined(separator: " ")
            let taken = badge.isEmpty ? 0 : min(width / 2, DisplayWidth.cells(of: badge) + 1)
            let limit = max(1, hasBadge ? columns[title].lines - 1 : columns[title].lines)
            let texts = Fitting.wrapCut(row[title].text, to: width - taken, lines: limit)
            for (index, text) in texts.enumerated() {
                let shown = Style.bold.apply(to: text, isColored: isColored)
                let tail = index == 0 && !badge.isEmpty ? Fitting.truncate(badge, to: max(1, taken - 1)) : ""
                lines.append(tail.isEmpty ? shown : shown + " " + Style.badge.apply(to: tail, isColored: isColored))
            }
        }
        let rest = columns.indices.filter { index in
            index != title && !row[index].text.isEmpty && !(title != nil && row[index].isBadge)
        }
        for index in rest where columns[index].lines > 1 {
            let limit = hasBadge ? columns[index].lines - 1 : columns[index].lines
            for text in Fitting.wrapCut(row[index].text, to: width - 2, lines: limit) { lines.append("  " + text) }
        }
        let facts = rest.filter { columns[$0].lines == 1 }.map { index in
            "\(columns[index].heading.lowercased()) \(row[index].text)"
        }
        for text in Fitting.wrapCut(facts.joined(separator: " · "), to: width - 2, lines: 4) where !facts.isEmpty {
            lines.append("  " + Style.dim.apply(to: text, isColored: isColored))
        }
        return lines
    }
}

/// The layout of the rows of a list: a table, or cards if the terminal is too narrow for its columns.
public enum ListLayout: Sendable {
    case table(TableLayout)
    case cards(CardLayout)

    /// Chooses a layout by the rows given, such as those of the first page.
    ///
    /// A row that comes later is cut to the widths chosen here.
    ///
    /// - Parameter width: the width of a line in cells; `nil` gives every column the width that it needs.
    public init(columns: [TableColumn], rows: [[Cell]], width: Int?) {
        if let table = TableLayout(columns: columns, rows: rows, width: width) {
            self = .table(table)
        } else {
            self = .cards(CardLayout(columns: columns, width: width ?? 80))
        }
    }

    /// The lines above the first row; none for cards.
    public func headings(isColored: Bool) -> [String] {
        switch self {
        case .table(let table): table.headings(isColored: isColored)
        case .cards: []
        }
    }

    /// The lines of one row, with as many cells as there are columns.
    public func lines(_ row: [Cell], isColored: Bool) -> [String] {
        switch self {
        case .table(let table): table.lines(row, isColored: isColored)
        case .cards(let cards): cards.lines(row, isColored: isColored)
        }
    }
}
