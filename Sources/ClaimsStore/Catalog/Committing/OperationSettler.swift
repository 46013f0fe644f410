// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
public import ClaimsModel

/// Decides what the answer of an upstream makes of a collection's unsettled operations. Pure: it is called within the
/// transaction that commits the answer, also for an answer that changes nothing.
public protocol OperationSettler: Sendable {
    /// The operations that change, each as it is from now on.
    ///
    /// One whose ``OperationDelivery/givenID`` is not its record's id has got that id by its `reference`: the commit
    /// renames the record, for its other operations too, and keeps the old id as an alias.
    func settle(_ operations: [Operation], by evidence: RefreshEvidence) -> [Operation]

    /// Those of some operations that are in the queue again, and that the records as they are served by now contradict,
    /// each as it is from now on: while it was not in the queue, no answer was compared with it.
    ///
    /// - Parameters:
    ///   - queued: the operations that are in the queue again.
    ///   - operations: all unsettled operations of the collection, with these.
    func contradicted(
        _ queued: Set<OperationID>, among operations: [Operation], by evidence: RefreshEvidence
    ) -> [Operation]
}

extension OperationSettler {
    public func contradicted(
        _ queued: Set<OperationID>, among operations: [Operation], by evidence: RefreshEvidence
    ) -> [Operation] { [] }
}

/// A good answer of an upstream, as far as it is about records with unsettled operations.
public struct RefreshEvidence: Sendable {
    public var definition: Definition
    /// The time when the first request of the refresh began, in milliseconds since 1970.
    public var began: Int64
    /// Milliseconds since 1970.
    public var now: Int64
    /// Whether the answer has all records of the upstream, so that others are gone.
    public var isComplete: Bool
    /// The record of each operation in the new snapshot.
    public var records: [OperationID: RecordEvidence]

    public init(
        _ definition: Definition, began: Int64, now: Int64, isComplete: Bool,
        records: [OperationID: RecordEvidence] = [:]
    ) {
        self.definition = definition
        self.began = began
        self.now = now
        self.isComplete = isComplete
        self.records = records
    }
}

/// The record of an operation as the upstream has it.
public struct RecordEvidence: Sendable, Equatable {
    /// The fields in the form in which answers show them; nil where the snapshot has no such record.
    public var fields: JSONObject?
    /// The id of the record that has the operation's id as its `reference`. Then ``fields`` are those of this record.
    public var referencedID: String?
    /// Whether the upstream has the record, but it cannot be used. It proves nothing then.
    public var isQuarantined: Bool
    /// Whether an answer has said of the record that it is gone. One that names only what has changed says nothing of
    /// the records that it lacks.
    public var isDeleted = false

    public init(fields: JSONObject?, referencedID: String? = nil, isQuarantined: Bool = false) {
        self.fields = fields
        self.referencedID = referencedID
        self.isQuarantined = isQuarantined
    }
}
