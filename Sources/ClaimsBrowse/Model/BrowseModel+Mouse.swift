// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

// Presses of the mouse: on a tab they show it; on a row they select it, and open the selected one.

extension BrowseModel {
    mutating func press(at position: CellPosition) {
        if position.row == 0 { return pressTab(at: position.column) }
        let line = position.row - ScreenRegions.rowsAbove
        guard (0..<state.regions.bodyLines).contains(line) else { return }
        switch state.layers.last {
        case .sheet(let sheet)?: press(sheet, at: line)
        case .detail?:
            guard state.regions.isSplit, position.column < state.regions.listColumns else { return }
            pressList(at: position.row)
        case nil: pressRow(of: state.tab, at: line)
        default: break
        }
    }

    /// Shows the tab of a column. What is being typed stays.
    private mutating func pressTab(at column: Int) {
        switch state.layers.last {
        case .input?, .question?, .form?: return
        case .detail?, .operation?, .help?, .sheet?, .deal?, nil: break
        }
        guard let index = state.tabTitles.tab(at: column, width: state.regions.size.columns) else { return }
        if state.tabs[index] == state.tab { state.stack.closeAll() }
        show(state.tabs[index])
    }

    private mutating func pressRow(of tab: BrowseTab, at line: Int) {
        switch tab {
        case .collection: pressList(at: line + ScreenRegions.rowsAbove)
        case .outbox:
            guard let index = state.outboxPage.operation(at: line) else { return }
            if state.outbox.selected == index { return takeEnter() }
            state.outbox.selected = index
        case .status:
            let content = state.statusContent.lines(width: state.regions.listTextWidth)
            let pressed = line + min(state.health.scroll, LayerGeometry(state).maxScroll)
            guard let index = content.starts.lastIndex(where: { $0 <= pressed }), pressed < content.rowsEnd else {
                return
            }
            if state.health.selected == index { return takeEnter() }
            state.health.selected = index
        }
    }

    /// Takes the entry on a line of the screen's middle.
    private mutating func press(_ sheet: SheetState, at line: Int) {
        let layout = sheet.layout(in: state.regions.bodyLines)
        let index = layout.entry(at: line - state.regions.bodyLines + layout.lines)
        guard sheet.entries.indices.contains(index) else { return }
        var sheet = sheet
        sheet.selected = index
        state.layers[state.layers.endIndex - 1] = .sheet(sheet)
        takeEnter()
    }

    private mutating func takeEnter() { inform(.key(.enter)) }

    private mutating func pressList(at row: Int) {
        guard let name = state.shownCollection, state.lists[name] != nil else { return }
        let geometry = state.geometry(of: state[name])
        var line = geometry.firstRow
        for index in state[name].top..<state[name].endOfView(geometry) {
            let next =
                line + state[name].lines(from: state[name].top, to: index + 1, geometry)
                - state[name].lines(from: state[name].top, to: index, geometry)
            if row >= line, row < next {
                if state[name].selected == index {
                    if state.layers.isEmpty { performInStack(.open) }
                    return
                }
                state[name].selected = index
                return followSelection()
            }
            line = next
        }
    }
}
