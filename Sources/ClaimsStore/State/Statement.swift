// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// A prepared statement: the sole owner of one `sqlite3_stmt`.
///
/// Copying is a compile error, so the handle is finalized exactly once. It must not outlive its connection's thread.
@safe
struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let operation: String

    @unsafe init(owning handle: OpaquePointer, of connection: OpaquePointer, operation: String) {
        unsafe self.handle = handle
        unsafe self.connection = connection
        self.operation = operation
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Advances to the next row; `false` once there are none. Parameters not bound are NULL.
    borrowing func step() throws(StoreError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else {
            let error = unsafe StoreError(sqlite: code, of: connection, operation)
            unsafe sqlite3_reset(handle)
            throw error
        }
        return false
    }

    /// Runs to the end and makes the statement ready for the next time. Parameters stay bound.
    borrowing func run() throws(StoreError) {
        while try step() {}
        reset()
    }

    /// Makes the statement ready to run again. Parameters stay bound.
    borrowing func reset() {
        unsafe sqlite3_reset(handle)
    }

    // Parameters are numbered from 1. Binding fails only for a wrong number or without memory; the next step tells.

    borrowing func bind(_ index: Int32, _ value: Int64) {
        unsafe sqlite3_bind_int64(handle, index, value)
    }

    borrowing func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { unsafe sqlite3_bind_null(handle, index) }
    }

    /// Keeps all 64 bits; read it back with `bits`.
    borrowing func bind(_ index: Int32, bits value: UInt64) {
        bind(index, Int64(bitPattern: value))
    }

    borrowing func bind(_ index: Int32, _ text: String?) {
        guard var text else {
            unsafe sqlite3_bind_null(handle, index)
            return
        }
        _ = text.withUTF8 { unsafe csqlite_bind_text_copy(handle, index, $0.baseAddress, $0.count) }
    }

    /// A copy of UTF-8 bytes, as text.
    borrowing func bind(_ index: Int32, text: [UInt8]) {
        _ = unsafe text.withUnsafeBytes { unsafe csqlite_bind_text_copy(handle, index, $0.baseAddress, $0.count) }
    }

    /// A copy of bytes, as a blob.
    borrowing func bind(_ index: Int32, blob: [UInt8]) {
        _ = unsafe blob.withUnsafeBytes { unsafe csqlite_bind_blob_copy(handle, index, $0.baseAddress, $0.count) }
    }

    /// UTF-8 bytes in place: they must stay where they are until the next reset or binding.
    @unsafe borrowing func bind(_ index: Int32, inPlace text: UnsafeRawBufferPointer) {
        let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
        unsafe sqlite3_bind_text64(handle, index, start, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
    }

    /// The value of another statement's current row, of whatever type.
    borrowing func bind(_ index: Int32, valueOf other: borrowing Statement, _ column: Int32) {
        unsafe sqlite3_bind_value(handle, index, sqlite3_column_value(other.handle, column))
    }

    // Columns are numbered from 0, and valid after a step that returned true.

    borrowing func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    borrowing func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(handle, column)
    }

    borrowing func optionalInteger(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    borrowing func bits(_ column: Int32) -> UInt64 {
        UInt64(bitPattern: integer(column))
    }

    /// A count or a size: never negative, whatever the file says.
    borrowing func count(_ column: Int32) -> Int {
        max(0, Int(integer(column)))
    }

    borrowing func text(_ column: Int32) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    borrowing func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// The bytes of a text or blob.
    borrowing func bytes(_ column: Int32) -> [UInt8] {
        var result: [UInt8] = []
        append(column, to: &result)
        return result
    }

    /// Appends the bytes of a text or blob.
    borrowing func append(_ column: Int32, to buffer: inout [UInt8]) {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        unsafe buffer.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
    }
}
