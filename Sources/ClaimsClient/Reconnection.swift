// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The way back to a daemon that has gone away: whether it is away, and the time of the next attempt to reach it. Pure.
///
/// The pause after each attempt is twice the last one, up to the longest.
///
/// ```swift
/// var reconnection = Reconnection(.daemon)
/// // when a connection, or an attempt to make one, has failed:
/// if reconnection.lost(at: now) { report("it has gone away") }
/// // at reconnection.retryAt:
/// reconnection.attempted(at: now)
/// // when the daemon has answered:
/// if reconnection.answered() { report("it is back") }
/// ```
package struct Reconnection: Sendable {
    /// The shortest and the longest pause.
    package struct Bounds: Sendable {
        package let min: Duration
        package let max: Duration

        /// A daemon of this host.
        package static let daemon = Bounds(min: .milliseconds(50), max: .seconds(2))
        /// A daemon of another host: each attempt is a login there.
        package static let host = Bounds(min: .milliseconds(250), max: .seconds(30))
        /// A daemon that a person looks at: the screen shows the loss meanwhile.
        package static let person = Bounds(min: .milliseconds(200), max: .seconds(5))
    }

    private let bounds: Bounds
    /// The next pause.
    package private(set) var pause: Duration
    /// Whether the daemon has gone away, and has not answered since.
    package private(set) var isAway = false
    /// The time of the next attempt, in nanoseconds of the monotonic clock, while the daemon is away.
    package private(set) var retryAt: UInt64 = 0

    package init(_ bounds: Bounds) {
        self.bounds = bounds
        pause = bounds.min
    }

    /// Records at a time of the monotonic clock that the connection is lost, or that an attempt has failed.
    ///
    /// - Returns: whether the daemon was there before.
    @discardableResult
    package mutating func lost(at now: UInt64) -> Bool {
        retryAt = now + pause.wholeNanoseconds
        defer { isAway = true }
        return !isAway
    }

    /// Records an attempt to reach a daemon that is away. The pause after it is longer.
    package mutating func attempted(at now: UInt64) {
        guard isAway else { return }
        retryAt = now + pause.wholeNanoseconds
        pause = min(pause * 2, bounds.max)
    }

    /// Records an answer of the daemon: the next pause is the shortest again.
    ///
    /// - Returns: whether the daemon was away before.
    @discardableResult
    package mutating func answered() -> Bool {
        pause = bounds.min
        defer { isAway = false }
        return isAway
    }
}
