// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The recent cost of serving one connection.
///
/// A light connection costs little more than its events. It is served best on a loop with other light connections,
/// because a loop with many events seldom sleeps. A heavy connection sends many or long requests at a time and is worth
/// a processor of its own.
struct ConnectionLoad: Sendable {
    private var average: UInt64 = 0
    private var samples: UInt8 = 0
    private(set) var isHeavy = false

    /// Records the duration of one time slice, in nanoseconds.
    ///
    /// - Returns: whether the caller should now ask which loop serves the connection best.
    mutating func record(_ time: UInt64) -> Bool {
        // One long slice must not outweigh the next hundred.
        average = (average &* 7 &+ min(time, Self.maxSample)) / 8
        samples &+= 1
        let changes = isHeavy ? average < Self.lightThreshold : average > Self.heavyThreshold
        if changes { isHeavy.toggle() }
        return changes || samples % Self.samplesBetweenChecks == 0
    }

    /// The average above which a connection becomes heavy, in nanoseconds.
    static let heavyThreshold: UInt64 = 8_000
    /// The average below which a heavy connection becomes light again, in nanoseconds.
    static let lightThreshold: UInt64 = 5_500
    /// The part of one slice that counts, in nanoseconds.
    static let maxSample: UInt64 = 24_000
    /// The number of slices between two checks of an unchanged connection.
    static let samplesBetweenChecks: UInt8 = 64
}

/// The time that one connection may use before others are served.
///
/// It begins with the end of the first request, because most often no other request waits.
struct TimeSlice {
    private var deadline: UInt64 = 0

    /// Whether the time is over at `now`, in nanoseconds of the monotonic clock.
    mutating func isOver(at now: UInt64) -> Bool {
        if deadline == 0 { deadline = now &+ Self.length }
        return now >= deadline
    }

    /// The length of a time slice, in nanoseconds.
    static let length: UInt64 = 1_000_000
}
