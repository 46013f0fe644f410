// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot
import ClaimsStore

/// Reads the log of changes for feeds. Not shared between threads.
final class FeedLog {
    private let connection: LogConnection
    private var tape = JSONTape()

    init(_ connection: LogConnection) {
        self.connection = connection
    }

    /// The rows that one window has at most.
    static let maxRows = 10_000

    /// The changes after a position, as far as `maxRows` rows go.
    ///
    /// - Returns: nil if the log does not go back to the position any more.
    func window(
        _ position: FeedPosition, in view: CollectionView, maxRows: Int
    ) throws(StoreError) -> FeedWindow? {
        let number = view.condition.row.number
        let through = view.changedSeq
        let page = try connection.reader.changes(
            of: number, after: position.processed, through: through, limit: maxRows, since: position.since)
        guard page.floor <= position.since else { return nil }
        let changes = try changes(page, position, in: view)
        return FeedWindow(
            since: position.since, start: position.processed, end: page.end, view: view, rows: page.changes.count,
            changes: changes)
    }

    private func changes(
        _ page: LogPage, _ position: FeedPosition, in view: CollectionView
    ) throws(StoreError) -> [FeedChange] {
        if page.changes.isEmpty { return [] }
        let number = view.condition.row.number
        let names = ServedMembers(view.definition)
        let marks = try movedMarks(of: page.changes, in: view)
        if page.isOneRefresh {
            // A refresh has each id once.
            let served = Self.records(of: page.changes, in: view)
            return page.changes.indices.map { index in
                FeedChange(
                    page.changes[index...index], last: page.changes[index], served: served[index],
                    wasMarked: marks[page.changes[index].id], in: view, names, tape: &tape)
            }
        }
        var groups: [[UInt8]: [LoggedChange]] = [:]
        for change in page.changes { groups[change.id, default: []].append(change) }
        if page.end < view.changedSeq {
            try connection.reader.forEachID(of: number, after: page.end, through: view.changedSeq) { _, id in
                groups[id.array] = nil
            }
        }
        if position.processed > position.since {
            try addEarlier(to: &groups, of: number, after: position.since, through: position.processed)
        }
        var changes: [FeedChange] = []
        changes.reserveCapacity(groups.count)
        for rows in groups.values {
            guard let last = rows.last else { continue }
            let served = view.listedRecord(last.id)
            changes.append(
                FeedChange(
                    rows[...], last: last, served: served, wasMarked: marks[last.id], in: view, names, tape: &tape))
        }
        changes.sort { $0.seq < $1.seq }
        return changes
    }

    /// The records that changes name. The lookups wait for memory together, not one after the other.
    private static func records(of changes: [LoggedChange], in view: CollectionView) -> [ListedRecord?] {
        guard let snapshot = view.snapshot else { return changes.map { view.listedRecord($0.id, over: nil) } }
        var prepared = changes.map { change in snapshot.prepare(forID: change.id.rawSpan) }
        for index in prepared.indices { snapshot.prefetch(&prepared[index]) }
        return changes.indices.map { index in
            let id = changes[index].id
            return view.listedRecord(id, over: snapshot.location(ofID: id.rawSpan, prepared[index])?.row)
        }
    }

    /// Whether records were archived when they got another id, by the old one: the mark has gone with them.
    private func movedMarks(
        of changes: [LoggedChange], in view: CollectionView
    ) throws(StoreError) -> [[UInt8]: Bool] {
        if view.condition.aliases.isEmpty { return [:] }
        var renamed: [(id: [UInt8], target: [UInt8], seq: UInt64)] = []
        for change in changes where change.operation == .removed {
            guard let target = view.condition.aliases[change.id] else { continue }
            renamed.append((change.id, target, change.seq))
        }
        guard let first = renamed.map(\.seq).min() else { return [:] }
        // The first mark since then shows the state before it.
        let page = try connection.reader.changes(
            of: view.condition.row.number, after: first, through: view.changedSeq, among: Set(renamed.map(\.target)))
        var marks: [[UInt8]: Bool] = [:]
        for (id, target, seq) in renamed {
            let next = page.changes.first { change in
                change.id == target && change.seq > seq && [.archived, .unarchived].contains(change.operation)
            }
            marks[id] = next.map { $0.operation == .unarchived } ?? (view.archive.mark(target) != nil)
        }
        return marks
    }

    /// The net changes of some ids since a position; ids without rows are left out.
    ///
    /// - Returns: nil if the log does not go back to the position any more.
    func changes(
        ofIDs ids: Set<[UInt8]>, since: UInt64, in view: CollectionView
    ) throws(StoreError) -> [[UInt8]: FeedChange]? {
        guard view.changedSeq > since else { return [:] }
        let number = view.condition.row.number
        let first = try connection.reader.changes(of: number, after: since, through: view.changedSeq, limit: 1)
        guard first.floor <= since else { return nil }
        var groups: [[UInt8]: [LoggedChange]] = [:]
        for id in ids { groups[id] = [] }
        try addEarlier(to: &groups, of: number, after: since, through: view.changedSeq)
        let names = ServedMembers(view.definition)
        var changes: [[UInt8]: FeedChange] = [:]
        for (id, rows) in groups {
            guard let last = rows.last else { continue }
            let served = view.listedRecord(id)
            changes[id] = FeedChange(rows[...], last: last, served: served, in: view, names, tape: &tape)
        }
        return changes
    }

    /// Calls `body` with the number, the cause and the id of the changes after a sequence, as far as `maxRows` rows go.
    ///
    /// - Returns: the sequence up to which they go; nil if the log does not have all of them any more.
    func forEachID(
        after seq: UInt64, in view: CollectionView, maxRows: Int, _ body: (UInt64, ChangeCause, RawSpan) -> Void
    ) throws(StoreError) -> UInt64? {
        let read = try connection.reader.forEachID(
            of: view.condition.row.number, after: seq, through: view.changedSeq, limit: maxRows, body)
        return read.floor <= seq ? read.end : nil
    }

    /// Puts the rows of a range before the rows that the groups of their ids have.
    private func addEarlier(
        to groups: inout [[UInt8]: [LoggedChange]], of number: Int64, after: UInt64, through: UInt64
    ) throws(StoreError) {
        var earlier: [[UInt8]: [LoggedChange]] = [:]
        let page = try connection.reader.changes(of: number, after: after, through: through, among: Set(groups.keys))
        for change in page.changes { earlier[change.id, default: []].append(change) }
        for (id, rows) in earlier { groups[id] = rows + (groups[id] ?? []) }
    }

    /// Why there is no record with this id any more.
    func absence(of id: [UInt8], in view: CollectionView) throws(StoreError) -> FeedEntryWriter.Reason {
        if let target = view.condition.aliases[id] { return .renamed(to: target) }
        let isQuarantined = try connection.reader.isQuarantined(collection: view.condition.row.number, id: id)
        return isQuarantined ? .quarantined : .gone
    }
}
