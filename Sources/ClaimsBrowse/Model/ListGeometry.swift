// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsScreen
import ClaimsTerminal

/// The lines that the records of a list take on the screen, by which the model pages and keeps the selection in view.
struct ListGeometry {
    /// The lines between the rows above the list and those below it.
    let lines: Int
    /// The row of the screen of the first line, from 0.
    let firstRow = 3

    init(_ list: ListState, in state: BrowseState) {
        lines = max(1, state.size.rows - 5)
    }

    /// The lines of a record, with the heading of its group where it is the first of it after `previous`.
    func height(of row: ListRow, after previous: ListRow?) -> Int { 1 }
}

extension BrowseState {
    /// The lines that the records of a list take on the screen.
    func geometry(of list: ListState) -> ListGeometry { ListGeometry(list, in: self) }
}
