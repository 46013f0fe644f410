// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

/// Answers in pages that are cut from data which moves meanwhile.
@Suite struct PageWalkIntakeTests {
    private func ids(_ fixture: OpenerFixture) -> Set<String> {
        Set(fixture.documents.compactMap { (try? JSONValue.parse(Array($0.utf8)))?["id"]?.string })
    }

    @Test func `the second of two walks counts, and of the first the records that it lacks`() throws {
        let fixture = try OpenerFixture()
        try fixture.take([.whole(#"[{"id":1},{"id":2},{"id":3},{"id":4}]"#)])
        var answer = TestAnswer.whole(#"[{"id":1,"name":"new"},{"id":5,"name":"new"}]"#, #"[{"id":2},7]"#)
        answer.earlier = [#"[{"id":1,"name":"old"},{"id":3},8]"#, #"[{"id":5,"name":"old"},{"id":6},{"id":3}]"#]
        let taken = try fixture.take([answer], hasPages: true)
        #expect(taken.lacking == [1] && taken.counts[0].removed == 1)
        #expect(
            fixture.documents == [
                #"{"id":"1","name":"new"}"#, #"{"id":"2"}"#, #"{"id":"3"}"#, #"{"id":"5","name":"new"}"#,
                #"{"id":"6"}"#,
            ])
        // The third came twice in the first walk, and not at a seam.
        #expect(try fixture.quarantine() == ["7", #"{"id":3}"#])
    }

    @Test func `what is in quarantine, told as deleted or deleted by this host is not lacking`() throws {
        var definition = try OpenerFixture.definition(isNameRequired: true)
        var source = definition.source
        source.deleted = .mark(try JSONPointer("/gone"))
        definition = Definition(name: "things", source: source, fields: definition.fields, isArchivable: true)
        let fixture = try OpenerFixture(definitions: [definition])
        let names = (1...5).map { #"{"id":\#($0),"name":"n"}"# }
        try fixture.take([.whole("[\(names.joined(separator: ","))]")])
        let page = #"[{"id":1,"name":"n"},{"id":2},{"id":3,"gone":1}]"#
        let taken = try fixture.take(
            [.whole(page)], ownDeletions: ["4"], hasPages: true, isDropped: true)
        #expect(taken.lacking == [1])
        // The first walk had them as they were before: that is no reason to have them back.
        var answer = TestAnswer.whole(page)
        answer.earlier = ["[\(names.joined(separator: ","))]"]
        try fixture.take([answer], hasPages: true)
        #expect(ids(fixture) == ["1", "4", "5"])
    }

    @Test func `what the second walk refuses or tells as gone does not come back with the first`() throws {
        var definition = try OpenerFixture.definition(isNameRequired: true)
        var source = definition.source
        source.deleted = .mark(try JSONPointer("/gone"))
        definition = Definition(name: "things", source: source, fields: definition.fields, isArchivable: true)
        let fixture = try OpenerFixture(definitions: [definition])
        try fixture.take([.whole(#"[{"id":1,"name":"n"},{"id":9,"name":"n"}]"#)])
        var answer = TestAnswer.whole(#"[{"id":1,"name":"n"},{"id":2},{"id":3,"gone":1},{"id":4}]"#)
        answer.earlier = [
            #"[{"id":2,"name":"n"},{"id":3,"name":"n"},{"id":4},{"id":5}]"#,
            #"[{"id":8,"name":"n"},{"id":9,"name":"n"}]"#,
            #"[{"id":6,"name":"a"},{"id":7}]"#, #"[{"id":6,"name":"b"},{"id":7,"name":"n"}]"#,
        ]
        let taken = try fixture.take([answer], ownDeletions: ["8", "9"], hasPages: true)
        // Among themselves, the elements of the first walk follow the usual rules.
        #expect(ids(fixture) == ["1", "6", "7"])
        #expect(fixture.documents.contains(#"{"id":"6","name":"b"}"#))
        #expect(taken.counts[0].quarantined == 5 && taken.extents[0].missing == 0)
        let refused = [#"{"id":2}"#, #"{"id":4}"#, #"{"id":5}"#, #"{"id":6,"name":"a"}"#, #"{"id":7}"#]
        #expect(try fixture.quarantine().sorted() == refused)
        var trial = TrialIntake(
            definition: definition, joined: nil, base: nil, ownDeletions: [Array("8".utf8), Array("9".utf8)],
            hasPages: true)
        func read(_ pages: [String]) throws {
            for page in pages {
                _ = try trial.read(
                    ArrayBody(Array(page.utf8)), root: JSONPointer(tokens: []), maxRecords: 9, isCancelled: { false })
            }
        }
        trial.isSecondWalk = true
        try read(answer.pages)
        trial.beginEarlierWalk()
        try read(answer.earlier)
        trial.finish()
        #expect(trial.counts.records == 3 && trial.counts.quarantined == 5)
    }

    @Test func `ids that a page tells as gone are not lacking, and do not come back`() throws {
        let deleted = DeletionRule.ids(try JSONPointer("/gone"))
        let fixture = try OpenerFixture(definitions: [
            try OpenerFixture.sourceDefinition(deleted: deleted, root: "/items")
        ])
        try fixture.take([.whole(#"{"items":[{"id":1},{"id":2},{"id":3}]}"#)])
        let page = #"{"items":[{"id":1}],"gone":[2,{"id":"5"},true]}"#
        let taken = try fixture.take([.whole(page)], hasPages: true, isDropped: true)
        #expect(taken.lacking == [1] && taken.counts[0].quarantined == 0)
        var answer = TestAnswer.whole(page)
        answer.earlier = [#"{"items":[{"id":2},{"id":3},{"id":5}],"gone":"none"}"#]
        try fixture.take([answer], hasPages: true)
        #expect(ids(fixture) == ["1", "3"])
    }

    @Test func `what a second walk tells as gone keeps to the limit of records, and is not kept of one walk`() throws {
        let deleted = DeletionRule.ids(try JSONPointer("/gone"))
        let definition = try OpenerFixture.sourceDefinition(deleted: deleted, root: "/items")
        let fixture = try OpenerFixture(definitions: [definition])
        try fixture.take([.whole(#"{"items":[{"id":1}]}"#)])
        let page = #"{"items":[{"id":1}],"gone":[4,5,6,7]}"#
        func trial(isSecondWalk: Bool, isCancelled: @escaping () -> Bool = { false }) throws -> Int {
            var trial = TrialIntake(definition: definition, joined: nil, base: nil, hasPages: true)
            trial.isSecondWalk = isSecondWalk
            return try trial.read(
                ArrayBody(Array(page.utf8)), root: try JSONPointer("/items"), maxRecords: 3, isCancelled: isCancelled)
        }
        try fixture.take([.whole(page)], hasPages: true, recordLimit: 3)
        #expect(try trial(isSecondWalk: false) == 1)
        var answer = TestAnswer.whole(page)
        answer.earlier = [#"{"items":[{"id":1}]}"#]
        #expect(throws: IntakeError.tooManyRecords(3)) {
            try fixture.take([answer], hasPages: true, recordLimit: 3)
        }
        #expect(throws: IntakeError.tooManyRecords(3)) { _ = try trial(isSecondWalk: true) }
        var looks = 0
        #expect(throws: IntakeError.cancelled) {
            _ = try trial(
                isSecondWalk: false,
                isCancelled: {
                    looks += 1
                    return looks > 1
                })
        }
    }

    @Test func `elements that are equal at the seam of two pages count once`() throws {
        let pages = [
            #"[{"id":1},{"id":2},{"id":3},9]"#, #"[{"id":2}, {"id":3},9,{"id":4}]"#, #"[{"id":4,"name":"b"},{"id":1}]"#,
        ]
        for hasPages in [true, false] {
            let fixture = try OpenerFixture()
            let taken = try fixture.take(
                [TestAnswer(pages: pages)], hasPages: hasPages)
            #expect(fixture.documents.count == 4)
            // The last two are at no seam: one has changed, and one was on a page that is not the one before.
            #expect(taken.counts[0].quarantined == (hasPages ? 3 : 6))
        }
    }

    /// An upstream whose records come and go between two pages.
    private struct MovingUpstream {
        var records: [Int]
        /// Those that were there all the time.
        var lasting: Set<Int> = []
        /// Those that were there at some time.
        var ever: Set<Int> = []
        private var next = 1000

        init(_ records: [Int]) { self.records = records }

        mutating func begin() {
            lasting = Set(records)
            ever = lasting
        }

        mutating func move(_ random: inout SeededGenerator) {
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                if Bool.random(using: &random), !records.isEmpty {
                    lasting.remove(records.remove(at: Int.random(in: 0..<records.count, using: &random)))
                } else {
                    next += 1
                    records.insert(next, at: Int.random(in: 0...records.count, using: &random))
                    ever.insert(next)
                }
            }
        }

        /// All pages of one walk.
        mutating func walk(size: Int, isMoving: Bool, _ random: inout SeededGenerator) -> [[Int]] {
            var pages: [[Int]] = []
            while true {
                let page = Array(records.dropFirst(pages.count * size).prefix(size))
                if page.isEmpty || page == pages.last { return pages }
                pages.append(page)
                if page.count < size { return pages }
                if isMoving { move(&random) }
            }
        }
    }

    private static func texts(_ pages: [[Int]]) -> [String] {
        pages.isEmpty ? ["[]"] : pages.map { "[\($0.map { #"{"id":\#($0)}"# }.joined(separator: ","))]" }
    }

    @Test func `no record is removed that was upstream all the time and on a page of one of two walks`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let fixture = try OpenerFixture()
        var upstream = MovingUpstream(Array(1...20))
        for round in 0..<RandomRounds.count(40) {
            let size = Int.random(in: 1...6, using: &random)
            let (movesFirst, movesSecond) = (Bool.random(using: &random), Bool.random(using: &random))
            upstream.begin()
            let first = upstream.walk(size: size, isMoving: movesFirst, &random)
            var (known, isWhole) = (Set(first.joined()), !movesFirst)
            var answer = TestAnswer(pages: Self.texts(first))
            let lacking = try fixture.take([answer], hasPages: true, isDropped: true).lacking
            if let count = lacking.first, count > 0 {
                let second = upstream.walk(size: size, isMoving: movesSecond, &random)
                answer = TestAnswer(pages: Self.texts(second))
                answer.earlier = Self.texts(first)
                known.formUnion(second.joined())
                isWhole = isWhole || !movesSecond
            } else {
                isWhole = true
            }
            let before = ids(fixture)
            try fixture.take([answer], hasPages: true)
            let (after, told) = (ids(fixture), "round \(round) seed \(seed)")
            #expect(after == Set(known.map(String.init)), "\(told)")
            #expect(after.isSubset(of: upstream.ever.map(String.init)), "\(told)")
            let kept = before.intersection(upstream.lasting.map(String.init))
            if isWhole { #expect(kept.isSubset(of: after), "\(told)") }
            upstream.move(&random)
        }
    }
}
