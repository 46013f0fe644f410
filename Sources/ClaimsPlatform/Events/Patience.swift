// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Whether an event loop looks for the next report for a moment before it sleeps.
///
/// Falling asleep and being woken takes longer than answering most requests, on both sides. It is worth avoiding where
/// whoever asks asks on at once, and a waste of processor time otherwise: a loop looks on only after several reports have
/// come soon after each other, and no more once it has looked in vain.
///
/// Pure: times are given to it, in nanoseconds.
struct Patience {
    /// How many pauses have been short, one after the other.
    private var short = 0

    /// Whether to look on for up to ``most``.
    var isWorthIt: Bool { short >= Self.enough }

    /// Notes a pause that has ended.
    mutating func note(_ pause: UInt64, wasInVain: Bool) {
        short = pause <= Self.brief && !wasInVain ? min(short + 1, Self.enough) : 0
    }

    /// How long a loop looks before it sleeps.
    static let most: UInt64 = 30_000
    /// The longest pause with a sleep in it that lets hope that looking would have been enough.
    static let brief: UInt64 = 80_000
    /// After how many short pauses a loop looks on.
    static let enough = 4
}
