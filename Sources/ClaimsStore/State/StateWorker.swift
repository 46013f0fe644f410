// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Synchronization

/// The loop of the database's thread: it owns the writing connection, and takes work from the queue until that is
/// closed.
final class StateWorker: Sendable {
    enum Opening: Sendable {
        case opened(Revision, StateRecovery?)
        case failed(StoreError)
    }

    static let lockName = "state.lock"
    /// Bytes in the write-ahead log that are worth copying into the file once nobody has written for a while.
    static let longLog = 4 << 20
    /// Bytes in the write-ahead log that are worth copying at once, though refreshes then share the disk with that.
    static let longBusyLog = 512 << 20
    /// Bytes in the write-ahead log at which refreshes wait until they have been copied.
    static let tooLongLog = 1 << 30
    /// How long the thread may be idle before it shows that it lives.
    static let heartbeat = Duration.seconds(5)

    let queue = Monitor(StateQueue())
    /// Set once the file is open, or cannot be opened.
    let opening = Monitor<Opening?>(nil)
    /// Set once the thread has closed the file.
    let isClosed = Monitor(false)
    /// Counts the pieces of work, and one every `heartbeat` without any.
    let ticks = Atomic<UInt64>(0)
    /// Whether something read from the file made no sense.
    let isSuspect = Atomic<Bool>(false)
    private let path: String
    private let lockPath: String
    private let checkpointer: Checkpointer

    init(directory: String, fileName: String) {
        path = Paths.join(directory, fileName)
        lockPath = Paths.join(directory, Self.lockName)
        checkpointer = Checkpointer(path: path, queue: queue)
    }

    /// Runs until the queue is closed and empty.
    func run() {
        work()
        isClosed.update { $0 = true }
    }

    private func work() {
        do throws(StoreError) {
            let lock = try Self.lock(lockPath, of: path)
            try serve()
            // Nobody else may come in before the file is closed.
            lock.unlock()
        } catch {
            opening.update { $0 = .failed(error) }
            queue.update { $0.close() }
        }
    }

    private func serve() throws(StoreError) {
        var recovery: StateRecovery?
        var connection = try open(&recovery)
        var log = LogWriting(path: path + "-wal")
        // Whether nothing has been done since the log was last to be copied.
        var isTidy = false
        opening.update { $0 = .opened(Revision(epoch: connection.epoch, seq: connection.seq), recovery) }
        while true {
            let work = queue.wait(upTo: Self.heartbeat) { $0.next() }
            ticks.add(1, ordering: .relaxed)
            switch work {
            case nil, .wake:
                // Nothing else is to be done: the time to tidy up.
                if connection.bytesInLog >= Self.longLog, !isTidy {
                    isTidy = true
                    checkpointer.request()
                }
                continue
            case .close:
                checkpointer.close()
                return
            case .background(let job): job(&connection)
            case .local(let jobs): commit(jobs, &connection)
            }
            isTidy = false
            log.grew(to: connection.bytesInLog)
            if connection.bytesInLog >= Self.longBusyLog {
                if connection.bytesInLog >= Self.tooLongLog { queue.update { $0.isLogLong = true } }
                checkpointer.request()
            }
        }
    }

    /// Opens the file, recovering what can be if it is damaged.
    private func open(_ recovery: inout StateRecovery?) throws(StoreError) -> StateConnection {
        try StateRecovery.resume(path)
        var reason = StoreError(.damaged, "open \(path)", detail: "found damaged before")
        if !Files.exists(Paths.join(Paths.parent(path), StateRecovery.markName)) {
            do throws(StoreError) {
                let connection = try StateConnection(path: path)
                try connection.probe()
                return connection
            } catch {
                guard error.code == .damaged else { throw error }
                reason = error
            }
        }
        recovery = try StateRecovery.run(path, because: reason, at: SystemClock.wall)
        return try StateConnection(path: path)
    }

    /// Commits the jobs together; if that fails, each alone, so that one cannot spoil the others.
    private func commit(_ jobs: [StateQueue.LocalJob], _ connection: inout StateConnection) {
        do throws(StoreError) {
            var finished: [@Sendable () -> Void] = []
            try connection.transaction(.synced, "commit changes") { connection throws(StoreError) in
                for job in jobs { finished.append(try job.apply(&connection)) }
            }
            for finish in finished { finish() }
        } catch {
            guard jobs.count > 1 else {
                suspect(error)
                jobs[0].fail(error)
                return
            }
            for job in jobs { commit([job], &connection) }
        }
    }

    /// Takes note of errors that tell of a damaged file.
    func suspect(_ error: StoreError) {
        if error.code == .damaged { isSuspect.store(true, ordering: .relaxed) }
    }

    private static func lock(_ path: String, of database: String) throws(StoreError) -> FileLock {
        do throws(SystemError) {
            return try FileLock(path: path)
        } catch {
            guard error.errno == EWOULDBLOCK else { throw StoreError(error) }
            let text = (try? Files.readText(path, cap: 64)) ?? ""
            let holder = Int32(text.prefix { $0.isASCII && $0.isNumber }) ?? 0
            throw StoreError(.inUse, "open \(database)", number: holder)
        }
    }
}
