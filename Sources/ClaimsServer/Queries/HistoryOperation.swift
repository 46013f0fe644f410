// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// `history`: reads the log of one record from its newest change on. It waits for the disk, so that only workers run it.
///
/// The log keeps differences. A record as it was is the served or removed one with all later changes undone, so that a
/// page begins with the newest change, whatever its cursor.
struct HistoryOperation: QueryOperation {
    let view: CollectionView
    let id: [UInt8]
    let limit: Int
    /// The number of the last version of the page before; nil for the first page.
    let before: UInt64?
    /// The hash of the list, for cursors.
    let query: UInt64
    let language: String?
    let timeout: Duration
    static let takesTimeout = false

    /// The changes that are read at once.
    private static let changesAtOnce = 256
    /// The part of the answer's bound that is kept for what follows the versions, in bytes.
    private static let summaryBytes = 1 << 12

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        var count = 0
        var next: UInt64?
        let maxBytes = writer.bytes.count + max(BufferBudget.share, context.maxAnswerBytes - Self.summaryBytes)
        writer.beginObject()
        writer.key(HistoryResult.versions)
        writer.beginArray()
        func takes(_ writer: borrowing JSONWriter) -> Bool {
            count < limit && (count == 0 || writer.bytes.count < maxBytes)
        }
        var interruption: QueryInterruption?
        func isWanted() -> Bool {
            do throws(QueryInterruption) { try budget.check() } catch { interruption = error }
            return interruption == nil
        }
        // A record that got another id has its versions under both.
        let earlierIDs = view.condition.aliases.filter { $0.value == id }.map(\.key)
        var parts = ([id] + earlierIDs).map { HistoryPart(view, $0) }
        do throws(StoreError) {
            let log = try context.changeLog()
            let number = view.condition.row.number
            var isFull = false
            while true {
                for index in parts.indices {
                    try parts[index].read { id, from throws(StoreError) in
                        try log.reader.history(
                            of: number, id: id, before: from, limit: Self.changesAtOnce, while: isWanted)
                    }
                }
                if interruption != nil { break }
                let newest = parts.indices.max { (parts[$0].next?.seq ?? 0) < (parts[$1].next?.seq ?? 0) }
                guard let newest, let change = parts[newest].next else { break }
                if !isFull, change.seq < before ?? .max, parts[newest].page.isVersion(change) {
                    if takes(writer) {
                        parts[newest].page.write(change, userName: context.served.userName, to: &writer)
                        next = change.seq
                        count += 1
                    } else {
                        isFull = true
                    }
                }
                parts[newest].pass(change)
            }
            for index in parts.indices where interruption == nil {
                try parts[index].page.findBeginning { time throws(StoreError) in
                    try log.reader.wholeCommit(of: number, at: time)
                }
                guard let commit = parts[index].page.beginning, !isFull else { continue }
                if takes(writer) { parts[index].page.write(beginning: commit, to: &writer) } else { isFull = true }
            }
            if !isFull { next = nil }
        } catch {
            throw .refused(RequestError(reading: error, collection: view.definition.name))
        }
        if let interruption { throw .interrupted(interruption) }
        guard parts.contains(where: { $0.page.wasSeen }) else {
            throw .refused(
                .recordNotFound(
                    id: String(decoding: id, as: UTF8.self), in: view, language: language, context.served))
        }
        writer.endArray()
        writer.member(HistoryResult.isComplete, parts.allSatisfy { $0.page.isComplete })
        if let next { writer.member(HistoryResult.next, context.cursors.encode(number: next, query: query)) }
        writer.endObject()
    }
}

/// The changes of one id, from the newest on.
private struct HistoryPart {
    private let id: [UInt8]
    var page: HistoryPage
    /// The number below which changes are not read yet.
    private var from: UInt64
    /// Those that are read and not passed, the oldest first.
    private var waiting: [LoggedChange] = []
    private var hasMore = true

    init(_ view: CollectionView, _ id: [UInt8]) {
        self.id = id
        page = HistoryPage(view, id)
        from = view.changedSeq + 1
    }

    /// The newest change that is not passed.
    var next: LoggedChange? { waiting.last }

    /// Reads the next changes, once those before are passed.
    ///
    /// - Parameter changes: returns those of an id below a number; nil once they are not wanted any more.
    mutating func read(
        _ changes: (_ id: [UInt8], _ from: UInt64) throws(StoreError) -> LogHistory?
    ) throws(StoreError) {
        guard waiting.isEmpty, hasMore, let part = try changes(id, from) else { return }
        page.floor = part.floor
        waiting = part.changes.reversed()
        hasMore = part.hasMore
        from = part.changes.last?.seq ?? from
    }

    /// Goes back before a change, the newest one.
    mutating func pass(_ change: LoggedChange) {
        page.undo(change)
        waiting.removeLast()
    }
}
