// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform
import Synchronization

/// state.db: its thread, which alone writes the file in the order of `StateQueue`, and connections for reading.
///
/// The file is in WAL mode. A change that somebody waits for is on disk before they hear of it. Every call may be made
/// on any thread; those that wait do not belong on a serving loop.
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
    /// The copy of the file that was found put back; nil: there was none.
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

    /// The number of rounds of the thread so far. A thread that is not stuck makes one where ``wake()`` asks for it.
    public var ticks: UInt64 { worker.ticks.load(ordering: .relaxed) }

    /// Asks the thread for one round, so that `ticks` grows unless the thread is stuck.
    public func wake() {
        worker.queue.update { $0.wake() }
    }

    /// Whether a damaged row has been read since the last call. The caller then runs `check`.
    public func takeSuspicion() -> Bool { worker.isSuspect.exchange(false, ordering: .relaxed) }

    /// Sets what is called, on any thread, when ``takeSuspicion()``, ``takeReadFailure()`` or ``keptLogSize`` has something
    /// new to tell.
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

    /// Takes note of an error that may tell of damage.
    func suspect(_ error: StoreError) { worker.suspect(error) }

    /// Checks the whole file, which is slow; never call it on a serving loop.
    ///
    /// A damaged file is marked, and the next start recovers it. The caller should end the process soon.
    ///
    /// - Returns: the damage that was found; nil where the file is sound, or cannot be read (see `takeReadFailure`).
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

    /// The number of times that the file is checked where reads fail.
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

    /// Adds a change that somebody waits for; `fail` is called at once if the store is closing.
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

    /// Counts a connection of its own that reads, for as long as the lease lives.
    func lease() -> ReaderLease { worker.readers.lease() }

    /// Runs `piece` in transactions of its own, in the background, until it returns that nothing is left to do.
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
    /// Somebody reads an older state of the file, or writes it: nothing was done.
    case kept
}

extension StateDatabase {
    /// Copies the write-ahead log into the file and empties it, and overwrites what SQLite has left in the gaps of pages,
    /// so that nothing that was deleted is in either. It reads the whole file, in pieces between which others write.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for others who read an old state of the file.
    ///   - isWanted: asked before each piece.
    /// - Throws: `.busy` where another program goes on reading; `.closed` once `isWanted` returns false.
    func scrub(timeout: Duration, while isWanted: @Sendable () -> Bool) throws(StoreError) {
        let operation = "erase records"
        do {
            // Little is left to copy on the store's thread then: no change waits long for it.
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
    /// From so many pages on a page of a long value may begin like one with cells.
    private static let maxPages = 1 << 25

    /// Scrubs the next pages, with the log empty, so that the file is all there is.
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
