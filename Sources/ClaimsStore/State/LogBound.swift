// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Keeps the write-ahead log within its bound: decides when the log is copied into the file, and when refreshes wait
/// for the copy. Pure.
///
/// The bound is 64 MiB or twice the live data, whichever is more. Only a program that goes on reading an old state of
/// the file can make the log longer. Sizes are in bytes, times in nanoseconds of the monotonic clock.
struct LogBound {
    /// The bound of a small database.
    static let minBound = 64 << 20
    /// The size at which the log is worth copying after a pause of the writes.
    static let minIdleCopy = 4 << 20
    /// The length of that pause.
    static let rest = Duration.seconds(5)
    /// The growth of the log after which the live data is measured again.
    static let measuringStep = 4 << 20
    /// The time until the next attempt if this process itself reads an old state, and if another one does.
    static let ownPause = Duration.milliseconds(100)
    static let pause = Duration.seconds(1)
    /// The maximal time that refreshes wait for a log that stays.
    static let maxWait = Duration.seconds(10)

    /// The bound that holds now.
    private(set) var bound = minBound
    /// The size of a log over its bound that another program keeps; 0: there is none.
    private(set) var keptSize = 0
    private var measuredSize = 0
    private var isCopying = false
    /// Whether the last attempt ended because another program keeps the log, or because the file could not be written.
    private var isHopeless = false
    private var nextAttempt: UInt64 = 0
    private var waitingSince: UInt64?

    /// The size at which the log is copied although changes continue.
    private var copySize: Int { bound / 8 * 5 }
    /// The size at which refreshes wait.
    private var waitSize: Int { bound / 16 * 13 }

    /// Whether the live data should be measured, because the bound may have changed.
    func needsMeasure(_ size: Int) -> Bool {
        size > Self.minBound / 2 && abs(size - measuredSize) >= Self.measuringStep
    }

    /// Records the size of the live data, at a size of the log.
    mutating func measure(live: Int, at size: Int) {
        bound = max(Self.minBound, 2 * live)
        measuredSize = size
    }

    /// Whether a copy is to begin now. If so, `copied` must follow.
    ///
    /// - Parameter isIdle: whether nothing was written for a while.
    mutating func beginsCopy(_ size: Int, isIdle: Bool, now: UInt64) -> Bool {
        guard !isCopying, now >= nextAttempt, size >= (isIdle ? Self.minIdleCopy : copySize) else { return false }
        isCopying = true
        return true
    }

    /// Records the end of a copy.
    ///
    /// - Parameters:
    ///   - isEmpty: whether the log begins anew.
    ///   - hasReaders: whether this process itself reads an old state.
    mutating func copied(_ size: Int, isEmpty: Bool, hasFailed: Bool, hasReaders: Bool, now: UInt64) {
        isCopying = false
        isHopeless = !isEmpty && !hasReaders
        keptSize = isHopeless && !hasFailed && size > bound ? size : 0
        if isEmpty {
            (measuredSize, nextAttempt, waitingSince) = (0, 0, nil)
        } else {
            nextAttempt = now &+ (hasReaders ? Self.ownPause : Self.pause).wholeNanoseconds
        }
    }

    /// Whether refreshes wait until the log has been copied.
    mutating func holdsRefreshes(_ size: Int, now: UInt64) -> Bool {
        guard size >= waitSize else {
            waitingSince = nil
            return false
        }
        let start = waitingSince ?? now
        waitingSince = start
        return !isHopeless && now &- start < Self.maxWait.wholeNanoseconds
    }

    /// The time for which the thread may be idle before it checks the log again; nil: until there is work.
    func idleTime(_ size: Int, now: UInt64) -> Duration? {
        guard !isCopying else { return size >= waitSize ? Self.rest : nil }
        guard size >= copySize else { return size >= Self.minIdleCopy ? Self.rest : nil }
        return .nanoseconds(Int64(clamping: max(1, nextAttempt > now ? nextAttempt - now : 1)))
    }
}
