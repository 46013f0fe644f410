// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Glibc

extension StoreError {
    /// What an SQLite result code means here (sqlite.org/rescode.html); the message holds no record's text.
    @unsafe init(sqlite code: Int32, of connection: OpaquePointer, _ operation: String) {
        let systemError = unsafe sqlite3_system_errno(connection)
        let detail = unsafe String(cString: sqlite3_errstr(code))
        self.init(Self.code(sqlite: code, systemError: systemError), operation, number: code, detail: detail)
    }

    private static func code(sqlite code: Int32, systemError: Int32) -> Code {
        switch code & 0xff {
        case SQLITE_FULL: .storageFull
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            switch systemError {
            case ENOSPC, EDQUOT: .storageFull
            case EROFS, EACCES, EPERM: .notWritable
            default: .io
            }
        case SQLITE_READONLY, SQLITE_PERM: .notWritable
        case SQLITE_CORRUPT: .damaged
        case SQLITE_NOTADB: .foreign
        case SQLITE_TOOBIG: .tooLarge
        default: .io
        }
    }
}
