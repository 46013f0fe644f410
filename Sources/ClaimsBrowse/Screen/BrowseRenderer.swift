// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The screen of a state; pure.
struct BrowseRenderer {
    private let state: BrowseState
    private let regions: ScreenRegions
    private let time: LocalTime
    /// The rows above the body and below it.
    private let edges: EdgeRows
    private var painter: ScreenPainter

    private var messages: Messages { time.messages }

    /// The screen of a state.
    static func frame(of state: BrowseState) -> Frame {
        var renderer = BrowseRenderer(state)
        renderer.draw()
        return renderer.painter.frame
    }

    private init(_ state: BrowseState) {
        self.state = state
        regions = state.regions
        time = state.time
        edges = EdgeRows(state, regions, time)
        painter = ScreenPainter(regions.size)
    }

    private mutating func draw() {
        guard !regions.isTooSmall else {
            let text = messages.tooSmall(columns: ScreenRegions.minSize.columns, rows: ScreenRegions.minSize.rows)
            painter.put(text, row: 0, column: 0)
            return
        }
        edges.drawTop(on: &painter)
        drawTab()
        for (index, layer) in state.layers.enumerated() { draw(layer, isTop: index == state.layers.count - 1) }
        edges.drawBottom(on: &painter)
    }

    private mutating func drawTab() {
        switch state.tab {
        case .collection(let name):
            guard let collection = state.description(of: name) else { return }
            drawList(state.lists[name] ?? ListState(collection: name), of: collection)
        case .outbox: drawOutbox()
        case .status: drawStatus()
        }
    }

    private mutating func draw(_ layer: BrowseLayer, isTop: Bool) {
        switch layer {
        case .detail(let detail): drawDetail(detail)
        case .operation(let layer): drawOperation(layer)
        case .help(let help): drawHelp(help)
        case .sheet(let sheet): drawSheet(sheet)
        case .form(let form): drawForm(form, isTop: isTop)
        case .deal(let deal): drawDeal(deal)
        case .input(let input): if isTop { edges.draw(input, on: &painter) }
        case .question(let question): if isTop { edges.draw(question, on: &painter) }
        }
    }

    /// The rows between those above and those below.
    private var body: Range<Int> { regions.body }

    /// Makes the body blank from a column on.
    private mutating func clearBody(from column: Int = 0) {
        for row in body { painter.clear(row: row, columns: column..<regions.size.columns) }
    }

    /// Draws lines that scroll, the first of them at `scroll` or as far as there are lines.
    private mutating func drawScrolled(_ lines: [StyledLine], scroll: Int) {
        let first = max(0, min(scroll, lines.count - body.count))
        painter.put(
            lines.dropFirst(first), rows: body, column: regions.detailColumn, width: regions.detailWidth)
        painter.cursor = CellPosition(row: body.lowerBound, column: regions.detailColumn)
    }
}

// The list of a collection, or the reason why there is none.

extension BrowseRenderer {
    private mutating func drawList(_ list: ListState, of collection: CollectionDescription) {
        drawQuery(list, of: collection)
        let explanation = edges.condition?.explanation ?? []
        guard explanation.isEmpty else { return draw(explanation: explanation) }
        let geometry = state.geometry(of: list)
        guard let rows = geometry.rows, !list.rows.isEmpty else { return }
        let columns = regions.listColumns
        var row = body.lowerBound
        row += painter.put(
            rows.headings, rows: row..<body.upperBound, column: ScreenRegions.textColumn, width: regions.listTextWidth)
        let top = max(0, min(list.held.top, list.rows.count - 1))
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
            mark(record, row: row, isSelected: index == list.held.selected)
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
        painter.cursor = CellPosition(row: row, column: 0)
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

// The tabs of the outbox and of the status.

extension BrowseRenderer {
    private mutating func drawOutbox() {
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
                painter.cursor = CellPosition(row: row, column: 0)
            }
        }
    }

    private mutating func drawStatus() {
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
        painter.cursor = CellPosition(row: row, column: 0)
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

// The layers over or beside a tab: details, help, sheets, forms, deals.

extension BrowseRenderer {
    private mutating func drawDetail(_ detail: DetailState) {
        let cursor = painter.cursor
        if !regions.isSplit { clearBody() }
        drawScrolled(state.lines(of: detail), scroll: detail.scroll)
        // Beside the list the selected record keeps the cursor.
        if regions.isSplit { painter.cursor = cursor }
    }

    private mutating func drawOperation(_ layer: OperationLayer) {
        clearBody()
        drawScrolled(state.lines(of: layer), scroll: layer.scroll)
    }

    private mutating func drawHelp(_ help: HelpState) {
        clearBody()
        drawScrolled(state.lines(of: help), scroll: help.scroll)
    }

    /// Draws a sheet over the lower part of the body, so that what it is about stays in view.
    private mutating func drawSheet(_ sheet: SheetState) {
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
                painter.cursor = CellPosition(row: row, column: 0)
            }
        }
    }

    private mutating func drawForm(_ form: FormState, isTop: Bool) {
        clearBody()
        let content = state.content(of: form)
        painter.put(
            content.heading(width: regions.size.columns - 2), row: body.lowerBound, column: 1,
            width: regions.size.columns - 2, style: .bold)
        let rows = body.lowerBound + 1..<body.upperBound
        let column = ScreenRegions.textColumn
        let shown = content.lines(width: regions.size.columns - column - 1)
        // The entry with the focus stays in view, with the line of its cursor.
        let wanted = form.isPreview ? form.scroll : (shown.cursor?.row ?? shown.focus) - rows.count / 2
        let first = max(0, min(wanted, shown.lines.count - rows.count))
        painter.put(
            shown.lines.dropFirst(first), rows: rows, column: column, width: regions.size.columns - column - 1)
        if form.isPreview {
            painter.cursor = CellPosition(row: rows.lowerBound, column: column)
            return
        }
        let focus = rows.lowerBound + shown.focus - first
        if rows.contains(focus) { painter.put(">", row: focus, column: 0, style: .bold) }
        painter.cursor = CellPosition(row: max(rows.lowerBound, min(focus, rows.upperBound - 1)), column: 0)
        if isTop, let cursor = shown.cursor {
            painter.cursor = CellPosition(
                row: rows.lowerBound + cursor.row - first, column: column + cursor.column)
        }
    }

    /// Draws a deal: its record as the only one, and its message above between rows of stars.
    private mutating func drawDeal(_ deal: DealState) {
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
        let record = ListRow(id: deal.record["id"]?.text ?? "", record: deal.record)
        let rows = ListRows([record], of: collection, width: width - ScreenRegions.textColumn - 1, time: time)
        row += painter.put(
            rows.headings, rows: row..<max(row, body.upperBound), column: ScreenRegions.textColumn,
            width: width - ScreenRegions.textColumn - 1)
        guard row < body.upperBound else { return }
        painter.put(
            rows.lines(of: record), rows: row..<body.upperBound, column: ScreenRegions.textColumn,
            width: width - ScreenRegions.textColumn - 1)
        painter.put(">", row: row, column: 0, style: .bold)
        painter.select(row: row, columns: 0..<width - 1)
        painter.cursor = CellPosition(row: row, column: 0)
    }

    /// A row of stars, which moves with the step.
    private func stars(_ step: Int) -> String {
        let period = 4
        let shift = step % period
        return String((0..<regions.size.columns - 1).map { $0 % period == shift ? "*" : " " })
    }
}
