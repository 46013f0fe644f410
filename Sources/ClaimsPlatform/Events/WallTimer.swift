// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A timer of the wall clock (timerfd_create(2), CLOCK_REALTIME), which also notices when that clock is set.
///
/// It continues while the machine sleeps: a time that came meanwhile is reported at the wake-up.
///
/// ```swift
/// let timer = try WallTimer()
/// try loop.add(timer.raw, .read, handler: self)
/// try timer.set(SystemClock.wall + 500)
/// // when it is readable
/// if let event = timer.next() { … }
/// ```
public struct WallTimer: ~Copyable, Sendable {
    /// A report of the timer.
    public enum Event: Sendable {
        case expired
        /// The wall clock was set, by a person or for a suspend. The timer must be set anew.
        case clockSet
    }

    private let file: FileDescriptor

    /// Makes a timer that reports nothing until its first ``set(_:)``.
    public init() throws(SystemError) {
        let raw = linux_timerfd()
        guard raw >= 0 else { throw .last("make a timer") }
        file = FileDescriptor(owning: raw)
    }

    /// The descriptor for an event loop; it is readable while ``next()`` has something to report.
    public var raw: Int32 { file.raw }

    /// Sets the time of the next expiry, in milliseconds since 1970, and forgets an earlier one; nil for none, so that
    /// only a clock that is set is reported.
    public borrowing func set(_ time: Int64?) throws(SystemError) {
        // A time of 0 would disarm the timer, which then notices no step.
        guard linux_timerfd_set(raw, min(max(1, time ?? Self.maxTime), Self.maxTime)) == 0 else {
            throw .last("set a timer")
        }
    }

    /// The next report; nil if there is none. The call does not wait.
    public borrowing func next() -> Event? {
        switch linux_timerfd_read(raw) {
        case 1: .expired
        case 2: .clockSet
        default: nil
        }
    }

    /// The year 9999, in milliseconds since 1970.
    private static let maxTime: Int64 = 253_402_300_799_000
}
