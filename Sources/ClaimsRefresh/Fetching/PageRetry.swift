// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Decides whether a page of a walk is asked for again, and when. Pure.
struct PageRetry {
    /// A page is asked for again so often at most.
    static let maxAttempts = 3

    private var attempts = 0

    /// The time before the page is asked for again; nil if it is not.
    mutating func wait(after failure: FetchFailure) -> Duration? {
        guard Self.mayPass(failure), attempts < Self.maxAttempts else { return nil }
        attempts += 1
        if let demand = failure.retryAfter { return .milliseconds(demand) }
        return .seconds(1 << (attempts - 1))
    }

    /// Whether the same request may succeed soon.
    private static func mayPass(_ failure: FetchFailure) -> Bool {
        if failure.isCancelled { return false }
        return switch failure.kind {
        case .unreachable, .truncated: true
        case .timeout: failure.reason != .pause
        case .httpStatus: failure.status == 429 || (500...599).contains(failure.status ?? 0)
        default: false
        }
    }
}
