// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// A table whose rows are all known before it is shown, such as that of `status`.
public struct TextTable {
    private let columns: [LayoutColumn]
    private var rows: [[Cell]] = []

    /// Makes a table without rows.
    public init(_ columns: [LayoutColumn]) {
        self.columns = columns
    }

    /// Appends a row, which has a cell for each column.
    public mutating func append(_ row: [Cell]) {
        rows.append(row)
    }

    /// The table's headings and rows, a newline after each line; empty for a table without rows.
    ///
    /// - Parameter width: the width of a line in cells; nil for no limit.
    public func text(width: Int?, isColored: Bool, hasHeadings: Bool = true) -> String {
        if rows.isEmpty { return "" }
        let layout = ListLayout(columns: columns, rows: rows, width: width)
        var lines = hasHeadings ? layout.headings : []
        for row in rows { lines += layout.lines(row) }
        return lines.map { $0.text(isColored: isColored) + "\n" }.joined()
    }
}

/// A table of anything but records, such as the collections in `status`. It keeps each value twice: as data, and as the
/// cell that people read.
public struct TableRows {
    /// The name of each column in machine formats, such as CSV.
    public let names: [String]
    private let columns: [LayoutColumn]
    /// The values of each row as data, in the order of ``names``.
    public private(set) var data: [[String]] = []
    private var cells: [[Cell]] = []

    /// Makes a table without rows.
    ///
    /// - Parameter columns: the name of each column as data, and the column that people read.
    public init(_ columns: [(name: String, column: LayoutColumn)]) {
        names = columns.map(\.name)
        self.columns = columns.map(\.column)
    }

    /// Appends a row, which has a value for each column: as data, and as the cell that people read.
    public mutating func append(_ row: [(data: String, cell: Cell)]) {
        data.append(row.map(\.data))
        cells.append(row.map(\.cell))
    }

    /// Whether the table has no rows.
    public var isEmpty: Bool { data.isEmpty }

    /// The table as people read it, a newline after each line; empty for a table without rows.
    ///
    /// - Parameter width: the width of a line in cells; nil for no limit.
    public func text(width: Int?, isColored: Bool, hasHeadings: Bool = true) -> String {
        var table = TextTable(columns)
        for row in cells { table.append(row) }
        return table.text(width: width, isColored: isColored, hasHeadings: hasHeadings)
    }
}
