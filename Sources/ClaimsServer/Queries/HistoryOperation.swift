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
        var page = HistoryPage(view, id)
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
        do throws(StoreError) {
            let log = try context.changeLog()
            let number = view.condition.row.number
            var isFull = false
            var from = view.changedSeq + 1
            while true {
                let found = try log.reader.history(
                    of: number, id: id, before: from, limit: Self.changesAtOnce, while: isWanted)
                guard let part = found else { break }
                page.floor = part.floor
                for change in part.changes {
                    from = change.seq
                    if !isFull, change.seq < before ?? .max, page.isVersion(change) {
                        if takes(writer) {
                            page.write(change, to: &writer)
                            next = change.seq
                            count += 1
                        } else {
                            isFull = true
                        }
                    }
                    page.undo(change)
                }
                if !part.hasMore { break }
            }
            try page.findBeginning { time throws(StoreError) in try log.reader.wholeCommit(of: number, at: time) }
            if let commit = page.beginning, !isFull {
                if takes(writer) { page.write(beginning: commit, to: &writer) } else { isFull = true }
            }
            if !isFull { next = nil }
        } catch {
            throw .refused(RequestError(error, collection: view.definition.name))
        }
        if let interruption { throw .interrupted(interruption) }
        guard page.wasSeen else {
            throw .refused(
                .recordNotFound(
                    id: String(decoding: id, as: UTF8.self), in: view, language: language, context.served))
        }
        writer.endArray()
        writer.member(HistoryResult.isComplete, page.isComplete)
        if let next { writer.member(HistoryResult.next, context.cursors.encode(number: next, query: query)) }
        writer.endObject()
    }
}
