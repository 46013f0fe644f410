// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

/// Draws lines and texts into a frame.
struct ScreenPainter {
    private(set) var frame: Frame

    init(_ size: ScreenSize) { frame = Frame(size) }

    /// The cell that the cursor stands on; nil hides it.
    var cursor: CellPosition? {
        get { frame.cursor }
        set { frame.cursor = newValue }
    }

    /// Draws a text that is cut with an ellipsis where it does not fit into `width` cells, and returns its cells.
    @discardableResult
    mutating func put(
        _ text: String, row: Int, column: Int, width: Int? = nil, style: CellStyle = .plain
    ) -> Int {
        let room = min(width ?? .max, frame.size.columns - column)
        return frame.put(Fitting.truncate(text, to: room), row: row, column: column, width: room, style: style)
    }

    /// Draws a line at most `width` cells wide.
    mutating func put(_ line: StyledLine, row: Int, column: Int, width: Int) {
        var used = 0
        for segment in line.segments where used < width {
            used += frame.put(
                segment.text, row: row, column: column + used, width: width - used, style: CellStyle(segment.style))
        }
    }

    /// Draws lines one below the other, as many as fit, and returns their number.
    @discardableResult
    mutating func put(_ lines: some Collection<StyledLine>, rows: Range<Int>, column: Int, width: Int) -> Int {
        for (row, line) in zip(rows, lines) { put(line, row: row, column: column, width: width) }
        return min(rows.count, lines.count)
    }

    /// Whether there is no text in a cell.
    func isBlank(row: Int, column: Int) -> Bool {
        frame.cell(at: CellPosition(row: row, column: column)).text == " "
    }

    /// Makes the cells of a row blank.
    mutating func clear(row: Int, columns: Range<Int>) {
        let columns = columns.clamped(to: 0..<frame.size.columns)
        frame.put(String(repeating: " ", count: columns.count), row: row, column: columns.lowerBound)
    }

    /// The bytes that the bar of a selected row may take. A move of the selection draws two rows.
    private static let maxSelectionBytes = 440

    /// Shows a row as the selected one: its mark, and as much of it as few bytes draw.
    mutating func select(row: Int, columns: Range<Int>) {
        let mark = columns.clamped(to: 0..<ScreenRegions.textColumn)
        let bar = frame.restylable(row: row, columns: columns, maxBytes: Self.maxSelectionBytes)
        let columns = bar.count < mark.count ? mark : bar
        for column in columns {
            var style = frame.cell(at: CellPosition(row: row, column: column)).style
            style.isReversed = true
            frame.fill(row: row, columns: column..<column + 1, style: style)
        }
    }
}

extension CellStyle {
    /// The look of a style of text on a screen, where nothing is dim or yellow.
    init(_ style: Style) {
        switch style {
        case .plain, .dim: self = .plain
        case .bold, .heading: self = .bold
        case .badge, .warning: self = .wrong
        }
    }
}
