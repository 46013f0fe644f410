// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// A value behind a lock that several threads share. A thread can wait for a change of it.
///
/// The closures run with the lock held, one at a time. They must be short and must not use the monitor again, which
/// would deadlock.
///
/// ```swift
/// let answer = Monitor<Int?>(nil)
/// // one thread
/// answer.update { $0 = 42 }
/// // another thread
/// let value = answer.wait(upTo: .seconds(1)) { $0 }     // nil after a second
/// ```
@safe
public final class Monitor<Value>: Sendable {
    /// The waiting threads that a change wakes: none, one of them, or all.
    @frozen
    public enum Waiters: Sendable {
        case none
        case one
        case all
    }

    /// Invariant: initialised in `init`, destroyed in `deinit`, never moved. Any thread may use it, because the calls
    /// of pthread_mutex are made for that. The Mutex of the standard library has no way to wait for a change.
    @usableFromInline nonisolated(unsafe) let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Invariant: initialised in `init`, destroyed in `deinit`, never moved. Any thread may use it, because the calls
    /// of pthread_cond are made for that. The standard library has no condition variable.
    @usableFromInline nonisolated(unsafe) let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Invariant: touched only with the mutex held, which orders the threads. The compiler does not know the mutex of
    /// pthread, so it cannot check this.
    @usableFromInline nonisolated(unsafe) var value: Value

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

    /// Calls `body` with the value for reading or changing, and then wakes waiting threads, even if nothing changed.
    @inlinable
    public func update<Result>(waking waiters: Waiters = .all, _ body: (inout Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer {
            wake(waiters)
            unsafe pthread_mutex_unlock(mutex)
        }
        return unsafe body(&value)
    }

    /// Calls `body` with the value for reading only. No thread is woken.
    @inlinable
    public func read<Result>(_ body: (Value) -> Result) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe body(value)
    }

    /// Waits until `body` returns a result, and returns that; nil once `timeout` has passed.
    ///
    /// `body` is called at once and again each time that this thread is woken.
    ///
    /// If `body` returns a result, `waiters` are woken, because it may have changed the value.
    ///
    /// - Parameter timeout: The longest wait, on the monotonic clock; nil waits without end.
    @inlinable
    public func wait<Result>(
        upTo timeout: Duration? = nil, waking waiters: Waiters = .all, _ body: (inout Value) -> Result?
    ) -> Result? {
        let deadline = timeout.map { SystemClock.monotonic &+ $0.wholeNanoseconds }
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = unsafe body(&value) {
                wake(waiters)
                return result
            }
            guard let deadline else {
                unsafe pthread_cond_wait(changed, mutex)
                continue
            }
            guard SystemClock.monotonic < deadline else { return nil }
            var time = timespec(
                tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
            _ = unsafe pthread_cond_timedwait(changed, mutex, &time)
        }
    }

    @usableFromInline
    func wake(_ waiters: Waiters) {
        switch waiters {
        case .none: break
        case .one: unsafe pthread_cond_signal(changed)
        case .all: unsafe pthread_cond_broadcast(changed)
        }
    }
}
