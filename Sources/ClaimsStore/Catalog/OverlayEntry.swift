// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// One record that lies over the snapshot, as it is to be served.
public struct OverlayEntry: Sendable, Equatable {
    public var id: [UInt8]
    /// The record in the form of the upstream's objects; nil where there is none any more.
    public var upstream: [UInt8]?
    /// Whether lists leave the record out, because its deletion is under way. It is still answered by its id.
    public var isHidden = false
    /// When the record was first seen, in milliseconds since 1970.
    public var firstSeen: Int64
    /// When it last changed, in milliseconds since 1970.
    public var changedAt: Int64
    /// The record's key in the state database.
    public var stateKey: Int64
    /// The unsettled operations of the record; nil where there are none.
    public var pending: PendingRecord?
    /// The last write of the record; nil where its values are the upstream's.
    public var written: RecordWrite?

    public init(
        id: [UInt8], upstream: [UInt8]?, firstSeen: Int64, changedAt: Int64, stateKey: Int64 = 0,
        pending: PendingRecord? = nil, written: RecordWrite? = nil
    ) {
        self.id = id
        self.upstream = upstream
        self.firstSeen = firstSeen
        self.changedAt = changedAt
        self.stateKey = stateKey
        self.pending = pending
        self.written = written
    }
}

/// The write that a record's values come from, as `detail` tells it.
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

/// A record of the overlay that the definition in force cannot decode. It is kept, and decoded again by the next one.
public struct UnservedEntry: Sendable, Equatable {
    public var entry: OverlayEntry
    /// The JSON Pointer from the object to the wrong value.
    public var pointer: String
    /// For people; without text of the record.
    public var reason: String
    /// Whether the record of the snapshot below is served in its stead.
    public var isReplaced: Bool
}
