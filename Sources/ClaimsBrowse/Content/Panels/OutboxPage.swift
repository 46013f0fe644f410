// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

/// A page of the operations of the outbox. Pages begin where the one before is full.
struct OutboxPage {
    /// The lines above the headings.
    let notes: [StyledLine]
    let headings: [StyledLine]
    /// The index of the first operation of the page.
    let first: Int
    /// The lines of each operation of the page.
    let rows: [[StyledLine]]

    /// - Parameter selected: the index of an operation that the page has.
    init(_ content: OutboxContent, _ regions: ScreenRegions, selected: Int) {
        let all = content.rows(width: regions.listTextWidth)
        notes = content.notes(width: regions.size.columns - 2)
        headings = all.headings
        let lines = regions.bodyLines - notes.count - headings.count
        var start = 0
        var end = all.rows.count
        var used = 0
        for index in all.rows.indices {
            if used + all.rows[index].count > lines, index > start {
                if index > selected {
                    end = index
                    break
                }
                start = index
                used = 0
            }
            used += all.rows[index].count
        }
        first = start
        rows = Array(all.rows[start..<end])
    }

    /// The line between the rows above and those below at which an operation of the page begins.
    func line(of row: Int) -> Int {
        rows[..<row].reduce(notes.count + headings.count) { $0 + $1.count }
    }

    /// The index of the operation on a line; nil where there is none.
    func operation(at line: Int) -> Int? {
        guard let row = rows.indices.last(where: { self.line(of: $0) <= line }),
            line < self.line(of: row) + rows[row].count
        else { return nil }
        return first + row
    }
}
