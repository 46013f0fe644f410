// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsStore

@Suite struct RetentionPlanTests {
    /// Commits of so many changes and bytes, a second apart; the last one is the newest generation unless another is.
    private func plan(
        _ limits: RetentionLimits, _ commits: [(changes: Int, bytes: Int)], newest: Int? = nil
    ) -> (dropped: Int, plan: RetentionPlan) {
        let extent = LogExtent(
            changes: commits.reduce(0) { $0 + $1.changes }, bytes: commits.reduce(0) { $0 + $1.bytes })
        var plan = RetentionPlan(limits, extent)
        var end: UInt64 = 0
        for (index, commit) in commits.enumerated() {
            end += UInt64(commit.changes)
            let isDropped = plan.drops(
                .init(
                    end: end, changes: commit.changes, bytes: commit.bytes, at: Int64(index) * 1000,
                    isNewestGeneration: index == newest ?? commits.count - 1))
            if !isDropped { return (index, plan) }
        }
        return (commits.count, plan)
    }

    private func limits(oldest: Int64 = 0, changes: Int = .max, bytes: Int = .max) -> RetentionLimits {
        RetentionLimits(oldest: oldest, changes: changes, bytes: bytes)
    }

    @Test func `without reason nothing goes`() {
        let (dropped, plan) = plan(limits(), [(1, 0), (5, 10)])
        #expect(dropped == 0 && plan.floor == nil)
        #expect(plan.extent == LogExtent(changes: 6, bytes: 10, oldest: 0))
    }

    @Test func `commits older than the limit go, but not the newest generation nor what follows it`() {
        let commits = [(1, 0), (5, 10), (2, 3), (1, 0)]
        #expect(plan(limits(oldest: 1500), commits).dropped == 2)
        #expect(plan(limits(oldest: 1500), commits).plan.floor == 6)
        #expect(plan(limits(oldest: 9000), commits).dropped == 3)
        #expect(plan(limits(oldest: 9000), commits, newest: 1).dropped == 1)
        #expect(plan(limits(oldest: 1500), commits).plan.extent == LogExtent(changes: 3, bytes: 3, oldest: 2000))
    }

    @Test func `a commit goes that enough changes or bytes follow, none for its own size`() {
        #expect(plan(limits(changes: 5), [(100, 0)]).dropped == 0)
        #expect(plan(limits(changes: 5), [(100, 0), (4, 0)]).dropped == 0)
        #expect(plan(limits(changes: 5), [(100, 0), (5, 0)]).dropped == 1)
        #expect(plan(limits(changes: 5), [(1, 0), (1, 0), (4, 0), (1, 0)]).dropped == 2)
        #expect(plan(limits(bytes: 5), [(1, 1000)]).dropped == 0)
        #expect(plan(limits(bytes: 5), [(1, 1), (1, 4)]).dropped == 0)
        #expect(plan(limits(bytes: 5), [(1, 1), (1, 5)]).dropped == 1)
    }

    @Test func `with limits of nothing all commits go`() {
        #expect(plan(limits(changes: 0, bytes: 0), [(1, 1), (1, 1)]).dropped == 2)
        #expect(plan(limits(changes: 1, bytes: 1), [(1, 1), (1, 1)]).dropped == 1)
    }
}
