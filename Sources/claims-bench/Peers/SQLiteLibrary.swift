// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The functions of libsqlite3 that the peer needs, loaded at run time if the library is installed.
@safe
struct SQLiteLibrary {
    typealias Open =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>, Int32, UnsafePointer<CChar>?
        ) -> Int32
    typealias Close = @convention(c) (OpaquePointer) -> Int32
    typealias Execute =
        @convention(c) (
            OpaquePointer, UnsafePointer<CChar>, OpaquePointer?, OpaquePointer?, OpaquePointer?
        ) -> Int32
    typealias Prepare =
        @convention(c) (
            OpaquePointer, UnsafePointer<CChar>, Int32, UnsafeMutablePointer<OpaquePointer?>, OpaquePointer?
        ) -> Int32
    typealias BindText = @convention(c) (OpaquePointer, Int32, UnsafePointer<UInt8>?, Int32, OpaquePointer?) -> Int32
    typealias BindInteger = @convention(c) (OpaquePointer, Int32, Int64) -> Int32
    typealias Step = @convention(c) (OpaquePointer) -> Int32
    typealias Reset = @convention(c) (OpaquePointer) -> Int32
    typealias Column = @convention(c) (OpaquePointer, Int32) -> Int64
    typealias ColumnBytes = @convention(c) (OpaquePointer, Int32) -> UnsafePointer<UInt8>?
    typealias Message = @convention(c) (OpaquePointer) -> UnsafePointer<CChar>?
    typealias Interrupt = @convention(c) (OpaquePointer) -> Void

    let open: Open
    let close: Close
    let execute: Execute
    let prepare: Prepare
    let bindText: BindText
    let bindInteger: BindInteger
    let step: Step
    let reset: Reset
    let finalize: Reset
    let column: Column
    let columnText: ColumnBytes
    let message: Message
    let interrupt: Interrupt

    /// Nil if the library is not installed.
    init?() {
        guard let library = unsafe dlopen("libsqlite3.so.0", RTLD_NOW) else { return nil }
        func find<Function>(_ name: String, _ type: Function.Type) -> Function? {
            guard let symbol = unsafe dlsym(library, name) else { return nil }
            return unsafe unsafeBitCast(symbol, to: type)
        }
        guard let open = unsafe find("sqlite3_open_v2", Open.self),
            let close = unsafe find("sqlite3_close_v2", Close.self),
            let execute = unsafe find("sqlite3_exec", Execute.self),
            let prepare = unsafe find("sqlite3_prepare_v2", Prepare.self),
            let bindText = unsafe find("sqlite3_bind_text", BindText.self),
            let bindInteger = unsafe find("sqlite3_bind_int64", BindInteger.self),
            let step = unsafe find("sqlite3_step", Step.self), let reset = unsafe find("sqlite3_reset", Reset.self),
            let finalize = unsafe find("sqlite3_finalize", Reset.self),
            let column = unsafe find("sqlite3_column_int64", Column.self),
            let columnText = unsafe find("sqlite3_column_text", ColumnBytes.self),
            let message = unsafe find("sqlite3_errmsg", Message.self),
            let interrupt = unsafe find("sqlite3_interrupt", Interrupt.self)
        else { return nil }
        unsafe self.open = open
        unsafe self.close = close
        unsafe self.execute = execute
        unsafe self.prepare = prepare
        unsafe self.bindText = bindText
        unsafe self.bindInteger = bindInteger
        unsafe self.step = step
        unsafe self.reset = reset
        unsafe self.finalize = finalize
        unsafe self.column = column
        unsafe self.columnText = columnText
        unsafe self.message = message
        unsafe self.interrupt = interrupt
    }
}

/// A prepared statement: the sole owner of one `sqlite3_stmt`, used over and over.
@safe
final class SQLiteStatement {
    private let library: SQLiteLibrary
    private let handle: OpaquePointer

    static let row: Int32 = 100
    static let done: Int32 = 101

    /// Nil if SQLite rejects the statement.
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

    /// Makes SQLite produce the text of a column; false for null.
    func hasText(_ column: Int32) -> Bool { unsafe library.columnText(handle, column) != nil }
}
