// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore

/// The part of a feed that one reader has got. It is a value: readers of equal feeds at equal positions get the same
/// lines.
///
/// A reader is always on the way from one clock to the next. Between the two it has an unfinished part: pages of a set,
/// or some of the changes since the clock. Records that commits change meanwhile are sent again before the next clock,
/// whatever the net effect.
struct FeedPosition: Sendable, Hashable {
    /// The part of the way that comes next.
    enum Phase: Sendable, Hashable {
        /// The pages of a fresh set: the records after this id; nil: from the first on.
        case set(after: [UInt8]?)
        /// The reader holds the set of ``since`` and ``time`` exactly, and has got nothing since.
        case rest
        /// The rows of the log after ``processed``.
        case delta
        /// The records that ``time`` and ``target`` make different, after this id; nil: from the first on.
        case time(after: [UInt8]?)
    }

    /// The sequence of the clock that the reader has; for a set, the sequence at which it began.
    var since: UInt64
    /// The sequence up to which the rows of the log have been sent.
    var processed: UInt64
    /// The sequence after which rows are sent whatever their net effect, because the reader may hold something else.
    var forcedAfter: UInt64
    /// The time at which the filter is typed for the records that the reader holds, in milliseconds since 1970.
    ///
    /// Both this and ``target`` are 0 for a feed that does not depend on time.
    var time: Int64
    /// The time at which the filter is typed at the end of the way, in milliseconds since 1970.
    var target: Int64
    var phase: Phase

    /// Makes a position from its parts, as a cursor has them.
    init(since: UInt64, processed: UInt64, forcedAfter: UInt64, time: Int64, target: Int64, phase: Phase) {
        self.since = since
        self.processed = processed
        self.forcedAfter = forcedAfter
        self.time = time
        self.target = target
        self.phase = phase
    }

    private init(since: UInt64, time: Int64, phase: Phase) {
        self.init(since: since, processed: since, forcedAfter: since, time: time, target: time, phase: phase)
    }

    /// The position of a reader that holds the set of a clock exactly.
    static func rest(at seq: UInt64, time: Int64) -> FeedPosition {
        FeedPosition(since: seq, time: time, phase: .rest)
    }

    /// The position at the beginning of a fresh set.
    static func set(at seq: UInt64, time: Int64) -> FeedPosition {
        FeedPosition(since: seq, time: time, phase: .set(after: nil))
    }

    /// Whether the reader holds the set of ``since`` and ``time``, so that these make a clock.
    var isAtRest: Bool { phase == .rest }

    /// Whether the pages of a fresh set are under way.
    var isInSet: Bool { if case .set = phase { true } else { false } }
}

/// The steps on the way from one clock to the next.
extension FeedPosition {
    /// Leaves the state of rest: from here on the reader holds something between two clocks.
    mutating func begin(at seq: UInt64, time: Int64) {
        forcedAfter = seq
        target = time
        phase = .delta
    }

    /// Ends the rows of the log: all of them are sent.
    mutating func endDelta(at seq: UInt64) {
        processed = max(processed, seq)
        if time == target {
            self = .rest(at: processed, time: target)
        } else {
            phase = .time(after: nil)
        }
    }

    /// Ends the records that move because of time: all of them are sent. Rows that came meanwhile follow.
    mutating func endTime() {
        time = target
        phase = .delta
    }
}

/// The reason why a feed begins with a fresh set. The raw value is its name in the protocol.
enum FreshReason: String, Sendable, CaseIterable {
    /// The clock is of another epoch.
    case epoch
    /// The clock has a sequence that is not reached yet.
    case ahead
    /// The client had no clock, or all data has come since then: a bundle, or the first generation of an upstream.
    case start
    /// The clock is of another feed.
    case filter
    /// Another definition has come into force since then.
    case definition
    /// The log does not go back that far.
    case compacted
}

extension FreshReason {
    /// The reason for a fresh set from the commits of a collection since a sequence; nil if each of their changes is in
    /// the log.
    static func ofCollection(_ view: CollectionView, since: UInt64) -> FreshReason? {
        let row = view.condition.row
        if row.startSeq > since { return .start }
        if row.definitionSeq > since { return .definition }
        if view.changedSeq > since, row.floor > since { return .compacted }
        return nil
    }
}
