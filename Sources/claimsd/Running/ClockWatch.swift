// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Detects that the wall clock was set, by comparing it with a clock that never steps.
///
/// It reads no clock itself: the caller passes the times.
struct ClockWatch {
    /// The time of the wall clock when the other clock was at 0, in milliseconds since 1970.
    private var offset: Int64

    /// The smallest jump that is reported, in milliseconds; a smaller one comes from a clock that is being disciplined.
    private static let minStep: Int64 = 2_000

    /// Makes a watch from the present times.
    ///
    /// - Parameters:
    ///   - wall: the wall clock, in milliseconds since 1970.
    ///   - sinceBoot: CLOCK_BOOTTIME (clock_gettime(2)), in nanoseconds.
    init(wall: Int64, sinceBoot: UInt64) {
        offset = Self.offset(wall, sinceBoot)
    }

    /// The jump of the wall clock since the previous call, in milliseconds; nil if it did not jump.
    mutating func step(wall: Int64, sinceBoot: UInt64) -> Int64? {
        let now = Self.offset(wall, sinceBoot)
        let jump = now - offset
        offset = now
        return abs(jump) < Self.minStep ? nil : jump
    }

    private static func offset(_ wall: Int64, _ sinceBoot: UInt64) -> Int64 {
        wall - Int64(clamping: sinceBoot / 1_000_000)
    }
}
