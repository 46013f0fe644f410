// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// State behind a lock, and waiting for it to change.
@safe
final class Monitor<State>: Sendable {
    /// Invariant: read and written only with `mutex` locked.
    nonisolated(unsafe) private var state: State
    /// Invariants: initialised from `init` to `deinit`, and never moved.
    nonisolated(unsafe) private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    nonisolated(unsafe) private let changed: UnsafeMutablePointer<pthread_cond_t>

    init(_ state: State) {
        unsafe self.state = state
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(changed, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Changes the state, and wakes up whoever waits for that.
    func change<Result>(_ change: (inout State) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return unsafe change(&state)
    }

    /// Waits until `isReady`, or until `timeout` has passed; then reads the state.
    func wait<Result>(
        _ timeout: Duration, until isReady: (State) -> Bool, then read: (State) -> Result
    ) -> Result {
        let deadline = Clocks.monotonic &+ timeout.wholeNanoseconds
        var time = timespec(
            tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while unsafe !isReady(state) {
            if unsafe pthread_cond_timedwait(changed, mutex, &time) != 0 { break }
        }
        return unsafe read(state)
    }
}
