// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The cause of a commit, as feeds and histories tell it.
public enum ChangeCause: String, Sendable, CaseIterable {
    /// A generation of an upstream or a bundle, and records that come back from quarantine.
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

    /// The operation whose raw value is that UTF-8; nil where there is none.
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
    /// The values that later rows and the served record do not tell, as a JSON object.
    ///
    /// `updated` and `definition`: `"NAME": [before, after]` for each served member that differs, null for an absent one.
    /// `removed`: the record as it was served. Others: empty. Volatile fields are left out.
    public var values: [UInt8]
    /// Whether ``values`` were kept. Before a change without them, nothing is known of the record.
    public var hasValues: Bool
    /// Whether members differ that no field reads.
    public var differsUpstream: Bool
    /// The user of an archive mark or a write; nil for other changes.
    public var uid: UInt32?
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
    /// The oldest number from which the log tells every change of the collection.
    public var floor: UInt64
    /// The changes, ascending by number.
    public var changes: [LoggedChange]
    /// All changes up to this number are in `changes`.
    public var end: UInt64
    /// Whether all changes that were asked about are of one refresh, which names each record once.
    public var isOneRefresh = false

    public init(floor: UInt64, changes: [LoggedChange], end: UInt64) {
        self.floor = floor
        self.changes = changes
        self.end = end
    }
}
