// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct FoldingTests {
    @Test func `few entries are folded after a rest, many at once, and after a failure later`() {
        let second: UInt64 = 1_000_000_000
        var plan = FoldingPlan(rest: .seconds(60))
        #expect(plan.next == nil)
        plan.record("a", entries: 3, seq: 7, now: 10 * second)
        #expect(plan.next.map { $0 == ("a", 70 * second) } == true)
        plan.record("a", entries: 3, seq: 7, now: 40 * second)
        #expect(plan.next?.due == 70 * second)
        plan.record("a", entries: 4, seq: 8, now: 40 * second)
        #expect(plan.next?.due == 100 * second)
        plan.record("b", entries: FoldingPlan.manyEntries, seq: 9, now: 41 * second)
        #expect(plan.next.map { $0 == ("b", 0) } == true)
        plan.fail("b", now: 42 * second)
        #expect(plan.next?.name == "a")
        plan.record("a", entries: 0, seq: 8, now: 50 * second)
        #expect(plan.next.map { $0 == ("b", 102 * second) } == true)
        plan.forget(allBut: ["a"])
        #expect(plan.next == nil)
    }

    @Test func `the thread folds what is written, and ends when it is told to`() throws {
        let fixture = try LocalFixture()
        let thread = try FoldingThread(fixture.opener, rest: .zero)
        let isFolded = Monitor(false)
        fixture.store.catalog.observe { catalog in
            let view = catalog["things"]
            if view?.overlay == nil, view?.snapshot?.count == 1 { isFolded.update { $0 = true } }
        }
        try fixture.submit("create", nil, ["title": "a"], op: 1)
        #expect(isFolded.wait { $0 ? true : nil } == true)
        thread.stop()
        #expect(fixture.served.count == 1 && fixture.seq == 1)
    }
}
