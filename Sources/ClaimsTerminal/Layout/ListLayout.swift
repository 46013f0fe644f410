// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// How the rows of a list stand: in columns, or as cards where the terminal is too narrow for them.
public enum ListLayout: Sendable {
    case table(TableLayout)
    case cards(CardLayout)

    /// Decides by the first rows; later ones are cut to what was decided. A `width` of `nil` is as wide as needed.
    public init(columns: [Column], rows: [[Cell]], width: Int?) {
        if let table = TableLayout(columns: columns, rows: rows, width: width) {
            self = .table(table)
        } else {
            self = .cards(CardLayout(columns: columns, width: width ?? 80))
        }
    }

    public func headings(isColored: Bool) -> [String] {
        switch self {
        case .table(let table): table.headings(isColored: isColored)
        case .cards: []
        }
    }

    public func lines(_ row: [Cell], isColored: Bool) -> [String] {
        switch self {
        case .table(let table): table.lines(row, isColored: isColored)
        case .cards(let cards): cards.lines(row, isColored: isColored)
        }
    }
}
