// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

@Suite struct RecordIntakeTests {
    private func counts(
        _ records: Int, added: Int = 0, updated: Int = 0, removed: Int = 0, quarantined: Int = 0
    ) -> IntakeCounts {
        var counts = IntakeCounts()
        counts.records = records
        counts.added = added
        counts.updated = updated
        counts.removed = removed
        counts.quarantined = quarantined
        return counts
    }

    @Test func `the first body is all new, and one change of the clock`() throws {
        let fixture = try OpenerFixture()
        let result = try fixture.take(#"[{"id":2,"name":"b"},{"id":"10","name":"c"},{"id":1,"name":"a"}]"#)
        #expect(result == (counts(3, added: 3), true))
        #expect(
            fixture.documents
                == [#"{"id":"1","name":"a"}"#, #"{"id":"2","name":"b"}"#, #"{"id":"10","name":"c"}"#])
        #expect(fixture.store.catalog.current().revision.seq == 1)
        #expect(fixture.view?.state == .ready && fixture.view?.source == .upstream)
    }

    @Test func `a second body is compared with the first, record by record`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]"#)
        let result = try fixture.take(
            #"[{"id":4,"name":"d"},{"id":2, "name":"B"},{"id":1,"name":"a"}]"#, at: OpenerFixture.now + 1000)
        #expect(result == (counts(3, added: 1, updated: 1, removed: 1), true))
        #expect(
            fixture.documents
                == [#"{"id":"1","name":"a"}"#, #"{"id":"2","name":"B"}"#, #"{"id":"4","name":"d"}"#])
        #expect(
            try fixture.rows("SELECT seq || op || id || coalesce(fields, '-') FROM changes ORDER BY seq")
                == ["2added4-", #"3updated2{"name":["b","B"]}"#, #"4removed3{"id":"3","name":"c"}"#])
        #expect(fixture.store.catalog.current().revision.seq == 4)
        let committed = try #require(fixture.view?.committed)
        let records = committed.rowsByID.map { committed.record($0) }
        #expect(records.map { $0.firstSeen - OpenerFixture.now } == [0, 0, 1000])
        #expect(records.map { $0.changedAt - OpenerFixture.now } == [0, 1000, 1000])
        #expect(
            try fixture.rows("SELECT id || upstream FROM record ORDER BY id")
                == [#"1{"id":1,"name":"a"}"#, #"2{"id":2,"name":"B"}"#, #"4{"id":4,"name":"d"}"#])
        #expect(try fixture.rows("SELECT count(*) FROM version") == ["5"])
    }

    @Test func `the same records in other white space and order are no change`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#)
        let file = fixture.files
        let result = try fixture.take("[ {\"id\" : 2,\n\"name\":\"b\"}, {\"id\":1,\"name\":\"a\"} ]")
        #expect(result == (counts(2), false))
        #expect(fixture.files == file)
        #expect(fixture.view?.condition.row.generation == 1)
        #expect(fixture.store.catalog.current().revision.seq == 1)
    }

    @Test func `records that are equal as JSON values make no change`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a","x":{"p":1,"q":[1.0]}},{"id":2,"name":"b"}]"#)
        let other = #"[{"x":{"q":[1.0],"p":1},"name":"\u0061","id":1},{"id":2,"name":"x","name":"b"}]"#
        #expect(try fixture.take(other) == (counts(2), false))
        #expect(fixture.store.catalog.current().revision.seq == 1)
        let digits = #"[{"id":1,"name":"a","x":{"p":1,"q":[1.00]}},{"id":2,"name":"b"}]"#
        #expect(try fixture.take(digits) == (counts(2, updated: 1), true))
    }

    @Test func `a refresh that differs in volatile members alone is served, and nothing is told`() throws {
        let fixture = try OpenerFixture(
            definitions: [OpenerFixture.definition(volatile: ["/label", "/radio/rssi"])])
        try fixture.take(#"[{"id":1,"label":"x","radio":{"rssi":1}},{"id":2,"label":"y"}]"#)
        let before = fixture.store.catalog.current().revision
        let result = try fixture.take(
            #"[{"id":1,"label":"z","radio":{"rssi":2}},{"id":2,"label":"y"}]"#, at: OpenerFixture.now + 5)
        var expected = counts(2)
        expected.volatile = 1
        #expect(result == (expected, true))
        #expect(fixture.documents == [#"{"id":"1","label":"z"}"#, #"{"id":"2","label":"y"}"#])
        #expect(fixture.store.catalog.current().revision == before && fixture.view?.changedSeq == before.seq)
        #expect(fixture.view?.condition.row.generation == 2)
        #expect(fixture.view?.served(Array("1".utf8))?.changedAt == OpenerFixture.now)
        #expect(
            try fixture.rows("SELECT upstream FROM record WHERE id = '1'")
                == [#"{"id":1,"label":"z","radio":{"rssi":2}}"#])
        #expect(try fixture.rows("SELECT count(*) FROM change") == ["0"])
    }

    @Test func `the log has no volatile values`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.definition(volatile: ["/label"])])
        try fixture.take(#"[{"id":1,"name":"a","label":"x"},{"id":2,"name":"b","label":"y"}]"#)
        try fixture.take(#"[{"id":1,"name":"A","label":"z","new":1}]"#)
        #expect(
            try fixture.rows("SELECT op || fields || upstream FROM changes JOIN change USING(op, id, fields)")
                == [#"updated{"name":["a","A"]}1"#, #"removed{"id":"2","name":"b"}0"#])
    }

    @Test func `a change only in what fields read differs in nothing else upstream`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a","x":1}]"#)
        try fixture.take(#"[{"id":1,"name":"b","x":1}]"#)
        #expect(try fixture.rows("SELECT fields || upstream FROM change") == [#"{"name":["a","b"]}0"#])
    }

    @Test func `members that no field is read from are part of a record`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a","x":1}]"#)
        #expect(try fixture.take(#"[{"id":1,"name":"a","x":2}]"#).counts == counts(1, updated: 1))
        #expect(try fixture.rows("SELECT fields || upstream FROM change") == ["{}1"])
        #expect(fixture.view?.condition.source.drift.newMembers.map(\.name) == ["x"])
    }

    @Test func `drift keeps its first sight, and its last one moves while its example is carried`() throws {
        let fixture = try OpenerFixture()
        func sight() -> DriftSight? { fixture.view?.condition.source.drift.newMembers.first?.sight }
        try fixture.take(#"[{"id":1,"name":"a","x":1},{"id":2,"name":"b"}]"#)
        let first = try #require(sight())
        #expect(first.example == "1" && first.firstSeen == first.lastSeen && first.isCurrent)
        try fixture.take(#"[{"id":1,"name":"a","x":1},{"id":2,"name":"c"}]"#, at: OpenerFixture.now + 1_000)
        #expect(sight()?.firstSeen == first.firstSeen && sight()?.lastSeen == first.lastSeen.map { $0 + 1_000 })
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2,"name":"c"}]"#, at: OpenerFixture.now + 2_000)
        #expect(sight()?.lastSeen == first.lastSeen.map { $0 + 1_000 } && sight()?.isCurrent == false)
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2,"name":"c","x":2}]"#, at: OpenerFixture.now + 3_000)
        #expect(sight()?.lastSeen == first.lastSeen.map { $0 + 3_000 } && sight()?.firstSeen == first.firstSeen)
        #expect(sight()?.example == "2" && sight()?.isCurrent == true)
    }

    @Test func `bad records go to quarantine and leave the others alone`() throws {
        let fixture = try OpenerFixture()
        let deep = String(repeating: "[", count: 70) + String(repeating: "]", count: 70)
        let result = try fixture.take(#"[7,{"name":"x"},{"id":1,"name":"a"},{"id":2,"x":\#(deep)}]"#)
        #expect(result == (counts(1, added: 1, quarantined: 3), true))
        #expect(
            try fixture.rows("SELECT pointer || ' ' || substr(bytes, 1, 13) FROM quarantined ORDER BY number")
                == ["/0 7", #"/1/id {"name":"x"}"#, #"/3 {"id":2,"x":["#])
        #expect(fixture.view?.condition.row.quarantined == 3)
    }

    @Test func `a record with bad text goes to quarantine with its bytes and the way to the text`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2,"name":"b"},{"id":3,"name":"c"}]"#)
        let body =
            Array(#"[{"id":1,"name":"a"},{"id":2,"name":""#.utf8) + [0xC3, 0x28]
            + Array(#""},{"id":4,"name":"\ud800"},{"id":5,"\udc00":{}},"\ud800",{"id":3,"name":"c"}]"#.utf8)
        let result = try fixture.take(bodies: [body])
        #expect(result == (counts(2, removed: 1, quarantined: 4), true))
        #expect(fixture.documents == [#"{"id":"1","name":"a"}"#, #"{"id":"3","name":"c"}"#])
        #expect(
            try fixture.rows("SELECT pointer || ' ' || reason || ' ' || hex(substr(bytes, 17, 2)) FROM quarantine")
                == [
                    "/1/name invalid UTF-8 in a string C328", "/2/name half of a surrogate pair in a string 5C75",
                    "/3 half of a surrogate pair in the name of a member 3A7B",
                    "/4 half of a surrogate pair in a string ",
                ])
    }

    @Test func `a record of many megabytes goes to quarantine, and only its beginning is kept`() throws {
        let fixture = try OpenerFixture()
        let text = String(repeating: "x", count: IntakePlan.maxRecordSize)
        let values = String(repeating: "1,", count: JSONElements.elementNodes)
        let result = try fixture.take(#"[{"id":1},{"id":2,"name":"\#(text)"},{"id":3,"x":[\#(values)1]}]"#)
        #expect(result == (counts(1, added: 1, quarantined: 2), true))
        #expect(
            try fixture.rows("SELECT length(bytes) || ' ' || (size > 1048576) FROM quarantine ORDER BY number")
                == ["1048576 1", "1048576 1"])
    }

    @Test func `of two records with one id the later wins`() throws {
        let fixture = try OpenerFixture()
        let result = try fixture.take(#"[{"id":1,"name":"a"},{"id":2},{"id":1,"name":"b"},{"id":"1","name":"c"}]"#)
        #expect(result == (counts(2, added: 2, quarantined: 2), true))
        #expect(fixture.documents == [#"{"id":"1","name":"c"}"#, #"{"id":"2"}"#])
        let stored = try fixture.rows("SELECT upstream FROM record ORDER BY id")
        #expect(stored == [#"{"id":"1","name":"c"}"#, #"{"id":2}"#])
        #expect(
            try fixture.rows("SELECT pointer || bytes FROM quarantined ORDER BY number")
                == [#"/0{"id":1,"name":"a"}"#, #"/2{"id":1,"name":"b"}"#])
    }

    @Test func `an id is the same however it is written, and however long it is`() throws {
        let fixture = try OpenerFixture()
        let long = String(repeating: "long", count: 250)
        let result = try fixture.take(
            #"[{"id":"\#(long)a"},{"id":"\#(long)b"},{"id":"\u006cong"},"#
                + #"{"id":"\#(long)\u0061","name":"c"},{"id":"long"}]"#)
        #expect(result == (counts(3, added: 3, quarantined: 2), true))
        #expect(
            fixture.documents == [
                #"{"id":"long"}"#, #"{"id":"\#(long)a","name":"c"}"#, #"{"id":"\#(long)b"}"#,
            ])
    }

    @Test func `records that come again after many others are found`() throws {
        let fixture = try OpenerFixture()
        let count = ChunkedArray<SeenRecords.Record>.chunkCount + 1000
        let again = [0, 1, 32_767, 32_768, count - 1001, count - 1000, count - 1]
        let records = (0..<count).map { #"{"id":\#($0)}"# } + again.map { #"{"id":"\#($0)","name":"again"}"# }
        let result = try fixture.take("[\(records.joined(separator: ","))]")
        #expect(result == (counts(count, added: count, quarantined: again.count), true))
        let snapshot = try #require(fixture.view?.snapshot)
        #expect(snapshot.count == count)
        for id in again {
            let found = snapshot.row(forID: Array("\(id)".utf8).rawSpan)
            let row = try #require(found)
            let document = String(decoding: snapshot.document(row).array, as: UTF8.self)
            #expect(document == #"{"id":"\#(id)","name":"again"}"#)
        }
    }

    @Test(arguments: [
        (#"{"id":1,"name":"x"},{"id":1,"name":"a"}"#, 0), (#"{"id":1,"name":"a"},{"id":1,"name":"x"}"#, 1),
        (#"{"id":1,"name":"a"},{"id":1,"name":"a"}"#, 0), (#"{"id":1,"name":"x"},{"id":1,"name":"y"}"#, 1),
    ])
    func `duplicates are compared by the one that wins`(records: String, updated: Int) throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a"}]"#)
        let result = try fixture.take("[\(records)]")
        #expect(result == (counts(1, updated: updated, quarantined: 1), updated > 0))
        #expect(try fixture.rows("SELECT count(*) FROM record") == ["1"])
        #expect(try fixture.rows("SELECT count(*) FROM change") == ["\(updated)"])
        #expect(fixture.view?.condition.row.quarantined == 1)
    }

    @Test func `pages are one body`() throws {
        let fixture = try OpenerFixture()
        let result = try fixture.take(#"[{"id":1,"name":"a"}]"#, #"[{"id":2},{"id":1,"name":"b"}]"#, "[]")
        #expect(result == (counts(2, added: 2, quarantined: 1), true))
        #expect(fixture.documents == [#"{"id":"1","name":"b"}"#, #"{"id":"2"}"#])
        #expect(try fixture.rows("SELECT pointer || bytes FROM quarantined") == [#"/0{"id":1,"name":"a"}"#])
    }

    @Test(arguments: ["[{\"id\":1},", "[{\"id\":1}] x", "{}", "<html>", "", "[{\"id\":1},{\"id\":01}]"])
    func `a broken body changes nothing`(body: String) throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a"}]"#)
        #expect(throws: IntakeError.self) { try fixture.take(body) }
        #expect(fixture.documents == [#"{"id":"1","name":"a"}"#])
        #expect(try fixture.rows("SELECT count(*) FROM version") == ["1"])
        #expect(fixture.files.count == 1)
    }

    @Test func `more records than the limit are too many`() throws {
        let fixture = try OpenerFixture()
        #expect(throws: IntakeError.tooManyRecords(2)) {
            try fixture.take(#"[{"id":1},{"id":2},7]"#, limit: 2)
        }
        #expect(try fixture.take(#"[{"id":1},7]"#, limit: 2).counts == counts(1, added: 1, quarantined: 1))
    }

    @Test func `everything may vanish, and come back as new`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1}]"#)
        #expect(try fixture.take("[]").counts == counts(0, removed: 1))
        #expect(fixture.view?.state == .empty)
        #expect(try fixture.take(#"[{"id":1}]"#, at: OpenerFixture.now + 5).counts == counts(1, added: 1))
        #expect(fixture.view?.served(Array("1".utf8))?.firstSeen == OpenerFixture.now + 5)
    }

    @Test func `old files go when their last reader lets go`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1}]"#)
        var reader = fixture.view?.snapshot
        try fixture.take(#"[{"id":2}]"#, bounds: .none)
        #expect(fixture.files.count == 2)
        #expect(reader?.row(forID: Array("1".utf8).rawSpan) == 0)
        reader = nil
        // The store's thread lets go of what it committed before it does the next thing.
        _ = try fixture.store.database.load(names: [])
        #expect(fixture.files.count == 1)
    }

    @Test func `joined values fill fields, and a change of them is a change of the record`() throws {
        let fixture = try OpenerFixture(definitions: [OpenerFixture.definition(join: true)])
        func table(_ label: String) throws -> JoinTable {
            var table = try #require(JoinTable(definition: OpenerFixture.definition(join: true)))
            let bytes = Array(#"{"key":"a","label":"\#(label)"}"#.utf8)
            var tape = JSONTape()
            _ = try tape.parse(bytes.rawSpan, from: 0, depth: 8)
            let isAdded = table.add(tape, bytes.rawSpan)
            #expect(isAdded)
            return table
        }
        let body = #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#
        try fixture.take(body, joined: table("A"))
        #expect(fixture.documents == [#"{"id":"1","name":"a","label":"A"}"#, #"{"id":"2","name":"b"}"#])
        #expect(try fixture.take(body, joined: table("A")).isNew == false)
        #expect(try fixture.take(body, joined: table("Ä")).counts == counts(2, updated: 1))
        #expect(try fixture.rows("SELECT fields FROM change") == [#"{"label":["A","Ä"]}"#])
        #expect(try fixture.rows("SELECT value FROM join_value ORDER BY batch DESC LIMIT 1") == [#"["a","Ä"]"#])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `bodies in any order, with records that come, go, change and come twice, are taken as they are`(
        seed: UInt64
    ) throws {
        let fixture = try OpenerFixture()
        var chance = SeededGenerator(seed: seed)
        var names = [Int: Int](uniqueKeysWithValues: (0..<300).map { ($0, 0) })
        for generation in 1...12 {
            let old = names
            for id in old.keys.sorted() where chance.oneIn(generation == 6 ? 2 : 25) {
                names[id] = chance.oneIn(4) ? nil : generation
            }
            for id in 0..<400 where chance.oneIn(60) && old[id] == nil { names[id] = generation }
            var ids = names.keys.sorted()
            if generation % 3 == 0 { ids.shuffle(using: &chance) }
            if generation % 4 == 0 { ids.reverse() }
            let space = generation % 5 == 0 ? " " : ""
            var records: [String] = []
            for id in ids {
                if chance.oneIn(40) { records.append(#"{"id":\#(id),"name":"early"}"#) }
                records.append(#"{"id":\#(id),\#(space)"name":"name \#(names[id] ?? 0)"}"#)
            }
            let twice = records.count - ids.count
            let result = try fixture.take("[\(records.joined(separator: ","))]")
            let updated = names.count { old[$0.key] != nil && old[$0.key] != $0.value }
            if generation > 1 {
                #expect(
                    result.counts
                        == counts(
                            names.count, added: names.keys.count { old[$0] == nil }, updated: updated,
                            removed: old.keys.count { names[$0] == nil }, quarantined: twice))
            }
            let expected = names.keys.sorted().map { #"{"id":"\#($0)","name":"name \#(names[$0] ?? 0)"}"# }
            #expect(fixture.documents == expected)
            #expect(try fixture.rows("SELECT count(*) FROM record") == ["\(names.count)"])
        }
    }
}
