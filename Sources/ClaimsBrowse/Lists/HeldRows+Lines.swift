// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTerminal

// Consequences of the rows: their lines on the screen, and the targets of moves.

/// The place that a move within a list leads to.
enum ListMove {
    case nowhere
    /// The rows as they are now, around the selected one.
    case reload
    /// A row that is held.
    case row(Int)
    /// Rows that are not held.
    case elsewhere(ListJump.Target)
}

extension HeldRows {
    /// The cursor of the page before `rows`; nil at the start of the list.
    var previous: String? { windows.first?.previous }
    /// The cursor of the page after `rows`; nil at the end of the list.
    var next: String? { windows.last?.next }
    /// The selected row; nil for an empty list.
    var selectedRow: ListRow? { selected.map { rows[$0] } }
    /// Whether something is newer than the rows, which `g` shows.
    var hasNews: Bool { isRebuilt || !newer.isEmpty || rows.contains { $0.mark != nil } }

    /// The rank of the selected record in the list, from 1; nil for an empty list. Records that left are not counted.
    var selectedRank: Int? {
        selected.map { firstRank + rows[..<$0].count(where: \.isPresent) + 1 }
    }

    /// The index of the row with that id; nil if there is none.
    func index(of id: String) -> Int? { rows.firstIndex { $0.id == id } }

    // MARK: - Lines

    /// The lines that the records take on the screen.
    func geometry(of collection: CollectionDescription?, in regions: ScreenRegions, _ time: LocalTime) -> ListGeometry {
        let lines = collection.map { collection in
            ListRows(
                rows, groups: isGrouped ? groups : nil, fit: fit, of: collection, width: regions.listTextWidth,
                time: time)
        }
        return ListGeometry(lines, isGrouped: isGrouped, in: regions)
    }

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

    /// The index of the row on a row of the screen; nil if none stands.
    func index(atScreenRow screenRow: Int, _ geometry: ListGeometry) -> Int? {
        var line = geometry.firstRow
        for index in top..<endOfView(geometry) {
            let next = line + lines(from: top, to: index + 1, geometry) - lines(from: top, to: index, geometry)
            if screenRow >= line, screenRow < next { return index }
            line = next
        }
        return nil
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
    func firstTop(above index: Int, lines: Int, _ geometry: ListGeometry) -> Int {
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

    // MARK: - Moves

    /// The place that an action leads to which moves by no number of records.
    ///
    /// - Parameter isLive: whether the changes of the rows are reported, so that the first one held is the first.
    func destination(of action: BrowseAction, isLive: Bool) -> ListMove {
        switch action {
        case .first: hasNews ? .reload : isLive && previous == nil ? .row(0) : .elsewhere(.start)
        case .last: next == nil ? .row(rows.count - 1) : .elsewhere(.end)
        case .nextGroup: nextGroup
        case .previousGroup: previousGroup
        default: .nowhere
        }
    }

    /// The first record of the next group.
    private var nextGroup: ListMove {
        guard isGrouped, let selected else { return .nowhere }
        let group = rows[selected].group
        if let index = rows[selected...].firstIndex(where: { $0.group != group }) { return .row(index) }
        guard next != nil, let rank = rank(ofGroup: group, offset: 1) else { return .nowhere }
        return .elsewhere(.rank(rank))
    }

    /// The first record of the group; there already, that of the group before.
    private var previousGroup: ListMove {
        guard isGrouped, let selected else { return .nowhere }
        var group = rows[selected].group
        var start = startOfGroup(at: selected)
        let begins = start > 0 || previous == nil || firstRank == rank(ofGroup: group, offset: 0)
        if start == selected, begins {
            guard start > 0 else {
                guard previous != nil, let rank = rank(ofGroup: group, offset: -1) else { return .nowhere }
                return .elsewhere(.rank(rank))
            }
            group = rows[start - 1].group
            start = startOfGroup(at: start - 1)
        }
        if start > 0 || previous == nil { return .row(start) }
        return rank(ofGroup: group, offset: 0).map { .elsewhere(.rank($0)) } ?? .nowhere
    }

    /// The index of the first row of the group that a row stands under, as far as rows are held.
    private func startOfGroup(at index: Int) -> Int {
        rows[..<index].lastIndex { $0.group != rows[index].group }.map { $0 + 1 } ?? 0
    }

    /// The rank of the first record of a group, or of one near it; nil if there is none.
    ///
    /// - Parameter offset: 0 for the group itself, 1 for the next one, -1 for the one before.
    private func rank(ofGroup key: String?, offset: Int) -> Int? {
        guard let index = groups.firstIndex(where: { $0.key == key }), groups.indices.contains(index + offset) else {
            return nil
        }
        return groups[..<(index + offset)].reduce(0) { $0 &+ Int(clamping: $1.total) }
    }

    /// The jump to the rows around a record, on the line where it is; to the first ones where there is none.
    ///
    /// - Parameter id: the record; the selected one by default.
    func jump(around id: String? = nil, _ geometry: ListGeometry) -> ListJump {
        guard let selected else { return ListJump(target: id.map { .record($0, line: 0) } ?? .start) }
        let line = lines(from: top, to: selected, geometry)
        let row = rows[selected]
        let followers = rows[(selected + 1)...].lazy.filter(\.isPresent).prefix(ListJump.maxFollowers).map(\.id)
        let wanted = id ?? renamed[row.id] ?? row.id
        return ListJump(target: .record(wanted, line: line), followers: Array(followers))
    }
}
