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

@Suite struct GenerationTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `a committed generation is served, and shown by the shell`() throws {
        let fixture = try StoreFixture()
        var source = SourceRow()
        source.asOf = StoreFixture.now
        source.origin = "https://things.example/"
        try fixture.commit(["1", "2"], source: source)
        #expect(fixture.view?.snapshot?.count == 2)
        #expect(fixture.view?.condition.row.generation == 1)
        #expect(fixture.store.catalog.current().revision.seq == 1)
        #expect(
            try Shell.rows(fixture.folder, "SELECT collection || id || upstream || first_seen FROM record ORDER BY id")
                == [
                    "things1{\"id\":\"1\"}2027-01-15T08:00:00.000Z", "things2{\"id\":\"2\"}2027-01-15T08:00:00.000Z",
                ])
        #expect(
            try Shell.rows(fixture.folder, "SELECT name || generation || records || as_of FROM collections")
                == ["things122027-01-15T08:00:00.000Z"])
    }

    @Test func `the shell shows a source's error in text, and the file of the snapshot`() throws {
        let fixture = try StoreFixture()
        let sql = "SELECT snapshot || ': ' || error_message FROM collections"
        for (message, text) in [
            (Message(.httpStatus, "404 Not Found"), "The server answered 404 Not Found"),
            (Message(.heldShrunk, "3", "900"), Message(.heldShrunk, "3", "900").text("en")),
            (Message(.other, "it's {0} 'quoted'"), Message(.other, "it's {0} 'quoted'").text("en")),
        ] {
            var source = SourceRow()
            source.lastError = Failure(kind: .other, status: nil, message: message, at: StoreFixture.now)
            try fixture.commit(["1"], source: source)
            let file = try #require(fixture.view?.snapshot?.identity.fileName)
            #expect(try Shell.rows(fixture.folder, sql) == ["\(file): \(text)"])
        }
    }

    @Test func `what is staged is invisible until it is committed`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1"])
        var stage = try fixture.stage()
        let key = try Shell.rows(fixture.folder, "SELECT key FROM version").first.flatMap { Int64($0) } ?? 0
        try stage.end(key)
        _ = try stage.add(id: bytes("2").rawSpan, upstream: bytes("{}").rawSpan, firstSeen: 1, changedAt: 2)
        try stage.flush()
        #expect(try Shell.rows(fixture.folder, "SELECT id FROM record") == ["1"])
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM version") == ["2"])
        try fixture.store.generations.commit(
            &stage, GenerationCommit(.file(fixture.snapshot(["2"], 2)), sources: [SourceRow()]))
        #expect(try Shell.rows(fixture.folder, "SELECT id || generation FROM record") == ["22"])
    }

    @Test func `a crash in the middle of a refresh leaves the old generation, and the next refresh cleans up`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1"])
        var stage = try fixture.stage()
        try stage.end(1 << 40 | 1)
        for id in 0..<5000 {
            _ = try stage.add(
                id: bytes("new \(id)").rawSpan, upstream: bytes("{}").rawSpan, firstSeen: 1, changedAt: 2)
            try stage.note(.added, id: bytes("new \(id)").rawSpan)
        }
        try stage.quarantine(bytes("[]").rawSpan, pointer: "/7", reason: "no object")
        try stage.keep(joined: bytes("[1,2]\n[2,3]\n"))
        try stage.flush()
        let crashed = try StoreFixture(fixture.folder.copy())
        #expect(crashed.store.catalog.current().revision.seq == 1)
        #expect(try Shell.rows(crashed.folder, "SELECT id FROM record") == ["1"])
        #expect(try Shell.rows(crashed.folder, "SELECT count(*) FROM version") == ["5001"])
        try crashed.commit(["2"])
        #expect(try Shell.rows(crashed.folder, "SELECT id FROM record ORDER BY id") == ["1", "2"])
        for table in ["removal", "change", "quarantine", "join_value"] {
            #expect(try Shell.rows(crashed.folder, "SELECT count(*) FROM \(table)") == ["0"], "\(table)")
        }
        #expect(try Shell.rows(crashed.folder, "SELECT count(*) FROM version") == ["2"])
    }

    @Test func `abandoned rows are gone`() throws {
        let fixture = try StoreFixture()
        var stage = try fixture.stage()
        for id in 0..<5000 {
            _ = try stage.add(id: bytes("\(id)").rawSpan, upstream: bytes("{}").rawSpan, firstSeen: 1, changedAt: 2)
        }
        stage.abandon()
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM version") == ["0"])
    }

    @Test func `changes carry consecutive numbers and what they changed`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1"])
        try fixture.archive(["1"])
        var stage = try fixture.stage()
        try stage.note(.updated, id: bytes("1").rawSpan, values: bytes(#"{"name":["a","b"]}"#).rawSpan)
        try stage.note(.removed, id: bytes("2").rawSpan, values: bytes(#"{"id":"2"}"#).rawSpan, firstSeen: 5)
        try fixture.store.generations.commit(
            &stage, GenerationCommit(.file(fixture.snapshot(["1"], 2)), sources: [SourceRow()]))
        #expect(fixture.store.catalog.current().revision.seq == 4 && fixture.view?.changedSeq == 4)
        #expect(
            try Shell.rows(
                fixture.folder, "SELECT seq || cause || op || id || coalesce(fields, '') FROM changes ORDER BY seq")
                == ["2archivearchived1", #"3refreshupdated1{"name":["a","b"]}"#, #"4refreshremoved2{"id":"2"}"#])
    }

    @Test func `a withdrawn change leaves no gap in the numbers`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1"])
        var stage = try fixture.stage()
        var ordinals: [Int64] = []
        for id in 1...9 { ordinals.append(try stage.note(.added, id: bytes("\(id)").rawSpan)) }
        for index in [1, 4] { stage.withdraw(change: ordinals[index]) }
        #expect(try stage.note(.added, id: bytes("again").rawSpan) == 5)
        for index in [8, 6] { stage.withdraw(change: ordinals[index]) }
        let count = stage.changes
        #expect(count == 6)
        try stage.closeGaps()
        try stage.note(.removed, id: bytes("last").rawSpan)
        try fixture.store.generations.commit(
            &stage, GenerationCommit(.file(fixture.snapshot(["1"], 2)), sources: [SourceRow()]))
        #expect(fixture.store.catalog.current().revision.seq == 8)
        let rows = try Shell.rows(fixture.folder, "SELECT seq || ' ' || id FROM changes ORDER BY seq")
        #expect(rows.map { $0.split(separator: " ")[0] } == ["2", "3", "4", "5", "6", "7", "8"])
        #expect(Set(rows.map { $0.split(separator: " ")[1] }) == ["1", "3", "4", "6", "8", "again", "last"])
    }

    @Test func `values that are too large are not kept, and the log begins at the end of their commit`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1"])
        var stage = try fixture.stage(historyBytes: 100)
        for id in 0..<25 {
            try stage.note(.removed, id: bytes("\(id)").rawSpan, values: bytes("{\"id\":\"\(id)\"}").rawSpan)
        }
        let keepsChanges = stage.keepsChanges
        #expect(!keepsChanges)
        try fixture.store.generations.commit(
            &stage, GenerationCommit(.file(fixture.snapshot(["1"], 2)), sources: [SourceRow()]))
        #expect(fixture.store.catalog.current().revision.seq == 26 && fixture.view?.condition.row.floor == 26)
        // Which records it changed is told until another commit has its place.
        try fixture.trim(changes: 2)
        let log = try fixture.store.database.changeLog()
        for (id, seq) in [("0", UInt64(2)), ("24", 26)] {
            let history = try #require(try log.history(of: 1, id: bytes(id), limit: 10))
            #expect(history.changes.map(\.seq) == [seq] && history.floor == 26)
            #expect(history.changes.allSatisfy { !$0.hasValues && $0.values.isEmpty && $0.operation == .removed })
        }
        #expect(try log.changes(of: 1, after: 26, through: .max, limit: 10).changes == [])
        try fixture.archive(["1"])
        try fixture.trim(changes: 2)
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM change") == ["25"])
        try fixture.archive(["1"], false)
        try fixture.trim(changes: 2)
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM change") == ["0"])
        #expect(try Shell.rows(fixture.folder, "SELECT generation FROM generation") == ["2"])
        #expect(fixture.view?.condition.row.floor == 26)
    }

    @Test func `a commit without values goes by its age, once another generation follows it`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1"])
        var stage = try fixture.stage(historyBytes: 1)
        try stage.note(.updated, id: bytes("1").rawSpan, values: bytes(#"{"name":["a","b"]}"#).rawSpan)
        try fixture.store.generations.commit(
            &stage, GenerationCommit(.file(fixture.snapshot(["1"], 2)), sources: [SourceRow()]))
        try fixture.trim(oldest: StoreFixture.now + 1)
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM change") == ["1"])
        var next = try fixture.stage(at: StoreFixture.now + 2)
        try next.note(.updated, id: bytes("1").rawSpan, values: bytes(#"{"name":["b","c"]}"#).rawSpan)
        try fixture.store.generations.commit(
            &next, GenerationCommit(.file(fixture.snapshot(["1"], 3)), sources: [SourceRow()]))
        try fixture.trim()
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM change") == ["2"])
        try fixture.trim(oldest: StoreFixture.now + 1)
        #expect(try Shell.rows(fixture.folder, "SELECT seq FROM changes") == ["3"])
    }

    @Test func `old commits are dropped by age and by number, never in halves`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1", "2"])
        for _ in 0..<10 {
            try fixture.archive(["1", "2"])
            try fixture.archive(["1", "2"], false)
        }
        try fixture.trim(changes: 5)
        #expect(try Shell.rows(fixture.folder, "SELECT group_concat(seq) FROM changes") == ["36,37,38,39,40,41"])
        #expect(fixture.view?.condition.row.floor == 35)
        #expect(try fixture.store.database.load(names: []).collections["things"]?.row.floor == 35)
        try fixture.trim(oldest: StoreFixture.now + 1, changes: 5)
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM changes") == ["0"])
        #expect(fixture.view?.condition.row.floor == 41)
        #expect(try fixture.store.database.load(names: []).revision.seq == 41)
    }

    @Test func `superseded records are collected after the commit`() throws {
        let fixture = try StoreFixture()
        try fixture.commit((0..<3000).map(String.init))
        var stage = try fixture.stage()
        for key in 1...3000 { try stage.end(1 << 40 | Int64(key)) }
        try fixture.store.generations.commit(
            &stage, GenerationCommit(.file(fixture.snapshot([], 2)), sources: [SourceRow()]))
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM record") == ["0"])
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM version") == ["3000"])
        try fixture.store.database.collectGarbage(of: 1)
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM version") == ["0"])
        #expect(try Shell.rows(fixture.folder, "SELECT count(*) FROM removal") == ["0"])
    }

    @Test func `a withdrawn record is not part of the generation`() throws {
        let fixture = try StoreFixture()
        var stage = try fixture.stage()
        let first = try stage.add(id: bytes("1").rawSpan, upstream: bytes("1").rawSpan, firstSeen: 1, changedAt: 1)
        _ = try stage.add(id: bytes("1").rawSpan, upstream: bytes("2").rawSpan, firstSeen: 1, changedAt: 1)
        try stage.withdraw(first)
        try fixture.store.generations.commit(
            &stage, GenerationCommit(.file(fixture.snapshot(["1"], 1)), sources: [SourceRow()]))
        #expect(try Shell.rows(fixture.folder, "SELECT upstream FROM record") == ["2"])
    }

    @Test func `a definition that changed meanwhile keeps the generation out`() throws {
        let fixture = try StoreFixture()
        var stage = try fixture.stage()
        let snapshot = try fixture.snapshot([], 1)
        let other = Definition(
            name: "things", source: fixture.definition.source, fields: [Field(name: "id", type: .id, from: [])])
        fixture.store.catalog.redefine("things") { _ in other }
        do {
            try fixture.store.generations.commit(&stage, GenerationCommit(.file(snapshot), sources: [SourceRow()]))
            Issue.record("it was committed")
        } catch {
            #expect(error.code == .mismatch)
        }
        #expect(fixture.view?.condition.row.generation == 0)
    }

    @Test func `quarantined records keep the time of their first sight`() throws {
        let fixture = try StoreFixture()
        for (generation, entry) in [(UInt64(1), "a"), (2, "b")] {
            var stage = try fixture.store.database.stage(1, at: StoreFixture.now + Int64(generation), historyBytes: 9)
            try stage.quarantine(bytes("[1]").rawSpan, pointer: "/3", reason: "expected an object")
            try stage.quarantine(bytes(entry).rawSpan, pointer: "/4", reason: "no id")
            try fixture.store.generations.commit(
                &stage, GenerationCommit(.file(fixture.snapshot([], generation)), sources: [SourceRow()]))
        }
        #expect(fixture.view?.condition.row.quarantined == 2)
        #expect(
            try Shell.rows(fixture.folder, "SELECT bytes || first_seen || last_seen FROM quarantined ORDER BY number")
                == [
                    "[1]2027-01-15T08:00:00.001Z2027-01-15T08:00:00.002Z",
                    "b2027-01-15T08:00:00.002Z2027-01-15T08:00:00.002Z",
                ])
    }

    @Test func `a confirmation keeps the data and moves what is known of the source`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1"])
        var source = SourceRow()
        source.asOf = StoreFixture.now + 5
        var stage = try fixture.stage()
        try stage.quarantine(bytes("x").rawSpan, pointer: "", reason: "r")
        try fixture.store.generations.confirm(&stage, [source])
        #expect(fixture.view?.condition.row.generation == 1)
        #expect(fixture.view?.condition.row.quarantined == 1)
        #expect(fixture.view?.condition.source.asOf == StoreFixture.now + 5)
        #expect(fixture.store.catalog.current().revision.seq == 1)
    }

    @Test func `what is known of a source survives a restart, all of it`() throws {
        let fixture = try StoreFixture()
        var source = SourceRow()
        source.origin = "https://things.example/"
        source.asOf = 1
        source.fetchedAt = 2
        source.due = 3
        source.failures = 4
        source.retryAfter = 5
        source.lastError = Failure(kind: .httpStatus, status: 404, message: Message(.httpStatus, "404 No"), at: 6)
        source.lastError?.host = "desk-a"
        source.held = .init(
            bodyHash: "h", since: 7,
            summary: HeldSummary(before: 1, after: 2, added: 3, updated: 4, removed: 5, quarantined: 6))
        source.triedKey = 8
        source.bodyHash = "b"
        source.validators = .init(key: .max, etag: "\"e\"", lastModified: "l", url: "u")
        source.joinHash = "j"
        source.drift = DriftReport(
            newValues: [
                .init(field: "f", value: "v", sight: .init(count: 2, example: "7", firstSeen: 8, lastSeen: 9))
            ],
            newMembers: [.init(name: "m", sight: .init(count: 3, isCurrent: false))],
            typeChanges: [
                .init(field: "f", expected: .instant, found: .string, sight: .init(count: 4)),
                .init(field: "f", expected: .instant, found: .string, isAhead: true, sight: .init(count: 5)),
            ], unlisted: 5)
        source.joinValidators = .init(key: 1 << 63, etag: "W/\"e\"", lastModified: "m", url: "v")
        try fixture.store.record(source, of: "things")
        #expect(fixture.view?.condition.source == source)
        fixture.store.close()
        let reopened = try StateStore(directory: fixture.folder.path)
        #expect(try reopened.database.load(names: []).collections["things"]?.source == source)
    }

    @Test func `archiving does not wait for a refresh that writes`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1"])
        let folder = fixture.folder
        let store = fixture.store
        let isDone = Monitor(false)
        // The generation stays open until all is archived; archiving that waited for it would come after its end.
        let staged = Monitor<Int?>(nil)
        let maxRows = 1_000_000
        let writer = try NamedThread("refresh") {
            _ = folder
            var rows = 0
            defer { staged.update { $0 = rows } }
            guard var stage = try? store.database.stage(1, at: 0, historyBytes: 0) else { return }
            let upstream = [UInt8](repeating: 0x20, count: 400)
            while rows < maxRows, !isDone.read({ $0 }) {
                guard
                    (try? stage.add(
                        id: Array("\(rows)".utf8).rawSpan, upstream: upstream.rawSpan, firstSeen: 0, changedAt: 0))
                        != nil
                else { break }
                rows += 1
            }
            // On a busy machine archiving may take longer than a million rows: the generation stays open until then.
            _ = isDone.wait(upTo: .seconds(300)) { $0 ? true : nil }
            stage.abandon()
        }
        for round in 0..<100 { try fixture.archive(["1"], round % 2 == 0) }
        let rowsBeforeTheEnd = staged.read { $0 }
        isDone.update { $0 = true }
        writer.join()
        #expect(rowsBeforeTheEnd == nil, "the writer ended first")
        #expect(staged.read { $0 }.map { $0 > 0 } == true)
    }
}
