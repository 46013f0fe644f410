// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The last change of one id's archive mark, as the hosts of a fleet share it: also if the change took the record out
/// of the archive.
///
/// The rule for two marks of one id is the same on all hosts, so all end with the same mark, in whatever order they see
/// them: see ``meeting(_:_:at:)``.
public struct SharedMark: Sendable, Equatable {
    /// The user who made the change.
    public enum Author: Sendable, Equatable {
        /// A user of this host, by number.
        case local(UInt32)
        /// A user of a host, by name.
        case remote(user: String, host: String)
    }

    /// The outcome of comparing a mark with the known one.
    public enum Meeting: Sendable, Equatable {
        /// Both are the same change.
        case same
        /// The known mark stays, because it is later.
        case stays
        /// The other mark replaces the known one.
        case yields
    }

    public var id: [UInt8]
    public var isArchived: Bool
    /// Milliseconds since 1970.
    public var at: Int64
    public var author: Author

    public init(id: [UInt8], isArchived: Bool, at: Int64, author: Author) {
        self.id = id
        self.isArchived = isArchived
        self.at = at
        self.author = author
    }

    /// The size of the largest id whose mark is shared, in bytes.
    public static let maxIDSize = 1024
    /// The time for which a mark is remembered that took its record out of the archive.
    public static let keep = Duration.seconds(90 * 86_400)

    /// The name of the host on which the change was made.
    ///
    /// - Parameter own: the name of this host.
    public func host(_ own: String) -> String {
        switch author {
        case .local: own
        case .remote(_, let host): host
        }
    }

    /// Decides which mark counts: the later one; if the times are the same, the mark of the greater host, by its bytes.
    /// Pure.
    ///
    /// - Parameter own: the name of this host.
    public static func meeting(_ known: SharedMark?, _ other: SharedMark, at own: String) -> Meeting {
        guard let known else { return .yields }
        if known.at != other.at { return known.at > other.at ? .stays : .yields }
        let (mine, others) = (known.host(own), other.host(own))
        if mine.utf8.elementsEqual(others.utf8) { return .same }
        return mine.utf8.lexicographicallyPrecedes(others.utf8) ? .yields : .stays
    }

    /// The mark that is shown; nil if the record is not archived.
    var shown: ArchiveMark? {
        guard isArchived else { return nil }
        switch author {
        case .local(let uid): return ArchiveMark(at: at, uid: uid)
        case .remote: return ArchiveMark(at: at, uid: Self.foreignUID, foreignUser: foreignUser)
        }
    }

    /// USER@HOST; nil for a user of this host.
    var foreignUser: String? {
        if case .remote(let user, let host) = author { "\(user)@\(host)" } else { nil }
    }

    /// A user number that no user of this host has (chown(2)).
    static let foreignUID = UInt32.max
}

/// A shared mark, as state.db keeps it.
struct SharedMarkRow: Equatable {
    enum State: Int64 {
        /// The other hosts may lack the mark.
        case queued = 0
        case shared = 1
        /// The mark stays here, because the id is too long.
        case unshared = 2
    }

    var mark: SharedMark
    var state: State
    /// The earliest time after the mark that this one has changed.
    var floor: Int64

    init(_ mark: SharedMark, floor: Int64, isShared: Bool = false) {
        self.mark = mark
        self.floor = floor
        state = mark.id.count > SharedMark.maxIDSize ? .unshared : isShared ? .shared : .queued
    }

    init(_ row: borrowing Statement<SharedMarkColumn>) throws(StoreError) {
        guard let state = State(rawValue: row.integer(.state)) else {
            throw StoreError(.damaged, "read a shared mark", detail: "unknown state")
        }
        let host = row.text(.host)
        mark = SharedMark(
            id: row.bytes(.id), isArchived: row.integer(.isArchived) != 0, at: row.integer(.at),
            author: host.isEmpty
                ? .local(UInt32(clamping: row.integer(.uid))) : .remote(user: row.text(.user), host: host))
        self.state = state
        floor = row.integer(.floor)
    }
}

extension StateDatabase {
    /// The shared marks of some ids.
    func sharedMarks(of ids: [[UInt8]], in collection: Int64) throws(StoreError) -> Set<[UInt8]> {
        try perform { connection throws(StoreError) in
            var shared: Set<[UInt8]> = []
            for id in ids where try connection.sharedMark(id, in: collection) != nil { shared.insert(id) }
            return shared
        }
    }
}

