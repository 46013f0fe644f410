// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// The outcome of one step: the new position, and the size of what was written.
struct FeedPiece: Sendable {
    /// The position after the piece. At rest, its sequence and time make the next clock.
    var position: FeedPosition
    /// The number of entries that were written.
    var entries = 0
    /// The records of the entries, if the collection is journaled.
    var shown = ShownIDs()
    /// The number of rows of the log that were read.
    var rows = 0
    /// Whether another call is needed although the position has not moved.
    var isUnfinished = false
    /// The reason why a fresh set begins at ``position``; the entries of this piece are void then.
    var fresh: FreshReason?
}

/// Advances positions of feeds: `changes`, catching up and live subscriptions all go through ``advance``.
///
/// It keeps the rows that it has read last, as ``FeedWindows``, so that feeds at the same position share them. Not
/// shared between threads.
final class FeedEngine {
    /// The rest of the changes since a position, as a survey shows them to one feed.
    private enum Prospect {
        /// They are inspected one by one.
        case none
        /// The survey is not finished.
        case unfinished
        case candidates(FeedCandidates, FeedSurvey)
    }

    private let log: FeedLog
    private let scratch: QueryScratch
    private var windows: FeedWindows
    private var matchers = FeedMatchers()
    private var membership: FeedMembership

    /// - Parameters:
    ///   - scratch: memory that only the calling thread uses.
    ///   - isForMany: whether many feeds go through the same changes, so that decoded records are kept for the next.
    init(_ log: FeedLog, scratch: QueryScratch, isForMany: Bool = true) {
        self.log = log
        self.scratch = scratch
        windows = FeedWindows(keepsRecords: isForMany)
        membership = FeedMembership(keepsRecords: isForMany)
    }

    /// Releases the kept rows, so that replaced data is freed while no feed advances.
    func release() {
        windows.removeAll()
    }

    /// Writes the next part of a feed: until the position is at rest, or a bound is reached.
    ///
    /// - Parameters:
    ///   - now: the time for which the filter is typed at the end, in milliseconds since 1970. A position that is under
    ///     way keeps its own time.
    ///   - writer: receives the entries as elements of an array that the caller has begun.
    /// - Throws: `interrupted` if the budget is used up: then the written bytes are void, and `position` is unchanged.
    func advance(
        _ position: FeedPosition, _ call: FeedCall, now: Int64, to writer: inout JSONWriter
    ) throws(QueryFailure) -> FeedPiece {
        var entries = FeedEntryWriter(call.feed, call.view)
        var piece = try advance(position, call, now: now, &entries, to: &writer)
        if piece.fresh == nil { piece.shown = entries.shown }
        return piece
    }

