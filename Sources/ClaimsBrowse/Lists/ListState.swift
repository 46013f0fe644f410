// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol
import ClaimsTerminal

/// The list of one collection: what is asked, the rows around the view, and what is newer than they are.
struct ListState: Sendable {
    /// The stage of the newest question.
    enum Phase: Sendable {
        /// Nothing has come yet.
        case loading
        /// Rows of an answer are held, maybe of the question before; `isSearching` after 300 ms without an answer.
        case answered(isSearching: Bool)
        /// There is nothing to show, and the reason.
        case refused(Refusal)
    }

    let collection: String
    /// The question. The rows may still answer the one before: ``answeredQuery``.
    var query = ListQuery()
    /// The question that the rows answer.
    var answeredQuery = ListQuery()
    var phase = Phase.loading
    /// The state of the collection: freshness, source, last error, next refresh.
    var meta: CollectionMeta?
    /// A run of records without gaps, in the order of the list; at most `maxRows`.
    var rows: [ListRow] = []
    /// The rank of the first of `rows` in the whole list, from 0.
    var firstRank = 0
    /// The answers that `rows` came in, in the same order.
    var windows: [ListWindow] = []
    /// The number of records that match.
    var total: Int64 = 0
    /// The groups with their totals, in their order; empty where the list has none.
    var groups: [ListGroup] = []
    /// The index in `rows` of the first record on the screen.
    var top = 0
    /// The index in `rows` of the selected record; nil for an empty list.
    var selected: Int?
    var liveness = Liveness.asking
    /// The ids of records that came into the set since the rows were asked for; at most `maxNewer`.
    var newer: Set<String> = []
    /// Whether the whole set was made anew, so that the rows tell an older one.
    var isRebuilt = false
    /// The refresh that was asked for here, while it runs.
    var refresh: ListRefresh?
    /// Whether groups are shown: the collection has them, and the list is in the collection's own order.
    var isGrouped = false
    /// The layout of the rows, as far as they have been measured; it may be missing or older than they are.
    var fit: ListFit?
    /// The record whose id was searched for, where no text has it; nil without one.
    var namesake: ListNamesake?
    /// The requests under way; the screen does not show them.
    var work = ListWork()

    init(collection: String) { self.collection = collection }

    /// The number of records of one page of the protocol.
    static let pageRows = 100
    /// The maximum number of records that are held: nine pages.
    static let maxRows = 9 * pageRows
    /// The maximum number of newer ids that are counted; beyond, the set counts as made anew.
    static let maxNewer = 50_000

    /// The cursor of the page before `rows`; nil at the start of the list.
    var previous: String? { windows.first?.previous }
    /// The cursor of the page after `rows`; nil at the end of the list.
    var next: String? { windows.last?.next }
    /// The selected row; nil for an empty list.
    var selectedRow: ListRow? { selected.map { rows[$0] } }
    /// Whether something is newer than the rows, which `g` takes in.
    var hasNews: Bool { isRebuilt || !newer.isEmpty || rows.contains { $0.mark != nil } }

    /// The rank of the selected record in the list, from 1; nil for an empty list. Records that left are not counted.
    var selectedRank: Int? {
        selected.map { firstRank + rows[..<$0].count(where: \.isPresent) + 1 }
    }

    /// The record whose id is what the list was searched for in vain; nil where it has rows, or there is no such record.
    var foundByID: ListNamesake? {
        rows.isEmpty && namesake?.text == answeredQuery.possibleID ? namesake : nil
    }

    /// The index of the row with that id; nil if there is none.
    func index(of id: String) -> Int? { rows.firstIndex { $0.id == id } }
}

/// A record whose id is a text that was searched for.
struct ListNamesake: Sendable {
    let text: String
    /// The record with all its fields.
    let record: AnswerValue

    var id: String { record["id"]?.text ?? text }
}

/// The part of the rows that came in one answer.
struct ListWindow: Sendable {
    /// The number of its rows that are held.
    var count: Int
    let previous: String?
    let next: String?
}

/// Whether the list follows the changes of its records.
enum Liveness: Equatable, Sendable {
    /// A subscription is under way.
    case asking
    case live
    /// Changes are not told; the reason is for people, where there is one.
    case notLive(String?)
}

/// A refresh that was asked for here.
struct ListRefresh: Equatable, Sendable {
    /// The time it was asked for, in milliseconds since 1970.
    var since: Int64
    /// How far it is; nil before the first notification.
    var progress: RefreshProgress?
}

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

// The entries of a feed become marks and counts, so that no line moves by itself.

