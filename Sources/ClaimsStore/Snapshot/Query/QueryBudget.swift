// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// How long a query may run, and whether anybody still waits for it.
public struct QueryBudget: Sendable {
    /// In nanoseconds of the monotonic clock.
    private let end: UInt64
    private let isCancelled: (@Sendable () -> Bool)?

    /// From now on.
    public init(limit: Duration, isCancelled: (@Sendable () -> Bool)? = nil) {
        let (seconds, attoseconds) = limit.components
        let nanoseconds = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let length = nanoseconds.overflow ? .max : nanoseconds.partialValue
        let sum = Clocks.monotonic.addingReportingOverflow(length)
        let fraction = UInt64(clamping: attoseconds / 1_000_000_000)
        end = sum.overflow ? .max : sum.partialValue.addingReportingOverflow(fraction).partialValue
        self.isCancelled = isCancelled
    }

    private init(end: UInt64) {
        self.end = end
        isCancelled = nil
    }

    public static let unlimited = QueryBudget(end: .max)

    func check() throws(QueryInterruption) {
        if let isCancelled, isCancelled() { throw .cancelled }
        if end != .max, Clocks.monotonic >= end { throw .outOfTime }
    }
}
