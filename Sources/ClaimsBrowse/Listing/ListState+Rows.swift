// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient

// Rows that come and go. None of it moves the lines on the screen, unless it says so.

extension ListState {
    /// Replaces all rows by pages that follow one another. The caller selects.
    mutating func replace(with pages: [ListPage]) {
        rows = []
        windows = []
        newer = []
        isRebuilt = false
        work.renamed = [:]
        work.own = []
        for page in pages {
            let kept = fresh(page)
            rows += kept
            windows.append(ListWindow(count: kept.count, previous: page.previous, next: page.next))
        }
        let sequence = pages.map(\.sequence).max() ?? 0
        let held = Set(rows.map(\.id))
        for (id, entry) in work.recent
        where entry.isAddition && entry.record != nil && entry.sequence > sequence && !held.contains(id) {
            newer.insert(id)
        }
        top = 0
        selected = rows.isEmpty ? nil : 0
    }

    /// Adds the page after the rows.
    mutating func append(_ page: ListPage) {
        let kept = fresh(page)
        rows += kept
        work.knownSequence = min(work.knownSequence, page.sequence)
        windows.append(ListWindow(count: kept.count, previous: page.previous, next: page.next))
        dropFarWindows()
    }

    /// Adds the page before the rows.
    mutating func prepend(_ page: ListPage) {
        let kept = fresh(page)
        rows.insert(contentsOf: kept, at: 0)
        work.knownSequence = min(work.knownSequence, page.sequence)
        windows.insert(ListWindow(count: kept.count, previous: page.previous, next: page.next), at: 0)
        firstRank = page.previous == nil ? 0 : max(0, firstRank - kept.count(where: \.isPresent))
        top += kept.count
        selected = selected.map { $0 + kept.count }
        dropFarWindows()
    }

    /// The rows of a page that are not held yet, as they are by the entries that came meanwhile.
    private mutating func fresh(_ page: ListPage) -> [ListRow] {
        var held = Set(rows.map(\.id))
        var kept: [ListRow] = []
        for var row in page.rows where held.insert(row.id).inserted {
            if let entry = work.recent[row.id], entry.sequence > page.sequence {
                guard let record = entry.record else { continue }
                row.record = record
            }
            newer.remove(row.id)
            kept.append(row)
        }
        return kept
    }

    /// Gives up the windows that are farthest from the view, while more rows are held than may be.
    mutating func dropFarWindows() {
        while rows.count > Self.maxRows, windows.count > 1 {
            let (first, last) = (windows[0].count, windows[windows.count - 1].count)
            let focus = selected ?? top
            let before = min(top, focus)
            let after = rows.count - max(top, focus)
            if before - first > after - last {
                dropFirstWindow()
            } else {
                dropLastWindow()
            }
        }
    }

    private mutating func dropLastWindow() {
        let count = windows.removeLast().count
        forget(rows[(rows.count - count)...])
        rows.removeLast(count)
    }

    /// A record that left the set is counted as long as it is shown.
    private mutating func forget(_ dropped: ArraySlice<ListRow>) {
        total = max(0, total - Int64(dropped.count { !$0.isPresent }))
    }

    private mutating func dropFirstWindow() {
        let count = windows.removeFirst().count
        firstRank += rows[..<count].count(where: \.isPresent)
        forget(rows[..<count])
        rows.removeFirst(count)
        top -= count
        selected = selected.map { $0 - count }
    }

    /// Gives up the windows outside the view: for a list that is not shown any more.
    ///
    /// - Parameter lines: the height of the view, which shows as many records at most.
    mutating func dropHiddenWindows(lines: Int) {
        while windows.count > 1, windows[0].count <= min(top, selected ?? top) { dropFirstWindow() }
        while windows.count > 1, let last = windows.last?.count,
            rows.count - last >= max(top + lines, (selected ?? top) + 1)
        {
            dropLastWindow()
        }
    }

    /// Removes a row; the lines below it move up. The row after it is selected if it was.
    mutating func removeRow(_ id: String) {
        newer.remove(id)
        guard let index = index(of: id) else { return }
        total = max(0, total - 1)
        if let group = groups.firstIndex(where: { $0.key == rows[index].group }) {
            let old = groups[group]
            groups[group] = ListGroup(key: old.key, label: old.label, total: max(0, old.total - 1))
        }
        rows.remove(at: index)
        var start = 0
        for window in windows.indices {
            let count = windows[window].count
            if index < start + count {
                windows[window].count -= 1
                break
            }
            start += count
        }
        if index < top { top -= 1 }
        if let old = selected {
            let moved = index < old ? old - 1 : old
            selected = rows.isEmpty ? nil : min(moved, rows.count - 1)
        }
        top = max(0, min(top, rows.count - 1))
    }
}
