// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Attempts that have failed in a row, and the time of the next one.
struct FleetRetry {
    private var failures = 0
    /// By the clock since the boot, in milliseconds.
    private(set) var next: Int64 = 0

    mutating func add(at uptime: Int64) {
        failures += 1
        next = uptime + Self.wait(after: failures)
    }

    /// The wait after failures in a row, in milliseconds.
    static func wait(after failures: Int) -> Int64 {
        min(maxWait, firstWait << Int64(min(max(failures, 1) - 1, 10)))
    }

    private static let firstWait: Int64 = 1_000
    private static let maxWait: Int64 = 60_000
}
