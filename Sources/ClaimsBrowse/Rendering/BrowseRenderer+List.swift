// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

// The list of a collection, or the reason why there is none.

extension BrowseRenderer {
    mutating func drawList(_ list: ListState, of collection: CollectionDescription) {
        drawQuery(list, of: collection)
        let explanation = condition?.explanation ?? []
        guard explanation.isEmpty else { return draw(explanation: explanation) }
        let geometry = ListGeometry(list, in: state)
        guard let rows = geometry.rows, !list.rows.isEmpty else { return }
        let columns = regions.listColumns
        var row = body.lowerBound
        row += painter.put(
            rows.headings, rows: row..<body.upperBound, column: ScreenRegions.textColumn, width: regions.listTextWidth)
        let top = max(0, min(list.top, list.rows.count - 1))
        if let heading = rows.groupHeading(of: list.rows[top]), row < body.upperBound {
            painter.put(heading, row: row, column: 1, width: columns - 2)
            row += 1
        }
        for index in top..<list.rows.count where row < body.upperBound {
            let record = list.rows[index]
            if index > top, rows.beginsGroup(record, after: list.rows[index - 1]),
                let heading = rows.groupHeading(of: record)
            {
                painter.put(heading, row: row, column: 1, width: columns - 2)
                row += 1
                if row >= body.upperBound { break }
            }
            let lines = rows.lines(of: record)
            painter.put(
                lines, rows: row..<body.upperBound, column: ScreenRegions.textColumn, width: regions.listTextWidth)
            mark(record, row: row, isSelected: index == list.selected)
            row += lines.count
        }
        if regions.isSplit { drawBorder() }
    }

    private mutating func drawQuery(_ list: ListState, of collection: CollectionDescription) {
        let text = QueryText(list: list, collection: collection, messages: messages)
        let width = regions.size.columns
        let rank = text.rank
        let rankCells = StyledLine(rank).cells
        painter.put(text.query, row: 2, column: 1, width: width - rankCells - (rank.isEmpty ? 2 : 4), style: .bold)
        painter.put(rank, row: 2, column: width - 1 - rankCells)
    }

    private mutating func draw(explanation: [String]) {
        var row = body.lowerBound + 1
        for (index, text) in explanation.enumerated() {
            for line in Fitting.wrapWhole(text, to: regions.listColumns - 2) where row < body.upperBound {
                painter.put(line, row: row, column: 1, style: index == 0 ? .bold : .plain)
                row += 1
            }
        }
    }

    /// Draws the flag of a record, shows it as selected, and says why it has left the list.
    private mutating func mark(_ record: ListRow, row: Int, isSelected: Bool) {
        let end = regions.listColumns - 1
        let flag = self.flag(of: record)
        painter.put(flag, row: row, column: 1, style: flag == "!" ? .wrong : .bold)
        if case .removed(let reason)? = record.mark {
            let text = "  \(messages.removed(reason))"
            let cells = min(StyledLine(text).cells, end - ScreenRegions.textColumn)
            // No word is cut, so that no number, code or time looks like another one.
            var start = end - cells
            while start > ScreenRegions.textColumn, !painter.isBlank(row: row, column: start - 1) { start -= 1 }
            painter.clear(row: row, columns: start..<end)
            painter.put(text, row: row, column: end - cells, width: cells, style: .bold)
        }
        guard isSelected else { return }
        painter.put(">", row: row, column: 0, style: .bold)
        painter.select(row: row, columns: 0..<end)
        painter.frame.cursor = CellPosition(row: row, column: 0)
    }

    /// One sign for what there is to know of a record: it has left the list, changed, needs somebody, waits to be sent,
    /// or is archived.
    private func flag(of row: ListRow) -> String {
        if case .removed? = row.mark { return "-" }
        let state = row.record["pending"]?[PendingMark.state]
        // The most urgent sign comes first.
        if state == PendingState.stuck.rawValue { return "!" }
        if row.mark == .updated { return "*" }
        if state != nil { return "~" }
        return row.record["archived"]?.bool == true ? "a" : ""
    }

    private mutating func drawBorder() {
        for row in body { painter.put("│", row: row, column: regions.listColumns) }
    }
}
