// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Tells whether somebody has set the wall clock, by comparing it with one that never steps.
///
/// Pure: the times are given to it.
struct ClockWatch {
    /// Milliseconds of the wall clock at the start of the other one.
    private var offset: Int64

    /// A smaller difference is a clock being disciplined.
    private static let smallestStep: Int64 = 2_000

    /// - Parameters:
    ///   - wall: milliseconds since 1970.
    ///   - sinceBoot: nanoseconds of the clock that goes on while the machine sleeps.
    init(wall: Int64, sinceBoot: UInt64) {
        offset = Self.offset(wall, sinceBoot)
    }

    /// By how many milliseconds the wall clock has jumped since the last look; nil where it has not.
    mutating func step(wall: Int64, sinceBoot: UInt64) -> Int64? {
        let now = Self.offset(wall, sinceBoot)
        let jump = now - offset
        offset = now
        return abs(jump) < Self.smallestStep ? nil : jump
    }

    private static func offset(_ wall: Int64, _ sinceBoot: UInt64) -> Int64 {
        wall - Int64(clamping: sinceBoot / 1_000_000)
    }
}
