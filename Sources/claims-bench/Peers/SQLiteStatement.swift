// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A prepared statement: the sole owner of one `sqlite3_stmt`, used over and over.
@safe
final class SQLiteStatement {
    private let library: SQLiteLibrary
    private let handle: OpaquePointer

    static let row: Int32 = 100
    static let done: Int32 = 101

    /// Nil where SQLite does not understand the text.
    init?(_ text: String, _ library: SQLiteLibrary, _ connection: OpaquePointer) {
        var handle: OpaquePointer?
        guard unsafe library.prepare(connection, text, -1, &handle, nil) == 0, let handle = unsafe handle else {
            return nil
        }
        self.library = library
        unsafe self.handle = handle
    }

    deinit { _ = unsafe library.finalize(handle) }

    func bind(_ index: Int32, _ bytes: [UInt8]) {
        // SQLITE_TRANSIENT: SQLite copies the bytes.
        let transient = unsafe OpaquePointer(bitPattern: -1)
        unsafe bytes.withUnsafeBufferPointer {
            _ = unsafe library.bindText(handle, index, $0.baseAddress, Int32($0.count), transient)
        }
    }

    func bind(_ index: Int32, _ number: Int) { _ = unsafe library.bindInteger(handle, index, Int64(number)) }

    func step() -> Int32 { unsafe library.step(handle) }

    func reset() { _ = unsafe library.reset(handle) }

    func integer(_ column: Int32) -> Int { Int(unsafe library.column(handle, column)) }

    /// Makes the text of a column, as one who wants to send it must; false where it is null.
    func hasText(_ column: Int32) -> Bool { unsafe library.columnText(handle, column) != nil }
}
