// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import ClaimsModel
import ClaimsPlatform

/// The one writing connection to state.db, with its prepared statements. It lives on the store's thread.
@safe
struct StateConnection: ~Copyable {
    /// The durability of a commit.
    enum Durability {
        /// The commit is on disk when it returns, with all commits before it.
        case synced
        /// The commit survives a crash of the process, and a power cut once a `synced` commit follows.
        case buffered
    }

    let database: Database
    /// The epoch, which was drawn when the file was made.
    let epoch: UInt64
    /// The restored copy that was found when the file was opened; nil: there was none.
    let restoration: StateRestoration?
    /// The sequence number of the last change. A transaction that fails puts it back.
    private(set) var seq: UInt64
    let statements: StateStatements
    /// The number of the newest stage of each collection. Earlier stages write nothing any more: their rows would be
    /// mistaken for rows of the newest one.
    private var stages: [Int64: UInt64] = [:]
    private var isSynced = true
    /// Whether another program had the file locked at the last transaction.
    private var isLocked = false
    /// The published clock in the cache folder.
    private var mark: ClockMark?
    let pageSize: Int
    /// The number of pages in the log, which SQLite writes after each commit, on this thread.
    private let logPages: UnsafeMutablePointer<Int32>

    /// The time that a transaction waits for another program that has locked the file, in milliseconds; and the time
    /// while the file is known to be locked. Changes are answered within 2 s, though some wait for others.
    private static let lockTimeout: Int32 = 500
    private static let shortLockTimeout: Int32 = 20

    /// Opens or makes the file.
    ///
    /// - Parameter cache: the folder that keeps the published clock. A file that is behind that clock is a restored
    ///   copy, and begins a new epoch.
    init(path: String, cache: String? = nil) throws(StoreError) {
        let operation = "open \(path)"
        let database = try Database(path: path, access: .create)
        try StateSchema.prepare(database)
        try database.execute(
            """
            PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 16777216;
            PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;
            PRAGMA secure_delete = ON;
            """, operation)
        // Another process may have left this mode, which is kept in the file.
        guard try database.text("PRAGMA journal_mode = WAL", operation) == "wal" else {
            throw StoreError(.io, operation, detail: "no write-ahead log")
        }
        if try database.integer("SELECT count(*) FROM meta", operation) == 0 {
            // The clock of an earlier file does not apply to this one.
            if let cache { ClockMark.remove(from: cache) }
            try Self.initialize(database, operation)
        }
        var mark = cache.map { ClockMark(directory: $0) }
        let restoration = try mark?.restoration(of: database, operation)
        let pageSize = Int(try database.integer("PRAGMA page_size", operation))
        let statements = try StateStatements(database)
        let epoch = UInt64(bitPattern: try statements.meta("epoch"))
        let seq = UInt64(bitPattern: try statements.meta("seq"))
        guard epoch != 0 else { throw StoreError(.damaged, operation, detail: "it has no epoch") }
        database.setLockTimeout(Self.lockTimeout)
        unsafe logPages = .allocate(capacity: 1)
        unsafe logPages.initialize(to: 0)
        unsafe database.report(logPagesTo: logPages)
        self.database = database
        self.statements = statements
        self.pageSize = pageSize
        self.restoration = restoration
        self.mark = mark.take()
        (self.epoch, self.seq) = (epoch, seq)
    }

    deinit {
        // The connection writes to it only after a commit, and no commit follows.
        unsafe logPages.deallocate()
    }

    /// The number of bytes in the write-ahead log after the last commit.
    var bytesInLog: Int { unsafe Int(logPages.pointee) * pageSize }

    /// Runs `body` in a transaction; if it throws, or the commit does, nothing has happened.
    mutating func transaction<Result>(
        _ durability: Durability, _ operation: String, _ body: (inout Self) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        if isSynced != (durability == .synced) {
            isSynced = durability == .synced
            try database.execute("PRAGMA synchronous = \(isSynced ? "FULL" : "NORMAL")", operation)
        }
        let before = seq
        try begin(operation)
        do throws(StoreError) {
            let result = try body(&self)
            if seq != before {
                try statements.setMeta("seq", Int64(bitPattern: seq))
                try mark?.save(in: statements)
            }
            try database.execute("COMMIT", operation)
            // The clock is published before any answer. A commit that a power cut may undo is not published.
            if seq != before, isSynced { mark?.publish(Revision(epoch: epoch, seq: seq)) }
            return result
        } catch {
            // Some failures have already rolled back; then this statement fails, and nothing is wrong.
            try? database.execute("ROLLBACK", operation)
            seq = before
            throw error
        }
    }

    /// The revision after the last change.
    var revision: Revision { Revision(epoch: epoch, seq: seq) }

