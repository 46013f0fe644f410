// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTerminal

// Keys: first for the layers, then by the table.

extension BrowseModel {
    /// The records that a step of the wheel moves by.
    static let wheelRecords = 3

    /// Takes an event of the terminal: obeys it, or has it wait for the rows that it is about.
    mutating func take(_ input: InputEvent) {
        let isLate = keys.since.map { state.moment.monotonic >= $0 + Self.searchingDelay } ?? false
        // The rows may take long, and who waits for them no longer says so.
        if isLate, input == .key(.escape) { keys.removeAll() }
        guard input.isImmediate || keys.isEmpty && !awaitsRows(input) else {
            return keys.append(input, at: state.moment.monotonic)
        }
        obey(input)
    }

    /// Obeys the keys whose rows have come.
    mutating func obeyKeys() {
        while let input = keys.first, !awaitsRows(input) {
            keys.removeFirst()
            obey(input)
        }
    }

    /// Whether an input is about rows that are on their way. A filter whose line Enter closes is asked for at once, and
    /// the line stays until it is known to be without a mistake.
    private mutating func awaitsRows(_ input: InputEvent) -> Bool {
        guard state.link == .connected else { return false }
        let action: BrowseAction? = if case .key(let key) = input { BrowseKeys.action(of: key, in: area) } else { nil }
        // Before the first list is there, only what leaves or helps can be done.
        guard start == nil else {
            switch action {
            case .back?, .leave?, .help?, .mouse?: return false
            default: return true
            }
        }
        guard let name = state.shownCollection, state.lists[name] != nil else { return false }
        switch (state.layers.last, input) {
        case (nil, .key): guard action?.needsRows == true else { return false }
        case (.detail?, .key):
            guard action == .followingRecord || action == .precedingRecord else { return false }
        case (nil, .wheel): break
        case (nil, .press(let row, _)): guard row > 0 else { return false }
        case (.input(let line)?, .key(.enter)):
            guard line.purpose == .filter, line.problem == nil else { return false }
            askTyped(name)
        case (.input?, .key(.up)), (.input?, .key(.down)), (.input?, .key(.pageUp)), (.input?, .key(.pageDown)): break
        default: return false
        }
        return state[name].work.jump != nil || state[name].work.namesake != nil
    }

    /// Does something; where it shows an error, a question or a form, the keys that wait are dropped.
    ///
    /// - Parameter isKey: whether a key asked for it.
    mutating func watch(isKey: Bool = false, _ body: (inout BrowseModel) -> Void) {
        let (notice, depth, prompt) = (state.notice, state.layers.count, state.stack.prompt)
        body(&self)
        let isError = state.notice?.kind == .wrong && state.notice != notice
        let isQuestion = state.layers.count >= depth && state.stack.prompt?.isNew(after: prompt) ?? false
        guard isError || isQuestion else { return }
        keys.removeAll()
        hasInterrupted = hasInterrupted || isKey || isQuestion
    }

    private mutating func obey(_ input: InputEvent) {
        state.notice = nil
        watch(isKey: true) { $0.perform(input) }
    }

    private mutating func perform(_ input: InputEvent) {
        switch input {
        case .key(let key): take(key)
        case .paste(let text): inform(.paste(text))
        case .wheel(let step):
            guard !inform(.wheel(step)), let name = state.shownCollection else { return }
            move(name, by: step * Self.wheelRecords)
        case .press(let row, let column): press(at: CellPosition(row: row, column: column))
        }
    }

    private mutating func take(_ key: Key) {
        // These mean the same everywhere, also where text is typed.
        switch key {
        case .control("c"): return commands.append(.quit(.interrupted))
        case .control("l"): return commands.append(.redraw)
        case .control("z"): return commands.append(.suspend)
        default: break
        }
        if inform(.key(key)) { return }
        guard let action = BrowseKeys.action(of: key, in: area) else { return }
        perform(action, by: key)
    }

    /// The area whose keys count.
    var area: BrowseArea { state.area }

