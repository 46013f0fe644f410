// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A commit by a generation, as the log has it.
public struct LogCommit: Sendable, Equatable {
    /// The number of the change before its first one.
    public var base: UInt64
    /// How far it moved the clock.
    public var changes: Int
    /// The time of the commit, in milliseconds since 1970.
    public var at: Int64
    public var generation: UInt64
    public var cause: ChangeCause
    /// Whether the commit names no records to feeds: all may differ.
    public var isWhole: Bool
    /// Whether the values of its changes were kept. Where they were too large, the log tells only which records changed.
    public var hasValues = true
    /// The user of a write; nil for other commits.
    public var uid: UInt32?

    /// The number of its last change.
    public var end: UInt64 { base + UInt64(changes) }
}

/// The versions of one record, the newest first.
public struct LogHistory: Sendable {
    /// The number from which on the log tells every change of the collection.
    public var floor: UInt64
    /// The changes of the record above the floor, and that of the commit at the floor whose values were not kept. Those of
    /// a commit by a definition have the number of that commit.
    public var changes: [LoggedChange]
    /// Whether the log has older changes of the record.
    public var hasMore: Bool

    /// Whether the log was trimmed, so that older changes may have been there.
    public var isTrimmed: Bool { floor > 0 }
}

/// A part of the log that one table holds.
enum LogSegment {
    /// Changes of a generation that names its records, by their ordinals.
    case generation(LogCommit, ClosedRange<UInt64>)
    /// Archive marks, by their numbers.
    case marks(ClosedRange<UInt64>)
}
