// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The layout of the rows of a list: a table, or cards where a table would cut what must not be cut.
///
/// It is a table if that cuts no id, label, number or time, and leaves the text in bold 14 cells, and a text of several
/// lines 40, or all that they need.
public struct ListLayout: Sendable {
    private enum Form: Sendable {
        case table(TableLayout)
        case cards(CardLayout)
    }

    public let columns: [LayoutColumn]
    /// The width of a line in cells; nil gives every column the width that it needs.
    public let width: Int?
    /// The widest value of each column among the rows that were admitted, in cells.
    private var widest: [Int]
    private var form: Form
    private let indent: Int

    /// The width of cards where lines have no limit.
    private static let freeCardWidth = 80

    /// Chooses a layout by the rows given, such as those of the first page; rows that come later are to be admitted.
    ///
    /// - Parameters:
    ///   - width: the width of a line in cells; `nil` gives every column the width that it needs.
    ///   - indent: the cells before the lines of a card after its first.
    public init(columns: [LayoutColumn], rows: [[Cell]], width: Int?, indent: Int = CardLayout.plainIndent) {
        self.columns = columns
        self.width = width
        self.indent = indent
        widest = [Int](repeating: 0, count: columns.count)
        form = .cards(CardLayout(columns: columns, width: width ?? Self.freeCardWidth, indent: indent))
        for row in rows { _ = note(row) }
        if let table = TableLayout(columns: columns, widest: widest, width: width) { form = .table(table) }
    }

    /// Whether rows are cards.
    public var isCards: Bool {
        if case .cards = form { return true }
        return false
    }

    /// Makes room for a row that comes later, so that no id, label, number or time of it is cut, and a text only where
    /// the line is full: columns get wider, or the rows become cards.
    ///
    /// - Returns: whether the layout has changed.
    @discardableResult public mutating func admit(_ row: [Cell]) -> Bool {
        guard note(row), case .table = form else { return false }
        if let table = TableLayout(columns: columns, widest: widest, width: width) {
            form = .table(table)
        } else {
            form = .cards(CardLayout(columns: columns, width: width ?? Self.freeCardWidth, indent: indent))
        }
        return true
    }

    /// Records the widths of a row.
    ///
    /// - Returns: whether a value does not fit its column in the table, and must not or need not be cut.
    private mutating func note(_ row: [Cell]) -> Bool {
        var needsRoom = false
        for (index, cell) in row.enumerated() {
            let cells = DisplayWidth.cells(of: cell.text)
            guard cells > widest[index] else { continue }
            widest[index] = cells
            guard case .table(let table) = form else { continue }
            let isTooWide = cells > table.widths[index]
            let mayWiden = !columns[index].isElastic || table.hasRoom(in: width)
            if table.hidden.contains(index) || isTooWide && mayWiden { needsRoom = true }
        }
        return needsRoom
    }

    /// The lines above the first row; none for cards.
    public var headings: [StyledLine] {
        switch form {
        case .table(let table): table.headings
        case .cards: []
        }
    }

    /// The lines of one row, with as many cells as there are columns.
    ///
    /// - Parameter marks: marks of the record, which a card shows before its label.
    public func lines(_ row: [Cell], marks: [Cell] = []) -> [StyledLine] {
        switch form {
        case .table(let table): table.lines(row)
        case .cards(let cards): cards.lines(row, marks: marks)
        }
    }
}
