// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

/// One connection to an SQLite file: the sole owner of one `sqlite3`.
///
/// Belongs to one thread at a time (SQLITE_OPEN_NOMUTEX).
@safe
struct Database: ~Copyable {
    enum Access {
        /// The writer: the file is made if it is missing.
        case create
        /// The writer's side work: the file exists.
        case update
        case read
        /// Reading whatever can be read of a damaged file.
        case salvage
    }

    private let handle: OpaquePointer
    let path: String
    /// Kept while the connection is open.
    private let lease: ReaderLease?

    /// The permissions of the file and of the files that SQLite makes beside it: only the owner may read and write.
    private static let permissions: UInt32 = 0o600

    /// Opens the file; nothing of it is read yet.
    ///
    /// With `create` only the owner may use the file afterwards, whatever the umask and its permissions before.
    init(path: String, access: Access, lease: ReaderLease? = nil) throws(StoreError) {
        if access == .create { try Self.makePrivate(path) }
        let flags: Int32 =
            switch access {
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .update: SQLITE_OPEN_READWRITE
            case .read, .salvage: SQLITE_OPEN_READONLY
            }
        unsafe handle = try Self.open(path, flags | SQLITE_OPEN_NOMUTEX, isSalvage: access == .salvage)
        self.path = path
        self.lease = lease
    }

