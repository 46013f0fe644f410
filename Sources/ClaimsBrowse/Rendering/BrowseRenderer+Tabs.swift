// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsTerminal

// The tabs of the outbox and of the status.

extension BrowseRenderer {
    mutating func drawOutbox() {
        let outbox = state.outbox
        let width = regions.size.columns
        painter.put(
            "\(messages.outboxTitle): \(messages.number(outbox.total))", row: 2, column: 1, width: width - 2,
            style: .bold
        )
        if let refusal = outbox.refusal {
            let lines = Fitting.wrapWhole(messages.refused(refusal), to: width - 2)
            painter.put(
                lines.map { StyledLine($0, .warning) }, rows: body.dropFirst(), column: 1, width: width - 2)
            return
        }
        guard let operations = outbox.operations else {
            painter.put(messages.loadingRecord, row: body.lowerBound + 1, column: 1, style: .bold)
            return
        }
        guard !operations.isEmpty else {
            painter.put(messages.outboxIsEmpty, row: body.lowerBound + 1, column: 1, style: .bold)
            return
        }
        let page = state.outboxPage
        painter.put(page.notes, rows: body, column: 1, width: width - 2)
        let first = min(body.lowerBound + page.notes.count, body.upperBound)
        painter.put(
            page.headings, rows: first..<body.upperBound, column: ScreenRegions.textColumn, width: regions.listTextWidth
        )
        for (index, line) in page.rows.indices.map({ ($0 + page.first, page.line(of: $0)) }) {
            let row = body.lowerBound + line
            guard row < body.upperBound else { break }
            painter.put(
                page.rows[index - page.first], rows: row..<body.upperBound, column: ScreenRegions.textColumn,
                width: regions.listTextWidth)
            if OutboxContent.isStuck(operations[index]["state"]?.string ?? "") {
                painter.put("!", row: row, column: 1, style: .wrong)
            }
            if index == outbox.selected {
                painter.put(">", row: row, column: 0, style: .bold)
                painter.select(row: row, columns: 0..<width - 1)
                painter.frame.cursor = CellPosition(row: row, column: 0)
            }
        }
    }

    mutating func drawStatus() {
        let width = regions.listTextWidth
        drawVerdict()
        let (lines, starts, _) = state.statusContent.lines(width: width)
        let selected = starts.indices.contains(state.health.selected) ? starts[state.health.selected] : 0
        let first = max(0, min(state.health.scroll, lines.count - body.count))
        painter.put(
            lines.dropFirst(first), rows: body, column: ScreenRegions.textColumn, width: width)
        let row = body.lowerBound + selected - first
        guard !starts.isEmpty, body.contains(row) else { return }
        painter.put(">", row: row, column: 0, style: .bold)
        painter.frame.cursor = CellPosition(row: row, column: 0)
    }

    /// Draws how all collections are, on the rows of the freshness and of the query.
    private mutating func drawVerdict() {
        guard let verdict = state.statusContent.verdict else { return }
        let width = regions.size.columns - 2
        // Where the daemon does not answer, that stands in the first of them.
        let rows = state.link == .connected ? 1..<ScreenRegions.rowsAbove : 2..<ScreenRegions.rowsAbove
        let lines = Fitting.wrapCut(verdict.text, to: width, lines: rows.count)
        let style: Style = verdict.isWell ? .bold : .warning
        painter.put(lines.map { StyledLine($0, style) }, rows: rows, column: 1, width: width)
    }
}
