// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// The bounds of surveys of changes.
struct SurveyBounds: Sendable {
    /// The number of changes from which on two queries cost a feed less than an inspection of each change.
    var minChanges = 1024
    /// The number of rows of the log that are read in one step.
    var maxStep = 8192
    /// The number of changes that feeds go through together.
    var blockLength = FeedLog.maxRows / 5
    /// The number of candidates that are kept of one feed at a time: 64 KiB.
    var maxCandidates = 1 << 14
}

/// The changes of a collection between two snapshots, by the rows of their records in both.
///
/// The filter of a feed is run as a query on both snapshots. So the few changes that may concern the feed are found,
/// however many changes there are. A change has an index, its number among the rows of the log since the beginning; a
/// record that changed several times has the index of its last change. Confined to the hub's thread.
///
/// ```swift
/// let survey = FeedSurvey(from: old.snapshot, of: old, after: 811, to: new.snapshot, SurveyBounds())
/// while try !survey.extend(to: new, log) {}
/// let candidates = try survey.candidates(key, { predicate }, from: 0, in: new.snapshot, scratch: …, budget: …)
/// ```
final class FeedSurvey {
    /// The parts that the candidates of a feed depend on.
    struct Key: Hashable {
        /// The hash of the feed.
        let feed: UInt64
        /// The time at which its filter is typed.
        let time: Int64
    }

    /// Consecutive rows of the log whose numbers are consecutive too.
    private struct Run {
        let index: Int
        let seq: UInt64
    }

    /// The sequence of the beginning.
    let start: UInt64
    let bounds: SurveyBounds
    private let old: Snapshot
    /// The view that has the old snapshot, and the records that lie over it; nil if there are none.
    private let origin: CollectionView?
    /// The snapshot that ``now`` has the rows of. It is not held.
    private let newest: SnapshotIdentity
    /// For each row of the old snapshot: 1 + the index of the last change of its record; 0: it did not change.
    private var before: [UInt32]
    /// The index of the change for each row of the newest snapshot, as in `before`.
    private var now: [UInt32]
    private var runs: [Run] = []
    /// The indexes of changes that every feed reports.
    private var forgotten: [Int] = []
    /// The ids of records that were erased; every feed reports their later changes, too.
    private var forgottenIDs: Set<[UInt8]> = []
    /// The indexes of changes whose records lie over one of the snapshots, which do not have them.
    private var overlaid: Set<Int> = []
    /// The number of rows of the log that were read.
    private(set) var count = 0
    /// The sequence up to which the log was read.
    private(set) var end: UInt64
    /// Whether the log does not have all of the changes any more.
    private(set) var isBroken = false
    /// The candidates of each feed, as far as they are kept.
    private var parts: [Key: FeedCandidates] = [:]
    /// The number of candidates that are kept for all feeds.
    private var kept = 0
    /// Memory that is reused: one bit a change.
    private var bits: (was: [UInt64], now: [UInt64]) = ([], [])

    /// The number of candidates that are kept of one feed when ``maxKept`` is reached.
    private static let maxScarce = 1 << 10
    /// The number of candidates that are kept for all feeds before parts become smaller: 16 MiB.
    private static let maxKept = 1 << 22

    /// - Parameters:
    ///   - old: the snapshot at the beginning.
    ///   - view: the view with this snapshot, and the records that lie over it; nil if there are none.
    ///   - seq: the sequence of the beginning.
    ///   - newest: the snapshot at the end.
    init(
        from old: Snapshot, of view: CollectionView? = nil, after seq: UInt64, to newest: Snapshot,
        _ bounds: SurveyBounds
    ) {
        self.bounds = bounds
        self.old = old
        origin = view
        self.newest = newest.identity
        start = seq
        before = Array(repeating: 0, count: old.count)
        now = Array(repeating: 0, count: newest.count)
        end = seq
    }

    /// Whether the survey leads to a snapshot.
    func leads(to snapshot: Snapshot) -> Bool { newest == snapshot.identity }

    // MARK: - Changes

