// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Decides which loop serves a connection: light ones share the first half of the loops, heavy ones may use all.
///
/// Pure: loops are numbers.
struct LoopBalance: Sendable {
    /// The number of heavy connections on each loop.
    private var heavy: [Int]

    init(loops: Int) {
        heavy = Array(repeating: 0, count: loops)
    }

    /// The number of loops, from the first on, that serve light connections.
    var lightLoops: Int { max(1, heavy.count / 2) }

    /// The loop of a light connection.
    func firstLoop(token: UInt64) -> Int { Int(token % UInt64(lightLoops)) }

    /// Adds `change` to the number of heavy connections on a loop.
    mutating func changeHeavyCount(of loop: Int, by change: Int) {
        heavy[loop] += change
    }

    /// The loop that a connection on loop `current` should move to; nil if it should stay.
    func betterLoop(isHeavy: Bool, token: UInt64, current: Int) -> Int? {
        guard isHeavy else { return current < lightLoops ? nil : firstLoop(token: token) }
        guard let least = heavy.indices.min(by: { heavy[$0] < heavy[$1] }) else { return nil }
        // A smaller gain is enough to leave the light loops: the connection does not come back.
        let gain = current < lightLoops && least >= lightLoops ? 1 : 2
        return heavy[current] - heavy[least] >= gain ? least : nil
    }
}

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