    private mutating func perform(_ action: BrowseAction, by key: Key) {
        switch action {
        case .previousRecord, .nextRecord, .previousPage, .nextPage, .first, .last, .previousGroup, .nextGroup:
            if let name = state.shownCollection { move(action, in: name) }
        case .nextTab: showTab(by: 1)
        case .previousTab: showTab(by: -1)
        case .chooseTab: if let number = BrowseKeys.tabNumber(of: key) { showTab(number: number) }
        case .back: takeBack()
        case .leave: if !takeBack() { commands.append(.quit(.done)) }
        case .archived: changeArchivedMode()
        case .refresh: refresh(state.stack.target?.collection ?? state.subjectCollection)
        case .refreshAll: refresh(nil)
        case .accept: accept()
        case .mouse:
            state.isMouseOn.toggle()
            commands.append(.mouse(isOn: state.isMouseOn))
            state.notice = Notice(kind: .news, text: messages.mouse(isOn: state.isMouseOn))
        case .redraw: commands.append(.redraw)
        case .quit: commands.append(.quit(.interrupted))
        case .open, .search, .filter, .view, .sort, .archive, .undo, .copyID, .copyRecord, .openAddress, .add, .edit,
            .actions, .deal, .followingRecord, .precedingRecord, .upstream, .help:
            performInStack(action)
        }
    }

    /// Takes back the search, the filter or the view of the shown list.
    ///
    /// - Returns: false where there is none.
    @discardableResult
    private mutating func takeBack() -> Bool {
        guard let name = state.shownCollection, state.lists[name] != nil, state[name].query.isSelective else {
            return false
        }
        var query = state[name].query
        if !query.search.isEmpty {
            query.search = ""
        } else if !query.filter.isEmpty {
            query.filter = ""
        } else {
            query.view = nil
        }
        // Where nothing was found, the records before the search come back.
        let found = state[name].rows.isEmpty ? state[name].work.queryReturn : nil
        change(name, to: query, at: found ?? returnJump(in: name))
        return true
    }

    private mutating func changeArchivedMode() {
        guard let name = state.shownCollection, let collection = state.description(of: name) else { return }
        guard collection.offers.isArchivable else {
            state.notice = Notice(kind: .wrong, text: messages.notArchivable)
            return
        }
        var query = state[name].query
        query.archived =
            switch query.archived {
            case .exclude: .include
            case .include: .only
            case .only: .exclude
            }
        change(name, to: query, at: returnJump(in: name))
        state.notice = Notice(kind: .done, text: messages.archivedMode(query.archived))
    }
}

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

// Tabs.

extension BrowseModel {
    /// Shows a tab, and asks for what it shows.
    mutating func show(_ tab: BrowseTab) {
        if tab == state.tab, start == nil, state.lists[state.shownCollection ?? ""] != nil { return }
        inform(.hidden)
        if let old = state.shownCollection, state.lists[old] != nil { leave(old) }
        state.stack.closeAll()
        state.tab = tab
        if case .collection(let name) = tab {
            // The record that was selected there before stays so, and the screen may have another size now.
            revealSelection()
            takeIn(name)
        } else {
            inform(.opened)
        }
    }

    /// Keeps of a list what its next view begins with.
    private mutating func leave(_ name: String) {
        unsubscribe(name)
        for tag in state[name].work.tags { cancel(tag) }
        state[name].work.lost()
        state[name].work.jump = nil
        (state[name].work.lineReturn, state[name].work.queryReturn) = (nil, nil)
        state[name].dropHiddenWindows(lines: state.geometry(of: state[name]).lines)
    }

    /// Shows the tab so many further, around the ends.
    mutating func showTab(by step: Int) {
        let tabs = state.tabs
        guard let index = tabs.firstIndex(of: state.tab) else { return }
        show(tabs[(index + step + tabs.count) % tabs.count])
    }

    /// Shows the tab of a number from 1, if there is one.
    mutating func showTab(number: Int) {
        guard state.tabs.indices.contains(number - 1) else { return }
        show(state.tabs[number - 1])
    }
}
