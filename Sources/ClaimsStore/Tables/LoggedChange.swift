// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel

/// The cause of a commit, as feeds and histories name it.
public enum ChangeCause: String, Sendable, CaseIterable {
    /// A generation of an upstream or a bundle, or records that come back from quarantine.
    case refresh
    /// A call of `archive` or `unarchive`.
    case archive
    /// Another definition is in force.
    case definition
    /// Records that an administrator has erased.
    case forget
    /// A rebuilt snapshot that lacks damaged records.
    case recovery
    /// A write: one that this host is the truth of, or a step of one on its way to an upstream.
    case write
}

/// The kind of a change in the log.
public enum LoggedOperation: String, Sendable, CaseIterable {
    case added, updated, removed, archived, unarchived
    /// The values differ because another definition is in force.
    case definition

    /// The operation whose raw value is that UTF-8; nil if there is none.
    init?(name: RawSpan) {
        switch name.byteCount {
        case 5 where name.matches("added", at: 0): self = .added
        case 7 where name.matches("updated", at: 0): self = .updated
        case 7 where name.matches("removed", at: 0): self = .removed
        case 8 where name.matches("archived", at: 0): self = .archived
        case 10 where name.matches("unarchived", at: 0): self = .unarchived
        case 10 where name.matches("definition", at: 0): self = .definition
        default: return nil
        }
    }
}

/// The change of one record by one commit, as state.db keeps it.
public struct LoggedChange: Sendable, Equatable {
    /// The number of the change. Those of one collection ascend with the commits.
    public var seq: UInt64
    /// The time of the commit, in milliseconds since 1970.
    public var at: Int64
    /// The generation that was current after the commit.
    public var generation: UInt64
    public var cause: ChangeCause
    public var operation: LoggedOperation
    public var id: [UInt8]
    /// The values that neither later rows nor the served record have, as a JSON object.
    ///
    /// `updated` and `definition`: `"NAME": [before, after]` for each served member that differs, null for an absent
    /// one. `removed`: the record as it was served. Others: empty. Volatile fields are left out.
    public var values: [UInt8]
    /// Whether ``values`` were kept. The state of the record before a change without values is unknown.
    public var hasValues: Bool
    /// Whether members that no field reads differ.
    public var differsUpstream: Bool
    /// The user of an archive mark or a write; nil for other changes.
    public var uid: UInt32?
    /// The user of a mark that was set on another host of the fleet, as USER@HOST; nil for other changes.
    public var foreignUser: String?
    /// The time at which a removed record was first seen, in milliseconds since 1970; nil for other changes.
    public var firstSeen: Int64?

    public init(
        seq: UInt64, at: Int64, generation: UInt64, cause: ChangeCause, operation: LoggedOperation, id: [UInt8],
        values: [UInt8] = [], hasValues: Bool = true, differsUpstream: Bool = false, uid: UInt32? = nil,
        firstSeen: Int64? = nil
    ) {
        self.seq = seq
        self.at = at
        self.generation = generation
        self.cause = cause
        self.operation = operation
        self.id = id
        self.values = values
        self.hasValues = hasValues
        self.differsUpstream = differsUpstream
        self.uid = uid
        self.firstSeen = firstSeen
    }
}

/// Consecutive changes of one collection, and how far they go.
public struct LogPage: Sendable {
    /// The oldest number from which the log has every change of the collection.
    public var floor: UInt64
    /// The changes, ascending by number.
    public var changes: [LoggedChange]
    /// The number up to which all changes are in `changes`.
    public var end: UInt64
    /// Whether all requested changes are of one refresh, which names each record once.
    public var isOneRefresh = false

    public init(floor: UInt64, changes: [LoggedChange], end: UInt64) {
        self.floor = floor
        self.changes = changes
        self.end = end
    }
}

/// A commit of a generation, as the log has it.
public struct LogCommit: Sendable, Equatable {
    /// The number of the change before its first one.
    public var base: UInt64
    /// The number of changes by which it moved the clock.
    public var changes: Int
    /// The time of the commit, in milliseconds since 1970.
    public var at: Int64
    public var generation: UInt64
    public var cause: ChangeCause
    /// Whether the commit names no records to feeds: all may differ.
    public var isWhole: Bool
    /// Whether the values of its changes were kept. If they were too large, the log only has the changed records.
    public var hasValues = true
    /// The user of a write; nil for other commits.
    public var uid: UInt32?

    /// The number of the commit's last change.
    public var end: UInt64 { base + UInt64(changes) }
}

/// The versions of one record, the newest first.
public struct LogHistory: Sendable {
    /// The number from which on the log has every change of the collection.
    public var floor: UInt64
    /// The changes of the record above the floor, and the change by the commit at the floor if its values were not
    /// kept. Changes of a commit by a definition have the number of that commit.
    public var changes: [LoggedChange]
    /// Whether the log has older changes of the record.
    public var hasMore: Bool

    /// Whether the log was trimmed, so that there may have been older changes.
    public var isTrimmed: Bool { floor > 0 }
}

/// A part of the log that one table holds.
enum LogSegment {
    /// Changes of a generation that names its records, by their ordinals.
    case generation(LogCommit, ClosedRange<UInt64>)
    /// Archive marks, by their numbers.
    case marks(ClosedRange<UInt64>)
}

/// The write that a record's values come from, as `detail` shows it.
public struct RecordWrite: Sendable, Equatable {
    public var operation: OperationID
    /// In milliseconds since 1970.
    public var submittedAt: Int64
    /// The user who submitted it.
    public var uid: UInt32

    public init(operation: OperationID, submittedAt: Int64, uid: UInt32) {
        self.operation = operation
        self.submittedAt = submittedAt
        self.uid = uid
    }
}
