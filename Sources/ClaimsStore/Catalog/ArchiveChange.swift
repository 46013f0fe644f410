// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

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

extension StateConnection {
    /// Sets or removes the marks of these ids, as one commit that counts each.
    ///
    /// - Parameter isShared: whether other hosts are to have the marks.
    /// - Returns: the marks as they are from then on.
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
}
