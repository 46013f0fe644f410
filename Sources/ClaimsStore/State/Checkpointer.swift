// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Synchronization

/// Copies the write-ahead log into the database file, on a thread and a connection of its own, so that neither the
/// copying nor its syncs delay a change. The store's thread then empties the log, with little left to copy.
///
/// A copy that fails only costs room: the log stays complete, and the next copy does it all.
final class Checkpointer: Sendable {
    private enum Demand { case none, one, close }

    private let path: String
    private let queue: Monitor<StateQueue>
    private let demand = Monitor(Demand.none)
    /// The thread, which is started with the first request.
    private let thread = Mutex<WorkerPool?>(nil)

    init(path: String, queue: Monitor<StateQueue>) {
        self.path = path
        self.queue = queue
    }

    /// Requests a copy of the log soon; several requests may become one. The queue gets the outcome.
    func request() {
        let isRunning = thread.withLock { thread in
            if thread == nil {
                thread = try? WorkerPool(name: "checkpoint", threads: 1, urgency: .background)
                thread?.post { [self] in run() }
            }
            return thread != nil
        }
        guard isRunning else {
            // If no thread can be started, the store's thread copies as well.
            queue.update { $0.copiedLog = .whole }
            return
        }
        demand.update { if $0 == .none { $0 = .one } }
    }

    /// Waits for a copy under way; no other one begins.
    func close() {
        demand.update { $0 = .close }
        thread.withLock { $0.take() }?.stop()
    }

    private func run() {
        while let next = demand.wait({ $0 == .none ? nil : Optional($0) }), next != .close {
            demand.update { if $0 == .one { $0 = .none } }
            let outcome = copy()
            queue.update { $0.copiedLog = outcome }
        }
    }

    /// Copies the log and then, while refreshes wait, the commits of the meantime.
    private func copy() -> LogCopy {
        do throws(StoreError) {
            let database = try Database(path: path, access: .update)
            guard try Self.copyLog(of: database) else { return .kept }
            queue.update { $0.isLogLong = true }
            return try Self.copyLog(of: database) ? .whole : .kept
        } catch {
            return .failed
        }
    }

    /// Copies the log of a connection. The store's own thread looks like a reader of the state before, for a moment
    /// after each commit.
    private static func copyLog(of database: borrowing Database) throws(StoreError) -> Bool {
        for _ in 0..<maxAttempts where try database.copyLog() { return true }
        return false
    }

    /// The number of attempts before a reader is assumed to be another program, which stays.
    private static let maxAttempts = 16
}

/// The outcome of copying the write-ahead log into the file.
enum LogCopy: Sendable {
    /// The whole log has been copied.
    case whole
    /// Another connection reads an older state of the file, so the log must stay.
    case kept
    /// The file could not be written.
    case failed
}

/// Asks the disk to begin writing the write-ahead log while it grows, so that the commit at a refresh's end has little
/// to wait for.
struct LogWriting: ~Copyable {
    /// The number of bytes after which the disk is asked to write.
    private static let step = 8 << 20

    private let path: String
    private var file: FileDescriptor?
    private var begun = 0

    init(path: String) { self.path = path }

    /// Records the length of the log, which may have begun anew.
    mutating func grew(to size: Int) {
        if size < begun { begun = 0 }
        guard size - begun >= Self.step else { return }
        // The log is the same file for as long as it is open, and SQLite takes no locks on it.
        if file == nil { file = try? FileDescriptor.open(path, .update) }
        file?.beginWriting(begun..<size)
        begun = size
    }
}
