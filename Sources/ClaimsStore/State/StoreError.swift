// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
public import ClaimsPlatform
import ClaimsSnapshot
import Glibc

/// A failure of the store: a code to branch on, the operation that failed, and the number from the layer below.
///
/// Holds paths and numbers, never a record's text.
public struct StoreError: Error, Equatable, Sendable {
    public enum Code: String, Sendable {
        /// The device is full or the quota is used up. Reads go on; the caller may try again once there is room.
        case storageFull
        /// The folder or file cannot be written: it is read-only or belongs to another user.
        case notWritable
        /// The file does not exist.
        case missing
        /// The file is of this program, but damaged: a check failed or an offset leads outside.
        case damaged
        /// The file is sound, but belongs to another program.
        case foreign
        /// A link, a folder or another object that is no file has the path of the file.
        case misplaced
        /// The device did not read the file, though it was asked several times; the file may be sound.
        case unreadable
        /// The file is of another version of this program's format.
        case otherVersion
        /// The file is sound, but not the one that was asked for (epoch, generation, file id or definition).
        case mismatch
        /// The collection does not exist: it never did, or it was removed or erased.
        case noCollection
        /// The store had no time for the call; nothing has changed, and the caller may try again.
        case late
        /// Another process holds the store; `number` is its process id.
        case inUse
        /// Another program has locked the file, and did not unlock it in time. Reads go on; the caller may try again.
        case busy
        /// A bound of the format was reached (bytes, rows or keys).
        case tooLarge
        /// The store is closing down and takes no more work.
        case closed
        /// Anything else the system reported.
        case io
        /// A defect of this program: a statement that cannot be right.
        case fault
    }

    public let code: Code
    /// The operation that failed, as a verb phrase: "open /var/lib/claimsd/state.db".
    public let operation: String
    /// An errno, an extended SQLite result code, or a process id; 0 if there is none.
    public let number: Int32
    /// The message of the layer below, or the value that did not fit; may be empty.
    public let detail: String

    public init(_ code: Code, _ operation: String, number: Int32 = 0, detail: String = "") {
        self.code = code
        self.operation = operation
        self.number = number
        self.detail = detail
    }

    /// Whether the same call may succeed later without a repair: the disk is full, or another program has locked a
    /// file.
    public var mayPass: Bool { code == .storageFull || code == .busy }

    /// The error as one sentence, for a log or a person.
    public var message: String {
        let reason =
            switch code {
            case .storageFull: "no space left"
            case .notWritable: "not writable"
            case .missing: "no such file"
            case .damaged: "damaged"
            case .foreign: "not a file of this program"
            case .misplaced: "something else is in its place"
            case .unreadable: "the disk does not read it, and it may be sound"
            case .otherVersion: "of another version"
            case .mismatch: "not the file asked for"
            case .noCollection: "no such collection"
            case .inUse: "in use by process \(number)"
            case .tooLarge: "too large"
            case .busy: "locked by another program"
            case .late: "not begun in time"
            case .closed: "closed"
            case .fault: "a defect of this program"
            case .io: number == 0 ? "failed" : "error \(number)"
            }
        return detail.isEmpty ? "cannot \(operation): \(reason)" : "cannot \(operation): \(reason) (\(detail))"
    }
}

extension StoreError {
    /// Translates a failed system call.
    public init(_ error: SystemError) {
        let code: Code =
            if error.isOutOfSpace { .storageFull } else if error.isReadOnly { .notWritable } else if error.isNotFound {
                .missing
            } else if error.isMisplaced { .misplaced } else { .io }
        let detail = error.detail ?? (error.isMisplaced ? error.errno == EISDIR ? "a folder" : "a link" : "")
        self.init(code, error.operation, number: error.errno, detail: detail)
    }
}

extension StoreError {
    /// The store's error for a failure of a snapshot file.
    init(_ error: SnapshotError) {
        let code: Code =
            switch error.code {
            case .storageFull: .storageFull
            case .notWritable: .notWritable
            case .missing: .missing
            case .damaged: .damaged
            case .foreign: .foreign
            case .otherVersion: .otherVersion
            case .mismatch: .mismatch
            case .tooLarge: .tooLarge
            case .io: .io
            }
        self.init(code, error.operation, number: error.number, detail: error.detail)
    }

    /// Runs `body`, and translates its error into a store's error.
    @inline(__always)
    static func translating<Result: ~Copyable>(
        _ body: () throws(SnapshotError) -> Result
    ) throws(StoreError) -> Result {
        do throws(SnapshotError) { return try body() } catch { throw StoreError(error) }
    }
}

extension StoreError {
    /// Translates an SQLite result code (sqlite.org/rescode.html); the message holds no record's text.
    @unsafe init(sqlite code: Int32, of connection: OpaquePointer, _ operation: String) {
        let systemError = unsafe sqlite3_system_errno(connection)
        let detail = unsafe String(cString: sqlite3_errstr(code))
        self.init(Self.code(sqlite: code, systemError: systemError), operation, number: code, detail: detail)
    }

    /// SQLITE_IOERR_READ, and the code that SQLite makes of it if the beginning of a file cannot be read.
    private static let failedReads = [SQLITE_IOERR | 1 << 8, SQLITE_IOERR]

    private static func code(sqlite code: Int32, systemError: Int32) -> Code {
        switch code & 0xff {
        case SQLITE_FULL: .storageFull
        case SQLITE_IOERR where failedReads.contains(code): .unreadable
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            switch systemError {
            case ENOSPC, EDQUOT: .storageFull
            case EROFS, EACCES, EPERM: .notWritable
            default: .io
            }
        case SQLITE_READONLY, SQLITE_PERM: .notWritable
        // A file of ours without a sound header looks like no database.
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_TOOBIG: .tooLarge
        case SQLITE_NOMEM, SQLITE_PROTOCOL, SQLITE_NOLFS, SQLITE_INTERRUPT: .io
        default: .fault
        }
    }
}
