// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Work handed from thread to thread, in order; `next` waits for it.
@safe
public final class JobQueue: Sendable {
    /// Invariant of both: initialised in `init`, destroyed in `deinit`, never moved; their calls are for any thread.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    nonisolated(unsafe) private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Invariant of these three: touched with the mutex held only.
    nonisolated(unsafe) private var jobs: [@Sendable () -> Void] = []
    nonisolated(unsafe) private var head = 0
    nonisolated(unsafe) private var isClosed = false

    public init() {
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe changed.initialize(to: pthread_cond_t())
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// How many wait.
    public var count: Int {
        locked { unsafe jobs.count - head }
    }

    /// Adds work; dropped once the queue is closed.
    public func append(_ job: @escaping @Sendable () -> Void) {
        locked {
            guard unsafe !isClosed else { return }
            unsafe jobs.append(job)
            unsafe pthread_cond_signal(changed)
        }
    }

    /// The oldest piece of work, waiting for one to come; nil once the queue is closed.
    public func next() -> (@Sendable () -> Void)? {
        locked {
            while unsafe head == jobs.count && !isClosed { unsafe pthread_cond_wait(changed, mutex) }
            guard unsafe !isClosed else { return nil }
            let job = unsafe jobs[head]
            unsafe head += 1
            if unsafe head == jobs.count || head >= 1024 {
                unsafe jobs.removeFirst(head)
                unsafe head = 0
            }
            return job
        }
    }

    /// Drops what waits, and ends all that wait in `next`.
    public func close() {
        let dropped = locked {
            unsafe isClosed = true
            unsafe head = 0
            unsafe pthread_cond_broadcast(changed)
            defer { unsafe jobs.removeAll() }
            return unsafe jobs
        }
        _ = dropped  // let go of without the lock: what it holds may use the queue
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }
}
