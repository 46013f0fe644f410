// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore
import Synchronization

/// The result of a request as a finished JSON value, or the error to answer with.
typealias RequestResult = Result<[UInt8], RequestError>

/// The threads that run long queries, each with a context of its own.
///
/// Safe on any thread.
final class QueryWorkers: Sendable {
    private let pool: WorkerPool
    /// The contexts that no worker uses now; a worker that removes one is its only user.
    private let idle = Monitor<[QueryContext]>([])
    private let make: Mutex<@Sendable () -> QueryContext>
    private let waiting = Mutex(Waiting())
    /// The number of workers that one process may use at a time; one is left to others.
    private let maxPerProcess: Int

    /// The jobs that wait for a worker, and the number of workers that each process uses.
    private struct Waiting {
        var jobs = FairQueue<@Sendable (QueryContext) -> Void>()
        var working: [Int32: Int] = [:]
    }

    init(
        name: String = "query", threads: Int, make: @escaping @Sendable () -> QueryContext
    ) throws(SystemError) {
        pool = try WorkerPool(name: name, threads: threads)
        maxPerProcess = max(1, threads - 1)
        self.make = Mutex(make)
    }

    /// Replaces the contexts, after a change of the configuration.
    func reconfigure(_ make: @escaping @Sendable () -> QueryContext) {
        self.make.withLock { $0 = make }
        idle.update(waking: .none) { $0 = [] }
    }

    /// Runs an operation on a worker.
    ///
    /// - Parameter done: called once with the result, on the worker's thread.
    func run(
        _ operation: some QueryOperation, for peer: Peer, cancellation: Cancellation,
        done: @escaping @Sendable (RequestResult) -> Void
    ) {
        let submitted = SystemClock.monotonic
        perform(for: peer) { context in
            let left = operation.timeout - .nanoseconds(Int64(SystemClock.monotonic - submitted))
            guard left > .zero else { return done(.failure(operation.timeoutError)) }
            var writer = JSONWriter()
            do throws(QueryFailure) {
                let budget = QueryBudget(limit: left) { cancellation.isCancelled }
                try operation.run(context, budget: budget, to: &writer)
                done(.success(writer.bytes))
            } catch {
                switch error {
                case .refused(let error): done(.failure(error))
                case .interrupted where cancellation.isCancelled:
                    done(.failure(.requestCancelled))
                case .interrupted: done(.failure(operation.timeoutError))
                }
            }
        }
    }

    /// Runs `work` on a worker with the worker's context, which shows what the peer sees, as soon as the fair queue
    /// allows.
    func perform(for peer: Peer, _ work: @escaping @Sendable (QueryContext) -> Void) {
        let job: @Sendable (QueryContext) -> Void = { context in
            context.served.enter(peer)
            work(context)
        }
        waiting.withLock { $0.jobs.add(job, of: peer.requester, at: SystemClock.monotonic) }
        pool.post { [self] in serve() }
    }

    /// Runs jobs until none may begin now. If a process uses all its workers, one of these workers begins its next job.
    private func serve() {
        while let (work, requester) = begin() {
            let start = SystemClock.monotonic
            let context = idle.update(waking: .none) { $0.popLast() } ?? make.withLock { $0 }()
            context.served.refresh()
            work(context)
            context.served.release()
            idle.update(waking: .none) { $0.append(context) }
            end(requester, after: SystemClock.monotonic &- start)
        }
    }

    private func begin() -> (work: @Sendable (QueryContext) -> Void, requester: Requester)? {
        waiting.withLock { waiting in
            let working = waiting.working
            guard
                let (work, requester) = waiting.jobs.next(
                    at: SystemClock.monotonic, where: { working[$0, default: 0] < maxPerProcess })
            else { return nil }
            waiting.working[requester.process, default: 0] += 1
            return (work, requester)
        }
    }

    private func end(_ requester: Requester, after time: UInt64) {
        waiting.withLock { waiting in
            let left = waiting.working[requester.process, default: 1] - 1
            waiting.working[requester.process] = left == 0 ? nil : left
            waiting.jobs.charge(time, to: requester, at: SystemClock.monotonic)
        }
    }

    /// Waits for the running jobs, and ends the threads.
    func stop() {
        pool.stop()
    }
}

/// A flag for running work that its result is no longer wanted.
///
/// Any thread may set it and read it. Work that can be cancelled reads it from time to time, or is called.
final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    /// The work that is done when the flag is set.
    private let reaction = Mutex<(@Sendable () -> Void)?>(nil)

    /// Whether ``cancel()`` was called.
    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Sets the flag; calling it again does nothing.
    func cancel() {
        let react = reaction.withLock { reaction in
            flag.store(true, ordering: .relaxed)
            defer { reaction = nil }
            return reaction
        }
        react?()
    }

    /// Calls `react` once, on the thread that cancels, or at once if that has happened.
    func whenCancelled(_ react: @escaping @Sendable () -> Void) {
        let isLate = reaction.withLock { reaction in
            if !isCancelled { reaction = react }
            return isCancelled
        }
        if isLate { react() }
    }
}
