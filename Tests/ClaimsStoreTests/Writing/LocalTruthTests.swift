// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct LocalTruthTests {
    @Test func `a record that a new definition cannot decode waits in quarantine for one that can`() throws {
        let fixture = try LocalFixture()
        try fixture.submit("create", nil, ["title": "a", "label": "l"], op: 1)
        try fixture.submit("create", nil, ["title": "b"], op: 2)
        #expect(fixture.opener.reload([try LocalFixture.definition(isTitleRequired: true)]) == [:])
        #expect(fixture.served.keys.sorted() == [LocalFixture.op(1).text])
        #expect(fixture.view?.condition.row.quarantined == 1)
        #expect(try fixture.base.rows("SELECT count(*) FROM version") == ["2"])
        let seq = fixture.seq
        // Without the cache the snapshot is built anew: the same record is left out, which is no change.
        for name in try Directory.list(fixture.folder("cache")) { Files.remove(fixture.folder("cache/\(name)")) }
        let again = try fixture.reopened(try LocalFixture.definition(isTitleRequired: true))
        #expect(again.served.count == 1 && again.seq == seq && again.view?.condition.row.quarantined == 1)
        #expect(again.opener.reload([try LocalFixture.definition()]) == [:])
        #expect(again.served.count == 2 && again.view?.condition.row.quarantined == 0)
        #expect(again.view?.condition.row.records == 2)
    }

    @Test func `a new definition takes up what lies over the snapshot, and tells each change once`() throws {
        let fixture = try LocalFixture()
        try fixture.submit("create", nil, ["title": "a", "label": "l"], op: 1)
        try fixture.opener.fold("things")
        try fixture.submit("create", nil, ["title": "b", "label": "m"], op: 2)
        try fixture.submit("update", LocalFixture.op(1).text, ["title": "c"], op: 3)
        let seq = fixture.seq
        #expect(fixture.opener.reload([try LocalFixture.definition(hasLabels: false)]) == [:])
        #expect(fixture.view?.overlay == nil && fixture.seq == seq + 1)
        #expect(fixture.served.values.allSatisfy { !$0.contains("label") } && fixture.served.count == 2)
        #expect(
            try fixture.base.rows("SELECT fields FROM changes WHERE cause = 'definition' ORDER BY id")
                == [#"{"label":["l",null]}"#, #"{"label":["m",null]}"#])
        try fixture.submit("update", LocalFixture.op(2).text, ["title": "d"], op: 4)
        #expect(try fixture.reopened(try LocalFixture.definition(hasLabels: false)).served.count == 2)
    }

    @Test func `records of an upstream stay when this host becomes the truth, and no answer replaces them then`() throws
    {
        let url = "https://things.example/"
        let fixture = try LocalFixture(nil, LocalFixture.definition(to: nil, url: url))
        try fixture.base.take(#"[{"id":"1","title":"a"},{"id":"2","title":"b"}]"#)
        let seq = fixture.seq
        #expect(fixture.opener.reload([try LocalFixture.definition()]) == [:])
        #expect(fixture.served.count == 2 && fixture.seq == seq && fixture.view?.condition.row.isLocal == true)
        try fixture.submit("update", "1", ["title": "c"], op: 1)
        #expect(fixture.opener.reload([try LocalFixture.definition(to: nil, url: url)]) == [:])
        #expect(throws: StoreError.self) { try fixture.base.take("[]") }
        #expect(fixture.served["1"]?.contains(#""title":"c""#) == true && fixture.served.count == 2)
        let again = try fixture.reopened(try LocalFixture.definition())
        #expect(again.served == fixture.served)
    }

    @Test func `records whose file is lost when an upstream becomes the truth wait as creates all the same`() throws {
        let fixture = try LocalFixture()
        for number in 1...3 { try fixture.submit("create", nil, ["title": .string("t\(number)")], op: number) }
        try fixture.opener.fold("things")
        let served = fixture.served
        let folder = try fixture.folder.copyOfStateAndCache()
        for name in try Directory.list(folder("cache")) { Files.remove(folder("cache/\(name)")) }
        let started = try LocalFixture(folder, LocalFixture.upstream())
        #expect(started.served == served && started.view?.condition.row.isLocal == false)
        #expect(started.view?.condition.operations.count == 3)
    }

    @Test func `when an upstream becomes the truth, all records wait as creates for a person`() throws {
        let fixture = try LocalFixture()
        for number in 1...3 { try fixture.submit("create", nil, ["title": .string("t\(number)")], op: number) }
        try fixture.opener.fold("things")
        try fixture.submit("close", LocalFixture.op(1).text, op: 4)
        let served = fixture.served
        fixture.opener.apply(OutboxSettings(), maxPending: 2)
        _ = fixture.opener.reload([try LocalFixture.upstream()])
        #expect(fixture.served == served && fixture.view?.condition.row.isLocal == true)
        #expect(throws: SubmitRefusal.self) {
            try fixture.submit("update", LocalFixture.op(1).text, ["title": "x"], op: 5)
        }
        fixture.opener.apply(OutboxSettings(), maxPending: 3)
        let seq = fixture.seq
        _ = fixture.opener.reload([try LocalFixture.upstream()])
        #expect(fixture.served == served && fixture.view?.snapshot == nil && fixture.seq == seq + 3)
        let operations = fixture.view?.condition.operations.map(\.operation) ?? []
        #expect(operations.allSatisfy { $0.state == .held && $0.reason == .adopted && $0.action == .create })
        #expect(Set(operations.map(\.record)) == Set(served.keys))
        #expect(fixture.view?.overlay?.counts == [.stuck: 3])
        let again = try fixture.reopened(try LocalFixture.upstream())
        #expect(again.served == served && again.seq == seq + 3)
        // Back again: not as long as operations wait.
        _ = again.opener.reload([try LocalFixture.definition()])
        #expect(again.served == served && again.view?.condition.row.isLocal == false)
        #expect(throws: SubmitRefusal.self) { try again.submit("create", nil, ["title": "x"], op: 6) }
    }

    @Test func `without its definition a collection keeps what was written until it is forgotten`() throws {
        let fixture = try LocalFixture()
        try fixture.submit("create", nil, ["title": "a"], op: 1)
        #expect(fixture.opener.reload([]) == [:])
        let removed = try #require(fixture.store.catalog.current().removed.first)
        #expect(removed.isKept && removed.until(keptFor: .seconds(1)) == nil && removed.records == 1)
        #expect(fixture.opener.reload([try LocalFixture.definition()]) == [:])
        #expect(fixture.served.count == 1)
        #expect(fixture.opener.reload([]) == [:])
        let erased = try fixture.store.beginErasing("things")
        try fixture.opener.finishErasing(erased, while: { true })
        for table in ["version", "operation", "change", "generation"] {
            #expect(try fixture.base.rows("SELECT count(*) FROM \(table)") == ["0"])
        }
    }

    /// The truth of a dictionary.
    private struct Model {
        var records: [String: (title: String, label: String?, phase: String)] = [:]
        var seq: UInt64 = 0

        var documents: [String: String] {
            records.reduce(into: [:]) { documents, record in
                let label = record.value.label.map { #","label":"\#($0)""# } ?? ""
                documents[record.key] =
                    #"{"id":"\#(record.key)","title":"\#(record.value.title)","phase":"\#(record.value.phase)"\#(label)}"#
            }
        }
    }

    @Test(arguments: 0..<8)
    func `random writes, folds, rebuilds, restarts and crashes serve what a dictionary has`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var fixture = try LocalFixture()
        var model = Model()
        for step in 1...RandomRounds.count(120) {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<14: try write(step, fixture, &model, &random)
            case 14, 15: try fixture.opener.fold("things")
            case 16: fixture = try fixture.crashed()
            case 17: fixture = try fixture.reopened()
            case 18:
                for name in fixture.base.files { Files.remove(fixture.folder("cache/\(name)")) }
                fixture = try fixture.reopened()
            default: try fixture.store.database.collectGarbage(of: 1)
            }
            #expect(fixture.served == model.documents, "seed \(seed), step \(step)")
            #expect(fixture.seq == model.seq, "seed \(seed), step \(step)")
            #expect(fixture.view?.condition.row.records == model.records.count, "seed \(seed), step \(step)")
        }
        #expect(try fixture.base.rows("SELECT count(*) FROM changes") == ["\(model.seq)"])
        #expect(fixture.store.database.check() == nil)
    }

    private func write(
        _ step: Int, _ fixture: LocalFixture, _ model: inout Model, _ random: inout SeededGenerator
    ) throws {
        let id = model.records.keys.sorted().randomElement(using: &random)
        let title = "t\(Int.random(in: 0..<3, using: &random))"
        guard let id, var record = model.records[id], !random.oneIn(3) else {
            try fixture.submit("create", nil, ["title": .string(title)], op: step)
            model.records[LocalFixture.op(step).text] = (title, nil, "open")
            model.seq += 1
            return
        }
        let before = record
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            try fixture.submit("delete", id, op: step)
            model.records[id] = nil
            model.seq += 1
            return
        case 1:
            guard record.phase == "open" else { return }
            try fixture.submit("close", id, op: step)
            record.phase = "closed"
        case 2:
            try fixture.submit("update", id, ["label": nil], op: step)
            record.label = nil
        default:
            try fixture.submit("update", id, ["title": .string(title), "label": "l"], op: step)
            (record.title, record.label) = (title, "l")
        }
        model.records[id] = record
        if before != record { model.seq += 1 }
    }
}
