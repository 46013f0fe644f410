// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The decisions about event lines that wait for their peers: when another one may be made, and when a peer is given up.
///
/// A subscription is a position and no queue: where there is no room, nothing is made, and later the net effect of
/// what came meanwhile is told. Pure: sizes are in bytes, times in nanoseconds of the monotonic clock.
enum EventRoom {
    /// The size of the lines that wait for one connection from which on no further line is made for it.
    static let maxWaiting = 1 << 16
    /// The size of the lines that wait for all connections from which on no further line is made.
    static let maxWaitingInAll = 32 << 20
    /// The size of the lines that wait for a connection below which it has room again.
    static let roomThreshold = maxWaiting / 2
    /// The size of the lines for all connections from which on only those get one that have read everything, so that
    /// peers that read nothing leave the rest to those that read.
    static let sharedThreshold = maxWaitingInAll / 2

    /// Whether a line may be made for a connection.
    ///
    /// - Parameters:
    ///   - waiting: the size of the lines that wait for it.
    ///   - all: the size of the lines that wait for all connections.
    static func isLeft(waiting: Int, all: Int) -> Bool {
        waiting < maxWaiting && all < (waiting == 0 ? maxWaitingInAll : sharedThreshold)
    }

    /// The time after which to look at a connection again for which something waits; nil where it is given up now.
    ///
    /// - Parameters:
    ///   - since: the time since which something waits and nothing was read.
    ///   - stall: the time after which a peer that reads nothing is given up.
    static func timeLeft(unreadSince since: UInt64, now: UInt64, stall: Duration) -> Duration? {
        let elapsed = Duration.nanoseconds(Int64(clamping: now > since ? now - since : 0))
        return elapsed < stall ? stall - elapsed : nil
    }
}
