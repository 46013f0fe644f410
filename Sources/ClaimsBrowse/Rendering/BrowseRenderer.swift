// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol
import ClaimsTerminal

/// The screen of a state; pure.
struct BrowseRenderer {
    let state: BrowseState
    let regions: ScreenRegions
    let time: LocalTime
    var painter: ScreenPainter

    var messages: Messages { time.messages }

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
        painter = ScreenPainter(regions.size)
    }

    private mutating func draw() {
        guard !regions.isTooSmall else {
            let text = messages.tooSmall(columns: ScreenRegions.minSize.columns, rows: ScreenRegions.minSize.rows)
            painter.put(text, row: 0, column: 0)
            return
        }
        drawTabs()
        drawFreshness()
        drawTab()
        for (index, layer) in state.layers.enumerated() { draw(layer, isTop: index == state.layers.count - 1) }
        drawNotice()
        drawKeys()
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
        case .input(let input): if isTop { drawInput(input) }
        case .question(let question): if isTop { drawQuestion(question) }
        }
    }

    /// The rows between those above and those below.
    var body: Range<Int> { ScreenRegions.rowsAbove..<ScreenRegions.rowsAbove + regions.bodyLines }

    /// Makes the body blank from a column on.
    mutating func clearBody(from column: Int = 0) {
        for row in body { painter.clear(row: row, columns: column..<regions.size.columns) }
    }

    /// Draws lines that scroll, the first of them at `scroll` or as far as there are lines.
    mutating func drawScrolled(_ lines: [StyledLine], scroll: Int) {
        let first = max(0, min(scroll, lines.count - body.count))
        painter.put(
            lines.dropFirst(first), rows: body, column: regions.detailColumn, width: regions.detailWidth)
        painter.frame.cursor = CellPosition(row: body.lowerBound, column: regions.detailColumn)
    }
}
