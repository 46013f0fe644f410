// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// Tells the records that time alone takes into a set or out of it.
extension FeedEngine {
    /// - Returns: false where the log does not go back to the position any more.
    func tellTime(
        _ call: Call, after: [UInt8]?, within left: FeedBounds, piece: inout FeedPiece,
        entries: inout FeedEntryWriter, to writer: inout JSONWriter
    ) throws(QueryFailure) -> Bool {
        let position = piece.position
        guard call.view.hasRecords, let filter = call.feed.movingFilter else {
            piece.position.endTime()
            return true
        }
        let candidates = try refusing { () throws(RequestError) in
            do throws(FilterError) {
                return try filter.crossed(
                    from: call.feed.context(at: position.time), to: call.feed.context(at: position.target))
            } catch {
                throw RequestError(error)
            }
        }
        let page = try page(call, candidates, after: after, limit: max(left.entries, Self.minWindow))
        let tests = try Tests(call.feed, position, &matchers)
        var crossed: [(record: ListedRecord, id: [UInt8])] = []
        for row in page.rows {
            let served = ListedRecord(row: Int(row), of: call.view)
            guard isCrossed(served, by: tests, call), let id = call.view.rows.idBytes(Int(row)) else { continue }
            crossed.append((served, id))
        }
        var changes: [[UInt8]: FeedChange] = [:]
        if !crossed.isEmpty {
            let ids = Set(crossed.map(\.id))
            guard
                let found = try storing(
                    call,
                    { () throws(StoreError) in
                        try log.changes(ofIDs: ids, since: position.since, in: call.view)
                    })
            else { return false }
            changes = found
        }
        let stamp = FeedEntryWriter.Stamp(seq: call.revision.seq, at: position.target, cause: "time")
        let start = writer.bytes.count
        let maxEntries = piece.entries + left.entries
        for (served, id) in crossed {
            if piece.entries >= maxEntries || writer.bytes.count - start >= left.bytes { return true }
            let change =
                changes[id]
                ?? FeedChange(
                    unchanged: served, id: id, seq: position.since,
                    isArchived: call.view.rows.isArchived(served.row))
            let source = Source(change: change, kept: nil, index: 0)
            if try tell(source, by: tests, at: position, call, stamp: stamp, entries: &entries, to: &writer) {
                piece.entries += 1
            }
            piece.position.phase = .time(after: id)
        }
        if let next = page.next { piece.position.phase = .time(after: next.id) } else { piece.position.endTime() }
        return true
    }

    /// Whether time alone takes a record into the filter or out of it.
    private func isCrossed(_ served: ListedRecord, by tests: Tests, _ call: Call) -> Bool {
        let isDecoded = served.withDocument(of: call.view.snapshot) { decode($0, call, into: &record) }
        guard let end = tests.end, isDecoded ?? false else { return false }
        return tests.start.matches(record) != end.matches(record)
    }
}
