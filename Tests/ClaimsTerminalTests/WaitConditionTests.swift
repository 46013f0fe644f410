// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsTerminal
import Testing

/// When the condition of `wait` holds.
struct WaitConditionTests {
    private func condition(
        _ quantity: WaitCondition.Quantity, terms: String? = "a", hold: UInt64 = 0
    ) -> WaitCondition {
        WaitCondition(quantity, of: terms, until: "b or c", hold: hold)
    }

    @Test func `the filters keep terms and expression apart`() {
        #expect(condition(.any).parts == [.init(filter: "(a) and (b or c)", requirement: .some)])
        #expect(condition(.none).parts == [.init(filter: "(a) and (b or c)", requirement: .none)])
        #expect(
            condition(.all).parts == [
                .init(filter: "a", requirement: .some), .init(filter: "(a) and not (b or c)", requirement: .none),
            ])
        #expect(
            condition(.all, terms: nil).parts == [
                .init(filter: nil, requirement: .some), .init(filter: "not (b or c)", requirement: .none),
            ])
        #expect(condition(.any, terms: nil).parts == [.init(filter: "b or c", requirement: .some)])
    }

    @Test func `a filter whose parentheses do not match stands alone, for the daemon to refuse`() {
        for quantity in [WaitCondition.Quantity.any, .all, .none] {
            let condition = WaitCondition(quantity, of: "a", until: "b) or (c")
            #expect(condition.parts == [.init(filter: "b) or (c", requirement: .some)])
        }
    }

    @Test func `it holds as soon as a commit brings a record`() {
        var condition = condition(.any)
        #expect(condition.isDoubtful && !condition.holds(at: 0))
        condition.counted([0], seq: 5, at: 1)
        #expect(!condition.holds(at: 2))
        condition.changed(0, by: 1, seq: 5, at: 2)
        #expect(!condition.holds(at: 2), "the count had this commit already")
        condition.changed(0, by: 1, seq: 6, at: 3)
        #expect(condition.holds(at: 3))
    }

    @Test func `a moment in which it did not hold begins anew`() {
        var condition = condition(.any, hold: 10)
        condition.counted([1], seq: 5, at: 100)
        #expect(condition.holdsAt == 110 && !condition.holds(at: 109))
        condition.changed(0, by: -1, seq: 6, at: 105)
        condition.changed(0, by: 1, seq: 7, at: 105)
        #expect(condition.holdsAt == 115 && !condition.holds(at: 110) && condition.holds(at: 115))
    }

    @Test func `a lost connection and missing data begin anew`() {
        var condition = condition(.none, hold: 10)
        condition.counted([0], seq: 5, at: 100)
        condition.lost()
        #expect(condition.holdsAt == nil && condition.isDoubtful)
        condition.counted([0], seq: 5, at: 200)
        #expect(condition.holdsAt == 210)
        condition.hasNoData()
        #expect(!condition.holds(at: 300) && !condition.isDoubtful)
    }

    @Test func `several filters are counted at one clock before they hold`() {
        var condition = condition(.all)
        condition.counted([0, 0], seq: 5, at: 1)
        #expect(!condition.holds(at: 1), "nothing matches the terms")
        // The record that comes may be one that does not match the expression; that is told later.
        condition.changed(0, by: 1, seq: 6, at: 2)
        #expect(!condition.holds(at: 2) && condition.isDoubtful)
        condition.counted([1, 1], seq: 6, at: 3)
        #expect(!condition.holds(at: 3))
        condition.counted([1, 0], seq: 7, at: 4)
        #expect(condition.holds(at: 4))
    }

    @Test func `with several filters a break of one is a break`() {
        var condition = condition(.all, hold: 10)
        condition.counted([1, 0], seq: 5, at: 100)
        condition.changed(1, by: 1, seq: 6, at: 104)
        condition.changed(1, by: -1, seq: 7, at: 104)
        condition.counted([1, 0], seq: 7, at: 105)
        #expect(condition.holdsAt == 115)
    }

    @Test func `a change in time is counted again`() {
        var condition = condition(.any)
        condition.counted([0], seq: 5, at: 1)
        condition.changed(0, by: 1, seq: nil, at: 2)
        #expect(condition.isDoubtful && !condition.holds(at: 2))
    }

    @Test func `a span beyond all times is no overflow`() {
        var condition = condition(.any, hold: .max)
        condition.counted([1], seq: 5, at: 100)
        #expect(condition.holdsAt == .max && !condition.holds(at: 1_000))
    }

    @Test func `the sequence of a clock is read with more or without`() {
        #expect(ClockSequence.of("7d1c.812") == 812)
        #expect(ClockSequence.of("7d1c.812-AQ.ID") == 812)
        #expect(ClockSequence.of("none") == nil)
    }
}
