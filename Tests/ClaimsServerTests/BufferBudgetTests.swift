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
}
