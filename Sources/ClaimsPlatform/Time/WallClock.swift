// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Where a component gets the time of day from; tests give it another.
public struct WallClock: Sendable {
    /// Milliseconds since 1970 (UTC).
    public let now: @Sendable () -> Int64

    public init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// The machine's clock.
    public static let system = WallClock { Clocks.wall }
}
