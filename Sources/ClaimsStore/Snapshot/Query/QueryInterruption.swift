// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why a query ended without an answer. It may be run again with another budget.
public enum QueryInterruption: Error, Equatable, Sendable {
    /// The time of the budget is used up.
    case outOfTime
    case cancelled
}
