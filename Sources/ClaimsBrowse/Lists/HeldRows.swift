// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// The rows of a list that are here, the selected one, and what is newer than they are.
///
/// The entries of a feed become marks and counts, so that no line moves by itself: only the methods that say so move
/// lines on the screen.
struct HeldRows: Sendable {
    /// A run of records without gaps, in the order of the list; at most `ListPage.maxHeldRows`.
    private(set) var rows: [ListRow]
    /// The rank of the first of `rows` in the whole list, from 0.
    private(set) var firstRank: Int
    /// The answers that `rows` came in, in the same order.
    private(set) var windows: [ListWindow] = []
    /// The number of records that match.
    private(set) var total: Int64
    /// The groups with their totals, in their order; empty if the list has none.
    private(set) var groups: [ListGroup]
    /// Whether groups are shown: the collection has them, and the list is in the collection's own order.
    private(set) var isGrouped: Bool
    /// The index in `rows` of the first record on the screen.
    private(set) var top: Int
    /// The index in `rows` of the selected record; nil for an empty list.
    private(set) var selected: Int?
    /// The ids of records that came into the set since the rows were asked for; at most `maxNewer`.
    private(set) var newer: Set<String>
    /// Whether the whole set was made anew, so that the rows show an older one.
    private(set) var isRebuilt: Bool
    /// The sequence up to which the rows and the total have all changes.
    private var knownSequence: Int64 = 0
    /// The entries since the oldest request that is under way was sent, by id.
    private var recent: [String: RecentEntry] = [:]
    /// The ids that were changed here, whose entries are no news.
    private var own: Set<String> = []
    /// The ids that records have now, by those they had.
    private(set) var renamed: [String: String] = [:]
    /// The layout of the rows, as far as they have been measured; it may be missing or older than they are.
    private(set) var fit: ListFit?

    /// The maximum number of newer ids that are counted; beyond, the set counts as made anew.
    static let maxNewer = 50_000
    /// The maximum number of entries that are kept for requests under way.
    private static let maxRecent = 4096
    /// The maximum number of own and renamed ids that are remembered.
    private static let maxRemembered = 1000

    init(
        rows: [ListRow] = [], firstRank: Int = 0, total: Int64 = 0, groups: [ListGroup] = [], isGrouped: Bool = false,
        top: Int = 0, selected: Int? = nil, newer: Set<String> = [], isRebuilt: Bool = false
    ) {
        self.rows = rows
        self.firstRank = firstRank
        self.total = total
        self.groups = groups
        self.isGrouped = isGrouped
        self.top = top
        self.selected = selected
        self.newer = newer
        self.isRebuilt = isRebuilt
    }

    // MARK: - Pages

    /// Replaces all rows by the pages of a jump, which follow one another, and selects the jump's record.
    ///
    /// - Parameter anchor: the index of the page that begins at the target.
    mutating func replace(
        with pages: [ListPage], anchor: Int, _ target: ListJump.Target, isGrouped: Bool,
        _ geometry: (HeldRows) -> ListGeometry
    ) {
        replaceRows(with: pages)
        let (first, anchored) = (pages[0], pages[anchor])
        let before = anchor > 0 ? first.rows.count : 0
        firstRank = first.rank ?? max(0, (anchored.rank ?? 0) - before)
        total = shownTotal(of: anchored)
        knownSequence = pages.map(\.sequence).min() ?? 0
        groups = anchored.groups
        self.isGrouped = isGrouped
        // The headings of the new rows count, too.
        let shown = geometry(self)
        settle(target, following: anchored.rows, shown)
    }

    /// Holds nothing, as for a list that is refused.
    mutating func removeAll() {
        replaceRows(with: [])
        total = 0
        groups = []
    }

    private mutating func replaceRows(with pages: [ListPage]) {
        rows = []
        windows = []
        newer = []
        isRebuilt = false
        renamed = [:]
        own = []
        for page in pages {
            let kept = fresh(page)
            rows += kept
            windows.append(ListWindow(count: kept.count, previous: page.previous, next: page.next))
        }
        let sequence = pages.map(\.sequence).max() ?? 0
        let held = Set(rows.map(\.id))
        for (id, entry) in recent
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
        knownSequence = min(knownSequence, page.sequence)
        windows.append(ListWindow(count: kept.count, previous: page.previous, next: page.next))
        dropFarWindows()
    }

