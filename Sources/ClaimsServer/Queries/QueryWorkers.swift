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

    /// Moves a context between threads; the mutex above hands it to one at a time.
    private struct ContextBox: @unchecked Sendable {
        let context: ServingContext
    }

    init(threads: Int, make: @escaping @Sendable () -> ServingContext) throws(SystemError) {
        pool = try WorkerPool(name: "query", threads: threads)
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
        _ operation: some QueryOperation, cancellation: Cancellation,
        done: @escaping @Sendable (Disposition.Outcome) -> Void
    ) {
        let submitted = Clocks.monotonic
        perform { context in
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

    /// Runs `work` on a worker, with the worker's own context.
    func perform(_ work: @escaping @Sendable (ServingContext) -> Void) {
        pool.post { [self] in
            let box = idle.withLock { $0.popLast() } ?? ContextBox(context: make.withLock { $0 }())
            box.context.refresh()
            work(box.context)
            idle.withLock { $0.append(box) }
        }
    }

    /// Ends the threads once what they run has ended.
    func stop() {
        pool.stop()
    }
}
