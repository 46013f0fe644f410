// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The time that a call may take, from now on.
public struct TimeLimit: Sendable {
    private let span: Duration?
    /// The end, in nanoseconds of the monotonic clock; nil for none.
    public private(set) var deadline: UInt64?

    /// Begins to count.
    ///
    /// - Parameter span: nil for no limit.
    public init(_ span: Duration?) {
        self.span = span
        deadline = span.map { SystemClock.monotonic(after: $0) }
    }

    /// Does something whose time does not count.
    mutating func pausing(_ body: () -> Void) {
        let start = SystemClock.monotonic
        body()
        guard let end = deadline else { return }
        let (later, isBeyond) = end.addingReportingOverflow(SystemClock.monotonic - start)
        deadline = isBeyond ? .max : later
    }

    /// Ends a call whose time is over.
    ///
    /// - Throws: `ClientError.timedOut`.
    public func check() throws(ClientError) {
        guard let deadline, SystemClock.monotonic >= deadline else { return }
        throw passed
    }

    /// The error of a call whose time is over.
    var passed: ClientError { .timedOut(span ?? .zero) }
}
