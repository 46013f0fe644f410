// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

/// The inputs of an intake beside the body, and their bounds.
public struct IntakePlan: Sendable {
    /// The size of the largest record, in bytes. A larger one would take time and memory from other requests.
    public static let maxRecordSize = 4 << 20

    /// The number of records that are read between two checks for cancellation.
    static let recordsPerCheck = 1024

    public var definition: Definition
    /// The values of the second request, by their key; nil if the source has no join.
    public var joined: JoinTable?
    /// The records that are committed, of the same definition; nil if all records are new.
    public var base: CommittedRecords?
    /// The bounds up to which records lie over the files, so that no file is written.
    public var bounds = RecentBounds.standard
    /// The files of the store that are being written; nil if they are not known, so that each gone id is kept.
    public var pendingFiles: PendingFiles?
    /// Whether fields that a join fills may differ although the record's own bytes are the same.
    public var isJoinChanged: Bool
    /// Whether a record with the same bytes as before is accepted without decoding; false if the request, or the
    /// meaning of its answer, has changed.
    public var trustsBytes = true
    /// Whether records are removed if the definition does not have their source any more.
    public var dropsOtherSources = false
    /// How the answers name records that are gone; the definition's way unless it is set.
    public var deleted: DeletionRule?
    /// Whether the answer may have several pages, so that two may share elements if the data moves meanwhile.
    public var hasPages = false
    /// The ids of the records whose delete the upstream has accepted from this host: their absence is no loss.
    public var ownDeletions: Set<[UInt8]> = []
    /// Whether records are stored in state.db. Those of a bundle are not.
    public var isStored: Bool
    /// Milliseconds since 1970.
    public var now: Int64
    public var recordLimit: Int
    /// Called every few records; true ends the reading with `.cancelled`.
    public var isCancelled: @Sendable () -> Bool
    /// Called every few records with the number of elements that have been read.
    public var observe: @Sendable (Int) -> Void

    public init(
        definition: Definition, joined: JoinTable? = nil, base: CommittedRecords? = nil,
        isJoinChanged: Bool = false, isStored: Bool = true, now: Int64, recordLimit: Int,
        isCancelled: @escaping @Sendable () -> Bool = { false },
        observe: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.definition = definition
        deleted = definition.source.deleted
        self.joined = joined
        self.base = base
        self.isJoinChanged = isJoinChanged
        self.isStored = isStored
        self.now = now
        self.recordLimit = recordLimit
        self.isCancelled = isCancelled
        self.observe = observe
    }
}

/// The changes that an answer brings to the records being served.
public struct IntakeCounts: Sendable, Equatable {
    /// The number of records in the answer that can be served.
    public var records = 0
    public var added = 0
    public var updated = 0
    public var removed = 0
    /// The number of records in which only volatile members differ.
    public var volatile = 0
    /// The number of records that cannot be served, including earlier records whose id a later one repeats.
    public var quarantined = 0

    public init() {}

    /// Whether each record has the same bytes as before, apart from volatile members.
    public var isUnchanged: Bool { added == 0 && updated == 0 && removed == 0 && volatile == 0 }
}

/// The reason why a body could not be read. None of its records are served; the intake can only be abandoned.
public enum IntakeError: Error, Sendable, Equatable {
    case notJSON(JSONError)
    /// The definition's root pointer finds no value in the body.
    case noRoot
    case rootIsNoArray(JSONKind)
    /// The value at the pointer that should have the ids of deleted records is neither an array nor null.
    case deletedIsNoArray(JSONPointer, JSONKind)
    /// The body has more records than the limit, which is the associated value.
    case tooManyRecords(Int)
    case store(StoreError)
    /// The caller's `isCancelled` returned true.
    case cancelled

    public init(_ error: JSONRootError) {
        self =
            switch error {
            case .notJSON(let error): .notJSON(error)
            case .missing: .noRoot
            case .notAnArray(let kind): .rootIsNoArray(kind)
            }
    }
}
