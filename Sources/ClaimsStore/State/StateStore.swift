// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// state.db: the truth. One thread writes it, in the order of `StateQueue`; readers have connections of their own.
///
/// The file is in WAL mode, and every change that somebody waits for is on disk before they hear of it.
package final class StateStore: Sendable {
    package static let fileName = "state.db"
    package static let lockName = "state.lock"
    /// Pages in the write-ahead log that are worth copying into the file.
    static let longLog = 1000
    /// Pages in the write-ahead log at which refreshes wait until they have been copied (64 MiB).
    static let tooLongLog = 16_384

    package let directory: String
    package let path: String
    /// What is being served. A commit changes it before anybody hears of the commit.
    package let catalog: CatalogPublisher
    private let worker: StateWorker
    private let thread: NamedThread

    /// Opens the store in `directory`, which exists, or makes a new one there.
    ///
    /// Throws `.inUse` with its process id where another process has the store, and `.foreign`, `.damaged` or
    /// `.otherVersion` for a file that cannot be used; the file has not been changed then.
    package init(directory: String) throws(StoreError) {
        self.directory = directory
        path = Paths.join(directory, Self.fileName)
        let worker = StateWorker(directory: directory)
        self.worker = worker
        do throws(SystemError) {
            thread = try NamedThread("state") { worker.run() }
        } catch { throw StoreError(error) }
        switch worker.opening.wait({ $0 }) {
        case .opened(let clock): catalog = CatalogPublisher(Catalog(clock: clock))
        case .failed(let error): throw error
        case nil: throw StoreError(.io, "open \(path)")
        }
    }

    deinit {
        worker.queue.update { $0.close() }
    }

    /// Does what waits, closes the file and lets go of the lock. What comes later fails with `.closed`.
    package func close() {
        worker.queue.update { $0.close() }
        _ = worker.isClosed.wait { $0 ? true : nil }
    }

    /// Born with the file.
    package var epoch: UInt64 { catalog.current().clock.epoch }

    /// Rises at least every five seconds while the store's thread is well.
    package var turns: UInt64 { worker.turns.load(ordering: .relaxed) }

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
        return try result.get()
    }

    /// A connection that reads one unchanging view of what is committed.
    func reader() throws(StoreError) -> Database {
        let database = try Database(path: path, access: .read)
        try database.execute("PRAGMA cache_size = -4096; BEGIN", "read \(path)")
        return database
    }
}
