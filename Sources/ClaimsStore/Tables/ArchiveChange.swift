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
    /// Decides which records of the collection the user sees. Records that the user does not see are missing, as
    /// records that are gone are.
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
    /// The user who has set it on another host of the fleet, as USER@HOST; nil: a user of this host.
    public let foreignUser: String?

    public init(at: Int64, uid: UInt32, foreignUser: String? = nil) {
        self.at = at
        self.uid = uid
        self.foreignUser = foreignUser
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
    ///
    /// - Parameter isShared: whether other hosts are to have the marks.
    /// - Returns: the marks in their new state.
    mutating func mark(
        _ ids: [[UInt8]], in row: CollectionRow, _ change: ArchiveChange, isShared: Bool
    ) throws(StoreError) -> [ArchiveMarkChange] {
        let end = seq + UInt64(ids.count)
        var marks: [ArchiveMarkChange] = []
        // The times of shared marks always rise, even while sharing is off.
        let hasShared = isShared ? true : try hasSharedMarks(of: row.number)
        for id in ids {
            let earlier = hasShared ? try sharedMark(id, in: row.number) : nil
            // The mark is later than the one that it changes, whatever the clock of the host that has set that one.
            let floor = earlier.map { $0.mark.at + 1 } ?? 0
            let at = max(change.at, floor)
            if isShared || earlier != nil {
                try write(
                    SharedMarkRow(
                        SharedMark(id: id, isArchived: change.isArchiving, at: at, author: .local(change.uid)),
                        floor: floor), in: row.number)
            }
            let mark = change.isArchiving ? ArchiveMark(at: at, uid: change.uid) : nil
            marks.append(ArchiveMarkChange(id: id, mark: mark))
            try setMark(mark, of: id, in: row.number)
            try log(
                change.isArchiving, of: id, by: change.uid, foreignUser: nil, at: change.at, commitEnd: end, in: row)
        }
        return marks
    }

    /// Adds a change of a mark to the log; to be called in a transaction.
    mutating func log(
        _ isArchived: Bool, of id: [UInt8], by uid: UInt32, foreignUser: String?, at: Int64, commitEnd: UInt64,
        in row: CollectionRow
    ) throws(StoreError) {
        advance()
        let operation: LoggedOperation = isArchived ? .archived : .unarchived
        try statements.addLocalChange.bind(.seq, bits: seq)
        try statements.addLocalChange.bind(.at, at)
        try statements.addLocalChange.bind(.collection, row.number)
        try statements.addLocalChange.bind(.op, operation.rawValue)
        try statements.addLocalChange.bind(.id, text: id)
        try statements.addLocalChange.bind(.uid, Int64(uid))
        try statements.addLocalChange.bind(.generation, bits: row.generation)
        try statements.addLocalChange.bind(.commitEnd, bits: commitEnd)
        try statements.addLocalChange.bind(.cause, ChangeCause.archive.rawValue)
        try statements.addLocalChange.bind(.fields, String?.none)
        try statements.addLocalChange.bind(.firstSeen, Int64?.none)
        try statements.addLocalChange.bind(.bytes, 0)
        try statements.addLocalChange.bind(.isSilent, 0)
        try statements.addLocalChange.bind(.byUser, foreignUser)
        try statements.addLocalChange.run()
        // Other changes use the same statement, and have no such user.
        try statements.addLocalChange.bind(.byUser, String?.none)
    }

    /// Sets or removes the mark of an id; to be called in a transaction.
    func setMark(_ mark: ArchiveMark?, of id: [UInt8], in collection: Int64) throws(StoreError) {
        guard let mark else {
            try statements.removeMark.bind(.collection, collection)
            try statements.removeMark.bind(.id, text: id)
            return try statements.removeMark.run()
        }
        try statements.addMark.bind(.collection, collection)
        try statements.addMark.bind(.id, text: id)
        try statements.addMark.bind(.at, mark.at)
        try statements.addMark.bind(.uid, Int64(mark.uid))
        try statements.addMark.bind(.byUser, mark.foreignUser)
        try statements.addMark.run()
    }
}
