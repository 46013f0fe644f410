// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct LocalWriteTests {
    @Test func `a collection that this host is the truth of has data from the start`() throws {
        let fixture = try LocalFixture()
        #expect(fixture.view?.snapshot?.count == 0 && fixture.view?.condition.row.isLocal == true)
        #expect(fixture.seq == 0 && fixture.base.reported.isEmpty)
        let again = try fixture.reopened()
        #expect(again.view?.snapshot?.count == 0 && again.base.reported.isEmpty && again.seq == 0)
    }

    @Test func `a record is added, changed and deleted, and each is a commit of its own`() throws {
        let fixture = try LocalFixture()
        let added = try fixture.submit("create", nil, ["title": "a"], op: 1)
        let id = LocalFixture.op(1).text
        #expect(added.id == Array(id.utf8) && added.state == .done && added.changed == ["title", "phase"])
        #expect(added.revision.seq == 1 && fixture.seq == 1)
        #expect(fixture.served == [id: #"{"id":"\#(id)","title":"a","phase":"open"}"#])
        let changed = try fixture.submit("update", id, ["title": "b", "label": "l"], op: 2, at: LocalFixture.now + 5)
        #expect(changed.changed == ["title", "label"])
        #expect(changed.record.map { String(decoding: $0, as: UTF8.self) } == fixture.served[id])
        let record = try #require(fixture.view?.served(Array(id.utf8)))
        #expect(record.firstSeen == LocalFixture.now && record.snapshot.changedAt(record.row) == LocalFixture.now + 5)
        #expect(try fixture.submit("close", id, op: 3).changed == ["phase"])
        #expect(try fixture.submit("delete", id, op: 4).record == nil)
        #expect(fixture.served.isEmpty && fixture.seq == 4 && fixture.view?.condition.row.records == 0)
        #expect(
            try fixture.base.rows("SELECT seq || cause || op || uid || coalesce(fields, '') FROM changes ORDER BY seq")
                == [
                    "1writeadded1000", #"2writeupdated1000{"title":["a","b"],"label":[null,"l"]}"#,
                    #"3writeupdated1000{"phase":["open","closed"]}"#,
                    #"4writeremoved1000{"id":"\#(id)","title":"b","phase":"closed","label":"l"}"#,
                ])
        #expect(
            try fixture.base.rows("SELECT action || state FROM operations")
                == ["createdone", "updatedone", "closedone", "deletedone"])
        let log = try fixture.store.database.changeLog()
        let history = try #require(try log.history(of: 1, id: Array(id.utf8), limit: 10))
        #expect(history.changes.map(\.cause) == [.write, .write, .write, .write])
        #expect(history.changes.allSatisfy { $0.uid == 1000 })
    }

    @Test func `an update that changes nothing is done, and leaves no trace`() throws {
        let fixture = try LocalFixture()
        let id = String(decoding: try fixture.submit("create", nil, ["title": "a"], op: 1).id, as: UTF8.self)
        let outcome = try fixture.submit("update", id, ["title": "a"], op: 2)
        #expect(outcome.state == .done && outcome.changed.isEmpty && outcome.record != nil && fixture.seq == 1)
        // Its operation is not known either.
        #expect(try fixture.submit("update", id, ["title": "b"], op: 2).changed == ["title"])
    }

    @Test func `the same operation again answers the first outcome, after a restart, too`() throws {
        var fixture = try LocalFixture()
        let first = try fixture.submit("create", nil, ["title": "a", "label": "l"], op: 1)
        try fixture.submit("create", nil, ["title": "b"], op: 2)
        for _ in 0..<2 {
            let again = try fixture.submit("create", nil, ["label": "l", "title": "a"], op: 1)
            #expect(again.isRepeated && again.id == first.id && again.state == .done)
            #expect(again.changed == first.changed && again.revision.seq == 1 && fixture.seq == 2)
            fixture = try fixture.reopened()
        }
        for (fields, uid) in [(["title": "c"] as JSONObject, UInt32(1000)), (["title": "a", "label": "l"], 1001)] {
            let refusal = try fixture.refusal { try $0.submit("create", nil, fields, op: 1, uid: uid) }
            guard case .knownOperation = refusal else { throw TestFailure("\(String(describing: refusal))") }
        }
        #expect(fixture.seq == 2)
    }

    @Test func `a submission is refused for the first reason there is, and changes nothing`() throws {
        let fixture = try LocalFixture()
        let id = String(decoding: try fixture.submit("create", nil, ["title": "a"], op: 1).id, as: UTF8.self)
        try fixture.submit("close", id, op: 2)
        let cases: [(reason: String, submit: (LocalFixture) throws -> SubmitOutcome)] = [
            ("notOffered", { try $0.submit("open", id, ["nothing": 1], op: 1) }),
            ("knownOperation", { try $0.submit("update", "9", ["nothing": 1], op: 1) }),
            ("invalid", { try $0.submit("update", "9", ["nothing": 1], op: 3) }),
            ("notFound", { try $0.submit("close", "9", op: 3) { $0.expected = ["title": "b"] } }),
            ("notMatching", { try $0.submit("close", id, op: 3, pending: 1) { $0.expected = ["title": "b"] } }),
            (
                "unexpected",
                { try $0.submit("update", id, ["title": "c"], op: 3, pending: 1) { $0.expected = ["title": "b"] } }
            ),
            (
                "busy",
                {
                    try $0.submit("update", id, ["title": "c"], op: 3, pending: 1) {
                        $0.expected = ["title": "a", "label": nil]
                    }
                }
            ),
        ]
        for (reason, submit) in cases {
            let refusal = try fixture.refusal(submit)
            #expect(refusal.map { "\($0)".hasPrefix(reason) } == true, "\(reason): \(String(describing: refusal))")
        }
        #expect(fixture.seq == 2)
        #expect(try fixture.base.rows("SELECT count(*) FROM operation") == ["2"])
    }

    @Test func `all mistakes are told at once, and expected values that differ`() throws {
        let fixture = try LocalFixture()
        let invalid = try fixture.refusal {
            try $0.submit("create", nil, ["phase": 1, "other": 2, "label": []], op: 1)
        }
        guard case .invalid(let problems) = invalid else { throw TestFailure("\(String(describing: invalid))") }
        #expect(Set(problems.map(\.field)) == ["title", "phase", "other", "label"])
        let id = String(decoding: try fixture.submit("create", nil, ["title": "a"], op: 1).id, as: UTF8.self)
        let refusal = try fixture.refusal {
            try $0.submit("delete", id, op: 2) { $0.expected = ["title": "b", "label": "l", "phase": "open"] }
        }
        guard case .unexpected(let mismatches) = refusal else { throw TestFailure("\(String(describing: refusal))") }
        #expect(
            mismatches == [
                .init(field: "title", expected: "b", served: "a"), .init(field: "label", expected: "l", served: nil),
            ])
    }

    @Test func `an expected field that there is not is a mistake, which names the nearest`() throws {
        let fixture = try LocalFixture()
        let id = String(decoding: try fixture.submit("create", nil, ["title": "a"], op: 1).id, as: UTF8.self)
        let refusal = try fixture.refusal {
            try $0.submit("update", id, ["title": "b"], op: 2) { $0.expected = ["titel": nil, "phase.raw": nil] }
        }
        guard case .invalid(let problems) = refusal else { throw TestFailure("\(String(describing: refusal))") }
        #expect(problems.map(\.field) == ["titel"] && problems.first?.kind == .unknown)
        #expect(problems.first?.hint?.english.contains("'title'") == true, "\(problems)")
        #expect(try fixture.submit("delete", id, op: 3) { $0.expected = ["phase.raw": nil] }.state == .done)
    }

    @Test func `the log tells who gave a record its values, before and after it is folded`() throws {
        let fixture = try LocalFixture()
        let now = LocalFixture.now
        let id = try fixture.submit("create", nil, ["title": "a"], op: 1, uid: 1000).id
        try fixture.submit("update", String(decoding: id, as: UTF8.self), ["title": "b"], op: 2, at: now + 5, uid: 1001)
        let log = try fixture.store.database.changeLog()
        let number = try #require(fixture.view?.condition.row.number)
        func write(at time: Int64) throws -> RecordWrite? { try log.write(of: number, id: id, at: time) }
        #expect(try write(at: now) == RecordWrite(operation: LocalFixture.op(1), submittedAt: now, uid: 1000))
        _ = try fixture.opener.fold("things")
        #expect(
            try write(at: now + 5) == RecordWrite(operation: LocalFixture.op(2), submittedAt: now + 5, uid: 1001))
        #expect(try write(at: now + 1) == nil)
    }

    @Test func `a preview passes all checks, and commits nothing`() throws {
        let fixture = try LocalFixture()
        let preview = try fixture.submit("create", nil, ["title": "a"], op: 1) { $0.isDryRun = true }
        #expect(preview.changed == ["title", "phase"] && preview.record != nil)
        #expect(fixture.seq == 0 && fixture.served.isEmpty)
        #expect(try fixture.submit("create", nil, ["title": "a"], op: 1).isRepeated == false)
    }

    @Test func `a record lists its files`() throws {
        let fixture = try LocalFixture()
        func file(_ name: String) -> OperationFile {
            OperationFile(sha256: "hash of \(name)", name: name, type: "image/png", size: 7)
        }
        let id = String(
            decoding: try fixture.submit("create", nil, ["title": "a"], op: 1) { $0.files = [file("x"), file("y")] }.id,
            as: UTF8.self)
        func names() throws -> [String] {
            let record = try JSONValue.parse(fixture.served[id] ?? "")
            return (record["files"]?.array ?? []).compactMap { $0["name"]?.string }
        }
        #expect(try names() == ["x", "y"])
        #expect(throws: SubmitRefusal.self) { try fixture.submit("update", id, op: 2) { $0.files = [file("z")] } }
        try fixture.submit("update", id, op: 2) { submission in
            (submission.files, submission.detached) = ([file("z")], ["hash of x"])
        }
        #expect(try names() == ["y", "z"])
        try fixture.submit("update", id, op: 3) { $0.detached = ["hash of y", "hash of z"] }
        #expect(try JSONValue.parse(fixture.served[id] ?? "")["files"] == nil)
    }

    @Test func `a file of the same content under another name is a file of its own`() throws {
        let fixture = try LocalFixture()
        func file(_ name: String) -> OperationFile {
            OperationFile(sha256: "hash", name: name, type: "image/png", size: 7)
        }
        let id = String(
            decoding: try fixture.submit("create", nil, ["title": "a"], op: 1) { $0.files = [file("x")] }.id,
            as: UTF8.self)
        func names() throws -> [String] {
            let record = try JSONValue.parse(fixture.served[id] ?? "")
            return (record["files"]?.array ?? []).compactMap { $0["name"]?.string }
        }
        try fixture.submit("update", id, op: 2) { $0.files = [file("copy")] }
        #expect(try names() == ["x", "copy"])
        // The same file once more is there already.
        #expect(try fixture.submit("update", id, op: 3) { $0.files = [file("copy")] }.changed.isEmpty)
        #expect(try names() == ["x", "copy"])
        try fixture.submit("update", id, op: 4) { $0.detached = ["hash/copy"] }
        #expect(try names() == ["x"])
        #expect(throws: SubmitRefusal.self) { try fixture.submit("update", id, op: 5) { $0.detached = ["hash/copy"] } }
        try fixture.submit("update", id, op: 6) { $0.detached = ["hash"] }
        #expect(try names() == [])
    }

    @Test func `what is answered is there after a crash, before and after folding, and without the cache`() throws {
        let fixture = try LocalFixture()
        for number in 1...30 { try fixture.submit("create", nil, ["title": .string("\(number)")], op: number) }
        for number in 1...10 { try fixture.submit("delete", LocalFixture.op(number).text, op: 100 + number) }
        let (served, seq) = (fixture.served, fixture.seq)
        let generation = fixture.view?.condition.row.generation
        #expect(served.count == 20 && generation == 40)
        #expect(try fixture.crashed().served == served)
        #expect(try fixture.opener.fold("things"))
        #expect(fixture.served == served && fixture.seq == seq && fixture.view?.overlay == nil)
        #expect(fixture.view?.snapshot?.count == 20 && fixture.view?.condition.row.generation == generation)
        #expect(try !fixture.opener.fold("things"))
        try fixture.submit("update", LocalFixture.op(20).text, ["title": "new"], op: 200)
        try fixture.submit("delete", LocalFixture.op(21).text, op: 201)
        let newer = fixture.served
        let crashed = try fixture.crashed()
        #expect(crashed.served == newer && crashed.view?.overlay?.count == 2 && crashed.base.reported.isEmpty)
        #expect(crashed.seq == fixture.seq && crashed.view?.condition.row == fixture.view?.condition.row)
        let copy = try fixture.folder.copyOfStateAndCache()
        for name in try Directory.list(copy("cache")) { Files.remove(copy("cache/\(name)")) }
        let rebuilt = try LocalFixture(copy)
        #expect(rebuilt.served == newer && rebuilt.view?.overlay == nil && rebuilt.seq == fixture.seq)
    }

    @Test func `a crash between a folded file and its transaction leaves what was served, and no file`() throws {
        let fixture = try LocalFixture()
        for number in 1...5 { try fixture.submit("create", nil, ["title": .string("\(number)")], op: number) }
        let (served, before) = (fixture.served, try fixture.folder.copyOfStateAndCache())
        #expect(try fixture.opener.fold("things"))
        let folded = try #require(fixture.base.files.first)
        try before.write("cache/\(folded)", Files.readAll(fixture.folder("cache/\(folded)"), cap: 1 << 30))
        let crashed = try LocalFixture(before)
        #expect(crashed.served == served && crashed.base.reported.isEmpty)
        #expect(crashed.base.files.count == 1 && !crashed.base.files.contains(folded))
        #expect(try crashed.opener.fold("things"))
        #expect(try crashed.reopened().served == served)
    }

    @Test func `what is written while a fold goes on lies over the new snapshot`() throws {
        let fixture = try LocalFixture()
        for number in 1...3 { try fixture.submit("create", nil, ["title": .string("\(number)")], op: number) }
        try fixture.opener.fold("things")
        for number in 4...6 { try fixture.submit("create", nil, ["title": .string("\(number)")], op: number) }
        var hasWritten = false
        let isFolded = try fixture.opener.fold("things") {
            guard !hasWritten else { return true }
            hasWritten = true
            _ = try? fixture.submit("update", LocalFixture.op(1).text, ["title": "new"], op: 11)
            _ = try? fixture.submit("delete", LocalFixture.op(4).text, op: 12)
            _ = try? fixture.submit("create", nil, ["title": "7"], op: 7)
            return true
        }
        #expect(isFolded && fixture.view?.overlay?.count == 3 && fixture.served.count == 6)
        #expect(try fixture.crashed().served == fixture.served)
        #expect(try fixture.opener.fold("things") && fixture.view?.overlay == nil && fixture.served.count == 6)
        #expect(fixture.view?.condition.row.records == 6)
    }
}
