// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// A value that several threads share, and can wait for changes of.
@safe
public final class Monitor<Value>: Sendable {
    /// Invariant: initialised in `init`, destroyed in `deinit`, never moved.
    nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    nonisolated(unsafe) private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Invariant: touched with the mutex held only.
    nonisolated(unsafe) private var value: Value

    public init(_ value: sending Value) {
        unsafe self.value = value
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe changed.initialize(to: pthread_cond_t())
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

    /// Reads or changes the value, and wakes all that wait for a change.
    public func update<Result>(_ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            unsafe pthread_cond_broadcast(changed)
            unsafe pthread_mutex_unlock(mutex)
        }
        return unsafe body(&value)
    }

    /// Reads the value; nobody is woken.
    public func read<Result>(_ body: (Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe body(value)
    }

    /// Waits until `body` gives something, trying again after each change; nil after `timeout`.
    ///
    /// What `body` does to the value wakes the others only if it gives something.
    public func wait<Result>(atMost timeout: Duration? = nil, _ body: (inout Value) -> Result?) -> Result? {
        let deadline = timeout.map { Clocks.monotonic &+ $0.wholeNanoseconds }
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = unsafe body(&value) {
                unsafe pthread_cond_broadcast(changed)
                return result
            }
            guard let deadline else {
                unsafe pthread_cond_wait(changed, mutex)
                continue
            }
            guard Clocks.monotonic < deadline else { return nil }
            var time = timespec(
                tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
            _ = unsafe pthread_cond_timedwait(changed, mutex, &time)
        }
    }
}
