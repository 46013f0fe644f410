// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
public import ClaimsStore
import Synchronization

/// The threads of refreshes: one for each collection, or a few for a collection with sites. Safe on any thread.
final class RefreshThreads: Sendable {
    private struct ThreadsID: Hashable {
        let collection: String
        let hasSites: Bool
    }

    /// The number of a collection's sites that are asked at once.
    private static let maxSiteThreads = 8
    private let pools = Mutex<[ThreadsID: WorkerPool]>([:])
    private let isStopping: @Sendable () -> Bool

    /// - Parameter isStopping: whether nothing more is begun. It returns true before ``stop()`` is called.
    init(isStopping: @escaping @Sendable () -> Bool) {
        self.isStopping = isStopping
    }

    /// Whether nothing more is begun.
    var isClosed: Bool { isStopping() }

    /// Runs work on a thread of a source; false if no thread can be had, and once nothing more is begun.
    func post(to source: SourceID, _ work: @escaping @Sendable () -> Void) -> Bool {
        let id = ThreadsID(collection: source.collection, hasSites: source.site != nil)
        let threads = id.hasSites ? Self.maxSiteThreads : 1
        let pool = pools.withLock { pools -> WorkerPool? in
            // This check ensures that no pool is made after ``stop()`` has removed them.
            if isStopping() { return nil }
            if let pool = pools[id] { return pool }
            let pool = try? WorkerPool(name: "refresh", threads: threads, urgency: .background)
            pools[id] = pool
            return pool
        }
        pool?.post(work)
        return pool != nil
    }

    /// Waits for the work that runs, and ends the threads.
    func stop() {
        let ended = pools.withLock { pools in
            defer { pools = [:] }
            return pools
        }
        for pool in ended.values { pool.stop() }
    }
}

/// Something that happens in refreshes.
public enum RefreshEvent: Sendable {
    /// The refresh of a source begins.
    case began(SourceID)
    /// A refresh has ended, and the requests that waited for it are answered.
    case ended(RefreshReport)
    /// A removed collection was erased because its time was over.
    case erased(ErasedCollection)
}

/// The observers of refreshes, in the order of their registration. Safe on any thread.
final class RefreshObservers: Sendable {
    private let all = Mutex<[@Sendable (RefreshEvent) -> Void]>([])

    func add(_ observer: @escaping @Sendable (RefreshEvent) -> Void) { all.withLock { $0.append(observer) } }

    func report(_ event: RefreshEvent) {
        for observer in all.withLock({ $0 }) { observer(event) }
    }
}
