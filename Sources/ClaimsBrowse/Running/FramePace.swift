// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The times at which frames are made: at once after a key, and not too often after events. Pure.
///
/// Keys that wait are all taken before a frame is made. While a key is held down, one is made every ``maxKeyDelay``.
struct FramePace {
    /// The shortest time between frames that no key asks for, in nanoseconds: 20 a second.
    static let minInterval: UInt64 = 50_000_000
    /// The maximum time for which keys are taken without a frame, in nanoseconds.
    static let maxKeyDelay: UInt64 = 100_000_000

    private var lastFrame: UInt64 = 0
    private var firstKey: UInt64?
    private var hasNews = true

    /// Notes that a key has changed what is shown.
    mutating func keyTaken(at now: UInt64) { firstKey = firstKey ?? now }

    /// Notes that something else has.
    mutating func eventTaken() { hasNews = true }

    /// Whether no more keys are to be taken before a frame is made.
    func mustDraw(at now: UInt64) -> Bool { firstKey.map { now >= $0 + Self.maxKeyDelay } ?? false }

    /// The time at which a frame is due; nil where nothing has changed.
    var dueAt: UInt64? {
        if firstKey != nil { return 0 }
        return hasNews ? (lastFrame == 0 ? 0 : lastFrame + Self.minInterval) : nil
    }

    /// Notes that a frame was made.
    mutating func drawn(at now: UInt64) {
        lastFrame = now
        firstKey = nil
        hasNews = false
    }
}