    /// Reads the next rows of the log.
    ///
    /// - Parameter view: a view with the snapshot that the survey leads to.
    /// - Returns: whether all changes of the view are read, or the survey is broken.
    func extend(to view: CollectionView, _ log: FeedLog) throws(StoreError) -> Bool {
        guard !isBroken, end < view.changedSeq, let snapshot = view.snapshot else { return true }
        var rows = SurveyedRows()
        let read = try log.forEachID(after: end, in: view, maxRows: bounds.maxStep) { seq, cause, id in
            if cause == .forget { forgottenIDs.insert(id.array) }
            let isForgotten = !forgottenIDs.isEmpty && forgottenIDs.contains(id.array)
            rows.append(id, seq: seq, isForgotten: isForgotten)
            if origin?.isOverFile(id.array) == true || view.isOverFile(id.array) { rows.markOverlaid() }
        }
        guard let read, count + rows.count <= FeedCandidates.maxChanges else {
            isBroken = true
            return true
        }
        rows.record(from: count, in: old, to: &before)
        rows.record(from: count, in: snapshot, to: &now)
        for seq in rows.seqs {
            if runs.last.map({ $0.seq + UInt64(count - $0.index) != seq }) ?? true {
                runs.append(Run(index: count, seq: seq))
            }
            count += 1
        }
        forgotten += rows.forgotten.map { count - rows.count + $0 }
        overlaid.formUnion(rows.overlaid.map { count - rows.count + $0 })
        end = read
        // A record may have changed again.
        parts.removeAll()
        kept = 0
        return end >= view.changedSeq
    }

    /// Whether the record of a change lies over one of the snapshots. It is a candidate of every feed, and must be
    /// inspected.
    func isOverlaid(_ index: Int) -> Bool { overlaid.contains(index) }

    /// The index of the first change after a sequence.
    func index(after seq: UInt64) -> Int {
        guard let run = lastRun(where: { $0.seq <= seq }) else { return 0 }
        let length = (run + 1 < runs.count ? runs[run + 1].index : count) - runs[run].index
        return runs[run].index + Int(min(seq - runs[run].seq + 1, UInt64(length)))
    }

    /// The number of a change.
    func seq(of index: Int) -> UInt64 {
        guard let run = lastRun(where: { $0.index <= index }) else { return end }
        return runs[run].seq + UInt64(index - runs[run].index)
    }

    /// The sequence up to which the changes before an index go.
    func end(before index: Int) -> UInt64 { index < count ? seq(of: index) - 1 : end }

    private func lastRun(where isBefore: (Run) -> Bool) -> Int? {
        let next = runs.indices.partitionPoint { isBefore(runs[$0]) }
        return next > 0 ? next - 1 : nil
    }

    // MARK: - Candidates

    /// The changes that may concern a feed, from an index on. Changes that are left out concern it neither in their old
    /// state nor in their new one.
    ///
    /// - Parameters:
    ///   - predicate: the filter of the feed, at the time of the key.
    ///   - snapshot: the snapshot at the end of the survey.
    ///   - scratch: memory that only the calling thread uses.
    /// - Throws: `interrupted` if the budget is used up; another call begins anew.
    func candidates(
        _ key: Key, _ predicate: () throws(QueryFailure) -> Predicate, from index: Int, in snapshot: Snapshot,
        scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryFailure) -> FeedCandidates {
        if let part = parts[key] {
            if part.covers(index) { return part }
            kept -= part.count
            parts[key] = nil
        }
        let predicate = try predicate()
        clearBits()
        do throws(QueryInterruption) {
            try old.forEachMatch(predicate, scratch: scratch, budget: budget) { row in
                Self.insert(before[row], into: &bits.was)
            }
            try snapshot.forEachMatch(predicate, scratch: scratch, budget: budget) { row in
                Self.insert(now[row], into: &bits.now)
            }
        } catch { throw .interrupted(error) }
        for index in overlaid { Self.insert(UInt32(truncatingIfNeeded: index + 1), into: &bits.was) }
        for index in forgotten { Self.insert(UInt32(truncatingIfNeeded: index + 1), into: &bits.was) }
        let part = FeedCandidates(
            was: bits.was, now: bits.now, from: index, count: count,
            limit: kept < Self.maxKept ? bounds.maxCandidates : min(bounds.maxCandidates, Self.maxScarce))
        kept += part.count
        parts[key] = part
        return part
    }

    private func clearBits() {
        let words = (count + 63) / 64
        if bits.was.count != words {
            bits.was = Array(repeating: 0, count: words)
            bits.now = bits.was
            return
        }
        for word in 0..<words {
            bits.was[word] = 0
            bits.now[word] = 0
        }
    }

