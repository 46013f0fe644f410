// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// Builds the older parts of published overlays anew, on a thread of its own.
final class OverlayRenewer: Sendable {
    private enum Pool {
        /// The thread is started for the first full overlay.
        case unused
        case running(WorkerPool)
        case closed
    }

    private let pool = Mutex(Pool.unused)

    /// Begins to watch a catalog.
    init(_ catalog: CatalogPublisher) {
        catalog.observe { [weak self] in self?.inspect($0) }
    }

    /// Ends the thread. Work that has begun is finished; no new work begins.
    func close() {
        let threads = pool.withLock { pool -> WorkerPool? in
            defer { pool = .closed }
            if case .running(let threads) = pool { return threads }
            return nil
        }
        threads?.stop()
    }

    private func inspect(_ catalog: Catalog) {
        for view in catalog.views {
            guard let overlay = view.overlay, overlay.isFull, let task = OverlayRenewal.begin(overlay) else { continue }
            threads?.post { task.run() }
        }
    }

    /// nil if no thread can be started: then commits build the parts themselves.
    private var threads: WorkerPool? {
        pool.withLock { pool in
            switch pool {
            case .unused:
                guard let threads = try? WorkerPool(name: "overlay", threads: 1) else { return nil }
                pool = .running(threads)
                return threads
            case .running(let threads): return threads
            case .closed: return nil
            }
        }
    }
}
