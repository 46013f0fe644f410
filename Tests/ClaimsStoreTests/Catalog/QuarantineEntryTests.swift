// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct QuarantineEntryTests {
    private func entries(_ fixture: OpenerFixture) throws -> [QuarantineEntry] {
        let number = try #require(fixture.view?.condition.row.number)
        return try fixture.store.database.quarantine(of: number, limit: 100).entries
    }

    @Test func `an entry keeps its number while the same bytes come`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1},{"name":"x"},7,7,{"name":"y"}]"#)
        let first = try entries(fixture)
        #expect(
            first.map { String(decoding: $0.bytes, as: UTF8.self) } == [#"{"name":"x"}"#, "7", "7", #"{"name":"y"}"#])
        #expect(Set(first.map(\.number)).count == 4)
        // Another order, one more of the same and one fewer: three stay, two are new.
        try fixture.take(
            #"[7,{"id":1,"name":"b"},{"name":"y"},7,7,{"name":"z"}]"#, at: OpenerFixture.now + 1_000)
        let second = try entries(fixture)
        let kept = second.filter { first.map(\.number).contains($0.number) }
        #expect(Set(kept.map(\.number)) == Set(first.dropFirst().map(\.number)))
        #expect(kept.allSatisfy { $0.firstSeen == OpenerFixture.now && $0.lastSeen == OpenerFixture.now + 1_000 })
        #expect(second.count == 5 && Set(second.map(\.number)).count == 5)
        let byNumber = Dictionary(uniqueKeysWithValues: second.map { ($0.number, $0.bytes) })
        for entry in first.dropFirst() { #expect(byNumber[entry.number] == entry.bytes) }
    }

    @Test func `an entry knows the id, where there is one`() throws {
        let fixture = try OpenerFixture(definitions: [try OpenerFixture.definition(isNameRequired: true)])
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2},{"name":"x"},{"id":3,"name":"c"},{"id":3,"name":"d"}]"#)
        #expect(try entries(fixture).map(\.id) == ["2", nil, "3"])
        let log = try fixture.store.database.changeLog()
        let number = try #require(fixture.view?.condition.row.number)
        #expect(try log.isQuarantined(collection: number, id: Array("2".utf8)))
        #expect(try !log.isQuarantined(collection: number, id: Array("1".utf8)))
        try fixture.take(#"[{"id":1,"name":"b"},{"id":2,"name":"b"}]"#)
        #expect(try !log.isQuarantined(collection: number, id: Array("2".utf8)))
    }

    @Test func `a corrected definition and a retry bring records back, in one commit`() throws {
        let fixture = try OpenerFixture(definitions: [try OpenerFixture.definition(isNameRequired: true)])
        try fixture.take(#"[{"id":1,"name":"a"}]"#)
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2},{"id":3},{"name":"x"},{"id":2,"label":"L"}]"#)
        let before = try entries(fixture)
        #expect(before.count == 4 && fixture.view?.condition.row.quarantined == 4)
        let refused = try fixture.opener.retryQuarantined(nil, of: "things", historyBytes: 1 << 20)
        #expect(refused.accepted.isEmpty && refused.refused.count == 4)
        #expect(refused.revision == fixture.store.catalog.current().revision)
        let clock = fixture.store.catalog.current().revision.seq

        fixture.opener.reload([try OpenerFixture.definition()])
        let outcome = try fixture.opener.retryQuarantined(nil, of: "things", historyBytes: 1 << 20)
        // Of two with one id the last is taken.
        #expect(outcome.accepted == [.init(entry: before[1].number, id: "3"), .init(entry: before[3].number, id: "2")])
        #expect(outcome.refused.map(\.entry) == [before[0].number, before[2].number])
        #expect(outcome.refused.first?.reason == "a later record has the same id")
        #expect(fixture.documents == [#"{"id":"1","name":"a"}"#, #"{"id":"2","label":"L"}"#, #"{"id":"3"}"#])
        #expect(outcome.revision.seq >= clock + 2 && outcome.revision == fixture.store.catalog.current().revision)
        #expect(fixture.view?.condition.row.quarantined == 2)
        #expect(try entries(fixture).map(\.number) == [before[0].number, before[2].number])

        let number = try #require(fixture.view?.condition.row.number)
        let page = try fixture.store.database.changeLog().changes(
            of: number, after: outcome.revision.seq - 2, through: outcome.revision.seq, limit: 10)
        #expect(page.changes.map(\.operation) == [.added, .added])
        #expect(page.changes.allSatisfy { $0.cause == .refresh && $0.at == page.changes[0].at })

        // The id that is served now is refused, by one entry too.
        let served = try fixture.opener.retryQuarantined(before[0].number, of: "things", historyBytes: 1 << 20)
        #expect(served.refused == [.init(entry: before[0].number, reason: "a record with this id is served")])
        #expect(served.revision == outcome.revision)
    }

    @Test func `what was brought back is there after a restart`() throws {
        let fixture = try OpenerFixture(definitions: [try OpenerFixture.definition(isNameRequired: true)])
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2}]"#)
        fixture.opener.reload([try OpenerFixture.definition()])
        _ = try fixture.opener.retryQuarantined(nil, of: "things", historyBytes: 1 << 20)
        fixture.store.database.close()
        let again = try OpenerFixture(fixture.folder)
        again.opener.settle("things")
        #expect(again.documents == [#"{"id":"1","name":"a"}"#, #"{"id":"2"}"#])
        #expect(try entries(again).isEmpty)
        // The same answer as before says nothing new of them.
        #expect(try again.take(#"[{"id":1,"name":"a"},{"id":2}]"#).counts.isUnchanged)
    }

    @Test func `a truncated entry is refused`() throws {
        let fixture = try OpenerFixture(definitions: [try OpenerFixture.definition(isNameRequired: true)])
        let long = String(repeating: "x", count: GenerationStage.quarantinedBytes)
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2,"label":"\#(long)"}]"#)
        fixture.opener.reload([try OpenerFixture.definition()])
        let outcome = try fixture.opener.retryQuarantined(nil, of: "things", historyBytes: 1 << 20)
        #expect(outcome.accepted.isEmpty && outcome.refused.first?.reason.contains("bytes are kept") == true)
        #expect(try entries(fixture).first?.isTruncated == true)
    }

    @Test func `a dropped entry is gone until a changed answer brings it back`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1},{"name":"x"},7]"#)
        let first = try entries(fixture)
        #expect(try fixture.store.dropQuarantined(first[0].number, of: "things") == [first[0].number])
        #expect(try entries(fixture).map(\.number) == [first[1].number])
        #expect(fixture.view?.condition.row.quarantined == 1)
        #expect(try fixture.store.dropQuarantined(first[0].number, of: "things").isEmpty)
        #expect(try fixture.store.dropQuarantined(nil, of: "things") == [first[1].number])
        #expect(fixture.view?.condition.row.quarantined == 0)
        #expect(try entries(fixture).isEmpty)
        try fixture.take(#"[{"id":1,"name":"b"},{"name":"x"}]"#)
        #expect(try entries(fixture).count == 1)
    }
}
