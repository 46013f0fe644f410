// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The kernel's clocks (clock_gettime(2)). Any thread may read them.
///
/// ```swift
/// let start = SystemClock.monotonic
/// work()
/// let nanoseconds = SystemClock.monotonic - start
/// ```
public enum SystemClock {
    /// The time of day in milliseconds since 1970 (UTC). It may step in either direction (CLOCK_REALTIME).
    public static var wall: Int64 {
        let time = read(CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The nanoseconds since an unspecified start. The clock never steps, and stops while the machine sleeps
    /// (CLOCK_MONOTONIC).
    public static var monotonic: UInt64 { nanoseconds(CLOCK_MONOTONIC) }

    /// The time of the monotonic clock after a span; the largest time if that is beyond it.
    public static func monotonic(after span: Duration) -> UInt64 {
        let (time, isBeyond) = monotonic.addingReportingOverflow(span.wholeNanoseconds)
        return isBeyond ? .max : time
    }

    /// The nanoseconds since the boot. The clock never steps, and continues while the machine sleeps (CLOCK_BOOTTIME).
    public static var sinceBoot: UInt64 { nanoseconds(CLOCK_BOOTTIME) }

    /// ``sinceBoot`` in milliseconds, as wall-clock times are.
    public static var millisecondsSinceBoot: Int64 { Int64(clamping: sinceBoot / 1_000_000) }

    private static func nanoseconds(_ clock: clockid_t) -> UInt64 {
        let time = read(clock)
        return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000 &+ UInt64(bitPattern: Int64(time.tv_nsec))
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time
    }
}

/// The source of the time of day for a component, which tests replace.
public struct WallClock: Sendable {
    /// Returns the time of day in milliseconds since 1970 (UTC). Any thread may call it.
    public let now: @Sendable () -> Int64

    public init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// The machine's clock, ``SystemClock/wall``.
    public static let system = WallClock { SystemClock.wall }
}

extension Duration {
    /// The duration in whole nanoseconds, rounded down: 0 if it is negative, `UInt64.max` if it is longer than 584
    /// years.
    public var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (high, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = high.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        return overflow || carry ? .max : sum
    }

    /// The duration in whole milliseconds, rounded towards zero; the nearest `Int64` if it does not fit.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (high, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, carry) = high.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}
