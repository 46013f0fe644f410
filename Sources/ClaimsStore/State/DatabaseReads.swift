// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CSQLite
import ClaimsPlatform
import Glibc
import Synchronization

/// The reads of SQLite from its files (pread(2)). A failed read is tried again, and is never mistaken for damage.
///
/// SQLite calls a file damaged if the device has failed (SQLITE_IOERR_CORRUPTFS), and a check of the whole file reports
/// both alike. So its system calls are replaced, which SQLite allows. All connections of the process share them.
enum DatabaseReads {
    private typealias Call = @convention(c) @Sendable (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int

    private static let maxAttempts = 3
    /// The time between two attempts.
    private static let pause = Duration.milliseconds(20)

    private struct State {
        var failures = 0
        var latest: SystemError?
    }

    private static let state = Mutex(State())

    /// Called, on any thread, after a read that failed for good.
    private static let observer = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets the function that is called, on any thread, after a read that failed for good; it replaces the earlier one.
    static func observe(_ observer: @escaping @Sendable () -> Void) {
        Self.observer.withLock { $0 = observer }
    }

    /// The number of reads that have failed for good.
    static var failures: Int { state.withLock { $0.failures } }

    /// Returns and forgets the last read that failed for good since the last call.
    static func takeFailure() -> SystemError? { state.withLock { $0.latest.take() } }

    /// Makes SQLite read through this type; to be called before the first file is opened.
    static func watch() {
        guard let system = unsafe sqlite3_vfs_find(nil), unsafe system.pointee.iVersion >= 3,
            let replace = unsafe system.pointee.xSetSystemCall
        else { return }
        // Invariant: SQLite calls each with the parameters of pread(2), whose type it has cast away; its `off_t` has 64
        // bits on every machine that claimsd is built for.
        if unsafe plain != nil {
            let call: Call = { unsafe DatabaseReads.read($0, $1, $2, $3, by: DatabaseReads.plain) }
            unsafe _ = replace(system, "pread", unsafeBitCast(call, to: sqlite3_syscall_ptr.self))
        }
        if unsafe long != nil {
            let call: Call = { unsafe DatabaseReads.read($0, $1, $2, $3, by: DatabaseReads.long) }
            unsafe _ = replace(system, "pread64", unsafeBitCast(call, to: sqlite3_syscall_ptr.self))
        }
    }

    /// The original calls of SQLite; nil if it has no call of that name.
    private static let plain = unsafe original("pread")
    private static let long = unsafe original("pread64")

    private static func original(_ name: String) -> Call? {
        guard let system = unsafe sqlite3_vfs_find(nil), let call = unsafe system.pointee.xGetSystemCall?(system, name)
        else { return nil }
        return unsafe unsafeBitCast(call, to: Call.self)
    }

    private static func read(
        _ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ size: Int, _ offset: off_t, by call: Call?
    ) -> Int {
        guard let call = unsafe call else { return -1 }
        var attempt = 1
        while true {
            let count = unsafe call(file, bytes, size, offset)
            // SQLite itself repeats a call that a signal has interrupted.
            if count >= 0 || errno == EINTR { return count }
            if attempt == maxAttempts { break }
            attempt += 1
            _ = Monitor(false).wait(upTo: pause) { $0 ? true : nil }
        }
        record(file, errno)
        // SQLite would report EIO and some other errors as damage.
        errno = EREMOTEIO
        return -1
    }

    private static func record(_ file: Int32, _ number: Int32) {
        let path = Files.readLink("/proc/self/fd/\(file)") ?? "a file of the state database"
        state.withLock { state in
            state.failures += 1
            state.latest = SystemError("read \(path)", errno: number)
        }
        observer.withLock { $0 }?()
    }
}