extension ListState {
    /// Takes an entry of the feed of the list.
    mutating func take(_ entry: AnswerValue) {
        guard let id = entry[FeedEntry.id], let op = entry[FeedEntry.op] else { return }
        // Events may come later than answers that have what they tell. What time changes has no sequence of its own.
        if let sequence = entry[FeedEntry.seq], sequence <= work.knownSequence, entry[FeedEntry.cause] != "time" {
            work.own.remove(id)
            return
        }
        let reason = op == "removed" ? entry[FeedEntry.reason] ?? "" : ""
        let index = index(of: id)
        // Of a record that is neither shown nor on its way, only the id counts.
        let record = index != nil || work.awaitsRows ? entry[FeedEntry.record].map { KeptRecord.copy($0) } : nil
        note(id, entry, record, reason: reason)
        switch op {
        case "removed": leave(id, entry, reason: reason)
        case "added" where index == nil: newer.insert(id)
        // More kinds may come: whatever has a record tells how it is now.
        default:
            // That an operation has gone on is told by its own sign.
            let isNews = entry[FeedEntry.changed].map(\.text) != ["pending"]
            if let record { change(id, record, isNews: isNews) }
        }
        if newer.count > Self.maxNewer { isRebuilt = true }
    }

    /// Remembers the entry for the rows that are on their way.
    private mutating func note(_ id: String, _ entry: AnswerValue, _ record: AnswerValue?, reason: String) {
        guard work.awaitsRows else { return }
        guard work.recent.count < ListWork.maxRecent else {
            // Without this entry the rows under way would be too old.
            isRebuilt = true
            return
        }
        let op = entry[FeedEntry.op]
        work.recent[id] = RecentEntry(
            sequence: entry[FeedEntry.seq] ?? .max, record: op == "removed" ? nil : record, reason: reason,
            isAddition: work.recent[id]?.isAddition ?? (op == "added"))
    }

    private mutating func leave(_ id: String, _ entry: AnswerValue, reason: String) {
        let wasNewer = newer.remove(id) != nil
        guard let index = index(of: id) else {
            // A record that was removed here is not counted any more. An erased record is told to every feed, also to
            // one that never had it.
            let isOwn = work.own.remove(id) != nil
            if !wasNewer, !isOwn, entry[FeedEntry.cause] != "forget" { total = max(0, total - 1) }
            return
        }
        if let newID = entry[FeedEntry.to], work.renamed.count < ListWork.maxRemembered { work.renamed[id] = newID }
        if work.own.remove(id) != nil {
            removeRow(id)
        } else {
            rows[index].mark = .removed(reason: reason)
        }
    }

    /// The total that goes with the rows, from that of a page: what is newer is not counted, what left is as long as it
    /// is shown.
    func shownTotal(of page: ListPage) -> Int64 {
        let later = work.recent.filter { $0.value.sequence > page.sequence }
        let newer = self.newer.count { later[$0]?.isAddition != true }
        let left = rows.count { !$0.isPresent && (later[$0.id].map { $0.record != nil } ?? true) }
        let leftLater = later.count { $0.value.record == nil && !$0.value.isAddition && index(of: $0.key) == nil }
        return max(0, page.total + Int64(left - newer - leftLater))
    }

    private mutating func change(_ id: String, _ record: AnswerValue, isNews: Bool) {
        guard let index = index(of: id) else { return }
        if rows[index].isPresent, Self.isSame(rows[index].record, record) { return }
        rows[index].record = record
        guard isNews || !rows[index].isPresent else { return }
        let isOwn = work.own.remove(id) != nil
        // One's own change is no news, unless the row told something else before.
        if isOwn, rows[index].mark == nil { return }
        rows[index].mark = .updated
    }

    /// Compares the rows with an answer that begins at one of them: what differs is marked and counted.
    ///
    /// - Parameter anchor: the id of the row that the answer begins at.
    /// - Returns: the id of the last row that was compared, where the answer ends before the rows do; nil else.
    mutating func compare(with page: ListPage, from anchor: String) -> String? {
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
                let entry = work.recent[row.id]
                if let entry, entry.sequence > page.sequence { continue }
                guard !Self.isSame(page.rows[position].record, row.record) || !row.isPresent else { continue }
                rows[index].record = page.rows[position].record
                rows[index].mark = .updated
            } else if index < end, row.isPresent, work.recent[row.id]?.record == nil {
                rows[index].mark = .removed(reason: work.recent[row.id]?.reason ?? "")
            }
        }
        let held = Set(rows.map(\.id))
        let bound = next == nil && page.next == nil ? page.rows.count : lastPosition
        for row in page.rows.prefix(max(0, bound)) where !held.contains(row.id) {
            if let entry = work.recent[row.id], entry.sequence > page.sequence, entry.record == nil { continue }
            newer.insert(row.id)
        }
        total = shownTotal(of: page)
        if page.next != nil, end < rows.endIndex { return lastFound.map { rows[$0].id } ?? anchor }
        if rows[..<start].allSatisfy({ !$0.isPresent }) { work.knownSequence = page.sequence }
        return nil
    }

    /// Whether two records have the same text.
    private static func isSame(_ left: AnswerValue, _ right: AnswerValue) -> Bool {
        left.document.bytes[left.range] == right.document.bytes[right.range]
    }
}
