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

/// Settles by what a test says.
private struct ScriptedSettler: OperationSettler {
    let decide: @Sendable (Operation, RecordEvidence) -> Operation?

    func settle(_ operations: [Operation], by evidence: RefreshEvidence) -> [Operation] {
        operations.compactMap { operation in evidence.records[operation.id].flatMap { decide(operation, $0) } }
    }

    /// Confirms what shows the title that was wanted, and creates that are there.
    static let byTitle = ScriptedSettler { operation, record in
        if operation.action == .create, let id = record.referencedID {
            var operation = operation.with(.confirmed)
            operation.delivery.givenID = id
            return operation
        }
        if operation.action == .delete { return record.fields == nil ? operation.with(.confirmed) : nil }
        return record.fields?["title"] == operation.wanted("title") ? operation.with(.confirmed) : nil
    }
}

/// Puts what is in the queue again in conflict where the record has another title than before.
private struct ComparingSettler: OperationSettler {
    func settle(_ operations: [Operation], by evidence: RefreshEvidence) -> [Operation] { [] }

    func contradicted(
        _ queued: Set<OperationID>, among operations: [Operation], by evidence: RefreshEvidence
    ) -> [Operation] {
        operations.filter { queued.contains($0.id) }.compactMap { operation in
            let title = evidence.records[operation.id]?.fields?["title"]
            return title == operation.values.before["title"] ? nil : operation.with(.conflict)
        }
    }
}

@Suite struct UpstreamWriteTests {
    private static let answer = UpstreamAnswer(began: LocalFixture.now, isComplete: true)

    private func fixture(_ body: String? = #"[{"id":"1","title":"a"},{"id":"2","title":"b"}]"#) throws -> LocalFixture {
        let fixture = try LocalFixture(nil, LocalFixture.upstream())
        if let body { try fixture.base.take(body) }
        return fixture
    }

    private func changes(_ fixture: LocalFixture, after seq: UInt64) throws -> [String] {
        try fixture.base.rows(
            """
            SELECT cause || ' ' || op || ' ' || id || ' ' || coalesce(fields, '') FROM changes WHERE seq > \(seq)
            ORDER BY seq
            """)
    }

