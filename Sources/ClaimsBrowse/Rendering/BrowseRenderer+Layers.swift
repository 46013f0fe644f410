// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsTerminal

// The layers over or beside a tab: details, help, sheets, forms, deals.

extension BrowseRenderer {
    mutating func drawDetail(_ detail: DetailState) {
        let cursor = painter.frame.cursor
        if !regions.isSplit { clearBody() }
        drawScrolled(state.lines(of: detail), scroll: detail.scroll)
        // Beside the list the selected record keeps the cursor.
        if regions.isSplit { painter.frame.cursor = cursor }
    }

    mutating func drawOperation(_ layer: OperationLayer) {
        clearBody()
        drawScrolled(state.lines(of: layer), scroll: layer.scroll)
    }

    mutating func drawHelp(_ help: HelpState) {
        clearBody()
        drawScrolled(state.lines(of: help), scroll: help.scroll)
    }

    /// Draws a sheet over the lower part of the body, so that what it is about stays in view.
    mutating func drawSheet(_ sheet: SheetState) {
        let width = regions.size.columns
        let layout = sheet.layout(in: body.count)
        let top = body.upperBound - layout.lines
        for row in top..<body.upperBound { painter.clear(row: row, columns: 0..<width) }
        painter.put(sheet.title, row: top + layout.title, column: 1, width: width - 2, style: .bold)
        for row in top + layout.title + 1..<max(top + layout.title + 1, body.upperBound) {
            let index = layout.entry(at: row - top)
            guard sheet.entries.indices.contains(index) else { break }
            let entry = sheet.entries[index]
            let isSelected = index == sheet.selected
            let dash = isSelected && sheet.isReversed ? "-" : ""
            let note = entry.note.map { " (\($0))" } ?? ""
            let text = dash + entry.title + note
            painter.put(
                entry.obstacle.map { "(\(entry.title): \($0))" } ?? text, row: row, column: ScreenRegions.textColumn,
                width: width - ScreenRegions.textColumn - 1)
            if isSelected {
                painter.put(">", row: row, column: 0, style: .bold)
                painter.select(row: row, columns: 0..<width - 1)
                painter.frame.cursor = CellPosition(row: row, column: 0)
            }
        }
    }

    mutating func drawForm(_ form: FormState, isTop: Bool) {
        clearBody()
        let content = state.content(of: form)
        painter.put(
            content.heading(width: regions.size.columns - 2), row: body.lowerBound, column: 1,
            width: regions.size.columns - 2, style: .bold)
        let rows = body.lowerBound + 1..<body.upperBound
        let column = ScreenRegions.textColumn
        let shown = content.lines(width: regions.size.columns - column - 1)
        // The entry with the focus stays in view, with the line of its cursor.
        let wanted = isPreview(form) ? form.scroll : (shown.cursor?.row ?? shown.focus) - rows.count / 2
        let first = max(0, min(wanted, shown.lines.count - rows.count))
        painter.put(
            shown.lines.dropFirst(first), rows: rows, column: column, width: regions.size.columns - column - 1)
        if isPreview(form) {
            painter.frame.cursor = CellPosition(row: rows.lowerBound, column: column)
            return
        }
        let focus = rows.lowerBound + shown.focus - first
        if rows.contains(focus) { painter.put(">", row: focus, column: 0, style: .bold) }
        painter.frame.cursor = CellPosition(row: max(rows.lowerBound, min(focus, rows.upperBound - 1)), column: 0)
        if isTop, let cursor = shown.cursor {
            painter.frame.cursor = CellPosition(
                row: rows.lowerBound + cursor.row - first, column: column + cursor.column)
        }
    }

    func isPreview(_ form: FormState) -> Bool {
        if case .preview = form.phase { return true }
        return false
    }

    /// Draws a deal: its record as the only one, and its message above between rows of stars.
    mutating func drawDeal(_ deal: DealState) {
        guard let collection = state.description(of: deal.collection) else { return }
        clearBody()
        let width = regions.size.columns
        var row = body.lowerBound
        painter.put(stars(deal.step), row: row, column: 0)
        row += 1
        for line in Fitting.wrap(Escaping.line(deal.message), to: width - 6) where row < body.upperBound - 1 {
            let column = max(ScreenRegions.textColumn, (width - StyledLine(line).cells) / 2)
            painter.put(line, row: row, column: column, style: .bold)
            row += 1
        }
        painter.put(stars(deal.step + 2), row: row, column: 0)
        row += 2
        var list = ListState(collection: deal.collection)
        list.rows = [ListRow(id: deal.record["id"]?.text ?? "", record: deal.record)]
        let rows = ListRows(list, of: collection, width: width - ScreenRegions.textColumn - 1, time: time)
        row += painter.put(
            rows.headings, rows: row..<max(row, body.upperBound), column: ScreenRegions.textColumn,
            width: width - ScreenRegions.textColumn - 1)
        guard row < body.upperBound else { return }
        painter.put(
            rows.lines(of: list.rows[0]), rows: row..<body.upperBound, column: ScreenRegions.textColumn,
            width: width - ScreenRegions.textColumn - 1)
        painter.put(">", row: row, column: 0, style: .bold)
        painter.select(row: row, columns: 0..<width - 1)
        painter.frame.cursor = CellPosition(row: row, column: 0)
    }

    /// A row of stars, which moves with the step.
    private func stars(_ step: Int) -> String {
        let period = 4
        let shift = step % period
        return String((0..<regions.size.columns - 1).map { $0 % period == shift ? "*" : " " })
    }
}
