// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// How much one call of ``FeedEngine`` tells at most.
struct FeedBounds: Sendable {
    /// The number of entries.
    var entries: Int
    /// The size of the entries, in bytes; none begins after it has been reached.
    var bytes: Int
    /// The number of rows of the log that are read.
    var rows: Int = FeedLog.maxRows
}

/// The outcome of one step: how far a position has come, and how much was told.
struct FeedPiece: Sendable {
    /// The position after the piece. At rest, its sequence and time make the next clock.
    var position: FeedPosition
    /// The number of entries that were written.
    var entries = 0
    /// The number of rows of the log that were read.
    var rows = 0
    /// Whether another call goes on although the position has not moved.
    var isUnfinished = false
    /// The reason why a fresh set begins at ``position``; the entries of this piece are void then.
    var fresh: FreshReason?
}

/// Advances positions of feeds: `changes`, catching up and live subscriptions all go through ``advance``.
///
/// It keeps what it has read last, as ``FeedWindows``, so that feeds at the same position share it. Not shared between
/// threads.
final class FeedEngine {
    /// The parts of a call that stay the same.
    struct Call {
        let feed: Feed
        let view: CollectionView
        /// That of the catalog which `view` is from.
        let revision: Revision
        let bounds: FeedBounds
        let budget: QueryBudget
        /// The view that readers come from, so that many changes can be gone through by queries; nil: they are looked at
        /// one by one.
        var origin: FeedOrigin?
    }

    let log: FeedLog
    let scratch: QueryScratch
    var windows: FeedWindows
    var matchers = FeedMatchers()
    var decoder: (definition: UInt64, collection: Int64, decoder: ServedDecoder)?
    var record = DecodedRecord()
    var tape = JSONTape()

    /// - Parameters:
    ///   - scratch: memory that only the calling thread uses.
    ///   - isForMany: whether many feeds go through the same changes, so that decoded records are kept for the next.
    init(_ log: FeedLog, scratch: QueryScratch, isForMany: Bool = true) {
        self.log = log
        self.scratch = scratch
        windows = FeedWindows(keepsRecords: isForMany)
    }

    /// Releases what it keeps, so that replaced data is freed while nothing is asked.
    func release() {
        windows.removeAll()
    }

    /// Tells the next part of a feed: until the position is at rest, or a bound is reached.
    ///
    /// - Parameters:
    ///   - now: the time for which the filter is typed at the end, in milliseconds since 1970. A position that is
    ///     under way keeps the time that it has.
    ///   - writer: receives the entries as elements of an array that the caller has begun.
    /// - Throws: `interrupted` where the budget is used up: what was written is void then, and `position` still good.
    func advance(
        _ position: FeedPosition, _ call: Call, now: Int64, to writer: inout JSONWriter
    ) throws(QueryFailure) -> FeedPiece {
        var piece = FeedPiece(position: position)
        let row = call.view.condition.row
        // Data that cannot be served now is no change.
        if call.view.snapshot == nil, row.hasData { return piece }
        let start = writer.bytes.count
        var entries = FeedEntryWriter(call.feed, call.view)
        let time = call.feed.dependsOnTime ? now : 0
        while true {
            if let reason = FreshReason.ofCollection(call.view, since: piece.position.since) {
                return .fresh(reason, at: call.revision.seq, time: time)
            }
            let left = FeedBounds(
                entries: call.bounds.entries - piece.entries,
                bytes: call.bounds.bytes - (writer.bytes.count - start), rows: call.bounds.rows - piece.rows)
            switch piece.position.phase {
            case .rest:
                piece.position.begin(at: call.revision.seq, time: time)
                continue
            case .set(let after):
                guard left.entries > 0, left.bytes > 0 else { return piece }
                try tellSet(call, after: after, within: left, piece: &piece, entries: &entries, to: &writer)
            case .delta where piece.position.processed < call.view.changedSeq:
                guard left.entries > 0, left.bytes > 0, left.rows > 0 else { return piece }
                let isToldOn: Bool
                switch try prospect(piece.position, call) {
                case .unfinished:
                    piece.isUnfinished = true
                    return piece
                case .candidates(let candidates, let survey):
                    isToldOn = try tellCandidates(
                        candidates, of: survey, call, within: left, piece: &piece, entries: &entries, to: &writer)
                case .none:
                    isToldOn = try tellDelta(call, within: left, piece: &piece, entries: &entries, to: &writer)
                }
                guard isToldOn else { return .fresh(.compacted, at: call.revision.seq, time: time) }
            case .delta:
                piece.position.endDelta(at: call.revision.seq)
                if piece.position.isAtRest { return piece }
            case .time(let after):
                guard left.entries > 0, left.bytes > 0 else { return piece }
                guard
                    try tellTime(
                        call, after: after, within: left, piece: &piece, entries: &entries, to: &writer)
                else {
                    return .fresh(.compacted, at: call.revision.seq, time: time)
                }
            }
        }
    }

