// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// Notices that the wall clock went back, so that the age of a key is not known any more. Pure.
public struct ClockSteps: Sendable, Equatable {
    /// How far the wall clock may fall behind the clock since boot, in milliseconds: clocks are slewed.
    static let maxLag: Int64 = 1000

    /// The latest pair of times, both in milliseconds.
    private var wall: Int64?
    private var sinceBoot: Int64 = 0

    public init() {}

    /// Whether the wall clock has gone back since the last call.
    public mutating func look(wall now: Int64, sinceBoot: Int64) -> Bool {
        defer { (wall, self.sinceBoot) = (now, sinceBoot) }
        guard let wall else { return false }
        return now < wall + (sinceBoot - self.sinceBoot) - Self.maxLag
    }
}

extension Operation {
    /// The operation once the age of its key is not known any more.
    public var distrustingClock: Operation {
        var operation = self
        operation.delivery.keyUse?.isClockSteady = false
        return operation
    }
}
