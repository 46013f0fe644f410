// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// state.db: the truth. One thread writes it, in the order of `StateQueue`; readers have connections of their own.
///
/// The file is in WAL mode, and every change that somebody waits for is on disk before they hear of it.
public final class StateStore: Sendable {
    public static let fileName = "state.db"
    public static let lockName = "state.lock"
    /// Bytes in the write-ahead log that are worth copying into the file once nobody has written for a while.
    static let longLog = 4 << 20
    /// Bytes in the write-ahead log that are worth copying at once, though refreshes then share the disk with that.
    static let longBusyLog = 512 << 20
    /// Bytes in the write-ahead log at which refreshes wait until they have been copied.
    static let tooLongLog = 1 << 30

    public let directory: String
    public let path: String
    /// What is being served. A commit changes it before anybody hears of the commit.
    public let catalog: CatalogPublisher
    /// What was saved of the file, if it was damaged.
    public let recovery: StateRecovery?
    private let worker: StateWorker
    private let thread: NamedThread

    /// Opens the store in `directory`, which exists, or makes a new one there.
    ///
    /// A file that is damaged, or not one of ours at all, is moved aside, and what can be read of it is saved; see
    /// `recovery`. Throws `.inUse` with its process id where another process has the store, and `.otherVersion` for a
    /// file of a newer claimsd, which is left alone.
    public init(directory: String) throws(StoreError) {
        self.directory = directory
        path = Paths.join(directory, Self.fileName)
        let worker = StateWorker(directory: directory)
        self.worker = worker
        do throws(SystemError) {
            thread = try NamedThread("state") { worker.run() }
        } catch { throw StoreError(error) }
        switch worker.opening.wait({ $0 }) {
        case .opened(let clock, let recovery):
            catalog = CatalogPublisher(Catalog(clock: clock))
            self.recovery = recovery
        case .failed(let error): throw error
        case nil: throw StoreError(.io, "open \(path)")
        }
    }

    deinit {
        worker.queue.update { $0.close() }
    }

    /// Does what waits, closes the file and lets go of the lock. What comes later fails with `.closed`.
    public func close() {
        worker.queue.update { $0.close() }
        _ = worker.isClosed.wait { $0 ? true : nil }
    }

    /// Born with the file.
    public var epoch: UInt64 { catalog.current().clock.epoch }

    /// Rises at least every five seconds while the store's thread is well.
    public var turns: UInt64 { worker.turns.load(ordering: .relaxed) }

    /// Makes the store's thread go round once, so that `turns` moves where it is not stuck.
    public func wake() {
        worker.queue.update { $0.wake() }
    }

    /// Whether something read from the file made no sense since this was last asked; then `check` is due.
    public func takeSuspicion() -> Bool { worker.isSuspect.exchange(false, ordering: .relaxed) }

    func suspect(_ error: StoreError) { worker.suspect(error) }

    /// Looks the whole file over, which is slow; nil: it is sound. Never on a serving loop.
    ///
    /// A file that is not is marked: the next start recovers it. Until then it had better not be used.
    public func check() -> StoreError? {
        do throws(StoreError) {
            let database = try reader()
            let finding = try database.text("PRAGMA quick_check(1)", "check \(path)")
            guard finding != "ok" else { return nil }
            throw StoreError(.damaged, "check \(path)", detail: finding)
        } catch {
            guard error.code == .damaged || error.code == .foreign else { return nil }
            let mark = Paths.join(directory, StateRecovery.markName)
            try? Files.writeAtomically(mark, Array("\(error.message)\n".utf8), permissions: 0o600)
            return error
        }
    }

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
        let database = try Database(path: path, access: .read)
        try database.execute("PRAGMA cache_size = -4096; BEGIN", "read \(path)")
        return database
    }
}
