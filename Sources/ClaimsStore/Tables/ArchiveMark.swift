// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

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
