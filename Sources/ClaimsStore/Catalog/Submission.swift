// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsBytes
public import ClaimsJSON
public import ClaimsModel

/// A submitted write: one action on one record, with the values and files that it gives.
public struct Submission: Sendable {
    /// The bounds that apply to a submission.
    public struct Limits: Sendable, Equatable {
        /// The maximal number of unsettled operations, or of records that are not folded into the snapshot.
        public var pending: Int
        /// The maximal number of bytes of their records.
        public var pendingBytes: Int
        /// The maximal number of bytes of values that one commit keeps in the log.
        public var historyBytes: Int

        public init(pending: Int, pendingBytes: Int, historyBytes: Int) {
            self.pending = pending
            self.pendingBytes = pendingBytes
            self.historyBytes = historyBytes
        }
    }

    /// The decision whether an operation waits in the queue, or for a person.
    public struct Admission: Sendable {
        /// The time from which on deletes are counted, in milliseconds since 1970.
        public var start: Int64
        /// Returns the operation in the form in which it is committed first. It gets the submitted operation and, for a
        /// delete, the number of recent deletes.
        public var decide: @Sendable (Operation, _ recentDeletes: Int) -> Operation

        public init(start: Int64, decide: @escaping @Sendable (Operation, _ recentDeletes: Int) -> Operation) {
            self.start = start
            self.decide = decide
        }
    }

    /// The name of the collection.
    public var collection: String
    public var op: OperationID
    /// `create`, `update`, `delete`, or an action of the definition.
    public var action: OperationAction
    /// The id of the record; nil for a new one.
    public var id: [UInt8]?
    /// The values by field; null clears one.
    public var fields = JSONObject()
    /// The uploads whose files are ``files``, by the names that the caller gave.
    public var uploads: [String] = []
    /// The files that are attached, in their order.
    public var files: [OperationFile] = []
    /// The files that are taken away, as ``FileChange/detached`` has them.
    public var detached: [String] = []
    /// The values that the record must have, by field; null for an absent one.
    public var expected = JSONObject()
    /// Whether everything is checked and nothing committed.
    public var isDryRun = false
    public var uid: UInt32
    /// The time of the submission, and what words such as `today` mean.
    public var calendar: CivilCalendar
    public var limits: Limits
    /// Decides which records of a collection the author sees.
    public var sight: RecordSight.Judge = { _ in .all }
    /// Decides how a write to an upstream is committed; nil: it is queued.
    public var admit: Admission?

    public init(
        _ op: OperationID, _ action: OperationAction, on id: [UInt8]?, of collection: String, uid: UInt32,
        calendar: CivilCalendar, limits: Limits
    ) {
        self.op = op
        self.action = action
        self.id = id
        self.collection = collection
        self.uid = uid
        self.calendar = calendar
        self.limits = limits
    }

    /// The hash of the submission's content, with names and SHA-256 of its files. It does not depend on the order of
    /// fields, the author or the time.
    public var content: ContentHash.Digest {
        content(with: files.map { [.string($0.name), .string($0.sha256)] })
    }

    /// The same hash with the names of the uploads in place of their files; nil if there are none.
    ///
    /// An upload ends with its operation's commit. A repetition that still names the upload is recognised by this hash.
    public var uploadContent: ContentHash.Digest? {
        uploads.isEmpty ? nil : content(with: uploads.map { .string($0) })
    }

    /// Whether the submission has the content of a known operation.
    func repeats(_ known: StoredOperation) -> Bool {
        guard let uploadContent else { return known.content == content }
        // Earlier versions kept the names of uploads alone.
        if known.uploads == uploadContent || known.content == uploadContent { return true }
        return !files.isEmpty && known.content == content
    }

    private func content(with files: [JSONValue]) -> ContentHash.Digest {
        func sorted(_ object: JSONObject) -> JSONValue {
            .object(JSONObject(object.members.sorted { $0.key < $1.key }))
        }
        func texts(_ list: [String]) -> JSONValue { .array(list.map { .string($0) }) }
        let parts: JSONValue = [
            .string(collection), .string(action.name),
            id.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null, sorted(fields), sorted(expected),
            .array(files), texts(detached),
        ]
        return ContentHash.digest(of: parts.compactBytes.rawSpan)
    }
}

/// The outcome of a submission that was not refused.
public struct SubmitOutcome: Sendable {
    public var op: OperationID
    /// The id of the record.
    public var id: [UInt8]
    public var action: OperationAction
    public var state: OperationState
    /// The names of the fields whose values differ, in the definition's order.
    public var changed: [String]
    /// The served record after the write, or after the write of a preview; nil: there is none, or the operation was
    /// known.
    public var record: [UInt8]?
    /// The revision after the commit.
    public var revision: Revision
    /// Whether the operation was known, so that nothing was done.
    public var isRepeated = false
    /// The checked values, and the object of the record before; nil for a known operation. Previews show them.
    public var write: CheckedWrite?
    public var base: [UInt8]?
}

/// The reason why a submission is refused. Nothing was changed.
public enum SubmitRefusal: Error, Sendable {
    /// A field whose served value is not the expected one.
    public struct Mismatch: Sendable, Equatable {
        public var field: String
        public var expected: JSONValue
        public var served: JSONValue
    }

    /// The collection is not served any more.
    case noCollection
    /// The definition does not offer the action; the value names the actions that it offers.
    case notOffered([String])
    /// The operation is known with other content, or from another user.
    case knownOperation
    /// A record with the id of the operation is there already.
    case recordExists
    case invalid([FieldProblem])
    /// The upstream has not answered yet.
    case noData
    /// The records are withheld, because the data is too old.
    case withheld
    case notFound
    /// The author would not see the record after the write.
    case outsideRows
    /// The served record does not match the filter of the action.
    case notMatching(filter: String)
    case unexpected([Mismatch])
    /// The number of unsettled operations, or of their bytes, has reached its limit.
    case full
    /// Records are written faster than they are folded into the snapshot.
    case busy
    case store(StoreError)
}
