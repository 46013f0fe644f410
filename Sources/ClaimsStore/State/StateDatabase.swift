// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import ClaimsSnapshot
import Glibc
import Synchronization

/// state.db: its thread, which alone writes the file in the order of `StateQueue`, and connections for reading.
///
/// The file is in WAL mode. A change that a caller waits for is on disk before its completion is called. Every call may
/// be made on any thread; those that wait do not belong on a serving loop.
public final class StateDatabase: Sendable {
    public static let fileName = "state.db"
    /// The file by which one process at a time holds the state.
    public static let lockName = StateWorker.lockName
    /// The newest version of the file that this program reads and writes (`PRAGMA user_version`).
    public static var newestVersion: Int64 { StateSchema.version }

    public let directory: String
    public let path: String
    /// The recovery that opening the file made necessary; nil: the file was sound.
    public let recovery: StateRecovery?
    /// The restored copy that was found; nil: there was none.
    public let restoration: StateRestoration?
    /// The revision at which the file was opened.
    let openedAt: Revision
    private let worker: StateWorker
    private let thread: NamedThread

    /// Opens the file in `directory`, which exists, or makes a new one there; see `StateStore.init(directory:cache:)`.
    init(directory: String, cache: String?) throws(StoreError) {
        self.directory = directory
        path = Paths.join(directory, Self.fileName)
        let worker = StateWorker(directory: directory, fileName: Self.fileName, cache: cache)
        self.worker = worker
        do throws(SystemError) {
            thread = try NamedThread("state") { worker.run() }
        } catch { throw StoreError(error) }
        switch worker.opening.wait({ $0 }) {
        case .opened(let revision, let recovery, let restoration):
            openedAt = revision
            self.recovery = recovery
            self.restoration = restoration
        case .failed(let error): throw error
        case nil: throw StoreError(.io, "open \(path)")
        }
    }

    deinit {
        worker.queue.update { $0.close() }
    }

    /// Finishes the waiting work, closes the file and releases the lock. Later calls fail with `.closed`.
    public func close() {
        worker.queue.update { $0.close() }
        _ = worker.isClosed.wait { $0 ? true : nil }
    }

    /// The number of rounds of the thread so far. A live thread makes one after each ``wake()``.
    public var ticks: UInt64 { worker.ticks.load(ordering: .relaxed) }

    /// Asks the thread for one round, so that `ticks` grows unless the thread hangs.
    public func wake() {
        worker.queue.update { $0.wake() }
    }

    /// Whether a damaged row has been read since the last call. The caller then runs `check`.
    public func takeSuspicion() -> Bool { worker.isSuspect.exchange(false, ordering: .relaxed) }

    /// Sets the function that is called, on any thread, when ``takeSuspicion()``, ``takeReadFailure()`` or
    /// ``keptLogSize`` has changed.
    public func observeTrouble(_ observer: @escaping @Sendable () -> Void) {
        worker.onTrouble.withLock { $0 = observer }
        DatabaseReads.observe(observer)
    }

    /// The size of the write-ahead log in bytes, if it is over its bound because another program goes on reading an old
    /// state of the file; nil otherwise.
    public var keptLogSize: Int? {
        let size = worker.keptLog.load(ordering: .relaxed)
        return size > 0 ? size : nil
    }

    /// Records an error that may be a sign of damage.
    func suspect(_ error: StoreError) { worker.suspect(error) }

    /// Checks the whole file, which is slow; never call it on a serving loop.
    ///
    /// A damaged file is marked, and the next start recovers it. The caller should end the process soon.
    ///
    /// - Returns: the damage that was found; nil if the file is sound, or cannot be read (see `takeReadFailure`).
    public func check() -> StoreError? {
        for _ in 0..<Self.maxChecks {
            let failures = DatabaseReads.failures
            guard let damage = findDamage() else { return nil }
            // A page that cannot be read is found as damage, too.
            guard DatabaseReads.failures == failures else { continue }
            let mark = Paths.join(directory, StateRecovery.markName)
            try? Files.writeAtomically(mark, Array("\(damage.message)\n".utf8), permissions: 0o600)
            return damage
        }
        return nil
    }

    /// The number of times that the file is checked if reads fail.
    private static let maxChecks = 3

    private func findDamage() -> StoreError? {
        let operation = "check \(path)"
        do throws(StoreError) {
            let finding = try reader().text("PRAGMA quick_check(1)", operation)
            return finding == "ok" ? nil : StoreError(.damaged, operation, detail: finding)
        } catch {
            return error.code == .damaged ? error : nil
        }
    }

    /// The last read of the files that has failed, also when it was tried again, since the last call; nil: none has.
    public func takeReadFailure() -> SystemError? { DatabaseReads.takeFailure() }

    /// Adds a change that a caller waits for; `fail` is called at once if the store is closing.
    func local(_ job: StateQueue.LocalJob) {
        if !worker.queue.update({ $0.add(job) }) { job.fail(StoreError(.closed, "change \(path)")) }
    }

