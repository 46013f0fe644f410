// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// Runs pieces of work on this thread and one more.
enum ParallelJobs {
    /// Returns when all jobs have; they are begun in order. Throws what the first that failed threw, and begins no
    /// more after it.
    static func run(_ jobs: [any BuildJob]) throws(StoreError) {
        let state = State(jobs)
        if jobs.count > 1, let helper = try? NamedThread("snapshot", { state.work() }) {
            state.work()
            helper.join()
        } else {
            state.work()
        }
        if let error = state.error { throw error }
    }

    private final class State: Sendable {
        private let jobs: [any BuildJob]
        private let next = Atomic<Int>(0)
        private let failure = Mutex<StoreError?>(nil)

        init(_ jobs: [any BuildJob]) { self.jobs = jobs }

        var error: StoreError? { failure.withLock { $0 } }

        func work() {
            while error == nil {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < jobs.count else { return }
                do throws(StoreError) { try jobs[index].write() } catch { failure.withLock { $0 = $0 ?? error } }
            }
        }
    }
}
