// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Counts a query's steps, and looks at its budget every few thousand of them.
struct QuerySteps {
    /// About as many as take 10 µs.
    private static let between = 1 << 12

    private let budget: QueryBudget
    private var left = QuerySteps.between

    init(_ budget: QueryBudget) {
        self.budget = budget
    }

    @inline(__always)
    mutating func spend(_ steps: Int = 1) throws(QueryInterruption) {
        left &-= steps
        if left < 0 { try check() }
    }

    private mutating func check() throws(QueryInterruption) {
        left = Self.between
        try budget.check()
    }
}
