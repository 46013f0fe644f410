// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import ClaimsStore
import Synchronization

/// Threads for queries that would hold up a loop; each has buffers of its own.
public final class QueryWorkers: Sendable {
    private let pool: WorkerPool
    /// Contexts that no worker is using. Their invariant: whoever took one out is its only user.
    private let idle: Mutex<[ContextBox]>
    private let make: Mutex<@Sendable () -> ServingContext>
    private let waiting = Mutex(Waiting())
    /// How many workers one process may have at a time: one is left to others.
    private let share: Int

    /// What waits for a worker, and whom they work for.
    private struct Waiting {
        var jobs = FairQueue<@Sendable (ServingContext) -> Void>()
        var working: [Int32: Int] = [:]
    }

    /// Moves a context between threads.
    ///
    /// Invariant behind the unchecked conformance: a box is either in `idle`, where nobody uses it, or with the one
    /// worker that took it out; the mutex orders what they do.
    private struct ContextBox: @unchecked Sendable {
        let context: ServingContext
    }

    init(threads: Int, make: @escaping @Sendable () -> ServingContext) throws(SystemError) {
        pool = try WorkerPool(name: "query", threads: threads)
        share = max(1, threads - 1)
        idle = Mutex([])
        self.make = Mutex(make)
    }

    /// Has contexts made in another way from now on.
    func reconfigure(_ make: @escaping @Sendable () -> ServingContext) {
        self.make.withLock { $0 = make }
        idle.withLock { $0 = [] }
    }

    /// Runs the operation on a worker and hands its outcome to `done`.
    func run(
        _ operation: some QueryOperation, for asker: Asker, cancellation: Cancellation,
        done: @escaping @Sendable (Disposition.Outcome) -> Void
    ) {
        let submitted = Clocks.monotonic
        perform(for: asker) { context in
            let left = operation.timeout - .nanoseconds(Int64(Clocks.monotonic - submitted))
            guard left > .zero else { return done(.failure(QueryLimits.timeoutError(operation.timeout))) }
            var writer = JSONWriter()
            do throws(QueryFailure) {
                let budget = QueryBudget(limit: left) { cancellation.isCancelled }
                try operation.run(context, budget: budget, to: &writer)
                done(.success(writer.bytes))
            } catch {
                switch error {
                case .refused(let error): done(.failure(error))
                case .interrupted where cancellation.isCancelled:
                    done(.failure(RequestError(.cancelled, "the request was cancelled")))
                case .interrupted: done(.failure(QueryLimits.timeoutError(operation.timeout)))
                }
            }
        }
    }

    /// Runs `work` on a worker, with the worker's own context, when it is the turn of whoever asks.
    func perform(for asker: Asker, _ work: @escaping @Sendable (ServingContext) -> Void) {
        waiting.withLock { $0.jobs.add(work, of: asker, at: Clocks.monotonic) }
        pool.post { [self] in serve() }
    }

    /// Works until there is nothing that may be begun now; what may not be is by the worker that is in its way.
    private func serve() {
        while let (work, asker) = begin() {
            let start = Clocks.monotonic
            let box = idle.withLock { $0.popLast() } ?? ContextBox(context: make.withLock { $0 }())
            box.context.refresh()
            work(box.context)
            box.context.letGo()
            idle.withLock { $0.append(box) }
            end(asker, after: Clocks.monotonic &- start)
        }
    }

    private func begin() -> (work: @Sendable (ServingContext) -> Void, asker: Asker)? {
        waiting.withLock { waiting in
            let working = waiting.working
            guard
                let (work, asker) = waiting.jobs.next(
                    at: Clocks.monotonic, where: { working[$0, default: 0] < share })
            else { return nil }
            waiting.working[asker.process, default: 0] += 1
            return (work, asker)
        }
    }

    private func end(_ asker: Asker, after time: UInt64) {
        waiting.withLock { waiting in
            let left = waiting.working[asker.process, default: 1] - 1
            waiting.working[asker.process] = left == 0 ? nil : left
            waiting.jobs.charge(time, to: asker, at: Clocks.monotonic)
        }
    }

    /// Ends the threads once what they run has ended.
    func stop() {
        pool.stop()
    }
}