    /// Runs a piece of a refresh on the store's thread, without waiting for it.
    func background(
        _ job: @escaping StateQueue.BackgroundJob, closed: @Sendable (StoreError) -> Void
    ) {
        if !worker.queue.update({ $0.add(job) }) { closed(StoreError(.closed, "change \(path)")) }
    }

    /// Runs a piece of a refresh on the store's thread, and waits for it. Never on a serving loop.
    func perform<Answer: Sendable>(
        _ job: @escaping @Sendable (inout StateConnection) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        let answer = Monitor<Result<Answer, StoreError>?>(nil)
        background(
            { connection in
                let result = Result { () throws(StoreError) in try job(&connection) }
                answer.update { $0 = result }
            }, closed: { error in answer.update { $0 = .failure(error) } })
        guard let result = answer.wait({ $0 }) else { throw StoreError(.closed, "change \(path)") }
        if case .failure(let error) = result { suspect(error) }
        return try result.get()
    }

    /// A connection that reads one unchanging view of what is committed.
    func reader() throws(StoreError) -> Database {
        let database = try Database(path: path, access: .read, lease: worker.readers.lease())
        try database.execute("PRAGMA cache_size = -4096; BEGIN", "read \(path)")
        return database
    }

    /// Counts a reading connection of another owner, for as long as the lease lives.
    func lease() -> ReaderLease { worker.readers.lease() }

    /// Runs `piece` in transactions of its own, in the background, until it returns that nothing is left.
    func repeatedly(
        _ piece: @escaping @Sendable (inout StateConnection) throws(StoreError) -> Bool
    ) throws(StoreError) {
        var hasMore = true
        while hasMore {
            hasMore = try perform { connection throws(StoreError) in
                try connection.transaction(.buffered, "tidy up") { connection throws(StoreError) in
                    try piece(&connection)
                }
            }
        }
    }
}

/// The outcome of scrubbing some pages of the file.
enum ScrubStep: Sendable, Equatable {
    /// The number of the next page.
    case next(Int)
    case finished
    /// Another connection reads an older state of the file, or writes it: nothing was done.
    case kept
}

extension StateDatabase {
    /// Copies the write-ahead log into the file and empties it, and overwrites the bytes that SQLite has left in the
    /// gaps of pages, so that neither has deleted data. It reads the whole file in pieces, and other writes go in
    /// between.
    ///
    /// - Parameters:
    ///   - timeout: the time to wait for other programs that read an old state of the file.
    ///   - isWanted: asked before each piece.
    /// - Throws: `.busy` if another program goes on reading; `.closed` once `isWanted` returns false.
    func scrub(timeout: Duration, while isWanted: @Sendable () -> Bool) throws(StoreError) {
        let operation = "erase records"
        do {
            // Little is left for the store's thread to copy then, so changes do not wait long.
            let copier = try Database(path: path, access: .update)
            _ = try copier.copyLog()
        }
        let deadline = SystemClock.monotonic &+ timeout.wholeNanoseconds
        var page = 0
        while true {
            guard isWanted() else { throw StoreError(.closed, operation) }
            let first = page
            switch try perform({ connection throws(StoreError) in try connection.scrub(from: first) }) {
            case .finished: return
            case .next(let next): page = next
            case .kept:
                guard SystemClock.monotonic < deadline else {
                    throw StoreError(.busy, operation, detail: "another program reads an old state of \(path)")
                }
                _ = Monitor(false).wait(upTo: Self.pause) { $0 ? true : nil }
            }
        }
    }

    /// The time between two attempts to empty the log.
    private static let pause = Duration.milliseconds(20)
}

extension StateConnection {
    /// The number of pages that are scrubbed at once: 16 MiB take some milliseconds.
    private static let pagesAtOnce = 4096
    /// The number of pages from which a page of a long value may begin like one with cells.
    private static let maxPages = 1 << 25

    /// Scrubs the next pages. The log must be empty, so that the file is complete.
    mutating func scrub(from first: Int) throws(StoreError) -> ScrubStep {
        guard try emptyLog() else { return .kept }
        // Pages in memory have the same gaps, and would bring them back.
        database.releaseMemory()
        do throws(StoreError) { try database.execute("BEGIN IMMEDIATE", Self.scrubbing) } catch {
            if error.code == .busy { return .kept }
            throw error
        }
        let result: Result<ScrubStep, StoreError>
        do throws(StoreError) { result = .success(try scrubbed(from: first)) } catch { result = .failure(error) }
        try database.execute("ROLLBACK", Self.scrubbing)
        return try result.get()
    }

    private static let scrubbing = "erase records"

    private func scrubbed(from first: Int) throws(StoreError) -> ScrubStep {
        // Another program may have written in between.
        guard Files.size(database.path + "-wal") ?? 0 == 0 else { return .kept }
        let pages = Int(try database.integer("PRAGMA page_count", Self.scrubbing))
        guard first < pages, pages < Self.maxPages else { return .finished }
        let count = min(pages - first, Self.pagesAtOnce)
        try database.scrubPages(first..<first + count, size: pageSize)
        return first + count < pages ? .next(first + count) : .finished
    }
}

