// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// A request to archive records, or to bring them back.
public struct ArchiveChange: Sendable {
    public var collection: String
    public var ids: [[UInt8]]
    /// Whether the records are archived; false brings them back.
    public var isArchiving: Bool
    /// The user who asked for it.
    public var uid: UInt32
    /// Milliseconds since 1970.
    public var at: Int64
    /// Tells which records of the collection the user sees. A record that it does not see is missing, and so is one that is
    /// gone.
    public var sight: RecordSight.Judge = { _ in .all }

    public init(collection: String, ids: [[UInt8]], isArchiving: Bool, uid: UInt32, at: Int64) {
        self.collection = collection
        self.ids = ids
        self.isArchiving = isArchiving
        self.uid = uid
        self.at = at
    }

    /// The outcome of a change. Each id is in exactly one of the lists.
    public struct Outcome: Sendable, Equatable {
        public var changed: [[UInt8]] = []
        public var unchanged: [[UInt8]] = []
        /// The ids that neither a record nor an archive mark has.
        public var missing: [[UInt8]] = []
        public var revision: Revision

        public init(revision: Revision) {
            self.revision = revision
        }
    }
}

/// The mark of an archived record.
public struct ArchiveMark: Sendable, Hashable {
    /// Milliseconds since 1970.
    public let at: Int64
    public let uid: UInt32

    public init(at: Int64, uid: UInt32) {
        self.at = at
        self.uid = uid
    }
}

/// The change of one id's archive mark: a new mark, or nil for none.
public struct ArchiveMarkChange: Sendable {
    public let id: [UInt8]
    public let mark: ArchiveMark?

    public init(id: [UInt8], mark: ArchiveMark?) {
        self.id = id
        self.mark = mark
    }
}

extension StateConnection {
    func isMarked(_ id: [UInt8], in collection: Int64) throws(StoreError) -> Bool {
        try statements.findMark.bind(.collection, collection)
        try statements.findMark.bind(.id, text: id)
        defer { statements.findMark.reset() }
        return try statements.findMark.step()
    }

    /// Sets or removes the marks of these ids, as one commit that counts each.
    mutating func mark(_ ids: [[UInt8]], in row: CollectionRow, _ change: ArchiveChange) throws(StoreError) {
        let end = seq + UInt64(ids.count)
        for id in ids {
            try mark(id, in: row.number, change)
            advance()
            let operation: LoggedOperation = change.isArchiving ? .archived : .unarchived
            try statements.addLocalChange.bind(.seq, bits: seq)
            try statements.addLocalChange.bind(.at, change.at)
            try statements.addLocalChange.bind(.collection, row.number)
            try statements.addLocalChange.bind(.op, operation.rawValue)
            try statements.addLocalChange.bind(.id, text: id)
            try statements.addLocalChange.bind(.uid, Int64(change.uid))
            try statements.addLocalChange.bind(.generation, bits: row.generation)
            try statements.addLocalChange.bind(.commitEnd, bits: end)
            try statements.addLocalChange.bind(.cause, ChangeCause.archive.rawValue)
            try statements.addLocalChange.bind(.fields, String?.none)
            try statements.addLocalChange.bind(.firstSeen, Int64?.none)
            try statements.addLocalChange.bind(.bytes, 0)
            try statements.addLocalChange.bind(.isSilent, 0)
            try statements.addLocalChange.run()
        }
    }

    private func mark(_ id: [UInt8], in collection: Int64, _ change: ArchiveChange) throws(StoreError) {
        if change.isArchiving {
            try statements.addMark.bind(.collection, collection)
            try statements.addMark.bind(.id, text: id)
            try statements.addMark.bind(.at, change.at)
            try statements.addMark.bind(.uid, Int64(change.uid))
            try statements.addMark.run()
        } else {
            try statements.removeMark.bind(.collection, collection)
            try statements.removeMark.bind(.id, text: id)
            try statements.removeMark.run()
        }
    }
}
