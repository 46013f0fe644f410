// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

@Suite struct IncrementalIntakeTests {
    private static let marked = DeletionRule.mark(JSONPointer(tokens: [Array("gone".utf8)]))
    private static let listed = DeletionRule.ids(JSONPointer(tokens: [Array("deleted".utf8)]))

    @Test func `an answer with what has changed changes the records that it names, and no others`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.sourceDefinition(position: .integer)])
        try fixture.take([.whole(#"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]"#)])
        let taken = try fixture.take([.changes(#"[{"id":2,"name":"B"},{"id":4,"name":"d"}]"#)])
        #expect(taken.counts[0].added == 1 && taken.counts[0].updated == 1 && taken.counts[0].removed == 0)
        #expect(taken.extents == [AnswerExtent(before: 3, after: 4, quarantined: 0)] && taken.isNew)
        #expect(
            fixture.documents == [
                #"{"id":"1","name":"a"}"#, #"{"id":"2","name":"B"}"#, #"{"id":"3","name":"c"}"#,
                #"{"id":"4","name":"d"}"#,
            ])
        #expect(try fixture.rows("SELECT count(*) FROM record") == ["4"])
        #expect(fixture.view?.condition.row.records == 4)
        #expect(
            try fixture.rows(
                "SELECT op || id FROM changes WHERE cause = 'refresh' AND op <> 'upsert' ORDER BY seq DESC LIMIT 2"
            )
            .sorted() == ["added4", "updated2"])
    }

    @Test func `records that come as they are make no generation`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.sourceDefinition(position: .integer)])
        try fixture.take([.whole(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#)])
        for page in [#"[{"id": 2, "name": "b"}]"#, "[]"] {
            let taken = try fixture.take([.changes(page)])
            #expect(!taken.isNew && taken.counts[0].isUnchanged && taken.extents[0].after == 2)
        }
        #expect(fixture.view?.condition.row.generation == 1 && fixture.documents.count == 2)
    }

    @Test func `a record that comes twice has its last state, and nothing is wrong with it`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.sourceDefinition(position: .integer)])
        try fixture.take([.whole(#"[{"id":1,"name":"a"}]"#)])
        let pages = [#"[{"id":1,"name":"b"},{"id":2,"name":"x"}]"#, #"[{"id":2,"name":"y"},{"id":1,"name":"c"}]"#]
        let taken = try fixture.take([TestAnswer(scope: AnswerScope(isIncremental: true), pages: pages)])
        #expect(taken.counts[0].quarantined == 0 && taken.counts[0].updated == 1 && taken.counts[0].added == 1)
        #expect(fixture.documents == [#"{"id":"1","name":"c"}"#, #"{"id":"2","name":"y"}"#])
        #expect(try fixture.rows("SELECT id || upstream FROM record ORDER BY id").count == 2)
    }

    @Test(arguments: [
        (#"true"#, true), ("1", true), (#""2026-01-01""#, true), ("{}", true), ("[]", true), ("-0.5", true),
        ("null", false), ("false", false), ("0", false), ("-0.0e7", false), (#""""#, false),
    ])
    func `a mark is anything but null, false, zero and an empty text`(value: String, isMark: Bool) throws {
        let fixture = try OpenerFixture(definitions: [
            OpenerFixture.sourceDefinition(deleted: Self.marked, position: .integer)
        ])
        try fixture.take([.whole(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#)])
        let taken = try fixture.take([.changes(#"[{"id":2,"gone":\#(value)}]"#)])
        #expect(taken.counts[0].removed == (isMark ? 1 : 0))
        #expect(fixture.documents.count == (isMark ? 1 : 2))
        #expect(fixture.view?.condition.source.drift.isEmpty == true)
    }

    @Test func `a deleted record needs only an id, and one that comes without the mark, too, stays`() throws {
        for isIncremental in [false, true] {
            let fixture = try OpenerFixture(definitions: [
                OpenerFixture.sourceDefinition(deleted: Self.marked, position: .integer)
            ])
            try fixture.take([.whole(#"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]"#)])
            let page = #"[{"id":1,"name":"a"},{"id":2,"gone":1},{"id":3,"gone":1},{"id":3,"name":"C"},{"gone":1}]"#
            let taken = try fixture.take([TestAnswer(scope: AnswerScope(isIncremental: isIncremental), pages: [page])])
            #expect(taken.counts[0].removed == 1 && taken.counts[0].updated == 1 && taken.counts[0].quarantined == 1)
            #expect(taken.extents == [AnswerExtent(before: 3, after: 2, missing: 1, quarantined: 1)])
            #expect(fixture.documents == [#"{"id":"1","name":"a"}"#, #"{"id":"3","name":"C"}"#])
            #expect(try fixture.rows("SELECT op || id FROM changes ORDER BY seq DESC LIMIT 1") == ["removed2"])
        }
    }

    @Test(arguments: [false, true])
    func `records that this host has deleted are none that were before, and none that are missing`(
        isIncremental: Bool
    ) throws {
        let fixture = try OpenerFixture(definitions: [
            OpenerFixture.sourceDefinition(deleted: Self.marked, position: .integer)
        ])
        try fixture.take([.whole(#"[{"id":1},{"id":2},{"id":3},{"id":4}]"#)])
        // 1 is shown still, 2 and 4 are gone, and 9 was never here.
        let page = #"[{"id":1},{"id":2,"gone":1},{"id":3},{"id":4,"gone":1},{"id":5}]"#
        let taken = try fixture.take(
            [TestAnswer(scope: AnswerScope(isIncremental: isIncremental), pages: [page])],
            ownDeletions: ["1", "2", "9"])
        #expect(taken.counts[0].removed == 2)
        #expect(taken.extents == [AnswerExtent(before: 2, after: 2, missing: 1, quarantined: 0)])
    }

    @Test func `a page may list ids, texts and numbers, or records that are gone`() throws {
        let fixture = try OpenerFixture(definitions: [
            OpenerFixture.sourceDefinition(deleted: Self.listed, position: .integer, root: "/items")
        ])
        try fixture.take([.whole(#"{"items":[{"id":1},{"id":"2"},{"id":3},{"id":4},{"id":"é\""}]}"#)])
        let taken = try fixture.take([
            .changes(
                #"{"deleted":["1",2,{"id":3,"x":1},"9","é\u0022","1\n",true,null,""],"items":[{"id":4,"name":"d"}]}"#,
                #"{"items":[],"deleted":[4]}"#, #"{"items":[]}"#, #"{"items":[],"deleted":null}"#)
        ])
        #expect(taken.counts[0].removed == 4 && taken.counts[0].updated == 1)
        // A text with a control character, true, null and an empty text are no ids.
        #expect(taken.counts[0].quarantined == 4)
        #expect(fixture.documents == [#"{"id":"4","name":"d"}"#])
        #expect(throws: IntakeError.deletedIsNoArray(JSONPointer(tokens: [Array("deleted".utf8)]), .string)) {
            try fixture.take([.changes(#"{"items":[],"deleted":"4"}"#)])
        }
        #expect(fixture.documents.count == 1)
    }

    @Test func `a bad record goes to quarantine, and its good version stays until an answer has all records`() throws {
        var definition = try OpenerFixture.definition(isNameRequired: true)
        definition = Definition(name: "things", source: definition.source, fields: definition.fields)
        let fixture = try OpenerFixture(definitions: [definition])
        try fixture.take([.whole(#"[{"id":1,"name":"a"},{"id":2,"name":"b"},7]"#)])
        let bad = try fixture.take([.changes(#"[{"id":2},8,{"id":3}]"#)], at: OpenerFixture.now + 1)
        #expect(!bad.isNew && bad.counts[0].quarantined == 3 && bad.extents[0].quarantined == 4)
        #expect(try fixture.quarantine() == ["7", #"{"id":2}"#, "8", #"{"id":3}"#])
        #expect(fixture.view?.condition.row.quarantined == 4 && fixture.documents.count == 2)
        let numbers = try fixture.rows("SELECT number FROM quarantined ORDER BY number")
        // A record that comes again is known; its later state takes the place of the one before.
        let again = try fixture.take([.changes(#"[{"id":2},8,{"id":3,"x":1}]"#)], at: OpenerFixture.now + 2)
        #expect(again.counts[0].quarantined == 3 && again.extents[0].quarantined == 4)
        #expect(try fixture.quarantine() == ["7", #"{"id":2}"#, "8", #"{"id":3,"x":1}"#])
        #expect(try fixture.rows("SELECT number FROM quarantined ORDER BY number").prefix(3) == numbers.prefix(3))
        #expect(
            try fixture.rows("SELECT count(*) FROM quarantined WHERE last_seen > first_seen") == ["2"])
        // A good version, and a deletion, end it.
        try fixture.take([.changes(#"[{"id":3,"name":"c"}]"#)])
        #expect(try fixture.quarantine() == ["7", #"{"id":2}"#, "8"] && fixture.documents.count == 3)
        #expect(fixture.view?.condition.row.quarantined == 3)
        let whole = try fixture.take([.whole(#"[{"id":1,"name":"a"},{"id":2},{"id":3,"name":"c"}]"#)])
        #expect(whole.counts[0].removed == 1 && fixture.documents.count == 2)
        #expect(try fixture.quarantine() == [#"{"id":2}"#])
        #expect(try fixture.rows("SELECT number FROM quarantined") == [numbers[1]])
        #expect(fixture.view?.condition.row.quarantined == 1)
    }

    @Test func `a changed join reaches the records that an answer does not name`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.sourceDefinition(position: .integer, join: true)])
        func table(_ label: String) throws -> JoinTable {
            let view = try #require(fixture.view)
            var table = try #require(JoinTable(definition: view.definition))
            var tape = JSONTape()
            let record = Array(#"{"key":"a","label":"\#(label)"}"#.utf8)
            _ = try tape.parse(record.rawSpan, from: 0, depth: 8)
            _ = table.add(tape, record.rawSpan)
            return table
        }
        try fixture.take(
            [.whole(#"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"a"}]"#)], joined: table("x"))
        #expect(fixture.documents[0] == #"{"id":"1","name":"a","label":"x"}"#)
        let taken = try fixture.take([.changes(#"[{"id":3,"name":"b"}]"#)], joined: table("y"))
        #expect(taken.counts[0].updated == 2 && taken.counts[0].removed == 0)
        #expect(
            fixture.documents == [
                #"{"id":"1","name":"a","label":"y"}"#, #"{"id":"2","name":"b"}"#, #"{"id":"3","name":"b"}"#,
            ])
    }
}
