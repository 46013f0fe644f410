// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsScreen
import ClaimsTerminal

// Keys: first for the layers, then by the table.

extension BrowseModel {
    /// The records that a step of the wheel moves by.
    static let wheelRecords = 3

    /// Takes an event of the terminal.
    mutating func take(_ input: InputEvent) {
        state.notice = nil
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
        case .back: back()
        case .archived: changeArchivedMode()
        case .refresh: refresh(state.stack.target?.collection ?? subjectCollection)
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

    /// Takes back the search, the filter, the view; then quits.
    private mutating func back() {
        guard let name = state.shownCollection, state.lists[name] != nil, state[name].query.isSelective else {
            return commands.append(.quit(.done))
        }
        var query = state[name].query
        if !query.search.isEmpty {
            query.search = ""
        } else if !query.filter.isEmpty {
            query.filter = ""
        } else {
            query.view = nil
        }
        change(name, to: query, keepsSelection: true)
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
        change(name, to: query, keepsSelection: true)
        state.notice = Notice(kind: .done, text: messages.archivedMode(query.archived))
    }
}