    /// Gives numbers to changes, in a transaction.
    ///
    /// - Returns: the number of the last one.
    @discardableResult
    mutating func advance(by changes: UInt64 = 1) -> UInt64 {
        seq += changes
        return seq
    }

    /// Begins a stage of a collection, and ends an earlier one; returns the number of the new one.
    mutating func beginStage(of collection: Int64) -> UInt64 {
        stages[collection, default: 0] += 1
        return stages[collection, default: 0]
    }

    /// Whether no later stage of the collection has begun.
    func isNewest(_ stage: UInt64, of collection: Int64) -> Bool { stages[collection] == stage }

    /// Throws `.mismatch` if a later stage of the collection has begun.
    func check(_ stage: UInt64, of collection: Int64) throws(StoreError) {
        guard isNewest(stage, of: collection) else {
            throw StoreError(.mismatch, "store records", detail: "the collection has changed meanwhile")
        }
    }

    private mutating func begin(_ operation: String) throws(StoreError) {
        do throws(StoreError) { try database.execute("BEGIN IMMEDIATE", operation) } catch {
            setLocked(error.code == .busy)
            throw error
        }
        setLocked(false)
    }

    private mutating func setLocked(_ isLocked: Bool) {
        guard isLocked != self.isLocked else { return }
        self.isLocked = isLocked
        database.setLockTimeout(isLocked ? Self.shortLockTimeout : Self.lockTimeout)
    }

    /// Copies the rest of the write-ahead log and empties it; false if another connection reads it.
    mutating func emptyLog() throws(StoreError) -> Bool {
        defer { database.setLockTimeout(isLocked ? Self.shortLockTimeout : Self.lockTimeout) }
        guard try database.emptyLog() else { return false }
        unsafe logPages.pointee = 0
        return true
    }

    /// The number of bytes of the pages in use, including pages in the write-ahead log.
    func liveBytes() throws(StoreError) -> Int {
        let pages = try database.integer("PRAGMA page_count", "measure the file")
        return Int(pages - (try database.integer("PRAGMA freelist_count", "measure the file"))) * pageSize
    }

    /// Makes a recovered file fit to be opened: it begins another epoch, because some changes may be lost, and asks all
    /// sources anew.
    ///
    /// - Parameter keepsLog: whether the log of changes has no gap.
    static func renew(_ database: borrowing Database, keepsLog: Bool, _ operation: String) throws(StoreError) {
        try initialize(database, operation)
        try database.execute(
            """
            BEGIN IMMEDIATE;
            \(beginEpoch)
            UPDATE meta SET value = max(value,
                coalesce((SELECT max(seq) FROM local_change), 0),
                coalesce((SELECT max(base_seq + changes) FROM generation), 0)) WHERE key = 'seq';
            UPDATE collection SET floor = (SELECT value FROM meta WHERE key = 'seq') WHERE NOT \(keepsLog);
            UPDATE collection SET file_id = 0, bundle_key = 0, records = 0 WHERE bundle_key <> 0;
            UPDATE source SET body_hash = NULL, etag = NULL, last_modified = NULL, validator_key = 0, due = NULL,
                join_hash = NULL, join_etag = NULL, join_last_modified = NULL, join_validator_key = 0;
            COMMIT
            """, operation)
    }

    /// Draws a new epoch and a new secret: a cursor does not outlive its epoch. Operations that were being sent may
    /// have been done since, so they are not sent again automatically.
    static var beginEpoch: String {
        """
        UPDATE meta SET value = \(RandomBytes.integer() >> 16 | 1) WHERE key = 'epoch';
        UPDATE meta SET value = x'\(RandomBytes.hexadecimal(32))' WHERE key = 'cursor_secret';
        UPDATE operation SET state = '\(OperationState.uncertain.rawValue)' WHERE settled_at IS NULL;
        INSERT OR REPLACE INTO meta(key, value) VALUES ('\(restoredKey)', CAST(strftime('%s') AS INTEGER) * 1000);
        """
    }

    /// The key in `meta` of the time at which the file was recovered or found to be a restored copy, in milliseconds
    /// since 1970.
    static let restoredKey = "restored_at"
    /// The key in `meta` of how far this host knows the marks of the others.
    static let markPositionKey = "marks_position"

    private static func initialize(_ database: borrowing Database, _ operation: String) throws(StoreError) {
        let epoch = RandomBytes.integer() >> 16 | 1
        let secret = RandomBytes.hexadecimal(32)
        try database.execute(
            """
            INSERT OR IGNORE INTO meta(key, value) VALUES
                ('epoch', \(epoch)), ('seq', 0), ('cursor_secret', x'\(secret)')
            """, operation)
    }
}
