// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import ClaimsModel
import Glibc

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
