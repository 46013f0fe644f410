// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore
import ClaimsTestSupport
import Testing

@testable import ClaimsFleet

@Suite struct MarkPlanTests {
    private static let day: Int64 = 86_400_000
    private static let now: Int64 = 1_800_000_000_000

    private func found(_ knowsPosition: Bool = true) -> MarkDatabaseState {
        MarkDatabaseState(
            name: "north", version: 1, revision: 50, clock: Self.now, isReadOnly: false, knowsPosition: knowsPosition)
    }

    private func position(
        _ database: String = "db", _ collections: [String] = ["a"], readAt: Int64 = MarkPlanTests.now - 5
    ) -> MarkPosition {
        MarkPosition(database: database, collections: collections, revision: 7, readAt: readAt)
    }

    private func plan(_ found: MarkDatabaseState, _ position: MarkPosition?) -> MarkPlan {
        MarkPlan.of(found, after: position, database: "db", collections: ["a"])
    }

    @Test func `with a position only what is above it is read`() {
        #expect(plan(found(), position()) == .above(7))
    }

    @Test func `all is read and sent at first, from another database, and after a change of collections`() {
        #expect(plan(found(), nil) == .all(from: 0))
        #expect(plan(found(), position("elsewhere")) == .all(from: 0))
        #expect(plan(found(), position("db", ["a", "b"])) == .all(from: 0))
        #expect(plan(found(false), position()) == .all(from: 0), "a restored or new database gets the union")
    }

    @Test func `a host that was away for over 90 days sends only what is younger`() {
        let oldest = Self.now - 90 * Self.day
        #expect(plan(found(false), position(readAt: oldest - 1)) == .all(from: oldest))
        #expect(plan(found(false), position(readAt: oldest)) == .all(from: 0))
    }

    @Test func `a position is written after news, and once an hour`() {
        var next = position()
        #expect(MarkPlan.keeps(next, after: nil))
        #expect(!MarkPlan.keeps(next, after: position()))
        next.readAt += 3_600_000
        #expect(MarkPlan.keeps(next, after: position()))
        next = position()
        next.revision = 8
        #expect(MarkPlan.keeps(next, after: position()))
        #expect(MarkPosition(next.text) == next)
        #expect(MarkPosition("{}") == nil && MarkPosition("x") == nil)
    }

    @Test func `marks that meet end as the same one on all hosts, in whatever order they come`() {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<RandomRounds.count(2000) {
            // A host gives each of its marks a time of its own.
            var times: [String: Set<Int64>] = [:]
            var marks: [SharedMark] = []
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let host = generator.pick(["a", "b", "ż", "desk-a"])
                let at = Int64.random(in: 0..<8, using: &generator)
                guard times[host, default: []].insert(at).inserted else { continue }
                marks.append(
                    SharedMark(
                        id: [1], isArchived: Bool.random(using: &generator), at: at,
                        author: .remote(user: "u", host: host)))
            }
            let winner = merged(marks, at: "a")
            for host in ["a", "b", "c"] {
                let other = merged(marks.shuffled(using: &generator), at: host)
                #expect(other == winner, "round \(round)")
            }
            let half = marks.count / 2
            let (one, two) = (merged(Array(marks[..<half]), at: "a"), merged(Array(marks[half...]), at: "b"))
            #expect(merged([two, one].compactMap(\.self), at: "c") == winner, "round \(round)")
            for mark in marks { #expect(SharedMark.meeting(winner, mark, at: "c") != .yields) }
        }
    }

    /// The mark that is left of some.
    private func merged(_ marks: [SharedMark], at host: String) -> SharedMark? {
        var known: SharedMark?
        for mark in marks where SharedMark.meeting(known, mark, at: host) == .yields { known = mark }
        return known
    }

    @Test func `a mark of this host is the one that comes back of it`() {
        let own = SharedMark(id: [1], isArchived: true, at: 5, author: .local(1000))
        let back = SharedMark(id: [1], isArchived: true, at: 5, author: .remote(user: "eve", host: "a"))
        #expect(SharedMark.meeting(own, back, at: "a") == .same)
        #expect(SharedMark.meeting(own, back, at: "b") == .stays)
        #expect(SharedMark.meeting(own, back, at: "A") == .yields)
    }

    @Test("marks that wait for ten minutes are told once, until none wait") func waiting() {
        var wait = MarkWait()
        let limit = MarkWait.limit
        let reports = [
            (true, 5), (true, 5 + limit), (true, 6 + limit), (true, 7 + 9 * limit), (false, 8 + 9 * limit),
            (true, 9 + 9 * limit), (true, 10 + 10 * limit),
        ].map { wait.update(hasMarks: $0.0, at: $0.1) }
        #expect(reports == [false, false, true, false, false, false, true])
    }

    @Test func `a server that may only be read has another one searched after longer and longer waits`() {
        let second: UInt64 = 1_000_000_000
        var search = WritableSearch()
        search.record(isReadOnly: false, at: 5 * second)
        var due = search.isDue(at: 90 * second)
        #expect(!due)
        search.record(isReadOnly: true, at: 100 * second)
        due = search.isDue(at: 101 * second - 1)
        #expect(!due)
        due = search.isDue(at: 101 * second)
        #expect(due)
        search.record(isReadOnly: true, at: 101 * second)
        due = search.isDue(at: 103 * second - 1)
        #expect(!due)
        due = search.isDue(at: 103 * second)
        #expect(due)
        // A find ends it, and the next time begins anew.
        search.record(isReadOnly: false, at: 103 * second)
        search.record(isReadOnly: true, at: 200 * second)
        due = search.isDue(at: 201 * second)
        #expect(due)
    }

    @Test func `each server gets an equal part of the time that is left`() {
        #expect(ServerSearch.part(until: 1_000, for: 2, now: 0) == 500)
        // The first one has refused at once.
        #expect(ServerSearch.part(until: 1_000, for: 1, now: 10) == 1_000)
        #expect(ServerSearch.part(until: 1_000, for: 3, now: 2_000) == 2_000)
    }
}
