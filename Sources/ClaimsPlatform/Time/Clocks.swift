// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The kernel's clocks.
public enum Clocks {
    /// Wall-clock time in milliseconds since 1970 (UTC); may step.
    public static var wall: Int64 {
        let time = read(CLOCK_REALTIME)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Nanoseconds since some start; never steps, stands still while the machine sleeps (CLOCK_MONOTONIC).
    public static var monotonic: UInt64 { nanoseconds(CLOCK_MONOTONIC) }

    /// As `monotonic`, but going on while the machine sleeps (CLOCK_BOOTTIME).
    public static var sinceBoot: UInt64 { nanoseconds(CLOCK_BOOTTIME) }

    /// CPU time of the calling thread in nanoseconds.
    public static var threadCPU: UInt64 { nanoseconds(CLOCK_THREAD_CPUTIME_ID) }

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
