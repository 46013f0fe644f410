// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc
import Synchronization

/// The loop of the database's thread: it owns the writing connection, and takes work from the queue until that is
/// closed.
final class StateWorker: Sendable {
    enum Opening: Sendable {
        case opened(Revision, StateRecovery?, StateRestoration?)
        case failed(StoreError)
    }

    static let lockName = "state.lock"
    let queue = Monitor(StateQueue())
    /// Set once the file is open, or cannot be opened.
    let opening = Monitor<Opening?>(nil)
    /// Set once the thread has closed the file.
    let isClosed = Monitor(false)
    /// Counts the pieces of work, and the signs of life that were asked for.
    let ticks = Atomic<UInt64>(0)
    /// Whether something read from the file made no sense.
    let isSuspect = Atomic<Bool>(false)
    /// The connections that read.
    let readers = ReaderCount()
    /// The size of a write-ahead log over its bound that another program keeps, in bytes; 0: there is none.
    let keptLog = Atomic<Int>(0)
    /// Called on any thread when one of these two has changed.
    let onTrouble = Mutex<(@Sendable () -> Void)?>(nil)
    private let path: String
    private let cache: String?
    private let lockPath: String
    private let checkpointer: Checkpointer

    /// - Parameter cache: the folder that keeps the published clock; nil: none does.
    init(directory: String, fileName: String, cache: String?) {
        path = Paths.join(directory, fileName)
        self.cache = cache
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
        var bound = LogBound()
        let revision = Revision(epoch: connection.epoch, seq: connection.seq)
        opening.update { [restoration = connection.restoration] in $0 = .opened(revision, recovery, restoration) }
        while true {
            let idleTime = bound.idleTime(connection.bytesInLog, now: SystemClock.monotonic)
            let work = queue.wait(upTo: idleTime) { $0.next() }
            ticks.add(1, ordering: .relaxed)
            switch work {
            case nil, .wake:
                // Nothing else is to be done: the time to tidy up.
                lookAfterLog(&bound, connection, isIdle: true)
                continue
            case .close:
                checkpointer.close()
                return
            case .emptyLog(let copy): emptyLog(&bound, &connection, copy)
            case .background(let job): job(&connection)
            case .local(let jobs): commit(jobs, &connection)
            }
            log.grew(to: connection.bytesInLog)
            lookAfterLog(&bound, connection, isIdle: false)
        }
    }

    private func lookAfterLog(_ bound: inout LogBound, _ connection: borrowing StateConnection, isIdle: Bool) {
        let size = connection.bytesInLog
        let now = SystemClock.monotonic
        // Data that cannot be measured leaves the bound as it is.
        if bound.needsMeasure(size), let live = try? connection.liveBytes() { bound.measure(live: live, at: size) }
        let isLong = bound.holdsRefreshes(size, now: now)
        if isLong { queue.update { $0.isLogLong = true } }
        if bound.beginsCopy(size, isIdle: isIdle, now: now) { checkpointer.request() }
    }

    /// Empties the log after it has been copied, and lets refreshes go on unless it is still too long.
    private func emptyLog(_ bound: inout LogBound, _ connection: inout StateConnection, _ copy: LogCopy) {
        var hasFailed = copy == .failed
        var isEmpty = false
        if copy == .whole {
            do throws(StoreError) { isEmpty = try connection.emptyLog() } catch {
                hasFailed = true
                suspect(error)
            }
        }
        let now = SystemClock.monotonic
        let size = connection.bytesInLog
        bound.copied(size, isEmpty: isEmpty, hasFailed: hasFailed, hasReaders: readers.hasReaders, now: now)
        let before = keptLog.exchange(bound.keptSize, ordering: .relaxed)
        if (before > 0) != (bound.keptSize > 0) { tellTrouble() }
        let isLong = bound.holdsRefreshes(size, now: now)
        queue.update { $0.isLogLong = isLong }
    }

    /// Opens the file, recovering what can be if it is damaged.
    private func open(_ recovery: inout StateRecovery?) throws(StoreError) -> StateConnection {
        try Self.requireFile(path)
        for suffix in ["-wal", "-shm", "-journal"] { try Self.requireOwnFile(path + suffix) }
        try StateRecovery.resume(path)
        var reason = StoreError(.damaged, "open \(path)", detail: "found damaged before")
        if !Files.exists(Paths.join(Paths.parent(path), StateRecovery.markName)) {
            do throws(StoreError) {
                let connection = try StateConnection(path: path, cache: cache)
                try connection.probe()
                return connection
            } catch {
                guard error.code == .damaged else { throw error }
                reason = error
            }
        }
        recovery = try StateRecovery.run(path, because: reason, at: SystemClock.wall)
        // The recovered file begins an epoch of its own: it is no copy that was put back.
        if let cache { ClockMark.remove(from: cache) }
        return try StateConnection(path: path, cache: cache)
    }

    /// Throws `.misplaced` where a folder, a link that leads nowhere or a device has the name of a file.
    private static func requireFile(_ path: String) throws(StoreError) {
        let finding: String
        if Files.exists(path) {
            guard !Files.isRegular(path) else { return }
            finding = Files.isDirectory(path) ? "a folder" : "no file"
        } else {
            guard let target = Files.readLink(path) else { return }
            finding = "a link to \(target), which is missing"
        }
        throw StoreError(.misplaced, "open \(path)", detail: finding)
    }

    /// As `requireFile`, also where a link leads to a file: SQLite would write what is behind it.
    private static func requireOwnFile(_ path: String) throws(StoreError) {
        if let target = Files.readLink(path) {
            throw StoreError(.misplaced, "open \(path)", detail: "a link to \(target)")
        }
        try requireFile(path)
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
            // Where the file is locked none of them can be committed, and each would wait in vain again.
            guard jobs.count > 1, error.code != .busy else {
                suspect(error)
                for job in jobs { job.fail(error) }
                return
            }
            for job in jobs { commit([job], &connection) }
        }
    }

    /// Takes note of errors that tell of a damaged file.
    func suspect(_ error: StoreError) {
        guard error.code == .damaged, !isSuspect.exchange(true, ordering: .relaxed) else { return }
        tellTrouble()
    }

    private func tellTrouble() { onTrouble.withLock { $0 }?() }

    private static func lock(_ path: String, of database: String) throws(StoreError) -> FileLock {
        try requireOwnFile(path)
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
