// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct ChangeLogReaderTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Generations of 1 whole commit, 2, 0 and 3 changes, with marks between them: 1, 2-3, 4-5, 6, 7-9.
    private func filled() throws -> StoreFixture {
        let fixture = try StoreFixture()
        try fixture.commit(["1", "2"])
        try fixture.archive(["1", "2"])
        try commit(fixture) { stage in
            try stage.note(.updated, id: bytes("1").rawSpan, values: bytes(#"{"name":["a","b"]}"#).rawSpan)
            try stage.note(.added, id: bytes("3").rawSpan)
        }
        try commit(fixture) { _ in }
        try fixture.archive(["1"], false)
        try commit(fixture) { stage in
            try stage.note(.updated, id: bytes("1").rawSpan, values: bytes("{}").rawSpan, differsUpstream: true)
            try stage.note(.removed, id: bytes("3").rawSpan, values: bytes(#"{"id":"3"}"#).rawSpan, firstSeen: 7)
            try stage.note(.added, id: bytes("4").rawSpan)
        }
        return fixture
    }

    private func commit(
        _ fixture: StoreFixture, _ body: (inout GenerationStage) throws -> Void
    ) throws {
        var stage = try fixture.stage()
        try body(&stage)
        try fixture.store.generations.commit(
            &stage,
            GenerationCommit(.file(fixture.snapshot(["1", "2"], stage.generation)), sources: [SourceRow()]))
    }

    private func text(_ change: LoggedChange) -> String {
        "\(change.seq) \(change.operation) \(String(decoding: change.id, as: UTF8.self))"
    }

    @Test func `a page has the rows of generations and the marks, ascending, without whole commits`() throws {
        let fixture = try filled()
        let log = try fixture.store.database.changeLog()
        let page = try log.changes(of: 1, after: 0, through: 9, limit: 100)
        #expect(
            page.changes.map(text) == [
                "2 archived 1", "3 archived 2", "4 updated 1", "5 added 3", "6 unarchived 1", "7 updated 1",
                "8 removed 3", "9 added 4",
            ])
        #expect(page.end == 9 && page.floor == 0)
        #expect(
            page.changes[6]
                == LoggedChange(
                    seq: 8, at: StoreFixture.now, generation: 4, cause: .refresh, operation: .removed,
                    id: bytes("3"), values: bytes(#"{"id":"3"}"#), firstSeen: 7))
        #expect(page.changes[5].differsUpstream && !page.changes[2].differsUpstream)
        #expect(page.changes[0].uid == 1000 && page.changes[0].cause == .archive && page.changes[0].generation == 1)
        #expect(page.changes[4].generation == 3)
    }

    @Test func `pages of any size make the same whole`() throws {
        let fixture = try filled()
        let log = try fixture.store.database.changeLog()
        let whole = try log.changes(of: 1, after: 0, through: 9, limit: 100).changes
        for limit in 1...9 {
            for through in UInt64(0)...9 {
                var position: UInt64 = 0
                var pages: [LoggedChange] = []
                while position < through {
                    let page = try log.changes(of: 1, after: position, through: through, limit: limit)
                    #expect(page.changes.count <= limit && page.end > position)
                    pages += page.changes
                    position = page.end
                }
                #expect(pages == whole.filter { $0.seq <= through })
            }
        }
    }

    @Test func `ids come alone, and rows of some ids`() throws {
        let fixture = try filled()
        let log = try fixture.store.database.changeLog()
        for after in UInt64(0)...9 {
            let whole = try log.changes(of: 1, after: after, through: 9, limit: 100).changes
            var ids: [String] = []
            try log.forEachID(of: 1, after: after, through: 9) { seq, id in
                ids.append("\(seq) \(String(decoding: id.bytes(), as: UTF8.self))")
            }
            #expect(ids == whole.map { "\($0.seq) \(String(decoding: $0.id, as: UTF8.self))" })
            let some = try log.changes(of: 1, after: after, through: 8, among: [bytes("3"), bytes("4")])
            #expect(some.changes == whole.filter { [bytes("3"), bytes("4")].contains($0.id) && $0.seq <= 8 })
        }
    }

    @Test(arguments: [
        (after: 0, through: 9, expected: false), (0, 3, false), (1, 5, false), (3, 5, true), (3, 4, true),
        (4, 5, true), (3, 6, false), (4, 7, false), (5, 6, false), (6, 9, true), (7, 8, true), (8, 9, true),
        (9, 9, false),
    ])
    func `a page knows whether what was asked about is one refresh`(after: Int, through: Int, expected: Bool) throws {
        let fixture = try filled()
        let log = try fixture.store.database.changeLog()
        for position in after...through {
            let page = try log.changes(
                of: 1, after: UInt64(position), through: UInt64(through), limit: 1, since: UInt64(after))
            #expect(page.isOneRefresh == expected)
        }
        #expect(try !log.changes(of: 1, after: 3, through: 5, limit: 9).isOneRefresh, "nobody asked")
    }

    @Test func `numbers that other collections used do not part a refresh from its clock`() throws {
        let fixture = try OpenerFixture(
            definitions: [OpenerFixture.definition(), OpenerFixture.definition(name: "noise")])
        try fixture.take(#"[{"id":1,"name":"a"},{"id":2}]"#)
        try fixture.take(#"[{"id":1}]"#, into: "noise")
        for round in 0..<3 { try fixture.take("[{\"id\":1,\"name\":\"\(round)\"}]", into: "noise") }
        let before = fixture.store.catalog.current().revision.seq
        try fixture.take(#"[{"id":1,"name":"b"},{"id":2,"name":"c"}]"#)
        try fixture.take(#"[{"id":1}]"#, into: "noise")
        let catalog = fixture.store.catalog.current()
        let number = try #require(catalog["things"]).condition.row.number
        let log = try fixture.store.database.changeLog()
        for since in [before - 2, before, before + 1] {
            let page = try log.changes(
                of: number, after: since, through: catalog.revision.seq, limit: 9, since: since)
            #expect(page.isOneRefresh)
        }
    }

    @Test func `the history of a record is read from the newest on, in pages`() throws {
        let fixture = try filled()
        let log = try fixture.store.database.changeLog()
        let first = try #require(try log.history(of: 1, id: bytes("1"), limit: 2))
        #expect(first.changes.map(text) == ["7 updated 1", "6 unarchived 1"] && first.hasMore && !first.isTrimmed)
        let second = try #require(try log.history(of: 1, id: bytes("1"), before: 6, limit: 2))
        #expect(second.changes.map(text) == ["4 updated 1", "2 archived 1"] && !second.hasMore)
        #expect(try #require(try log.history(of: 1, id: bytes("none"), limit: 2)).changes.isEmpty)
    }

    @Test func `below the floor nothing is told`() throws {
        let fixture = try filled()
        try fixture.trim(changes: 4)
        let log = try fixture.store.database.changeLog()
        let page = try log.changes(of: 1, after: 5, through: 9, limit: 100)
        #expect(page.floor == 5 && page.changes.map(\.seq) == [6, 7, 8, 9])
        let history = try #require(try log.history(of: 1, id: bytes("1"), limit: 9))
        #expect(history.changes.map(\.seq) == [7, 6] && history.isTrimmed && !history.hasMore)
    }

    @Test func `a noisy collection costs a quiet one nothing`() throws {
        let fixture = try OpenerFixture(
            definitions: [OpenerFixture.definition(), OpenerFixture.definition(name: "quiet")])
        try fixture.take(#"[{"id":1}]"#, into: "quiet")
        try fixture.take(#"[{"id":1,"name":"a"}]"#, into: "quiet")
        for round in 0..<50 { try fixture.take("[{\"id\":1,\"name\":\"\(round)\"}]") }
        for name in ["things", "quiet"] {
            try fixture.store.trimLog(of: name, RetentionLimits(oldest: 0, changes: 10, bytes: .max))
        }
        let catalog = fixture.store.catalog.current()
        let (noisy, quiet) = (try #require(catalog["things"]), try #require(catalog["quiet"]))
        #expect(noisy.condition.row.floor == 42 && noisy.condition.log.changes == 10)
        #expect(quiet.condition.row.floor == 0 && quiet.condition.log.changes == 2)
        let log = try fixture.store.database.changeLog()
        let page = try log.changes(
            of: quiet.condition.row.number, after: 0, through: catalog.revision.seq, limit: 100)
        #expect(page.floor == 0 && page.changes.map(\.seq) == [2])
    }

    @Test func `a whole commit is found by its time while it is in the log`() throws {
        let fixture = try filled()
        let log = try fixture.store.database.changeLog()
        let commit = try log.wholeCommit(of: 1, at: StoreFixture.now)
        #expect(commit?.end == 1 && commit?.generation == 1 && commit?.cause == .refresh)
        #expect(try log.wholeCommit(of: 1, at: 1) == nil)
        try fixture.trim(changes: 4)
        #expect(try log.wholeCommit(of: 1, at: StoreFixture.now) == nil)
    }

    @Test func `a collection that is not there is missing`() throws {
        let fixture = try filled()
        let log = try fixture.store.database.changeLog()
        do {
            _ = try log.changes(of: 7, after: 0, through: 9, limit: 1)
            Issue.record("expected an error")
        } catch { #expect(error.code == .missing) }
    }

    @Test func `a reader sees each commit whole while the store writes, and keeps no view between its calls`() throws {
        let fixture = try filled()
        let log = try fixture.store.database.changeLog()
        for round in 0..<20 {
            #expect(try log.changes(of: 1, after: 9, through: .max, limit: 1000).changes.count == round)
            try fixture.archive(["1"], round % 2 == 0)
        }
    }
}

extension RawSpan {
    fileprivate func bytes() -> [UInt8] { (0..<byteCount).map { byte(at: $0) } }
}
