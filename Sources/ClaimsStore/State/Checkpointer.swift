// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// Copies the write-ahead log into the database file, on a thread and a connection of its own, so that neither the
/// copying nor its syncs delay a change. The store's thread then empties the log, with little left to copy.
///
/// A copy that fails costs nothing but room: the log is complete, and the next one does it all.
final class Checkpointer: Sendable {
    private enum Demand { case none, one, close }

    private let path: String
    private let queue: Monitor<StateQueue>
    private let demand = Monitor(Demand.none)
    /// Started with the first request.
    private let thread = Mutex<WorkerPool?>(nil)

    init(path: String, queue: Monitor<StateQueue>) {
        self.path = path
        self.queue = queue
    }

    /// Has the log copied soon; several requests may become one. The queue gets the outcome.
    func request() {
        let isRunning = thread.withLock { thread in
            if thread == nil {
                thread = try? WorkerPool(name: "checkpoint", threads: 1, urgency: .background)
                thread?.post { [self] in run() }
            }
            return thread != nil
        }
        guard isRunning else {
            // No thread to be had: the store's thread copies as well.
            queue.update { $0.copiedLog = .whole }
            return
        }
        demand.update { if $0 == .none { $0 = .one } }
    }

    /// Waits for a copy under way; there will be no others.
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

    /// Copies what there is and then, while refreshes wait, what came meanwhile.
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

    /// The store's own thread looks like a reader of the state before, for a moment after each commit.
    private static func copyLog(of database: borrowing Database) throws(StoreError) -> Bool {
        for _ in 0..<maxAttempts where try database.copyLog() { return true }
        return false
    }

    /// The number of attempts until the reader is held for another one, who stays.
    private static let maxAttempts = 16
}

/// The outcome of copying the write-ahead log into the file.
enum LogCopy: Sendable {
    /// All that there was has been copied.
    case whole
    /// Somebody reads an older state of the file, so the log must stay.
    case kept
    /// The file could not be written.
    case failed
}

/// Has the disk begin with the write-ahead log while it grows, so that the commit at a refresh's end has little to wait
/// for.
struct LogWriting: ~Copyable {
    /// In bytes.
    private static let step = 8 << 20

    private let path: String
    private var file: FileDescriptor?
    private var begun = 0

    init(path: String) { self.path = path }

    /// Tells how long the log is; it may have begun anew.
    mutating func grew(to size: Int) {
        if size < begun { begun = 0 }
        guard size - begun >= Self.step else { return }
        // The log is never another file as long as it is open, and SQLite takes no locks on it.
        if file == nil { file = try? FileDescriptor.open(path, .update) }
        file?.beginWriting(begun..<size)
        begun = size
    }
}
