// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct DefinitionCommitTests {
    /// Things with other fields: `label` is read at another place.
    private func relabelled(_ pointer: String = "/name") throws -> Definition {
        let base = try OpenerFixture.definition()
        var fields = base.fields
        fields[2].from = [try JSONPointer(pointer)]
        return Definition(name: base.name, source: base.source, fields: fields, isArchivable: true)
    }

    private func changes(_ fixture: OpenerFixture) throws -> [String] {
        try fixture.rows("SELECT seq || ' ' || cause || ' ' || op || ' ' || id || fields FROM changes ORDER BY seq, id")
    }

    private func seq(_ fixture: OpenerFixture) -> UInt64 { fixture.store.catalog.current().revision.seq }

    @Test func `a definition that decides other values is a whole commit that tells them`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a","label":"x"},{"id":2},{"id":3,"label":"c","name":"c"}]"#)
        #expect(fixture.opener.reload([try relabelled()]) == [:])
        #expect(
            fixture.documents == [
                #"{"id":"1","name":"a","label":"a"}"#, #"{"id":"2"}"#, #"{"id":"3","name":"c","label":"c"}"#,
            ])
        #expect(try changes(fixture) == [#"2 definition definition 1{"label":["x","a"]}"#])
        let row = try #require(fixture.view?.condition.row)
        #expect(seq(fixture) == 2 && row.generation == 2 && row.definitionSeq == 2 && row.startSeq == 1)
        #expect(row.floor == 0 && fixture.view?.changedSeq == 2)
        let log = try fixture.store.database.changeLog()
        #expect(try log.changes(of: row.number, after: 0, through: 2, limit: 9).changes.isEmpty)
        let history = try #require(try log.history(of: row.number, id: Array("1".utf8), limit: 9))
        #expect(history.changes.map(\.operation) == [.definition] && history.changes.map(\.seq) == [2])
        #expect(try log.wholeCommit(of: row.number, at: OpenerFixture.now)?.cause == .definition)
    }

    @Test func `records that a definition does not let through are removed by it`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2,"label":"x"}]"#)
        #expect(fixture.opener.reload([try OpenerFixture.definition(isNameRequired: true)]) == [:])
        #expect(fixture.documents == [#"{"id":"1","name":"a"}"#])
        #expect(try changes(fixture) == [#"2 definition removed 2{"id":"2","label":"x"}"#])
        #expect(try fixture.rows("SELECT id FROM record") == ["1"])
        #expect(fixture.view?.condition.row.quarantined == 1)
    }

    @Test func `orders, groups and labels make no commit`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2}]"#)
        let base = try OpenerFixture.definition()
        let other = Definition(
            name: base.name, title: LocalizedText("Other"), source: base.source, fields: base.fields,
            defaultOrder: RecordOrder([SortKey(field: 1)], idField: 0), isArchivable: true)
        #expect(other.shapeHash != base.shapeHash)
        #expect(fixture.opener.reload([other]) == [:])
        #expect(fixture.view?.definition.title.text("en") == "Other")
        #expect(seq(fixture) == 1 && fixture.view?.condition.row.generation == 1)
    }

    @Test func `another volatile place is a commit, although the values are the same`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a","label":"x"}]"#)
        #expect(fixture.opener.reload([try OpenerFixture.definition(volatile: ["/label"])]) == [:])
        #expect(fixture.view?.definition.fields[2].isVolatile == true)
        #expect(seq(fixture) == 2 && fixture.view?.condition.row.definitionSeq == 2)
        #expect(try changes(fixture) == [])
        try fixture.take(#"[{"id":1,"name":"a","label":"y"}]"#)
        #expect(seq(fixture) == 2 && fixture.documents == [#"{"id":"1","name":"a","label":"y"}"#])
    }

    @Test func `a definition that changed while the daemon was down is a commit without values`() throws {
        let folder = try TemporaryFolder()
        let first = try OpenerFixture(folder)
        try first.take(#"[{"id":1,"name":"a","label":"x"}]"#)
        first.store.close()
        let second = try OpenerFixture(folder, definitions: [relabelled()])
        let row = try #require(second.view?.condition.row)
        #expect(seq(second) == 2 && row.definitionSeq == 2 && row.floor == 2 && row.generation == 2)
        #expect(second.documents == [#"{"id":"1","name":"a","label":"a"}"#])
        second.store.close()
    }

    @Test func `a volatile place that came while the daemon was down is a commit with values`() throws {
        let folder = try TemporaryFolder()
        let first = try OpenerFixture(folder)
        try first.take(#"[{"id":1,"name":"a","label":"x"}]"#)
        first.store.close()
        let second = try OpenerFixture(
            folder, definitions: [OpenerFixture.definition(volatile: ["/label"])])
        let row = try #require(second.view?.condition.row)
        #expect(seq(second) == 2 && row.definitionSeq == 2 && row.floor == 0)
        second.store.close()
    }

    @Test func `a collection without data makes no commit`() throws {
        let fixture = try OpenerFixture()
        #expect(fixture.opener.reload([try relabelled()]) == [:])
        #expect(seq(fixture) == 0)
        try fixture.take(#"[{"id":1,"name":"a"}]"#)
        #expect(fixture.documents == [#"{"id":"1","name":"a","label":"a"}"#])
        #expect(seq(fixture) == 1 && fixture.view?.condition.row.definitionSeq == 0)
    }

    @Test func `a rebuild that leaves damaged records out is a commit with the cause recovery`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#)
        do {
            let database = try Database(path: fixture.store.database.path, access: .update)
            try database.execute("UPDATE version SET upstream = '{' WHERE id = '2'", "damage")
        }
        let reason = StoreError(.damaged, "look")
        #expect(fixture.opener.builder.rebuild(try OpenerFixture.definition(), because: reason))
        #expect(fixture.documents == [#"{"id":"1","name":"a"}"#])
        #expect(try changes(fixture) == [#"2 recovery removed 2{"id":"2","name":"b"}"#])
        #expect(seq(fixture) == 2 && fixture.view?.condition.row.generation == 2)
        #expect(fixture.opener.builder.rebuild(try OpenerFixture.definition(), because: reason))
        #expect(seq(fixture) == 2)
    }

    @Test func `a refresh under way when a definition commits is refused, and its rows are gone`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a","label":"x"}]"#)
        var stage = try fixture.store.database.stage(1, at: 5, historyBytes: 100)
        let id = Array("9".utf8)
        _ = try stage.add(id: id.rawSpan, upstream: Array("{}".utf8).rawSpan, firstSeen: 1, changedAt: 1)
        try stage.end(fixture.view?.snapshot?.stateKey(0) ?? 0)
        try stage.note(.added, id: id.rawSpan)
        try stage.flush()
        #expect(fixture.opener.reload([try relabelled()]) == [:])
        #expect(try fixture.rows("SELECT id FROM record") == ["1"])
        #expect(try fixture.rows("SELECT op FROM change") == ["definition"])
        try stage.note(.added, id: id.rawSpan)
        do {
            try stage.flush()
            Issue.record("expected an error")
        } catch { #expect(error.code == .mismatch) }
        stage.abandon()
        #expect(try fixture.rows("SELECT op FROM change") == ["definition"])
    }

    @Test func `values of a definition commit that are too large are not kept`() throws {
        let fixture = try OpenerFixture()
        var settings = HistorySettings()
        settings.bytes = 10
        fixture.opener.apply(settings)
        try fixture.take(#"[{"id":1,"name":"a","label":"x"}]"#)
        #expect(fixture.opener.reload([try relabelled()]) == [:])
        #expect(seq(fixture) == 2 && fixture.view?.condition.row.floor == 2)
    }
}