    // MARK: - A set

    private func tellSet(
        _ call: Call, after: [UInt8]?, within left: FeedBounds, piece: inout FeedPiece,
        entries: inout FeedEntryWriter, to writer: inout JSONWriter
    ) throws(QueryFailure) {
        guard call.view.hasRecords else {
            piece.position.phase = .delta
            return
        }
        let predicate = try refusing { () throws(RequestError) in try call.feed.predicate(at: piece.position.time) }
        let page = try page(call, predicate, after: after, limit: left.entries)
        let start = writer.bytes.count
        for (offset, row) in page.rows.enumerated() {
            if writer.bytes.count - start >= left.bytes {
                piece.position.phase = .set(after: call.view.rows.idBytes(Int(page.rows[offset - 1])))
                return
            }
            entries.writeMember(Int(row), to: &writer)
            piece.entries += 1
        }
        piece.position.phase = page.next.map { .set(after: $0.id) } ?? .delta
    }

    /// The next records by id that match.
    func page(
        _ call: Call, _ predicate: Predicate, after: [UInt8]?, limit: Int
    ) throws(QueryFailure) -> Page {
        var query = PageQuery(
            predicate: predicate, order: RecordOrder([], idField: call.view.definition.idField))
        query.archived = call.feed.archived
        query.limit = limit
        query.after = after.map { PagePosition(group: nil, keys: [], id: $0, generation: 0, row: 0) }
        do throws(QueryInterruption) {
            return try call.view.rows.execute(query, scratch: scratch, budget: call.budget)
        } catch {
            throw .interrupted(error)
        }
    }

    // MARK: - Rows of the log

    /// - Returns: false where the log does not go back to the position any more.
    private func tellDelta(
        _ call: Call, within left: FeedBounds, piece: inout FeedPiece, entries: inout FeedEntryWriter,
        to writer: inout JSONWriter
    ) throws(QueryFailure) -> Bool {
        let kept: FeedWindows.Kept
        if let found = windows.find(piece.position, in: call.view) {
            kept = found
        } else {
            // Where many rows come to nothing, the next window is larger.
            let rows = min(left.rows, max(left.entries, Self.minWindow, piece.rows * 4))
            let position = piece.position
            let window = try storing(call) { () throws(StoreError) in
                try log.window(position, in: call.view, maxRows: rows)
            }
            guard let window else { return false }
            kept = windows.keep(window)
        }
        let window = kept.window
        piece.rows += window.rows
        var tests = try Tests(call.feed, piece.position, &matchers)
        let first = window.firstIndex(after: piece.position.processed)
        // Records that are decoded for further feeds cost the less, the more feeds there are.
        if !windows.keepsRecords {
            try tests.prepareRows(call, piece.position, forAbout: window.changes.count - first, scratch)
        }
        let start = writer.bytes.count
        var told = 0
        for index in window.changes.indices[first...] {
            if told >= left.entries || writer.bytes.count - start >= left.bytes { return true }
            if told == Self.sampleCount {
                // Entries are much of a size. Room that is made at once is not moved again and again.
                let expected = (writer.bytes.count - start) / told * (window.changes.count - index)
                writer.reserve(min(expected + expected / 8, left.bytes))
            }
            kept.prefetch(after: index)
            let change = window.changes[index]
            let source = Source(change: change, kept: windows.keepsRecords ? kept : nil, index: index)
            if try tell(source, by: tests, at: piece.position, call, entries: &entries, to: &writer) {
                piece.entries += 1
                told += 1
            }
            piece.position.processed = change.seq
        }
        piece.position.processed = window.end
        return true
    }

    /// The number of rows that a window has at least, where there are as many.
    static let minWindow = 256
    /// The number of entries whose size tells how much room the others take.
    private static let sampleCount = 16
}

extension FeedPiece {
    fileprivate static func fresh(_ reason: FreshReason, at seq: UInt64, time: Int64) -> FeedPiece {
        var piece = FeedPiece(position: .set(at: seq, time: time))
        piece.fresh = reason
        return piece
    }
}
