// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// How far a refresh is, for those who wait for it.
public struct RefreshProgress: Sendable, Equatable {
    /// The part of a refresh that is under way.
    public enum Phase: Int, Sendable, CaseIterable {
        /// Another refresh of the collection, or a thread, is waited for.
        case queued
        /// The upstream has not answered yet.
        case connect
        case receive
        /// The records are read.
        case read
        /// The records are written to disk.
        case write
    }

    public var phase = Phase.queued
    /// The bytes of bodies that have come, as received.
    public var bytes = 0
    /// The bytes that there will be in all; nil where nobody knows.
    public var expected: Int?
    /// The number of whole pages that have come.
    public var pages = 0
    /// The number of elements that have been read.
    public var records = 0
    /// The wait of the next request for its host; nil while a request is under way.
    public var wait: HostWait?

    public init() {}
}

/// Decides which news of a refresh are told: each phase and each wait, and a few a second beside. Pure.
struct ProgressPace {
    /// The least time between two that are not the first of a phase or of a wait, in nanoseconds.
    static let minInterval: UInt64 = 250_000_000

    private var last: (phase: RefreshProgress.Phase, wait: HostWait?, at: UInt64)?

    /// Whether the news is told.
    ///
    /// - Parameter now: nanoseconds of the monotonic clock.
    mutating func takes(_ progress: RefreshProgress, at now: UInt64) -> Bool {
        if let last, last.phase == progress.phase, last.wait == progress.wait, now &- last.at < Self.minInterval {
            return false
        }
        last = (progress.phase, progress.wait, now)
        return true
    }
}