    /// Adds the page before the rows.
    mutating func prepend(_ page: ListPage) {
        let kept = fresh(page)
        rows.insert(contentsOf: kept, at: 0)
        knownSequence = min(knownSequence, page.sequence)
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
            if let entry = recent[row.id], entry.sequence > page.sequence {
                guard let record = entry.record else { continue }
                row.record = record
            }
            newer.remove(row.id)
            kept.append(row)
        }
        return kept
    }

    /// Gives up the windows that are farthest from the view, while more rows are held than may be.
    private mutating func dropFarWindows() {
        while rows.count > ListPage.maxHeldRows, windows.count > 1 {
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

    // MARK: - Changes that are made here

    /// Removes a record that left the set by a change made here; the lines below it move up, and the row after it is
    /// selected if it was.
    ///
    /// - Parameter isFollowed: whether the feed will report the change, unless it has done so.
    mutating func remove(_ id: String, isFollowed: Bool) {
        if isFollowed, let index = index(of: id), rows[index].isPresent { rememberOwn(id) }
        removeRow(id)
    }

    /// Records that a record was changed here, so that its entry of the feed is no news, whether it has come or not.
    mutating func markOwn(_ id: String, isFollowed: Bool) {
        guard let index = index(of: id) else { return }
        if rows[index].mark == .updated {
            rows[index].mark = nil
        } else if isFollowed {
            rememberOwn(id)
        }
    }

    private mutating func rememberOwn(_ id: String) {
        if own.count < Self.maxRemembered { own.insert(id) }
    }

    private mutating func removeRow(_ id: String) {
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

    // MARK: - The feed

    /// Begins a feed whose first entries come after a sequence.
    mutating func follow(from sequence: Int64) { knownSequence = sequence }

    /// Forgets the entries that were kept for rows under way: none are.
    mutating func forgetRecent() { recent = [:] }

    /// Marks the set as made anew. The rows stay until `g` shows the new one.
    mutating func markRebuilt() { isRebuilt = true }

    /// Applies an entry of the feed of the list.
    ///
    /// - Parameter isAwaitingRows: whether rows are on their way that may be older than the entry.
    mutating func apply(_ entry: AnswerValue, isAwaitingRows: Bool) {
        guard let id = entry[FeedEntry.id], let op = entry[FeedEntry.op] else { return }
        // Events may come later than answers that include them. What time changes has no sequence of its own.
        if let sequence = entry[FeedEntry.seq], sequence <= knownSequence, entry[FeedEntry.cause] != "time" {
            own.remove(id)
            return
        }
        let reason = op == "removed" ? entry[FeedEntry.reason] ?? "" : ""
        let index = index(of: id)
        // Of a record that is neither shown nor on its way, only the id counts.
        let record = index != nil || isAwaitingRows ? entry[FeedEntry.record].map { KeptRecord.copy($0) } : nil
        if isAwaitingRows { remember(id, entry, record, reason: reason) }
        switch op {
        case "removed": leave(id, entry, reason: reason)
        case "added" where index == nil: newer.insert(id)
        // More kinds may come: an entry with a record says how it is now.
        default:
            // That an operation has gone on is shown by its own sign.
            let isNews = entry[FeedEntry.changed].map(\.text) != ["pending"]
            if let record { change(id, record, isNews: isNews) }
        }
        if newer.count > Self.maxNewer { isRebuilt = true }
    }

    /// Remembers the entry for the rows that are on their way.
    private mutating func remember(_ id: String, _ entry: AnswerValue, _ record: AnswerValue?, reason: String) {
        guard recent.count < Self.maxRecent else {
            // Without this entry the rows under way would be too old.
            isRebuilt = true
            return
        }
        let op = entry[FeedEntry.op]
        recent[id] = RecentEntry(
            sequence: entry[FeedEntry.seq] ?? .max, record: op == "removed" ? nil : record, reason: reason,
            isAddition: recent[id]?.isAddition ?? (op == "added"))
    }

    private mutating func leave(_ id: String, _ entry: AnswerValue, reason: String) {
        let wasNewer = newer.remove(id) != nil
        guard let index = index(of: id) else {
            // A record that was removed here is not counted any more. An erased record is reported to every feed, also
            // to one that never had it.
            let isOwn = own.remove(id) != nil
            if !wasNewer, !isOwn, entry[FeedEntry.cause] != "forget" { total = max(0, total - 1) }
            return
        }
        if let newID = entry[FeedEntry.to], renamed.count < Self.maxRemembered { renamed[id] = newID }
        if own.remove(id) != nil {
            removeRow(id)
        } else {
            rows[index].mark = .removed(reason: reason)
        }
    }

    private mutating func change(_ id: String, _ record: AnswerValue, isNews: Bool) {
        guard let index = index(of: id) else { return }
        if rows[index].isPresent, KeptRecord.isSame(rows[index].record, record) { return }
        rows[index].record = record
        guard isNews || !rows[index].isPresent else { return }
        let isOwn = own.remove(id) != nil
        // One's own change is no news, unless the row showed something else before.
        if isOwn, rows[index].mark == nil { return }
        rows[index].mark = .updated
    }

    /// The total that goes with the rows, from that of a page: what is newer is not counted, what left is as long as it
    /// is shown.
    private func shownTotal(of page: ListPage) -> Int64 {
        let later = recent.filter { $0.value.sequence > page.sequence }
        let newer = self.newer.count { later[$0]?.isAddition != true }
        let left = rows.count { !$0.isPresent && (later[$0.id].map { $0.record != nil } ?? true) }
        let leftLater = later.count { $0.value.record == nil && !$0.value.isAddition && index(of: $0.key) == nil }
        return max(0, page.total + Int64(left - newer - leftLater))
    }

    // MARK: - Comparing

    /// Marks a row as gone, if it is still in the set.
    mutating func markGone(_ id: String) {
        if let index = index(of: id), rows[index].isPresent { rows[index].mark = .removed(reason: "gone") }
    }

    /// Compares the rows with an answer that begins at one of them: what differs is marked and counted. If so much is
    /// new that the rows are a small part of it, the set counts as made anew.
    ///
    /// - Parameter anchor: the id of the row that the answer begins at.
    /// - Returns: the id of the row from which on the comparison has to go on; nil if it is done.
    mutating func compare(with page: ListPage, from anchor: String) -> String? {
        let rest = mark(by: page, from: anchor)
        if rest == anchor { isRebuilt = true }
        if page.anchored == AnchorMatch.exact.rawValue, rows.first?.id == anchor, let rank = page.rank {
            firstRank = rank
        }
        return rest == anchor ? nil : rest
    }

    /// Marks what differs from a page.
    ///
    /// - Returns: the id of the last row that was compared, if the answer ends before the rows do; nil else.
    private mutating func mark(by page: ListPage, from anchor: String) -> String? {
        guard let start = index(of: anchor) else { return nil }
        let found = Dictionary(page.rows.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let shown = rows[start...].indices
        let lastFound = shown.last { found[rows[$0].id] != nil }
        // An answer that ends before the list does says nothing about what stands behind its last record.
        let end = page.next == nil ? rows.endIndex : lastFound.map { $0 + 1 } ?? start
        var lastPosition = -1
        for index in shown {
            let row = rows[index]
            if let position = found[row.id] {
                lastPosition = max(lastPosition, position)
                let entry = recent[row.id]
                if let entry, entry.sequence > page.sequence { continue }
                guard !KeptRecord.isSame(page.rows[position].record, row.record) || !row.isPresent else { continue }
                rows[index].record = page.rows[position].record
                rows[index].mark = .updated
            } else if index < end, row.isPresent, recent[row.id]?.record == nil {
                rows[index].mark = .removed(reason: recent[row.id]?.reason ?? "")
            }
        }
        let held = Set(rows.map(\.id))
        let bound = next == nil && page.next == nil ? page.rows.count : lastPosition
        for row in page.rows.prefix(max(0, bound)) where !held.contains(row.id) {
            if let entry = recent[row.id], entry.sequence > page.sequence, entry.record == nil { continue }
            newer.insert(row.id)
        }
        total = shownTotal(of: page)
        if page.next != nil, end < rows.endIndex { return lastFound.map { rows[$0].id } ?? anchor }
        if rows[..<start].allSatisfy({ !$0.isPresent }) { knownSequence = page.sequence }
        return nil
    }

    // MARK: - The selection and the view

    /// Keeps what was measured of the rows.
    mutating func keep(_ fit: ListFit?) { self.fit = fit ?? self.fit }

    /// Selects a row, which is in view.
    mutating func select(_ index: Int) { selected = index }

    /// Selects the row nearest to an index, and shows it.
    mutating func select(nearest index: Int, _ geometry: ListGeometry) {
        guard !rows.isEmpty else { return }
        selected = max(0, min(index, rows.count - 1))
        reveal(geometry)
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
    private mutating func settle(
        _ target: ListJump.Target, following anchored: [ListRow], _ geometry: ListGeometry
    ) {
        guard !rows.isEmpty else { return }
        let last = rows.count - 1
        let first = anchored.first { row in rows.contains { $0.id == row.id } }.flatMap { index(of: $0.id) } ?? last
        switch target {
        case .start: selected = 0
        case .end: selected = last
        // The group of a rank may have moved by now: its first record is the first that came.
        case .rank: selected = first
        case .record(let id, _): selected = index(of: id) ?? first
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

/// An entry of the feed that rows under way may not have.
private struct RecentEntry: Sendable {
    let sequence: Int64
    /// The record as it is now; nil for one that left the set.
    let record: AnswerValue?
    /// The reason why it left; empty for one that is in the set.
    let reason: String
    /// Whether it came into the set.
    let isAddition: Bool
}
