// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsServer
import Testing

@Suite struct BufferBudgetTests {
    @Test func `who comes gets half of what is left, and always a share`() {
        let budget = BufferBudget(maxBytes: 1 << 20)
        #expect(budget.allowance == 1 << 19)
        budget.change(by: 1 << 19)
        #expect(budget.allowance == 1 << 18)
        #expect(!budget.isExhausted)
        budget.change(by: 1 << 19)
        #expect(budget.isExhausted)
        #expect(budget.excess == 0)
        #expect(budget.allowance == BufferBudget.share)
        budget.change(by: -1 << 20)
        #expect(!budget.isExhausted)
    }

    @Test func `who waits is called once, when the budget is no longer used up`() {
        let budget = BufferBudget(maxBytes: 10)
        let calls = ServedShelf.Shared(0)
        budget.whenRelieved { calls.with { $0 += 1 } }
        #expect(calls.with { $0 } == 1, "it is not used up")
        budget.change(by: 12)
        budget.whenRelieved { calls.with { $0 += 1 } }
        budget.change(by: -2)
        #expect(calls.with { $0 } == 1)
        budget.change(by: -1)
        #expect(calls.with { $0 } == 2)
        budget.change(by: 5)
        budget.change(by: -5)
        #expect(calls.with { $0 } == 2)
    }
}