/// The loop of the database's thread: it owns the writing connection, and takes work from the queue until that is
/// closed.
final class StateWorker: Sendable {
    enum Opening: Sendable {
        case opened(Revision, StateRecovery?, StateRestoration?)
        case failed(StoreError)
    }

    static let lockName = "state.lock"
    fileprivate let queue = Monitor(StateQueue())
    /// Set once the file is open, or cannot be opened.
    fileprivate let opening = Monitor<Opening?>(nil)
    /// Set once the thread has closed the file.
    fileprivate let isClosed = Monitor(false)
    /// Counts the pieces of work, and the signs of life that were asked for.
    fileprivate let ticks = Atomic<UInt64>(0)
    /// Whether something invalid was read from the file.
    fileprivate let isSuspect = Atomic<Bool>(false)
    /// The connections that read an old state.
    fileprivate let readers = ReaderCount()
    /// The size of a write-ahead log over its bound that another program keeps, in bytes; 0: there is none.
    fileprivate let keptLog = Atomic<Int>(0)
    /// Called on any thread when `isSuspect` or `keptLog` has changed.
    fileprivate let onTrouble = Mutex<(@Sendable () -> Void)?>(nil)
    private let path: String
    private let cache: String?
    private let lockPath: String
    private let checkpointer: Checkpointer

    /// - Parameter cache: the folder that keeps the published clock; nil: it is not kept.
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
            // No other process may open the file before it is closed.
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
        let revision = connection.revision
        opening.update { [restoration = connection.restoration] in $0 = .opened(revision, recovery, restoration) }
        while true {
            let idleTime = bound.idleTime(connection.bytesInLog, now: SystemClock.monotonic)
            let work = queue.wait(upTo: idleTime) { $0.next() }
            ticks.add(1, ordering: .relaxed)
            switch work {
            case nil, .wake:
                // There is no other work, so this is the time to tidy up.
                maintainLog(&bound, connection, isIdle: true)
                continue
            case .close:
                checkpointer.close()
                return
            case .emptyLog(let copy): emptyLog(&bound, &connection, copy)
            case .background(let job): job(&connection)
            case .local(let jobs): commit(jobs, &connection)
            }
            log.grew(to: connection.bytesInLog)
            maintainLog(&bound, connection, isIdle: false)
        }
    }

    private func maintainLog(_ bound: inout LogBound, _ connection: borrowing StateConnection, isIdle: Bool) {
        let size = connection.bytesInLog
        let now = SystemClock.monotonic
        // The bound stays if the data cannot be measured.
        if bound.needsMeasure(size), let live = try? connection.liveBytes() { bound.measure(live: live, at: size) }
        let isLong = bound.holdsRefreshes(size, now: now)
        if isLong { queue.update { $0.isLogLong = true } }
        if bound.beginsCopy(size, isIdle: isIdle, now: now) { checkpointer.request() }
    }

    /// Empties the log after it has been copied, and resumes refreshes unless the log is still too long.
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
        if (before > 0) != (bound.keptSize > 0) { reportTrouble() }
        let isLong = bound.holdsRefreshes(size, now: now)
        queue.update { $0.isLogLong = isLong }
    }

    /// Opens the file. A damaged file is recovered as far as possible.
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
        // The recovered file begins an epoch of its own, so it is no restored copy.
        if let cache { ClockMark.remove(from: cache) }
        return try StateConnection(path: path, cache: cache)
    }

    /// Throws `.misplaced` if a folder, a link that leads nowhere or a device has the name of a file.
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

    /// Does the same as `requireFile`, and also throws if a link leads to a file: SQLite would write the file behind
    /// it.
    private static func requireOwnFile(_ path: String) throws(StoreError) {
        if let target = Files.readLink(path) {
            throw StoreError(.misplaced, "open \(path)", detail: "a link to \(target)")
        }
        try requireFile(path)
    }

    /// Commits the jobs together; if that fails, commits each alone, so that one job cannot fail the others.
    private func commit(_ jobs: [StateQueue.LocalJob], _ connection: inout StateConnection) {
        do throws(StoreError) {
            var finished: [@Sendable () -> Void] = []
            try connection.transaction(.synced, "commit changes") { connection throws(StoreError) in
                for job in jobs { finished.append(try job.apply(&connection)) }
            }
            for finish in finished { finish() }
        } catch {
            // If the file is locked, none of them can be committed, and each would wait in vain again.
            guard jobs.count > 1, error.code != .busy else {
                suspect(error)
                for job in jobs { job.fail(error) }
                return
            }
            for job in jobs { commit([job], &connection) }
        }
    }

    /// Records an error that is a sign of a damaged file.
    func suspect(_ error: StoreError) {
        guard error.code == .damaged, !isSuspect.exchange(true, ordering: .relaxed) else { return }
        reportTrouble()
    }

    private func reportTrouble() { onTrouble.withLock { $0 }?() }

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
