// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Synchronization

/// Runs jobs on the calling thread and, unless there is little to do, on one more.
enum ParallelJobs {
    /// Runs all jobs, and returns when the last of them has ended. They are begun in order.
    ///
    /// - Parameter onlyHere: whether the calling thread runs all of them.
    /// - Throws: the error of the first job that failed. No job is begun after it; jobs that run are waited for.
    static func run(_ jobs: [any BuildJob], onlyHere: Bool = false) throws(StoreError) {
        let state = State(jobs)
        if jobs.count > 1, !onlyHere, let helper = try? NamedThread("snapshot", { state.work() }) {
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

/// A piece of a build that writes sections of the file, on any thread.
protocol BuildJob: Sendable {
    /// Writes the sections, and throws the error if that fails.
    func write() throws(StoreError)
}

/// A job that needs the result of another job, which must have been begun before.
struct WaitingJob<Value: Sendable>: BuildJob {
    let value: JobResult<Value>
    let job: @Sendable (Value) throws(StoreError) -> any BuildJob

    func write() throws(StoreError) { try job(value.get()).write() }
}

/// The result of one job of a build, which other jobs wait for.
final class JobResult<Value: Sendable>: Sendable {
    private let made = Monitor<Result<Value, StoreError>?>(nil)

    /// Waits for the result, and returns it. The job that makes it must have been begun before.
    ///
    /// - Throws: the error that `make` threw.
    func get() throws(StoreError) -> Value {
        guard let result = made.wait({ $0 }) else { throw StoreError(.io, "build a snapshot") }
        return try result.get()
    }

    /// Makes the result. An error is thrown here and in every job that waits for the result.
    func make(_ body: () throws(StoreError) -> Value) throws(StoreError) {
        let result: Result<Value, StoreError>
        do throws(StoreError) { result = .success(try body()) } catch { result = .failure(error) }
        made.update { $0 = result }
        _ = try result.get()
    }
}