    /// Makes the log and the shared memory private. SQLite gives them the permissions of the file, but only when it
    /// makes them.
    private static func makePrivate(_ path: String) throws(StoreError) {
        do throws(SystemError) {
            if !Files.exists(path) { _ = try FileDescriptor.open(path, .create(permissions: permissions)) }
            for file in [path, path + "-wal", path + "-shm"] {
                guard let found = Files.permissions(file), found != permissions else { continue }
                try Files.setPermissions(file, permissions)
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Configures SQLite once in a process. If SQLite is in use already, it stays as it is.
    private static let configured: Void = {
        _ = csqlite_configure()
        DatabaseReads.watch()
    }()

    private static func open(
        _ path: String, _ flags: Int32, isSalvage: Bool
    ) throws(StoreError) -> OpaquePointer {
        _ = configured
        var opened: OpaquePointer?
        var code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard let handle = unsafe opened else { throw StoreError(.io, "open \(path)", number: code) }
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe sqlite3_busy_timeout(handle, Self.lockTimeout)
        if code == SQLITE_OK { code = unsafe csqlite_defend(handle, isSalvage ? 1 : 0) }
        guard code == SQLITE_OK else {
            let error = unsafe StoreError(sqlite: code, of: handle, "open \(path)")
            unsafe sqlite3_close_v2(handle)
            throw error
        }
        return unsafe handle
    }

    deinit {
        unsafe sqlite3_close_v2(handle)
    }

    /// Runs statements without parameters, one after the other.
    borrowing func execute(_ sql: String, _ operation: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(operation, code) }
    }

    /// Compiles one statement whose parameters and columns are used by number; `operation` names it in errors.
    borrowing func prepare(_ sql: String, _ operation: String) throws(StoreError) -> Statement<StatementPosition> {
        try prepare(sql, operation, columns: StatementPosition.self)
    }

    /// Compiles one statement; `operation` names it in errors.
    ///
    /// Throws `.damaged` if the file's tables do not fit the text.
    borrowing func prepare<Column: StatementColumn>(
        _ sql: String, _ operation: String, columns: Column.Type
    ) throws(StoreError) -> Statement<Column> {
        var statement: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement = unsafe statement else {
            // The program's text compiles with the right tables; here it fails because the file's tables are others.
            throw code == SQLITE_ERROR
                ? StoreError(.damaged, operation, number: code, detail: message) : error(operation, code)
        }
        return unsafe Statement(owning: statement, of: handle, operation: operation)
    }

    /// The first column of the first row, 0 if there is none.
    borrowing func integer(_ sql: String, _ operation: String) throws(StoreError) -> Int64 {
        let statement = try prepare(sql, operation)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// The first column of the first row as text, empty if there is none.
    borrowing func text(_ sql: String, _ operation: String) throws(StoreError) -> String {
        let statement = try prepare(sql, operation)
        return try statement.step() ? statement.text(0) : ""
    }

    /// The number of rows that the last statement changed.
    var changes: Int { unsafe Int(sqlite3_changes64(handle)) }

    /// Copies what it can from the write-ahead log into the file, without waiting for readers or the writer.
    ///
    /// - Returns: whether all of it was copied. If not, another connection reads an older state of the file, or copies
    ///   it too.
    borrowing func copyLog() throws(StoreError) -> Bool {
        // A connection that has read nothing yet does not know that there is a log, and would do nothing.
        _ = try integer("PRAGMA schema_version", "copy the log of \(path)")
        return try checkpoint(SQLITE_CHECKPOINT_PASSIVE)
    }

    /// Copies the rest of the write-ahead log into the file and empties the log, unless another connection reads it.
    ///
    /// - Returns: whether it was emptied.
    borrowing func emptyLog() throws(StoreError) -> Bool {
        _ = try integer("PRAGMA schema_version", "empty the log of \(path)")
        setLockTimeout(0)
        defer { setLockTimeout(Self.lockTimeout) }
        return try checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
    }

    /// Whether the checkpoint has copied the whole log.
    private borrowing func checkpoint(_ mode: Int32) throws(StoreError) -> Bool {
        var inLog: Int32 = 0
        var copied: Int32 = 0
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &inLog, &copied)
        guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else { throw error("checkpoint \(path)", code) }
        return code == SQLITE_OK && inLog == copied
    }

    /// Frees the pages that are kept in memory.
    borrowing func releaseMemory() { _ = unsafe sqlite3_db_release_memory(handle) }

    /// The first bytes of the file itself, without the write-ahead log, read through SQLite's own descriptor; empty if
    /// they cannot be read.
    var header: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: DatabaseHeader.size)
        let code = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let address = buffer.baseAddress else { return SQLITE_IOERR }
            return unsafe csqlite_read_main(handle, address, Int32(buffer.count), 0)
        }
        return code == SQLITE_OK ? bytes : []
    }

    /// Overwrites the gaps of some pages in the file itself, and syncs it.
    ///
    /// To be called in a transaction that may write, with an empty log and no pages in memory: then only this call
    /// reads or writes these bytes. The arrays outlive the calls that read and write them, and no safe call of SQLite
    /// reaches bytes that belong to no cell.
    borrowing func scrubPages(_ pages: Range<Int>, size: Int) throws(StoreError) {
        let operation = "scrub \(path)"
        let start = Int64(pages.lowerBound) * Int64(size)
        var bytes = [UInt8](repeating: 0, count: pages.count * size)
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        let code = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let address = buffer.baseAddress else { return SQLITE_OK }
            return unsafe csqlite_read_main(handle, address, Int32(buffer.count), start)
        }
        guard code == SQLITE_OK else { throw error(operation, code) }
        var isChanged = false
        for page in pages {
            let offset = (page - pages.lowerBound) * size
            guard let gap = PageGap.range(in: bytes, from: offset, size: size, isFirst: page == 0),
                bytes[gap].contains(where: { $0 != 0 })
            else { continue }
            let code = unsafe zeros.withUnsafeBytes { buffer in
                guard let address = buffer.baseAddress else { return SQLITE_OK }
                return unsafe csqlite_write_main(handle, address, Int32(gap.count), start + Int64(gap.lowerBound))
            }
            guard code == SQLITE_OK else { throw error(operation, code) }
            isChanged = true
        }
        let synced = isChanged ? unsafe csqlite_sync_main(handle) : SQLITE_OK
        guard synced == SQLITE_OK else { throw error(operation, synced) }
    }

    /// Sets the time to wait for another connection that writes, in milliseconds.
    borrowing func setLockTimeout(_ milliseconds: Int32) {
        unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Makes SQLite report the number of pages in the write-ahead log after each commit, instead of its own
    /// checkpoints.
    ///
    /// `pages` must live as long as the connection, and is written by its thread only.
    @unsafe borrowing func report(logPagesTo pages: UnsafeMutablePointer<Int32>) {
        _ = unsafe sqlite3_wal_hook(
            handle,
            { context, _, _, count in
                unsafe context?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, pages)
    }

    /// The time to wait for another connection that writes, in milliseconds, unless another time was set.
    private static let lockTimeout: Int32 = 10_000

    private var message: String { unsafe String(cString: sqlite3_errmsg(handle)) }

    private borrowing func error(_ operation: String, _ code: Int32) -> StoreError {
        unsafe StoreError(sqlite: code, of: handle, operation)
    }
}

/// Counts the connections of this process that read one unchanging view, and so prevent the write-ahead log from
/// beginning anew.
final class ReaderCount: Sendable {
    private let count = Atomic<Int>(0)

    /// Whether any of them is open.
    var hasReaders: Bool { count.load(ordering: .relaxed) > 0 }

    func lease() -> ReaderLease {
        count.add(1, ordering: .relaxed)
        return ReaderLease(of: self)
    }

    fileprivate func end() { count.subtract(1, ordering: .relaxed) }
}

/// A counted connection; it counts as long as it lives.
final class ReaderLease: Sendable {
    private let readers: ReaderCount

    fileprivate init(of readers: ReaderCount) { self.readers = readers }

    deinit { readers.end() }
}
