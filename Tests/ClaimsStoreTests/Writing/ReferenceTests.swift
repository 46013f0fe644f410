// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

/// Confirms a create whose record is there, and has all operations behind it changed by the same answer.
private struct ReferenceSettler: OperationSettler {
    func settle(_ operations: [Operation], by evidence: RefreshEvidence) -> [Operation] {
        var isFound = false
        return operations.compactMap { operation in
            if operation.action == .create, let id = evidence.records[operation.id]?.referencedID {
                isFound = true
                var operation = operation.with(.confirmed)
                operation.delivery.givenID = id
                return operation
            }
            return isFound ? operation.with(operation.state, message: Message(.writeInterrupted)) : nil
        }
    }
}

@Suite struct ReferenceTests {
    private static let answer = UpstreamAnswer(began: LocalFixture.now, isComplete: true)
    private let old = LocalFixture.op(1).text

    private func fixture() throws -> LocalFixture {
        let fixture = try LocalFixture(nil, LocalFixture.upstream(reference: "/ref"))
        fixture.store.settler = ReferenceSettler()
        try fixture.base.take("[]", at: LocalFixture.now)
        try fixture.submit("create", nil, ["title": "new"], op: 1)
        return fixture
    }

    private var body: String { #"[{"id":"5","title":"new","ref":"\#(old)"}]"# }

    private func changes(_ fixture: LocalFixture) throws -> Int {
        try fixture.base.rows("SELECT seq FROM changes WHERE seq > 2").count
    }

    private func accept(_ fixture: LocalFixture, _ number: Int, as id: String? = nil) {
        let isDone = Monitor(false)
        fixture.store.updateOperations(at: LocalFixture.now) { operations in
            operations.filter { $0.id == LocalFixture.op(number) }.map { operation in
                var operation = operation.with(.accepted)
                operation.delivery.givenID = id
                return operation
            }
        } completion: { _ in
            isDone.update { $0 = true }
        }
        _ = isDone.wait { $0 ? true : nil }
    }

    @Test func `a fetched record with the reference of a create is that create`() throws {
        let fixture = try fixture()
        try fixture.base.take(body, by: Self.answer)
        #expect(fixture.served.keys.sorted() == ["5"] && fixture.view?.overlay == nil)
        #expect(fixture.view?.condition.aliases == [Array(old.utf8): Array("5".utf8)])
        #expect(try changes(fixture) == 2)
    }

    @Test func `operations behind it that the same answer changes follow it to the new id`() throws {
        var fixture = try fixture()
        try fixture.submit("update", old, ["label": "l"], op: 2)
        try fixture.submit("delete", old, op: 3)
        try fixture.base.take(body, by: Self.answer)
        for _ in 0..<2 {
            #expect(fixture.view?.condition.operations.map(\.operation.record) == ["5", "5"])
            #expect(fixture.view?.condition.operations.compactMap(\.operation.message).count == 2)
            #expect(fixture.served[old] == nil)
            fixture = try fixture.reopened(LocalFixture.upstream(reference: "/ref"))
        }
    }

    @Test(arguments: [true, false])
    func `an answer without news settles a create whose record came before`(hasBody: Bool) throws {
        let fixture = try fixture()
        // Nobody looks at operations now.
        fixture.store.settler = nil
        try fixture.base.take(body, at: LocalFixture.now)
        #expect(fixture.served.keys.sorted() == [old, "5"].sorted())
        fixture.store.settler = ReferenceSettler()
        if hasBody {
            #expect(try !fixture.base.take(body, at: LocalFixture.now, by: Self.answer).isNew)
        } else {
            var source = SourceRow()
            source.asOf = LocalFixture.now
            try fixture.store.record(source, of: "things", by: Self.answer)
        }
        #expect(fixture.served.keys.sorted() == ["5"] && fixture.view?.overlay == nil)
        #expect(fixture.view?.condition.operations.isEmpty == true)
    }

    @Test func `an operation is made over what the upstream has accepted before it`() throws {
        let fixture = try fixture()
        try fixture.base.take(#"[{"id":"1","title":"a","label":"k","more":1.50}]"#, at: LocalFixture.now)
        try fixture.submit("update", "1", ["title": "b"], op: 2)
        try fixture.submit("update", "1", ["label": "l"], op: 3)
        try fixture.submit("update", old, ["label": "m"], op: 4)
        func object(before number: Int) throws -> String? {
            let view = try #require(fixture.view)
            let operation = view.condition.operations.map(\.operation).first { $0.id == LocalFixture.op(number) }
            return view.object(before: try #require(operation)).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try object(before: 3) == #"{"id":"1","title":"a","label":"k","more":1.50}"#)
        accept(fixture, 2)
        #expect(try object(before: 2) == #"{"id":"1","title":"a","label":"k","more":1.50}"#)
        #expect(try object(before: 3) == #"{"id":"1","title":"b","label":"k","more":1.50}"#)
        #expect(try object(before: 4) == nil)
        accept(fixture, 1, as: "7")
        let created = try #require(try object(before: 4))
        #expect(created.contains(#""id":"7""#) && created.contains(#""title":"new""#) && !created.contains("label"))
    }
}
