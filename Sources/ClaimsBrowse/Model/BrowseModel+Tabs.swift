// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
