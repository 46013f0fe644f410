// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Synchronization

/// The activity of a connection, by which other threads choose the one to evict. The thread of its loop records it.
///
/// Safe on any thread.
struct ConnectionActivity: ~Copyable, Sendable {
    private let idle: Atomic<UInt64>
    private let asked = Atomic<Bool>(false)
    private let unsent = Atomic<Int>(0)
    private let subscribed = Atomic<Bool>(false)

    /// A connection that is idle since now.
    init() {
        idle = Atomic(SystemClock.monotonic)
    }

    /// The time since which no line came whole and the peer read no bytes, in nanoseconds of the monotonic clock; 0
    /// while a request is in flight.
    var idleSince: UInt64 { idle.load(ordering: .relaxed) }

    /// Whether a whole line ever came.
    var hasAsked: Bool { asked.load(ordering: .relaxed) }

    /// The number of bytes of answers that the peer has not read, and may still get.
    var unsentBytes: Int { unsent.load(ordering: .relaxed) }

    /// Whether the connection has subscriptions, so that it is not idle.
    var isSubscribed: Bool { subscribed.load(ordering: .relaxed) }

    // MARK: - The loop's thread

    func recordIdle(since time: UInt64) { idle.store(time, ordering: .relaxed) }

    func recordLine() { asked.store(true, ordering: .relaxed) }

    func recordSubscriptions(_ count: Int) { subscribed.store(count > 0, ordering: .relaxed) }

    /// Records the number of bytes that the peer has not read.
    ///
    /// - Returns: the change since the last call.
    func recordUnsent(_ bytes: Int) -> Int { bytes - unsent.exchange(bytes, ordering: .relaxed) }

    /// Records the activity of a time slice that ends at `now`.
    func record(_ activity: ConnectionState.Activity, at now: UInt64) {
        switch activity {
        case .working: recordIdle(since: 0)
        case .progressed: recordIdle(since: now)
        case .none: if idleSince == 0 { recordIdle(since: now) }
        }
    }
}