    /// - Parameter position: 1 + the index of a change; 0 for none.
    private static func insert(_ position: UInt32, into bits: inout [UInt64]) {
        guard position > 0 else { return }
        let index = Int(position) - 1
        bits[index >> 6] |= 1 << UInt64(index & 63)
    }
}

/// Some rows of the log, with their ids one after the other.
private struct SurveyedRows {
    private(set) var seqs: [UInt64] = []
    /// The numbers of the rows that every feed reports.
    private(set) var forgotten: [Int] = []
    /// The numbers of the rows whose records lie over a snapshot.
    private(set) var overlaid: [Int] = []
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    var count: Int { ends.count }

    mutating func append(_ id: RawSpan, seq: UInt64, isForgotten: Bool) {
        if isForgotten { forgotten.append(count) }
        seqs.append(seq)
        bytes.append(bytes: id)
        ends.append(bytes.count)
    }

    /// Records that the record of the last row lies over a snapshot.
    mutating func markOverlaid() { overlaid.append(count - 1) }

    /// Records at the rows of the records which changes they have. The lookups wait for memory together.
    ///
    /// - Parameter first: the index of the first change.
    func record(from first: Int, in snapshot: Snapshot, to rows: inout [UInt32]) {
        var prepared = ends.indices.map { snapshot.prepare(forID: bytes.rawSpan.extracting(range($0))) }
        for number in prepared.indices { snapshot.prefetch(&prepared[number]) }
        for number in prepared.indices {
            let id = bytes.rawSpan.extracting(range(number))
            guard let row = snapshot.location(ofID: id, prepared[number])?.row else { continue }
            rows[row] = UInt32(truncatingIfNeeded: first + number + 1)
        }
    }

    private func range(_ number: Int) -> Range<Int> { (number > 0 ? ends[number - 1] : 0)..<ends[number] }
}

/// The changes of a survey that may concern one feed: a part of them, from one index of the survey up to another.
struct FeedCandidates: Sendable {
    /// One change that may concern the feed.
    struct Candidate: Sendable, Equatable {
        /// The index of the change in the survey.
        let index: Int
        /// Whether the filter was true for the record at the beginning.
        let wasMatch: Bool
        /// Whether the filter is true for the record now.
        let isMatch: Bool
    }

    /// The candidates, ascending: the index, and two bits for the result of the filter.
    private var items: [UInt32] = []
    /// The index from which on the changes are inspected.
    private let start: Int
    /// The index of the first change that is left to the next part.
    let end: Int

    /// The number of changes that a survey may have.
    static let maxChanges = 1 << 30

    /// Collects the changes that are in one of two sets.
    ///
    /// - Parameters:
    ///   - was: one bit a change: the record matched at the beginning.
    ///   - now: the same for the record as it is now.
    ///   - start: the index of the first change that is wanted.
    ///   - count: the number of changes of the survey.
    ///   - limit: the number of candidates that are kept at most, at least 1.
    init(was: [UInt64], now: [UInt64], from start: Int, count: Int, limit: Int) {
        self.start = start
        var number = start >> 6
        var mask = UInt64.max << UInt64(start & 63)
        while number < was.count {
            var word = (was[number] | now[number]) & mask
            mask = .max
            while word != 0 {
                let bit = word.trailingZeroBitCount
                let index = number << 6 | bit
                guard items.count < limit else {
                    end = index
                    return
                }
                let known = (was[number] >> UInt64(bit) & 1) << 1 | now[number] >> UInt64(bit) & 1
                items.append(UInt32(truncatingIfNeeded: index << 2) | UInt32(truncatingIfNeeded: known))
                word &= word &- 1
            }
            number += 1
        }
        end = count
    }

    /// The number of candidates.
    var count: Int { items.count }

    /// Whether the part has all candidates that come next at an index.
    func covers(_ index: Int) -> Bool { start <= index && index < end }

    /// The number of candidates with these indexes.
    func count(_ indexes: Range<Int>) -> Int { offset(indexes.upperBound) - offset(indexes.lowerBound) }

    /// The first candidate from an index on; nil if there is none in this part.
    func next(from index: Int) -> Candidate? {
        let offset = offset(index)
        guard offset < items.count else { return nil }
        let item = items[offset]
        return Candidate(index: Int(item >> 2), wasMatch: item & 2 != 0, isMatch: item & 1 != 0)
    }

    /// The number of candidates before an index.
    private func offset(_ index: Int) -> Int {
        items.indices.partitionPoint { Int(items[$0] >> 2) < index }
    }
}