    @Test func `an update is queued and shown at once, and what a refresh confirms is told no second time`() throws {
        let fixture = try fixture()
        fixture.store.settler = ScriptedSettler.byTitle
        var seq = fixture.seq
        let outcome = try fixture.submit("update", "1", ["title": "c"], op: 1)
        #expect(outcome.state == .queued && outcome.changed == ["title"] && outcome.revision.seq == seq + 1)
        #expect(fixture.served["1"] == #"{"id":"1","title":"c"}"#)
        #expect(fixture.view?.overlay?.counts == [.queued: 1] && fixture.view?.snapshot?.count == 2)
        let pending =
            #"{"state":"queued","ops":[{"op":"\#(LocalFixture.op(1).text)","action":"update","state":"queued"}],"fields":["title"]}"#
        #expect(
            try changes(fixture, after: seq) == [#"write updated 1 {"title":["a","c"],"pending":[null,\#(pending)]}"#])
        let operation = try #require(fixture.view?.condition.operations.first).operation
        #expect(operation.values.before == ["title": "a"] && operation.values.wasInSnapshot && operation.number == 1)
        // The upstream does not show it yet: nothing changes but the other record.
        seq = fixture.seq
        try fixture.base.take(#"[{"id":"1","title":"a"},{"id":"2","title":"x"}]"#, by: Self.answer)
        #expect(try changes(fixture, after: seq) == [#"refresh updated 2 {"title":["b","x"]}"#])
        #expect(fixture.served["1"] == #"{"id":"1","title":"c"}"#)
        // Now it does: only what was pending is not any more.
        seq = fixture.seq
        try fixture.base.take(#"[{"id":"1","title":"c"},{"id":"2","title":"y"}]"#, by: Self.answer)
        #expect(fixture.view?.overlay == nil && fixture.view?.condition.operations.isEmpty == true)
        #expect(
            Set(try changes(fixture, after: seq)) == [
                #"refresh updated 2 {"title":["x","y"]}"#, #"refresh updated 1 {"pending":[\#(pending),null]}"#,
            ])
        #expect(try fixture.base.rows("SELECT state || (detail IS NULL) FROM operation") == ["confirmed1"])
        #expect(try fixture.submit("update", "1", ["title": "c"], op: 1).isRepeated)
        #expect(try fixture.base.rows("SELECT max(seq) FROM changes") == ["\(fixture.seq)"])
    }

    @Test func `what the upstream changes of a record with a pending update is in its history`() throws {
        let fixture = try fixture()
        fixture.store.settler = ScriptedSettler.byTitle
        try fixture.submit("update", "1", ["title": "c"], op: 1)
        func changes() throws -> [String] {
            try fixture.base.rows(
                """
                SELECT op || ' ' || id || ' ' || coalesce(fields, '') || ' ' || upstream FROM change
                WHERE generation = (SELECT max(generation) FROM change) ORDER BY ordinal
                """)
        }
        // A member that no field reads.
        try fixture.base.take(#"[{"id":"1","title":"a","more":1},{"id":"2","title":"b"}]"#, by: Self.answer)
        #expect(try changes() == ["updated 1  1"])
        // The same with a field that the update hides, which no list shows as changed; and with one that is shown.
        try fixture.base.take(#"[{"id":"1","title":"x","more":1},{"id":"2","title":"y"}]"#, by: Self.answer)
        #expect(try changes() == [#"updated 2 {"title":["b","y"]} 0"#])
        let both = #"[{"id":"1","title":"x","phase":"new","more":2},{"id":"2","title":"y"}]"#
        try fixture.base.take(both, by: Self.answer)
        #expect(try changes() == [#"updated 1 {"phase":[null,"new"]} 1"#])
        #expect(fixture.served["1"] == #"{"id":"1","title":"c","phase":"new"}"#)
        // The log's numbers have no gap.
        #expect(try fixture.base.rows("SELECT max(seq) FROM changes") == ["\(fixture.seq)"])
    }

    @Test func `what an unchanged answer confirms is dated by its end, however old its data is`() throws {
        let fixture = try fixture()
        try fixture.submit("update", "1", ["title": "c"], op: 1)
        fixture.store.settler = ScriptedSettler { operation, _ in operation.with(.confirmed) }
        let view = try #require(fixture.view)
        var source = view.condition.source
        source.asOf = LocalFixture.now - 600_000
        source.endedAt = LocalFixture.now + 5
        try fixture.store.record(source, of: view.definition.name, isConfirmed: true, by: Self.answer)
        #expect(fixture.view?.condition.operations.isEmpty == true)
        let times = try fixture.base.rows("SELECT at FROM local_change ORDER BY seq DESC LIMIT 1")
        #expect(times == ["\(LocalFixture.now + 5)"])
    }

    @Test func `a queued operation waits for the first of its record that lets none pass`() throws {
        let fixture = try fixture()
        for number in 1...3 { try fixture.submit("update", "1", ["title": .string("t\(number)")], op: number) }
        try fixture.submit("update", "2", ["title": "x"], op: 4)
        func obstacles() -> [OperationID?] {
            let catalog = fixture.store.catalog.current()
            return catalog.unsettledOperations.map { catalog.obstacle(to: $0) }
        }
        func set(_ number: Int, _ state: OperationState) throws {
            let isDone = Monitor(false)
            fixture.store.updateOperations(at: LocalFixture.now) { operations in
                operations.filter { $0.id == LocalFixture.op(number) }.map { $0.with(state) }
            } completion: { _ in
                isDone.update { $0 = true }
            }
            _ = isDone.wait { $0 ? true : nil }
        }
        let ops = (0...4).map { LocalFixture.op($0) }
        #expect(obstacles() == [nil, ops[1], ops[1], nil])
        try set(1, .rejected)
        #expect(obstacles() == [nil, ops[1], ops[1], nil])
        try set(1, .accepted)
        #expect(obstacles() == [nil, nil, ops[2], nil])
    }

    @Test func `creates are served before there is data, and over a restart`() throws {
        var fixture = try fixture(nil)
        let refusal = try fixture.refusal { try $0.submit("update", "1", ["title": "c"], op: 9) }
        guard case .noData = refusal else { throw TestFailure("\(String(describing: refusal))") }
        try fixture.submit("create", nil, ["title": "new"], op: 1)
        #expect(fixture.served.count == 1 && fixture.view?.snapshot == nil)
        let served = fixture.served
        fixture = try fixture.reopened(LocalFixture.upstream())
        #expect(fixture.served == served && fixture.view?.overlay?.counts == [.queued: 1])
        #expect(try fixture.crashed(LocalFixture.upstream()).served == served)
        try fixture.base.take(#"[{"id":"1","title":"a"}]"#, by: Self.answer)
        #expect(fixture.served.count == 2)
        try fixture.submit("update", LocalFixture.op(1).text, ["title": "newer"], op: 2)
        #expect(fixture.served[LocalFixture.op(1).text]?.contains("newer") == true)
    }

    @Test func `a value that has no way into the upstream's object is refused with its field`() throws {
        let plain = try LocalFixture.upstream()
        var fields = plain.fields
        fields[3].from = [try JSONPointer("/info/label")]
        let definition = Definition(name: plain.name, source: plain.source, fields: fields, writes: plain.writes)
        let fixture = try LocalFixture(nil, definition)
        try fixture.base.take(#"[{"id":"1","title":"a","info":[{"label":"x"}]}]"#, by: Self.answer)
        let refusal = try fixture.refusal { try $0.submit("update", "1", ["title": "b", "label": "y"], op: 1) }
        guard case .invalid(let problems) = refusal else { throw TestFailure("\(String(describing: refusal))") }
        #expect(problems.map(\.field) == ["label"] && problems.map(\.kind) == [.type])
    }

    private func update(
        _ fixture: LocalFixture, _ change: @escaping @Sendable ([Operation]) -> [Operation]
    ) throws -> OperationsUpdate {
        let answer = Monitor<Result<OperationsUpdate, StoreError>?>(nil)
        fixture.store.updateOperations(at: LocalFixture.now + 9, change) { result in answer.update { $0 = result } }
        guard let result = answer.wait({ $0 }) else { throw TestFailure("no answer") }
        return try result.get()
    }

    @Test func `what is in the queue again is compared with what came since it left it`() throws {
        let fixture = try fixture()
        fixture.store.settler = ComparingSettler()
        for id in ["1", "2"] { try fixture.submit("update", id, ["title": "mine"], op: Int(id) ?? 0) }
        func set(_ state: OperationState) throws -> [OperationState] {
            try update(fixture) { $0.map { $0.with(state) } }.changed.map(\.state)
        }
        // One that is in the queue already is compared with each answer.
        #expect(try set(.queued) == [.queued, .queued])
        #expect(try set(.sending) == [.sending, .sending])
        #expect(try set(.queued) == [.queued, .queued])
        _ = try set(.sending)
        try fixture.base.take(#"[{"id":"1","title":"theirs"},{"id":"2","title":"b"}]"#, by: Self.answer)
        #expect(try set(.queued) == [.conflict, .queued])
        #expect(fixture.view?.condition.operations.map(\.operation.state) == [.conflict, .queued])
        #expect(try fixture.base.rows("SELECT state FROM operation ORDER BY number") == ["conflict", "queued"])
    }

    @Test func `an id that the upstream gives renames the record in one commit, with its mark and its lane`() throws {
        var fixture = try fixture()
        let old = LocalFixture.op(1).text
        try fixture.submit("create", nil, ["title": "new"], op: 1)
        try fixture.submit("update", old, ["label": "l"], op: 2)
        let archived = Monitor(false)
        fixture.store.archive(
            ArchiveChange(collection: "things", ids: [Array(old.utf8)], isArchiving: true, uid: 1, at: 1)
        ) { _ in archived.update { $0 = true } }
        _ = archived.wait { $0 ? true : nil }
        let seq = fixture.seq
        let update = try update(fixture) { operations in
            var create = operations[0].with(.accepted)
            create.delivery.givenID = "77"
            return [create]
        }
        #expect(update.revision.seq == seq + 2 && fixture.seq == seq + 2)
        #expect(
            try changes(fixture, after: seq).map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
                == ["write removed \(old)", "write added 77"])
        for _ in 0..<2 {
            #expect(fixture.served["77"]?.contains(#""label":"l""#) == true && fixture.served[old] == nil)
            #expect(fixture.view?.condition.operations.map(\.operation.record) == ["77", "77"])
            #expect(fixture.view?.currentID(Array(old.utf8)) == Array("77".utf8))
            #expect(
                fixture.view?.archive.mark(Array("77".utf8)) != nil
                    && fixture.view?.archive.mark(Array(old.utf8)) == nil)
            fixture = try fixture.reopened(LocalFixture.upstream())
        }
        try fixture.submit("update", old, ["title": "newer"], op: 3)
        #expect(fixture.served["77"]?.contains("newer") == true)
    }

    @Test func `a delete hides its record until it is given up`() throws {
        let fixture = try fixture()
        let seq = fixture.seq
        #expect(try fixture.submit("delete", "1", op: 1).state == .queued)
        #expect(fixture.served.keys.sorted() == ["2"])
        _ = try update(fixture) { $0.map { $0.with(.dropped) } }
        #expect(fixture.served.count == 2 && fixture.view?.overlay == nil)
        #expect(try changes(fixture, after: seq) == [#"write removed 1 {"id":"1","title":"a"}"#, "write added 1 "])
        fixture.store.settler = ScriptedSettler.byTitle
        try fixture.submit("delete", "1", op: 2)
        let deleted = fixture.seq
        try fixture.base.take(#"[{"id":"2","title":"b"}]"#, by: Self.answer)
        #expect(try changes(fixture, after: deleted).isEmpty && fixture.view?.overlay == nil)
        #expect(fixture.view?.committed?.count == 1 && fixture.seq == deleted)
    }

    @Test func `an attempt that state.db does not know tells of a copy`() throws {
        let cache = try TemporaryFolder()
        let first = try StoreFixture(cache: cache)
        let copy = try first.folder.copy()
        try first.store.attempts.sync(7)
        #expect(AttemptMark.read(in: cache.path) == 7)
        first.store.close()
        Files.remove(cache(ClockMark.fileName))
        let second = try StoreFixture(copy, cache: cache)
        #expect(second.store.database.restoration != nil)
        #expect(try second.store.lastAttempt() == 7)
        second.store.close()
        #expect(try StoreFixture(copy, cache: cache).store.database.restoration == nil)
    }

    @Test(arguments: 0..<8)
    func `random writes, refreshes, outcomes and restarts log exactly what is served`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var fixture = try fixture()
        fixture.store.settler = ScriptedSettler.byTitle
        var known = try sight(fixture)
        for step in 1...RandomRounds.count(80) {
            let seq = fixture.seq
            let id = String(Int.random(in: 1...5, using: &random))
            let title = JSONValue.string("t\(Int.random(in: 0..<3, using: &random))")
            switch Int.random(in: 0..<12, using: &random) {
            case 0: try fixture.submit("create", nil, ["title": title], op: step)
            case 1, 2: _ = try? fixture.submit("update", id, ["title": title], op: step)
            case 3: _ = try? fixture.submit("delete", id, op: step)
            case 4..<8:
                let ids = (1...5).filter { _ in !random.oneIn(4) }
                let body = ids.map { #"{"id":"\#($0)","title":"t\#(Int.random(in: 0..<3, using: &random))"}"# }
                try fixture.base.take("[" + body.joined(separator: ",") + "]", by: random.oneIn(4) ? nil : Self.answer)
            case 8:
                fixture =
                    try random.oneIn(2)
                    ? fixture.reopened(LocalFixture.upstream()) : fixture.crashed(LocalFixture.upstream())
                fixture.store.settler = ScriptedSettler.byTitle
            default:
                let state = random.pick([OperationState.accepted, .uncertain, .rejected, .queued, .dropped, .conflict])
                let given = random.oneIn(2) ? "g\(step)" : nil
                let number = Int.random(in: 0..<100, using: &random)
                _ = try update(fixture) { operations in
                    guard !operations.isEmpty else { return [] }
                    var operation = operations[number % operations.count].with(state)
                    if operation.action == .create, operation.delivery.givenID == nil {
                        operation.delivery.givenID = given
                    }
                    return [operation]
                }
            }
            let now = try sight(fixture)
            var told: [String: String] = [:]
            for row in try changes(fixture, after: seq) {
                let parts = row.split(separator: " ", maxSplits: 3).map(String.init)
                #expect(told.updateValue(parts[1], forKey: parts[2]) == nil, "seed \(seed), step \(step)")
            }
            var expected: [String: String] = [:]
            for id in Set(known.keys).union(now.keys) where known[id] != now[id] {
                expected[id] = known[id] == nil ? "added" : now[id] == nil ? "removed" : "updated"
            }
            #expect(told == expected, "seed \(seed), step \(step)")
            #expect(fixture.seq == seq + UInt64(expected.count), "seed \(seed), step \(step)")
            known = now
        }
        #expect(fixture.store.database.check() == nil)
    }

    /// The served records by id, with their pending values.
    private func sight(_ fixture: LocalFixture) throws -> [String: String] {
        var sight = fixture.served
        for id in sight.keys {
            guard let overlay = fixture.view?.overlay, let row = overlay.row(forID: Array(id.utf8).rawSpan) else {
                continue
            }
            sight[id, default: ""] += String(decoding: overlay.pending(row)?.json ?? [], as: UTF8.self)
        }
        return sight
    }
}
