// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import ClaimsModel

/// A position in a statement's parameters and in the columns of its rows.
protocol StatementColumn: Sendable {
    /// The number of the column in a row, from 0.
    var column: Int32 { get }
    /// The number of the parameter, from 1.
    var parameter: Int32 { get }
}

/// A position by its number: of a parameter from 1, of a column from 0.
struct StatementPosition: StatementColumn, ExpressibleByIntegerLiteral {
    let column: Int32
    var parameter: Int32 { column }

    init(_ number: Int) { column = Int32(number) }
    init(integerLiteral number: Int32) { column = number }
}

/// A prepared statement: the sole owner of one `sqlite3_stmt`.
///
/// Copying is a compile error, so the handle is finalized exactly once. A statement must not outlive its connection, and
/// belongs to the connection's thread.
///
///     try statements.addRemoval.bind(.key, 7)
///     try statements.addRemoval.bind(.generation, bits: 3)
///     try statements.addRemoval.run()
@safe
struct Statement<Column: StatementColumn>: ~Copyable {
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

    /// Advances to the next row; `false` once there are none. Parameters that were never bound are NULL.
    ///
    /// Throws the error of SQLite; then the statement is ready to run again, and its parameters stay bound.
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
        // The call repeats the error of the last step, which has been thrown already.
        unsafe sqlite3_reset(handle)
    }

    /// Sets all parameters to NULL. This cannot fail.
    borrowing func clearBindings() {
        unsafe sqlite3_clear_bindings(handle)
    }

    // A binding that fails is reported by the call alone: the statement would run with the earlier value
    // (sqlite.org/c3ref/bind_blob.html). So each of these throws `.tooLarge` for a value beyond SQLite's limits, `.io`
    // if memory lacks, and `.fault` for a wrong position or for a statement that has not been reset.

    borrowing func bind(_ column: Column, _ value: Int64) throws(StoreError) {
        try check(unsafe sqlite3_bind_int64(handle, column.parameter, value))
    }

    borrowing func bind(_ column: Column, _ value: Int64?) throws(StoreError) {
        guard let value else { return try check(unsafe sqlite3_bind_null(handle, column.parameter)) }
        try bind(column, value)
    }

    /// Binds all 64 bits; `bits` reads them back.
    borrowing func bind(_ column: Column, bits value: UInt64) throws(StoreError) {
        try bind(column, Int64(bitPattern: value))
    }

    borrowing func bind(_ column: Column, _ text: String?) throws(StoreError) {
        guard var text else { return try check(unsafe sqlite3_bind_null(handle, column.parameter)) }
        try check(text.withUTF8 { unsafe csqlite_bind_text_copy(handle, column.parameter, $0.baseAddress, $0.count) })
    }

    /// Binds values to the parameters from the first one on.
    borrowing func bind(parameters values: [Int64]) throws(StoreError) {
        for (index, value) in values.enumerated() {
            try check(unsafe sqlite3_bind_int64(handle, Int32(index + 1), value))
        }
    }

    /// Binds a copy of UTF-8 bytes, as text.
    borrowing func bind(_ column: Column, text: some Collection<UInt8>) throws(StoreError) {
        let code = unsafe Array(text).withUnsafeBytes {
            unsafe csqlite_bind_text_copy(handle, column.parameter, $0.baseAddress, $0.count)
        }
        try check(code)
    }

    /// Binds a copy of bytes, as a blob.
    borrowing func bind(_ column: Column, blob: some Collection<UInt8>) throws(StoreError) {
        let code = unsafe Array(blob).withUnsafeBytes {
            unsafe csqlite_bind_blob_copy(handle, column.parameter, $0.baseAddress, $0.count)
        }
        try check(code)
    }

    /// Binds UTF-8 bytes without a copy. Invariant, for the caller to keep: they stay there until `clearBindings`.
    @unsafe borrowing func bind(_ column: Column, inMemory text: UnsafeRawBufferPointer) throws(StoreError) {
        let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
        try check(
            unsafe sqlite3_bind_text64(
                handle, column.parameter, start, UInt64(text.count), nil, UInt8(SQLITE_UTF8)))
    }

    /// Binds the value of another statement's current row, of any type.
    borrowing func bind<Other>(
        _ column: Column, valueOf other: borrowing Statement<Other>, _ otherColumn: Other
    ) throws(StoreError) {
        try check(
            unsafe sqlite3_bind_value(
                handle, column.parameter, sqlite3_column_value(other.handle, otherColumn.column)))
    }

    private borrowing func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw unsafe StoreError(sqlite: code, of: connection, operation) }
    }

    // Columns are valid after a step that returned true, until the next one.

    borrowing func isNull(_ column: Column) -> Bool {
        unsafe sqlite3_column_type(handle, column.column) == SQLITE_NULL
    }

    borrowing func integer(_ column: Column) -> Int64 {
        unsafe sqlite3_column_int64(handle, column.column)
    }

    borrowing func optionalInteger(_ column: Column) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    borrowing func bits(_ column: Column) -> UInt64 {
        UInt64(bitPattern: integer(column))
    }

    /// A count or a size: never negative, whatever the file says.
    borrowing func count(_ column: Column) -> Int {
        max(0, Int(integer(column)))
    }

    borrowing func text(_ column: Column) -> String {
        String(decoding: bytes(column), as: UTF8.self)
    }

    borrowing func optionalText(_ column: Column) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// The bytes of a text or blob.
    borrowing func bytes(_ column: Column) -> [UInt8] {
        var result: [UInt8] = []
        append(column, to: &result)
        return result
    }

    /// Calls `body` with the bytes of a text or blob, which are valid during the call.
    borrowing func withBytes(_ column: Column, _ body: (RawSpan) -> Void) {
        let start = unsafe sqlite3_column_blob(handle, column.column)
        let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(handle, column.column))
        body(unsafe UnsafeRawBufferPointer(start: start, count: count).bytes)
    }

    /// Appends the bytes of a text or blob.
    borrowing func append(_ column: Column, to buffer: inout [UInt8]) {
        guard let start = unsafe sqlite3_column_blob(handle, column.column) else { return }
        let count = unsafe Int(sqlite3_column_bytes(handle, column.column))
        unsafe buffer.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
    }
}
