// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Threads that do posted work, the oldest first.
///
/// `stop`, or letting go of the pool, drops what is not begun and waits for what is.
public final class WorkerPool: Sendable {
    private let jobs: JobQueue
    private let threads: Mutex<[ThreadBox]>

    /// So many threads; each is named `name` and its number.
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

    /// Has `work` done on one of the threads; dropped after `stop`.
    public func post(_ work: @escaping @Sendable () -> Void) {
        jobs.append(work)
    }

    /// How many pieces of work wait.
    public var waiting: Int { jobs.count }

    /// Drops what is not begun, and returns when what is has ended. Not for the pool's own threads.
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
