// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsScreen
import ClaimsTerminal

// The tabs of the outbox and of the status.

extension BrowseRenderer {
    mutating func drawOutbox() {
        let outbox = state.outbox
        let width = regions.size.columns
        painter.put(
            "\(messages.outboxTab): \(messages.number(outbox.total))", row: 2, column: 1, width: width - 2, style: .bold
        )
        if let refusal = outbox.refusal {
            painter.put(
                Escaping.line(refusal.message), row: body.lowerBound + 1, column: 1, width: width - 2, style: .wrong)
            return
        }
        guard let operations = outbox.operations else {
            painter.put(messages.loadingRecord, row: body.lowerBound + 1, column: 1, style: .bold)
            return
        }
        guard !operations.isEmpty else {
            painter.put(messages.noOperations, row: body.lowerBound + 1, column: 1, style: .bold)
            return
        }
        let content = state.outboxContent
        let (headings, rows) = content.rows(width: regions.listTextWidth)
        let above = content.notes(width: width - 2)
        var row = body.lowerBound + painter.put(above, rows: body, column: 1, width: width - 2)
        row += painter.put(
            headings, rows: row..<max(row, body.upperBound), column: ScreenRegions.textColumn,
            width: regions.listTextWidth)
        for index in page(rows, around: outbox.selected ?? 0, lines: body.upperBound - row) where row < body.upperBound
        {
            painter.put(
                rows[index], rows: row..<body.upperBound, column: ScreenRegions.textColumn,
                width: regions.listTextWidth)
            if OutboxContent.isStuck(operations[index]["state"]?.string ?? "") {
                painter.put("!", row: row, column: 1, style: .wrong)
            }
            if index == outbox.selected {
                painter.put(">", row: row, column: 0, style: .bold)
                painter.select(row: row, columns: 0..<width - 1)
                painter.frame.cursor = CellPosition(row: row, column: 0)
            }
            row += rows[index].count
        }
    }

    /// The rows of the page that has the selected one: pages begin where the one before is full.
    private func page(_ rows: [[StyledLine]], around selected: Int, lines: Int) -> Range<Int> {
        var start = 0
        var used = 0
        for index in rows.indices {
            if used + rows[index].count > lines, index > start {
                if index > selected { return start..<index }
                start = index
                used = 0
            }
            used += rows[index].count
        }
        return start..<rows.count
    }

    mutating func drawStatus() {
        let width = regions.listTextWidth
        let (lines, starts) = state.statusContent.lines(width: width)
        let selected = starts.indices.contains(state.health.selected) ? starts[state.health.selected] : 0
        var first = max(0, min(state.health.scroll, lines.count - body.count))
        // The selected collection stays in view.
        first = min(first, selected)
        if selected >= first + body.count { first = selected - body.count + 1 }
        painter.put(
            lines.dropFirst(first), rows: body, column: ScreenRegions.textColumn, width: width)
        let row = body.lowerBound + selected - first
        guard !starts.isEmpty, body.contains(row) else { return }
        painter.put(">", row: row, column: 0, style: .bold)
        painter.frame.cursor = CellPosition(row: row, column: 0)
    }
}
