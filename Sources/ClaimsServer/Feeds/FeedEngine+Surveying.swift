// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// Goes through many changes by queries on both snapshots, so that a feed looks only at those that may concern it.
extension FeedEngine {
    /// The rest of the changes since a position, as a survey shows them to one feed.
    enum Prospect {
        /// They are looked at one by one.
        case none
        /// The survey is not finished.
        case unfinished
        case candidates(FeedCandidates, FeedSurvey)
    }

    /// Looks at what the changes after a position bring to a feed.
    func prospect(_ position: FeedPosition, _ call: Call) throws(QueryFailure) -> Prospect {
        // Changes after the beginning of the way are told whatever they bring.
        guard let origin = call.origin, let snapshot = call.view.snapshot, call.feed.isFiltered,
            position.processed < position.forcedAfter, origin.holds(position.since)
        else { return .none }
        let outlook = try storing(call) { () throws(StoreError) in try origin.survey(to: call.view, log) }
        guard case .survey(let survey) = outlook else {
            if case .unfinished = outlook { return .unfinished }
            return .none
        }
        let index = survey.index(after: position.processed)
        guard index < survey.index(after: position.forcedAfter) else { return .none }
        let candidates = try survey.candidates(
            FeedSurvey.Key(feed: call.feed.hash, time: position.time),
            { () throws(QueryFailure) in
                try refusing { () throws(RequestError) in try call.feed.predicate(at: position.time) }
            }, from: index, in: snapshot, scratch: scratch, budget: call.budget)
        return .candidates(candidates, survey)
    }

    /// Passes the changes up to the next candidates, and tells these: those of one block at most, so that feeds stay
    /// together and share what was read.
    ///
    /// - Returns: false where the log does not go back to the position any more.
    func tellCandidates(
        _ candidates: FeedCandidates, of survey: FeedSurvey, _ call: Call, within left: FeedBounds,
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
        // A reader that is told much falls behind the others: of a block, it would read most in vain.
        let isDense = candidates.count(first..<end) * Self.maxSparseness > end - first
        let wanted = isDense ? first..<first + Self.minWindow : block..<block + length
        guard let kept = try window(with: first, wanted, of: survey, piece.position, call) else { return false }
        let window = kept.window
        let tests = try Tests(call.feed, piece.position, &matchers)
        let start = writer.bytes.count
        var told = 0
        var candidate: FeedCandidates.Candidate? = next
        while let this = candidate, this.index < end {
            let seq = survey.seq(of: this.index)
            guard seq <= window.end else {
                piece.position.processed = window.end
                return true
            }
            if told >= left.entries || writer.bytes.count - start >= left.bytes {
                piece.position.processed = seq - 1
                return true
            }
            let index = window.firstIndex(after: seq - 1)
            if index < window.changes.count, window.changes[index].seq == seq {
                let known = survey.isOverlaid(this.index) ? nil : this
                let source = Source(change: window.changes[index], kept: kept, index: index, known: known)
                if try tell(source, by: tests, at: piece.position, call, entries: &entries, to: &writer) {
                    piece.entries += 1
                    told += 1
                }
            }
            piece.position.processed = seq
            candidate = candidates.next(from: this.index + 1)
        }
        piece.position.processed = min(survey.end(before: end), window.end)
        return true
    }

    /// One candidate in more changes than this is told with the whole block.
    private static let maxSparseness = 8

    /// The window with a change; where none is kept, one with some changes is read. Feeds with other clocks of the
    /// same set share it.
    private func window(
        with index: Int, _ changes: Range<Int>, of survey: FeedSurvey, _ position: FeedPosition, _ call: Call
    ) throws(QueryFailure) -> FeedWindows.Kept? {
        var wanted = position
        wanted.since = survey.start
        wanted.processed = survey.end(before: index)
        if let found = windows.find(wanted, in: call.view) { return found }
        wanted.processed = survey.end(before: changes.lowerBound)
        let read = try storing(call) { () throws(StoreError) in
            try log.window(wanted, in: call.view, maxRows: changes.count)
        }
        return read.map { windows.keep($0) }
    }
}
