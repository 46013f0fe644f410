// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A queue of jobs. Any thread may append to it and remove from it; the oldest job comes first.
public final class JobQueue: Sendable {
    /// A piece of work that runs once, on any thread of the pool.
    public typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        /// The jobs before this index have been taken.
        var head = 0
        var isClosed = false
    }

    private let state = Monitor(State())

    public init() {}

    /// The number of jobs that wait. Other threads may change it at once.
    public var count: Int { state.read { $0.jobs.count - $0.head } }

    /// Adds a job at the end and wakes one waiting thread. A closed queue drops the job.
    public func append(_ job: @escaping Job) {
        state.update(waking: .one) { state in
            if !state.isClosed { state.jobs.append(job) }
        }
    }

    /// Removes and returns the oldest job, and waits while there is none; nil once the queue is closed.
    public func next() -> Job? {
        let next = state.wait(waking: .none) { state -> Job?? in
            if state.isClosed { return .some(nil) }
            guard state.head < state.jobs.count else { return nil }
            let job = state.jobs[state.head]
            state.head += 1
            if state.head == state.jobs.count || state.head >= 1024 {
                state.jobs.removeFirst(state.head)
                state.head = 0
            }
            return job
        }
        return next ?? nil
    }

    /// Drops the jobs that wait, and makes every call of ``next()`` return nil, now and later.
    public func close() {
        let dropped = state.update { state in
            state.isClosed = true
            state.head = 0
            defer { state.jobs.removeAll() }
            return state.jobs
        }
        _ = dropped  // released without the lock: objects held by the jobs may use the queue
    }
}

/// A fixed number of threads that run posted work, the oldest first.
///
/// `stop`, or the release of the pool, drops work that has not begun and waits for work that has.
public final class WorkerPool: Sendable {
    private let jobs: JobQueue
    private let threads: Mutex<[ThreadBox]>

    /// Starts `count` threads, named `name-0` and so on.
    ///
    /// If a thread cannot be started, the others are ended and the error is thrown.
    public init(
        name: String, threads count: Int, urgency: NamedThread.Urgency = .normal, stackSize: Int? = nil
    ) throws(SystemError) {
        let jobs = JobQueue()
        self.jobs = jobs
        var started: [ThreadBox] = []
        do {
            for number in 0..<count {
                started.append(
                    ThreadBox(
                        try NamedThread("\(name)-\(number)", urgency: urgency, stackSize: stackSize) {
                            while let job = jobs.next() { job() }
                        }))
            }
        } catch {
            jobs.close()
            throw error
        }
        threads = Mutex(started)
    }

    deinit {
        jobs.close()
    }

    /// Runs `work` once on one of the threads. Any thread may post; after `stop` the work is dropped.
    public func post(_ work: @escaping @Sendable () -> Void) {
        jobs.append(work)
    }

    /// The number of jobs that wait for a thread. Running jobs do not count.
    public var waiting: Int { jobs.count }

    /// Drops work that has not begun, and returns when the work that has begun is done.
    ///
    /// A thread of the pool must not call it: it would wait for itself.
    public func stop() {
        jobs.close()
        threads.withLock { $0.removeAll() }
    }

    /// Arrays hold copyable values only. The thread is joined when the last reference goes.
    private final class ThreadBox: Sendable {
        let thread: NamedThread
        init(_ thread: consuming NamedThread) { self.thread = thread }
    }
}
