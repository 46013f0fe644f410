// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

struct QueryPlannerTests {
    private let fixture: SnapshotFixture

    /// 600 records: all have "common" and a word of their own, seven have "rare", every third is open; levels are 0...9.
    init() throws {
        fixture = try SnapshotFixture(
            (1...600).map { id in
                let rare = id % 90 == 0 || id == 1 ? " rare" : ""
                let state = id % 3 == 0 ? "open" : "new"
                return #"{"id":"\#(id)","title":"common\#(rare) own\#(id)","state":"\#(state)","level":\#(id % 10)}"#
            })
    }

    private func plan(_ predicate: Predicate) throws -> QueryPlan {
        var planner = QueryPlanner(
            fixture.snapshot, scratch: QueryScratch(), steps: QuerySteps(.unlimited))
        return try planner.plan(predicate)
    }

    private func set(_ predicate: Predicate) throws -> RowSet {
        var builder = SetBuilder(fixture.snapshot, scratch: QueryScratch(), steps: QuerySteps(.unlimited))
        return try builder.set(try plan(predicate))
    }

    private func text(_ pattern: String) -> Predicate { .text(Array(pattern.utf8)) }

    private func level(_ levels: ClosedRange<Int>) throws -> Predicate {
        let keys = try [levels.lowerBound, levels.upperBound].map { level in
            // Record N is row N - 1; its level is N % 10.
            let record = fixture.records[level == 0 ? 9 : level - 1]
            let value = record.values[Shelf.level]
            try #require(value.isPresent)
            return Array(record.keys[value.key])
        }
        return .keys(field: Shelf.level, [KeyRange(lower: keys[0], upper: keys[1])])
    }

    @Test func `one term is answered from its posting list, whether it is rare or common`() throws {
        for (term, count) in [("rare", 7), ("common", 600)] {
            guard case .lists(let lists) = try plan(text(term)) else {
                Issue.record("\(term) is no list")
                continue
            }
            #expect(lists.bound == count)
            #expect(lists.only?.column == Shelf.title && lists.only?.isNGram == false)
            guard case .list(_, let listed) = try set(text(term)) else {
                Issue.record("\(term) is not taken as one list")
                continue
            }
            #expect(listed == count)
        }
    }

    @Test func `a pattern of many terms is gathered where it is rare and united in a bitmap where it is common`() throws
    {
        // "own60" is in own60 and own600; "own1" is in 111 terms.
        guard case .rows(let rows) = try set(text("own60")) else {
            Issue.record("two rows are not gathered")
            return
        }
        #expect(rows == [59, 599])
        guard case .bits(_, let count) = try set(text("own1")) else {
            Issue.record("111 rows are not united in a bitmap")
            return
        }
        #expect(count == 111)
    }

    @Test func `a short pattern in most terms has a list of its own`() throws {
        guard case .lists(let lists) = try plan(text("ow")) else {
            Issue.record("an n-gram is no list")
            return
        }
        #expect(lists.only?.isNGram == true && lists.bound == 600)
    }

    @Test func `a pattern that no term has selects nothing without any set`() throws {
        for pattern in ["absent", "rarer", "rare absent own", "absent own1"] {
            guard case .none = try plan(text(pattern)) else {
                Issue.record("\(pattern) has a plan")
                continue
            }
        }
    }

    @Test func `two words are a phrase, bounded by the rarer one`() throws {
        guard case .phrase(let phrase) = try plan(text("common rare")) else {
            Issue.record("two words are no phrase")
            return
        }
        #expect(phrase.column == Shelf.title && phrase.bound == 7)
    }

    @Test func `ranges of one column are joined before any row is looked at`() throws {
        guard case .ordinals(let ordinals) = try plan(.and([level(1...5), level(4...8)])) else {
            Issue.record("two ranges of one column are not one")
            return
        }
        #expect(ordinals.columnID == Shelf.level && ordinals.ranges == [4..<6] && ordinals.count == 120)
        guard case .none = try plan(.and([level(1...2), level(4...5)])) else {
            Issue.record("ranges that do not overlap have a plan")
            return
        }
        guard case .all = try plan(.or([level(0...5), level(5...9)])) else {
            Issue.record("ranges that cover the column are not all")
            return
        }
    }

    @Test func `a negation of values is the other values of the column`() throws {
        guard case .ordinals(let ordinals) = try plan(.not(level(2...9))) else {
            Issue.record("a negation of a range is no range")
            return
        }
        #expect(ordinals.count == 120 && ordinals.ranges.first == 0..<2)
        guard case .not = try plan(.not(text("rare"))) else {
            Issue.record("a list is not negated as a set")
            return
        }
    }

    @Test func `a field that all records have is no condition, and one that none has selects nothing`() throws {
        guard case .all = try plan(.present(field: Shelf.level)) else {
            Issue.record("a present field is a condition")
            return
        }
        guard case .none = try plan(.present(field: Shelf.price)) else {
            Issue.record("an absent field has a plan")
            return
        }
        guard case .lists = try plan(.and([.present(field: Shelf.level), text("rare")])) else {
            Issue.record("a condition that all records meet is kept")
            return
        }
    }
}
