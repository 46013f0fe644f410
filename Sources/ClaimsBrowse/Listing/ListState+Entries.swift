// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

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
