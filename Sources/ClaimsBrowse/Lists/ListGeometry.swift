// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

/// The lines that the records of a list take on the screen, by which the model pages and keeps the selection in view.
struct ListGeometry {
    /// The lines for records, below the headings that stay in view.
    let lines: Int
    /// The row of the screen of the first line, from 0.
    let firstRow: Int
    /// The rows as lines; nil for a collection that is not described.
    let rows: ListRows?

    /// - Parameters:
    ///   - rows: the rows as lines; nil for a collection that is not described.
    ///   - isGrouped: whether the heading of a group stands above the first row.
    init(_ rows: ListRows?, isGrouped: Bool, in regions: ScreenRegions) {
        self.rows = rows
        let headings = (rows?.headings.count ?? 0) + (isGrouped ? 1 : 0)
        firstRow = ScreenRegions.rowsAbove + headings
        lines = max(1, regions.bodyLines - headings)
    }

    /// The lines of a record, with the heading of its group where it is the first of it after `previous`.
    func height(of row: ListRow, after previous: ListRow?) -> Int {
        guard let rows else { return 1 }
        return rows.lines(of: row).count + (rows.beginsGroup(row, after: previous) ? 1 : 0)
    }
}

/// The division of a screen: three rows above, two below, and between them a list, or a detail, or both.
struct ScreenRegions: Equatable, Sendable {
    let size: ScreenSize
    /// Whether the detail of a record stands beside its list.
    let isSplit: Bool

    /// The smallest screen that is drawn on.
    static let minSize = ScreenSize(columns: 40, rows: 10)
    /// The columns from which on a detail stands beside its list.
    static let minSplitColumns = 120
    /// The rows of tabs, freshness and query, and those of notices and keys.
    static let rowsAbove = 3
    static let rowsBelow = 2
    /// The column at which the text of a record begins, after its mark and its flag.
    static let textColumn = 3

    /// - Parameter hasDetail: whether a record is shown with all its fields.
    init(_ size: ScreenSize, hasDetail: Bool) {
        // A terminal that does not know its size reports none.
        self.size = size.columns <= 0 || size.rows <= 0 ? .standard : size
        isSplit = hasDetail && self.size.columns >= Self.minSplitColumns
    }

    /// Whether there are too few cells to draw anything but a line that says so.
    var isTooSmall: Bool { size.columns < Self.minSize.columns || size.rows < Self.minSize.rows }
    /// The lines between the rows above and those below.
    var bodyLines: Int { max(1, size.rows - Self.rowsAbove - Self.rowsBelow) }
    /// The rows between those above and those below.
    var body: Range<Int> { Self.rowsAbove..<Self.rowsAbove + bodyLines }
    /// The columns of the list.
    var listColumns: Int { isSplit ? size.columns / 2 : size.columns }
    /// The cells of a line of a record's text; the last column stays blank.
    var listTextWidth: Int { max(1, listColumns - Self.textColumn - 1) }
    /// The column at which the lines of a detail begin.
    var detailColumn: Int { isSplit ? listColumns + 2 : 1 }
    /// The cells of a line of a detail.
    var detailWidth: Int { max(1, size.columns - detailColumn - 1) }
    /// The rows of the last two lines.
    var noticeRow: Int { size.rows - 2 }
    var keyRow: Int { size.rows - 1 }
}
