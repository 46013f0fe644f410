// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// What the turns of one connection have cost lately.
///
/// A light connection costs little more than hearing of it, and is served best beside others like it: a loop that has
/// many to hear of seldom sleeps. A heavy one, with many or long requests in each turn, is worth a processor.
struct TurnLoad: Sendable {
    private var average: UInt64 = 0
    private var turns: UInt8 = 0
    private(set) var isHeavy = false

    /// Notes how long a turn took, in nanoseconds.
    ///
    /// - Returns: whether it is time to ask where the connection is served best.
    mutating func note(_ time: UInt64) -> Bool {
        // One long turn must not outweigh the next hundred.
        average = (average &* 7 &+ min(time, Self.most)) / 8
        turns &+= 1
        let changes = isHeavy ? average < Self.light : average > Self.heavy
        if changes { isHeavy.toggle() }
        return changes || turns % Self.turnsBetween == 0
    }

    /// Above this a connection becomes heavy, and below the other light again, in nanoseconds.
    static let heavy: UInt64 = 8_000
    static let light: UInt64 = 5_500
    /// What counts of one turn at most.
    static let most: UInt64 = 24_000
    /// How often the place of a connection is looked at though nothing changed.
    static let turnsBetween: UInt8 = 64
}
