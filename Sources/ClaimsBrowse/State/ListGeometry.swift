// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

/// The lines that the records of a list take on the screen, by which the model pages and keeps the selection in view.
struct ListGeometry {
    /// The lines for records, below the headings that stay in view.
    let lines: Int
    /// The row of the screen of the first line, from 0.
    let firstRow: Int
    /// The rows as lines; nil for a collection that is not described.
    let rows: ListRows?

    init(_ list: ListState, in state: BrowseState) {
        let regions = state.regions
        rows = state.description(of: list.collection).map { collection in
            ListRows(list, of: collection, width: regions.listTextWidth, time: state.time)
        }
        let headings = (rows?.headings.count ?? 0) + (list.isGrouped ? 1 : 0)
        firstRow = ScreenRegions.rowsAbove + headings
        lines = max(1, regions.bodyLines - headings)
    }

    /// The lines of a record, with the heading of its group where it is the first of it after `previous`.
    func height(of row: ListRow, after previous: ListRow?) -> Int {
        guard let rows else { return 1 }
        return rows.lines(of: row).count + (rows.beginsGroup(row, after: previous) ? 1 : 0)
    }
}

extension BrowseState {
    /// The lines that the records of a list take on the screen.
    func geometry(of list: ListState) -> ListGeometry { ListGeometry(list, in: self) }

    /// Keeps what was measured of the list that is shown.
    mutating func keepFit() {
        guard let name = shownCollection, let list = lists[name], let fit = geometry(of: list).rows?.fit else { return }
        lists[name]?.fit = fit
    }
}