extension StateConnection {
    /// The last change of an id's mark, if it is kept.
    func sharedMark(_ id: [UInt8], in collection: Int64) throws(StoreError) -> SharedMarkRow? {
        try statements.findSharedMark.bind(.collection, collection)
        try statements.findSharedMark.bind(.id, text: id)
        defer { statements.findSharedMark.reset() }
        return try statements.findSharedMark.step() ? SharedMarkRow(statements.findSharedMark) : nil
    }

    /// Whether a collection has marks that are, or were, shared.
    func hasSharedMarks(of collection: Int64) throws(StoreError) -> Bool {
        let select = try database.prepare(
            "SELECT 1 FROM shared_mark WHERE collection = ?1 LIMIT 1", "look for shared marks")
        try select.bind(1, collection)
        return try select.step()
    }

    func write(_ row: SharedMarkRow, in collection: Int64) throws(StoreError) {
        try statements.writeSharedMark.bind(.collection, collection)
        try statements.writeSharedMark.bind(.id, text: row.mark.id)
        try statements.writeSharedMark.bind(.isArchived, row.mark.isArchived ? 1 : 0)
        try statements.writeSharedMark.bind(.at, row.mark.at)
        switch row.mark.author {
        case .local(let uid):
            try statements.writeSharedMark.bind(.host, "")
            try statements.writeSharedMark.bind(.uid, Int64(uid))
            try statements.writeSharedMark.bind(.user, String?.none)
        case .remote(let user, let host):
            try statements.writeSharedMark.bind(.host, host)
            try statements.writeSharedMark.bind(.uid, Int64?.none)
            try statements.writeSharedMark.bind(.user, user)
        }
        try statements.writeSharedMark.bind(.state, row.state.rawValue)
        try statements.writeSharedMark.bind(.floor, row.floor)
        try statements.writeSharedMark.run()
    }

    /// Takes some ids out of the archive on all hosts, because they are erased here; to be called in a transaction.
    ///
    /// - Parameter list: the ids, as an array in JSON.
    func unarchiveShared(_ list: [UInt8], of collection: Int64, by uid: UInt32, at now: Int64) throws(StoreError) {
        let statement = try database.prepare(
            """
            UPDATE shared_mark SET is_archived = 0, floor = at + 1, at = max(?3, at + 1), host = '', uid = ?4,
                user = NULL, state = iif(state = 2, 2, 0)
            WHERE collection = ?1 AND is_archived <> 0 AND id IN (SELECT value FROM json_each(?2))
            """, "forget records")
        try statement.bind(1, collection)
        try statement.bind(2, text: list)
        try statement.bind(3, now)
        try statement.bind(4, Int64(uid))
        try statement.run()
    }

    /// The first marks of a collection that the other hosts may lack, in no order.
    func queuedMarks(of collection: Int64, limit: Int) throws(StoreError) -> [SharedMarkRow] {
        // SQLite alone would use the primary key, and pass all marks that were sent.
        let select = try database.prepare(
            """
            SELECT \(SharedMarkColumn.list) FROM shared_mark INDEXED BY shared_mark_unsent
            WHERE state = 0 AND state <> 1 AND collection = ?1 LIMIT ?2
            """, "read the queue of marks", columns: SharedMarkColumn.self)
        try select.bind(parameters: [collection, Int64(limit)])
        var rows: [SharedMarkRow] = []
        while try select.step() { rows.append(try SharedMarkRow(select)) }
        return rows
    }

    /// The end of the next piece of a table by its ids; nil: the piece is the last one.
    func endOfPiece(of table: String, in collection: Int64, after id: [UInt8]) throws(StoreError) -> [UInt8]? {
        let select = try database.prepare(
            """
            SELECT id FROM \(table) WHERE collection = ?1 AND id > ?2 ORDER BY id LIMIT 1 OFFSET \(Self.rowsPerPiece - 1)
            """, "go through marks")
        try select.bind(1, collection)
        try select.bind(2, text: id)
        return try select.step() ? select.bytes(0) : nil
    }

    /// Runs a statement over a piece of a table; the collection and the bounds are its parameters 1, 2 and 3, a time is 4.
    func run(
        _ sql: String, in collection: Int64, after id: [UInt8], through end: [UInt8]?, _ time: Int64
    ) throws(StoreError) {
        // Every blob is greater than all texts.
        let statement = try database.prepare(
            sql.replacing("PIECE", with: "collection = ?1 AND id > ?2 AND id <= coalesce(?3, x'')"), "go through marks")
        try statement.bind(1, collection)
        try statement.bind(2, text: id)
        if let end { try statement.bind(3, text: end) }
        if sql.contains("?4") { try statement.bind(4, time) }
        try statement.run()
    }
}
