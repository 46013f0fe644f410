// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The times at which a screen is drawn: soon after a change, but not too often.
struct ScreenPace {
    /// The shortest time from one drawing to the next.
    static let minInterval: Duration = .milliseconds(200)

    private var isChanged = true
    private var lastDrawn: UInt64?

    /// Notes that what the screen shows may have changed.
    mutating func changed() { isChanged = true }

    /// Notes a drawing, at a time in nanoseconds of the monotonic clock.
    mutating func drawn(at now: UInt64) {
        isChanged = false
        lastDrawn = now
    }

    /// The earliest time of the next drawing; nil where nothing has changed.
    var nextDrawing: UInt64? {
        guard isChanged else { return nil }
        return lastDrawn.map { $0 + Self.minInterval.wholeNanoseconds } ?? 0
    }
}
