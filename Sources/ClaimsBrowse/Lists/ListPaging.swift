// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

// Moves of the selection and of the view, in rows that take lines of their own.

extension ListState {
    /// The lines from one row on up to another, the latter not counted, where the first one is the top of the view.
    func lines(from first: Int, to last: Int, _ geometry: ListGeometry) -> Int {
        (first..<max(first, last)).reduce(0) { sum, index in sum + height(of: index, top: first, geometry) }
    }

    /// The lines of a row, with the heading of its group where one stands above it.
    private func height(of index: Int, top: Int, _ geometry: ListGeometry) -> Int {
        max(1, geometry.height(of: rows[index], after: index > top ? rows[index - 1] : nil))
    }

    /// The index after the last row that is whole in the view; at least one row is.
    func endOfView(_ geometry: ListGeometry) -> Int {
        var (used, index) = (0, top)
        while index < rows.count {
            used += height(of: index, top: top, geometry)
            if used > geometry.lines { break }
            index += 1
        }
        return min(rows.count, max(index, top + 1))
    }

    /// The first top from which a row is whole in the view, with at most so many lines.
    func firstTop(showing index: Int, lines: Int, _ geometry: ListGeometry) -> Int {
        var top = index
        // The lines below the top row, without it.
        var below = 0
        while top > 0 {
            let height = geometry.height(of: rows[top], after: rows[top - 1])
            let candidate = below + max(1, height)
            if candidate + max(1, geometry.height(of: rows[top - 1], after: nil)) > lines { break }
            below = candidate
            top -= 1
        }
        return top
    }

    /// The first top from which the rows above one take at most so many lines.
    private func firstTop(above index: Int, lines: Int, _ geometry: ListGeometry) -> Int {
        var top = index
        // The lines of the rows below the top row and above the one of the index.
        var below = 0
        while top > 0 {
            if top < index { below += max(1, geometry.height(of: rows[top], after: rows[top - 1])) }
            if below + max(1, geometry.height(of: rows[top - 1], after: nil)) > lines { break }
            top -= 1
        }
        return top
    }

    /// Moves the view as little as needed to show the selection.
    mutating func reveal(_ geometry: ListGeometry) {
        guard let selected, !rows.isEmpty else { return top = 0 }
        top = max(0, min(top, rows.count - 1))
        if selected < top {
            top = selected
        } else {
            top = max(top, firstTop(showing: selected, lines: geometry.lines, geometry))
        }
        // The list's end fills a view that has grown.
        if next == nil { top = min(top, firstTop(showing: rows.count - 1, lines: geometry.lines, geometry)) }
    }

    /// Selects a row by its distance.
    ///
    /// - Returns: the rows that were missing.
    mutating func move(by distance: Int, _ geometry: ListGeometry) -> Int {
        guard let old = selected else { return 0 }
        let wanted = old + distance
        let new = max(0, min(wanted, rows.count - 1))
        selected = new
        reveal(geometry)
        return wanted - new
    }

    /// Moves view and selection by a page.
    ///
    /// - Returns: the rows that were missing.
    mutating func movePage(down isDown: Bool, _ geometry: ListGeometry) -> Int {
        guard let old = selected else { return 0 }
        let end = endOfView(geometry)
        let page = isDown || top == 0 ? end - top : top - firstTop(showing: top - 1, lines: geometry.lines, geometry)
        let wanted = isDown ? old + page : old - page
        let new = max(0, min(wanted, rows.count - 1))
        let lastTop = firstTop(showing: rows.count - 1, lines: geometry.lines, geometry)
        top = isDown ? max(top, min(top + page, lastTop)) : max(0, top - page)
        selected = new
        reveal(geometry)
        return wanted - new
    }

    /// Selects the record of a jump that has come, and keeps its line where that is possible.
    ///
    /// - Parameter anchored: the rows of the page that begins at the target.
    mutating func settle(_ target: ListJump.Target, following anchored: [ListRow], _ geometry: ListGeometry) {
        guard !rows.isEmpty else { return }
        let last = rows.count - 1
        let first = anchored.first { row in rows.contains { $0.id == row.id } }.flatMap { index(of: $0.id) } ?? last
        switch target {
        case .start: selected = 0
        case .end: selected = last
        // The group of a rank may have moved by now: its first record is the first that came.
        case .rank: selected = first
        case .record(let id, _):
            selected = index(of: id) ?? first
        }
        top = selected ?? 0
        switch target {
        case .start: break
        case .rank:
            // The list's end fills the view.
            if next == nil { top = min(top, firstTop(showing: last, lines: geometry.lines, geometry)) }
        case .end: top = firstTop(showing: last, lines: geometry.lines, geometry)
        case .record(_, let line):
            guard let selected else { return }
            top = firstTop(above: selected, lines: line, geometry)
        }
        reveal(geometry)
    }
}
