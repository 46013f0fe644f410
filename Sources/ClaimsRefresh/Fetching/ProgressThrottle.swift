// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Decides which news of a refresh are told: each phase and each wait, and a few a second beside. Pure.
struct ProgressThrottle {
    /// The least time between two that are not the first of a phase or of a wait, in nanoseconds.
    static let minInterval: UInt64 = 250_000_000

    private var last: (phase: RefreshProgress.Phase, wait: HostWait?, at: UInt64)?

    /// Whether the news is told.
    ///
    /// - Parameter now: nanoseconds of the monotonic clock.
    mutating func admits(_ progress: RefreshProgress, at now: UInt64) -> Bool {
        if let last, last.phase == progress.phase, last.wait == progress.wait, now &- last.at < Self.minInterval {
            return false
        }
        last = (progress.phase, progress.wait, now)
        return true
    }
}