    private func advance(
        _ position: FeedPosition, _ call: FeedCall, now: Int64, _ entries: inout FeedEntryWriter,
        to writer: inout JSONWriter
    ) throws(QueryFailure) -> FeedPiece {
        var piece = FeedPiece(position: position)
        let row = call.view.condition.row
        // Data that cannot be served now is no change.
        if call.view.snapshot == nil, row.hasData { return piece }
        let start = writer.bytes.count
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
                try writeSet(call, after: after, within: left, piece: &piece, entries: &entries, to: &writer)
            case .delta where piece.position.processed < call.view.changedSeq:
                guard left.entries > 0, left.bytes > 0, left.rows > 0 else { return piece }
                let isInLog: Bool
                switch try prospect(piece.position, call) {
                case .unfinished:
                    piece.isUnfinished = true
                    return piece
                case .candidates(let candidates, let survey):
                    isInLog = try writeCandidates(
                        candidates, of: survey, call, within: left, piece: &piece, entries: &entries, to: &writer)
                case .none:
                    isInLog = try writeDelta(call, within: left, piece: &piece, entries: &entries, to: &writer)
                }
                guard isInLog else { return .fresh(.compacted, at: call.revision.seq, time: time) }
            case .delta:
                piece.position.endDelta(at: call.revision.seq)
                if piece.position.isAtRest { return piece }
            case .time(let after):
                guard left.entries > 0, left.bytes > 0 else { return piece }
                let isInLog = try writeTime(
                    call, after: after, within: left, piece: &piece, entries: &entries, to: &writer)
                guard isInLog else { return .fresh(.compacted, at: call.revision.seq, time: time) }
            }
        }
    }

    // MARK: - A set

    private func writeSet(
        _ call: FeedCall, after: [UInt8]?, within left: FeedBounds, piece: inout FeedPiece,
        entries: inout FeedEntryWriter, to writer: inout JSONWriter
    ) throws(QueryFailure) {
        guard call.view.hasRecords else {
            piece.position.phase = .delta
            return
        }
        let predicate = try call.predicate(at: piece.position.time)
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
    private func page(
        _ call: FeedCall, _ predicate: Predicate, after: [UInt8]?, limit: Int
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

    /// - Returns: false if the log does not go back to the position any more.
    private func writeDelta(
        _ call: FeedCall, within left: FeedBounds, piece: inout FeedPiece, entries: inout FeedEntryWriter,
        to writer: inout JSONWriter
    ) throws(QueryFailure) -> Bool {
        let kept: FeedWindows.Kept
        if let found = windows.find(piece.position, in: call.view) {
            kept = found
        } else {
            // If many rows come to nothing, the next window is larger.
            let rows = min(left.rows, max(left.entries, Self.minWindow, piece.rows * 4))
            let position = piece.position
            let window = try call.storing { () throws(StoreError) in
                try log.window(position, in: call.view, maxRows: rows)
            }
            guard let window else { return false }
            kept = windows.keep(window)
        }
        let window = kept.window
        piece.rows += window.rows
        var tests = try FeedTests(call.feed, piece.position, &matchers)
        let first = window.firstIndex(after: piece.position.processed)
        // Records that are decoded for further feeds cost the less, the more feeds there are.
        if !windows.keepsRecords {
            try tests.prepareRows(call, piece.position, forAbout: window.changes.count - first, scratch)
        }
        let start = writer.bytes.count
        var written = 0
        for index in window.changes.indices[first...] {
            if written >= left.entries || writer.bytes.count - start >= left.bytes { return true }
            if written == Self.sampleCount {
                // Entries are much of a size. Room that is made at once is not moved again and again.
                let expected = (writer.bytes.count - start) / written * (window.changes.count - index)
                writer.reserve(min(expected + expected / 8, left.bytes))
            }
            kept.prefetch(after: index)
            let change = window.changes[index]
            let source = FeedSource(change: change, kept: windows.keepsRecords ? kept : nil, index: index)
            if revealsHidden(source, by: tests, at: piece.position, call) { return false }
            if try write(source, by: tests, at: piece.position, call, entries: &entries, to: &writer) {
                piece.entries += 1
                written += 1
            }
            piece.position.processed = change.seq
        }
        piece.position.processed = window.end
        return true
    }

    /// Whether a change needs a fresh set for a reader that sees only a part of the records, because it can neither be
    /// left out nor be sent.
    ///
    /// This is so after records were erased, whichever they were. It is also so if a record that the rule leaves out
    /// may have been in the set for a moment while the changes were being sent.
    private func revealsHidden(
        _ source: FeedSource, by tests: FeedTests, at position: FeedPosition, _ call: FeedCall
    ) -> Bool {
        guard let limit = call.feed.limit else { return false }
        let change = source.change
        if change.cause == .forget || change.wasForgotten { return true }
        guard limit.predicate != nil, change.seq > position.forcedAfter, change.count > 1 else { return false }
        let answer = membership.answer(source, by: tests, call, isEvaluation: false)
        return !answer.isMember && !answer.wasMember
    }

    /// Writes the entry of one change, if there is one to write.
    ///
    /// - Parameter stamp: the stamp of an evaluation; nil: the stamp of the change. A record that also moves because of
    ///   time is left to the evaluation.
    private func write(
        _ source: FeedSource, by tests: FeedTests, at position: FeedPosition, _ call: FeedCall,
        stamp: FeedEntryWriter.Stamp? = nil, entries: inout FeedEntryWriter, to writer: inout JSONWriter
    ) throws(QueryFailure) -> Bool {
        let change = source.change
        let stampOfChange = FeedEntryWriter.Stamp(seq: change.seq, at: change.at, cause: change.cause.rawValue)
        if change.cause == .forget {
            guard stamp == nil else { return false }
            entries.writeRemoved(change, .gone, stampOfChange, wasMember: false, to: &writer)
            return true
        }
        let answer = membership.answer(source, by: tests, call, isEvaluation: stamp != nil)
        if answer.isMovedByTime { return false }
        let isForced = change.seq > position.forcedAfter
        // A reader may still hold an erased record.
        let isVoid = change.wasForgotten && stamp == nil
        // A reader that sees only a part of the records gets no entry for a record outside its part.
        let isReported = (isForced || isVoid) && call.feed.limit?.predicate == nil
        guard answer.isMember || answer.wasMember || isReported else { return false }
        let stamp = stamp ?? stampOfChange
        if answer.isMember, let served = change.served {
            if answer.wasMember {
                // One change alone shows its reader nothing that it may not see; several may have been sent on the way.
                let isWritten = isForced && (change.count > 1 || !call.feed.definition.hasSights)
                return entries.writeUpdated(change, served, stamp, isForced: isWritten, to: &writer)
            }
            entries.writeAdded(change, served, stamp, to: &writer)
            return true
        }
        var reason = entries.reason(change)
        var removal = stamp
        if try isOutside(change, call) {
            reason = .gone
            // The cause would reveal whether the record is still there.
            removal.cause = ChangeCause.refresh.rawValue
        } else if change.served == nil {
            reason = try call.storing { () throws(StoreError) in try log.absence(of: change.id, in: call.view) }
        }
        entries.writeRemoved(change, reason, removal, wasMember: answer.wasMember, to: &writer)
        return true
    }

    /// Whether a record has left the part that a rule shows, for any reason.
    private func isOutside(_ change: FeedChange, _ call: FeedCall) throws(QueryFailure) -> Bool {
        guard let limit = call.feed.limit else { return false }
        guard let served = change.served else { return true }
        guard let predicate = limit.predicate else { return false }
        do throws(QueryInterruption) {
            return try !call.view.rows.matches(
                predicate, row: served.row, scratch: scratch, budget: call.budget)
        } catch {
            throw .interrupted(error)
        }
    }

    // MARK: - Many rows of the log, by queries on both snapshots

    /// The entries that the changes after a position bring to a feed.
    private func prospect(_ position: FeedPosition, _ call: FeedCall) throws(QueryFailure) -> Prospect {
        // Changes after the beginning of the way are written whatever their effect. A reader that sees only a part of
        // the records must see each erasure.
        guard let origin = call.origin, let snapshot = call.view.snapshot, call.feed.isFiltered, call.feed.limit == nil,
            position.processed < position.forcedAfter, origin.holds(position.since)
        else { return .none }
        let outlook = try call.storing { () throws(StoreError) in try origin.survey(to: call.view, log) }
        guard case .survey(let survey) = outlook else {
            if case .unfinished = outlook { return .unfinished }
            return .none
        }
        let index = survey.index(after: position.processed)
        guard index < survey.index(after: position.forcedAfter) else { return .none }
        let candidates = try survey.candidates(
            FeedSurvey.Key(feed: call.feed.hash, time: position.time),
            { () throws(QueryFailure) in try call.predicate(at: position.time) }, from: index, in: snapshot,
            scratch: scratch, budget: call.budget)
        return .candidates(candidates, survey)
    }

    /// Passes the changes up to the next candidates, and writes these: those of one block at most, so that feeds stay
    /// together and share what was read.
    ///
    /// - Returns: false if the log does not go back to the position any more.
    private func writeCandidates(
        _ candidates: FeedCandidates, of survey: FeedSurvey, _ call: FeedCall, within left: FeedBounds,
        piece: inout FeedPiece, entries: inout FeedEntryWriter, to writer: inout JSONWriter
    ) throws(QueryFailure) -> Bool {
        let first = survey.index(after: piece.position.processed)
        let last = min(candidates.end, survey.index(after: piece.position.forcedAfter))
        guard let next = candidates.next(from: first), next.index < last else {
            piece.position.processed = survey.end(before: last)
            return true
        }
        let length = survey.bounds.blockLength
        let block = first / length * length
        let end = min(last, block + length)
        piece.rows += end - first
        guard next.index < end else {
            piece.position.processed = survey.end(before: end)
            return true
        }
        // A reader with many entries falls behind the others: most of the block would be read in vain for it.
        let isDense = candidates.count(first..<end) * Self.maxSparseness > end - first
        let wanted = isDense ? first..<first + Self.minWindow : block..<block + length
        guard let kept = try window(with: first, wanted, of: survey, piece.position, call) else { return false }
        let window = kept.window
        let tests = try FeedTests(call.feed, piece.position, &matchers)
        let start = writer.bytes.count
        var written = 0
        var candidate: FeedCandidates.Candidate? = next
        while let this = candidate, this.index < end {
            let seq = survey.seq(of: this.index)
            guard seq <= window.end else {
                piece.position.processed = window.end
                return true
            }
            if written >= left.entries || writer.bytes.count - start >= left.bytes {
                piece.position.processed = seq - 1
                return true
            }
            let index = window.firstIndex(after: seq - 1)
            if index < window.changes.count, window.changes[index].seq == seq {
                let known = survey.isOverlaid(this.index) ? nil : this
                let source = FeedSource(change: window.changes[index], kept: kept, index: index, known: known)
                if try write(source, by: tests, at: piece.position, call, entries: &entries, to: &writer) {
                    piece.entries += 1
                    written += 1
                }
            }
            piece.position.processed = seq
            candidate = candidates.next(from: this.index + 1)
        }
        piece.position.processed = min(survey.end(before: end), window.end)
        return true
    }

    /// The window with a change; if none is kept, one with some changes is read. Feeds with other clocks of the same set
    /// share it.
    private func window(
        with index: Int, _ changes: Range<Int>, of survey: FeedSurvey, _ position: FeedPosition, _ call: FeedCall
    ) throws(QueryFailure) -> FeedWindows.Kept? {
        var wanted = position
        wanted.since = survey.start
        wanted.processed = survey.end(before: index)
        if let found = windows.find(wanted, in: call.view) { return found }
        wanted.processed = survey.end(before: changes.lowerBound)
        let read = try call.storing { () throws(StoreError) in
            try log.window(wanted, in: call.view, maxRows: changes.count)
        }
        return read.map { windows.keep($0) }
    }

    // MARK: - Time as the cause

    /// Writes the records that time alone moves into the set or out of it.
    ///
    /// - Returns: false if the log does not go back to the position any more.
    private func writeTime(
        _ call: FeedCall, after: [UInt8]?, within left: FeedBounds, piece: inout FeedPiece,
        entries: inout FeedEntryWriter, to writer: inout JSONWriter
    ) throws(QueryFailure) -> Bool {
        let position = piece.position
        guard call.view.hasRecords, let filter = call.feed.movingFilter else {
            piece.position.endTime()
            return true
        }
        let candidates: Predicate
        do throws(FilterError) {
            candidates = try filter.crossed(
                from: call.feed.context(at: position.time), to: call.feed.context(at: position.target))
        } catch {
            throw .refused(RequestError(error))
        }
        let page = try page(call, candidates, after: after, limit: max(left.entries, Self.minWindow))
        let tests = try FeedTests(call.feed, position, &matchers)
        var crossed: [(record: ListedRecord, id: [UInt8])] = []
        for row in page.rows {
            let served = ListedRecord(row: Int(row), of: call.view)
            guard membership.isCrossed(served, by: tests, call), let id = call.view.rows.idBytes(Int(row)) else {
                continue
            }
            crossed.append((served, id))
        }
        var changes: [[UInt8]: FeedChange] = [:]
        if !crossed.isEmpty {
            let ids = Set(crossed.map(\.id))
            let found = try call.storing { () throws(StoreError) in
                try log.changes(ofIDs: ids, since: position.since, in: call.view)
            }
            guard let found else { return false }
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
            let source = FeedSource(change: change, kept: nil, index: 0)
            if try write(source, by: tests, at: position, call, stamp: stamp, entries: &entries, to: &writer) {
                piece.entries += 1
            }
            piece.position.phase = .time(after: id)
        }
        if let next = page.next { piece.position.phase = .time(after: next.id) } else { piece.position.endTime() }
        return true
    }

    /// The number of rows that a window has at least, if there are as many.
    private static let minWindow = 256
    /// The number of entries whose size predicts the size of the others.
    private static let sampleCount = 16
    /// If more than one of this many changes is a candidate, a small window is read, and not the whole block.
    private static let maxSparseness = 8
}

extension FeedPiece {
    fileprivate static func fresh(_ reason: FreshReason, at seq: UInt64, time: Int64) -> FeedPiece {
        var piece = FeedPiece(position: .set(at: seq, time: time))
        piece.fresh = reason
        return piece
    }
}
