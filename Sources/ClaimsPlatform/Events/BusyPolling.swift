// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The decision of an event loop to poll for the next report for a moment before it sleeps.
///
/// To sleep and to be woken takes longer than most answers, on both sides. Polling avoids that if a client sends its
/// next request at once; otherwise it wastes processor time. So a loop polls only after several reports have come soon
/// after one another, and stops once it has polled in vain.
///
/// Pure: the caller gives it the times, in nanoseconds.
struct BusyPolling {
    /// The number of short pauses in a row.
    private var short = 0

    /// Whether to poll for up to ``maxDuration``.
    var isWorthIt: Bool { short >= Self.enough }

    /// Records a pause that has ended.
    mutating func record(_ pause: UInt64, wasInVain: Bool) {
        short = pause <= Self.brief && !wasInVain ? min(short + 1, Self.enough) : 0
    }

    /// The time that a loop polls before it sleeps, in nanoseconds.
    static let maxDuration: UInt64 = 30_000
    /// The longest pause with a sleep in it that lets hope that looking would have been enough.
    static let brief: UInt64 = 80_000
    /// The number of short pauses after which a loop polls.
    static let enough = 4
}
