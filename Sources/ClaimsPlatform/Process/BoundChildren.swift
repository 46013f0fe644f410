// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The child processes that end together with this one, if a signal ends it.
///
/// A signal handler calls ``end()``; it reads nothing but numbers that are always there. A process id stays reserved
/// until the child is reaped, so a child is removed before that.
public enum BoundChildren {
    /// The maximum number of children that are remembered; a further one is left to itself.
    public static let maxCount = 4

    private static let pids = InlineArray<4, Atomic<Int32>> { _ in Atomic(0) }

    /// Remembers a child by its process id.
    public static func add(_ pid: Int32) { replace(0, with: pid) }

    /// Forgets a child; call it before the child is reaped.
    public static func remove(_ pid: Int32) { replace(pid, with: 0) }

    /// Signals every remembered child to end (SIGTERM). A signal handler may call it.
    public static func end() {
        for index in 0..<maxCount {
            let pid = pids[index].load(ordering: .relaxed)
            if pid > 0 { kill(pid, SIGTERM) }
        }
    }

    private static func replace(_ old: Int32, with new: Int32) {
        for index in 0..<maxCount
        where pids[index].compareExchange(expected: old, desired: new, ordering: .relaxed).exchanged { return }
    }
}
