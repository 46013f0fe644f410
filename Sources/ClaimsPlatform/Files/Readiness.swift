// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import Glibc

/// The wait for several descriptors at once (poll(2)).
public enum Readiness {
    /// An entry for one descriptor. One below 0 is passed over by the kernel, and is never ready.
    public static func entry(_ descriptor: Int32, _ events: EventMask) -> pollfd {
        pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events.rawValue & 0xff), revents: 0)
    }

    /// Waits until one of the entries is ready or has failed, or until a time of the monotonic clock. A signal does not
    /// end the wait.
    ///
    /// - Parameters:
    ///   - entries: afterwards `revents` has the events that each is ready for; 0 for none.
    ///   - deadline: nanoseconds; nil waits without end, and a time that has passed does not wait.
    /// - Returns: whether an entry is ready; false when the time has come.
    public static func wait(
        for entries: inout [pollfd], before deadline: UInt64?
    ) throws(SystemError) -> Bool {
        while true {
            // The array lives as long as the call, which changes `revents` of its entries only.
            let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds(until: deadline))
            if count > 0 { return true }
            if count == 0 {
                // The kernel rounds the time to its own ticks.
                if let deadline, SystemClock.monotonic < deadline { continue }
                return false
            }
            guard errno == EINTR else { throw .last("wait for a file descriptor") }
        }
    }

    /// The time that is left, in milliseconds for poll(2), rounded up; -1 without a deadline.
    static func milliseconds(until deadline: UInt64?) -> Int32 {
        guard let deadline else { return -1 }
        let now = SystemClock.monotonic
        guard now < deadline else { return 0 }
        let (left, remainder) = (deadline - now).quotientAndRemainder(dividingBy: 1_000_000)
        return Int32(clamping: left + (remainder > 0 ? 1 : 0))
    }
}
