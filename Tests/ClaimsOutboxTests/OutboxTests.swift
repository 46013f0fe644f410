// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@Suite struct OutboxTests {
    private let created = WritingServer.Reply.answer(201, headers: "Location: /books/42\r\n")
    private static let keyed: @Sendable (inout WriteRules) -> Void = {
        $0.idempotency = WriteRules.Idempotency(header: "Idempotency-Key", life: .seconds(3600))
    }

    private func update(_ number: Int64, _ title: String, on record: String = "7") -> Operation {
        operation(number, .update, on: record) { $0.values.given = ["title": .string(title)] }
    }

    private func create(_ number: Int64, _ title: String = "new") -> Operation {
        operation(number, .create, on: "n\(number)") { $0.values.given = ["title": .string(title)] }
    }

    @Test func `Operations go out in order, noted before they leave, and under the id that the upstream gave`() throws {
        let store = MemoryStore()
        let create = create(1)
        let follower = operation(2, .update, on: "n1") { $0.values.given = ["title": "next"] }
        let fixture = try OutboxFixture([create, follower], store: store) { request in
            let id = request.method == "POST" ? create.id : follower.id
            #expect(store[id]?.state == .sending)
            let noted = store.contents.read { $0.noted.last }
            #expect(noted == store[id]?.delivery.lastNumber)
            return request.method == "POST" ? .answer(201, headers: "Location: /books/42\r\n") : .answer(200)
        }
        try fixture.outbox.start()
        #expect(store.wait(for: follower.id) { $0.state == .accepted }?.record == "42")
        let requests = fixture.server.requests
        #expect(requests.map { "\($0.method) \($0.path)" } == ["POST /books", "PATCH /books/42"])
        #expect(requests[0].body.contains(#""title":"new""#) && requests[0].authorization == "Bearer s3cret")
        #expect(store.contents.read { $0.noted } == [1, 2])
        #expect(store.contents.read { $0.states[create.id] } == [.sending, .accepted])
        _ = fixture.refreshed.wait(upTo: .seconds(20)) { $0.isEmpty ? nil : true }
        #expect(fixture.refreshed.read { $0.first } == "books")
    }

    @Test func `A lost answer is asked for again under the same key`() throws {
        let lost = Monitor(true)
        let fixture = try OutboxFixture(rules: Self.keyed) { _ in
            lost.update { isLost in
                defer { isLost = false }
                return isLost ? .hangUp : .answer(201, headers: "Location: /books/42\r\n")
            }
        }
        try fixture.outbox.start()
        let create = create(1)
        fixture.submit([create])
        #expect(fixture.store.wait(for: create.id) { $0.state == .accepted } != nil)
        #expect(fixture.server.requests.map(\.key) == [create.id.text, create.id.text])
    }

    @Test func `A lost answer of an upstream without keys waits for a person, and nothing goes out twice`() throws {
        let fixture = try OutboxFixture { _ in .hangUp }
        try fixture.outbox.start()
        let (first, second) = (create(1), create(2))
        fixture.submit([first, second])
        for create in [first, second] {
            #expect(fixture.store.wait(for: create.id) { $0.state == .uncertain } != nil)
        }
        #expect(fixture.server.requests.count == 2)
        fixture.server.treat { _ in .answer(201, headers: "Location: /books/42\r\n") }
        let caller = OutboxCaller(user: 1000, isAdmin: false)
        guard case .changed = try fixture.outbox.decide(DecidedChange(.resolveAgain), about: first.id, by: caller)
        else {
            Issue.record("not sent again")
            return
        }
        #expect(fixture.store.wait(for: first.id) { $0.state == .accepted } != nil)
        let other = OutboxCaller(user: 1, isAdmin: false)
        func refusal(
            of decision: OperationDecision, by caller: OutboxCaller
        ) throws -> OutboxReply.Refused? {
            let change = DecidedChange(decision)
            guard case .refused(let refused) = try fixture.outbox.decide(change, about: second.id, by: caller)
            else { return nil }
            return refused
        }
        let refused = OutboxReply.Refused(second.id, .uncertain)
        #expect(try refusal(of: .resolveAgain, by: other) == refused)
        #expect(try refusal(of: .hold, by: caller) == refused)
        #expect(try refusal(of: .retry, by: caller)?.resolutions == [.resolveDone, .resolveAgain])
        #expect(try refusal(of: .correct, by: caller)?.resolutions == [.resolveDone, .resolveAgain])
        #expect(try refusal(of: .retry, by: other) == refused)
    }

    @Test func `What was being sent when a reload took its action away is uncertain if its answer is lost`() throws {
        let fixture = try OutboxFixture(rules: Self.keyed) { _ in .answer(503) }
        let (definition, origin) = (fixture.definition, fixture.server.origin)
        fixture.server.treat { _ in
            definition.update { $0 = OutboxFixture.definition(origin) { $0.actions.removeAll { $0.name == "create" } } }
            return .hangUp
        }
        try fixture.outbox.start()
        let create = create(1)
        fixture.submit([create])
        let uncertain = try #require(fixture.store.wait(for: create.id) { $0.state.isStuck })
        #expect(uncertain.state == .uncertain && uncertain.reason == nil)
        let message = "The server may have done it: The definition no longer offers 'create'"
        #expect(uncertain.message?.text("en") == message)
        #expect(fixture.server.requests.count == 1)
    }

    @Test func `What was being sent when a reload took its action away is held if the upstream has not begun`() throws {
        let fixture = try OutboxFixture(rules: Self.keyed) { _ in .answer(503) }
        let (definition, origin) = (fixture.definition, fixture.server.origin)
        fixture.server.treat { _ in
            definition.update { $0 = OutboxFixture.definition(origin) { $0.actions.removeAll { $0.name == "create" } } }
            return .answer(429)
        }
        try fixture.outbox.start()
        let create = create(1)
        fixture.submit([create])
        let held = try #require(fixture.store.wait(for: create.id) { $0.state.isStuck })
        #expect(held.state == .held && held.reason == .definition)
    }

    @Test func `What was being sent when a process ended is not sent again without a promise`() throws {
        func interrupted(_ fixture: OutboxFixture) -> Operation {
            let definition = fixture.definition.read { $0 }
            let address = definition.writes?.actions.first?.request?.address.template ?? ""
            return operation(1, .create, on: "n1", state: .sending) {
                $0.values.given = ["title": "new"]
                $0.delivery.keyUse = OperationKeyUse(
                    first: SystemClock.wall, last: SystemClock.wall, method: "POST", url: address)
                $0.delivery.record(OperationAttempt(number: 5, at: SystemClock.wall, method: "POST", url: address))
            }
        }
        let plain = try OutboxFixture { _ in .answer(201, headers: "Location: /books/42\r\n") }
        let create = interrupted(plain)
        plain.store.put([create])
        try plain.outbox.start()
        #expect(plain.store[create.id]?.state == .uncertain)
        let keyed = try OutboxFixture(rules: Self.keyed) { _ in .answer(201, headers: "Location: /books/42\r\n") }
        keyed.store.put([interrupted(keyed)])
        keyed.store.contents.update { $0.lastAttempt = 5 }
        try keyed.outbox.start()
        #expect(keyed.store.wait(for: create.id) { $0.state == .accepted }?.delivery.lastNumber == 6)
        #expect(plain.server.requests.isEmpty && keyed.server.requests.count == 1)
    }

    @Test func `Without a credential or with a refused one nothing is lost, and a reload probes`() throws {
        let fixture = try OutboxFixture { request in
            .answer(request.authorization == "Bearer better" ? 200 : 401)
        }
        try fixture.outbox.start()
        let update = update(1, "a")
        fixture.submit([update])
        _ = fixture.events.wait(upTo: .seconds(20)) { $0.contains("paused") ? true : nil }
        #expect(fixture.outbox.troubledOrigins.map(\.origin) == [fixture.server.origin])
        #expect(fixture.store[update.id]?.state == .queued)
        try fixture.setSecret(nil)
        fixture.outbox.configure(warn: 3_600_000)
        let message = Message(.credentialMissing, "key")
        #expect(fixture.store.wait(for: update.id) { $0.message == message }?.state == .queued)
        #expect(fixture.server.requests.count == 1)
        try fixture.setSecret("better")
        fixture.outbox.configure(warn: 3_600_000)
        #expect(fixture.store.wait(for: update.id) { $0.state == .accepted } != nil)
        _ = fixture.events.wait(upTo: .seconds(20)) { $0.contains("recovered") ? true : nil }
        #expect(fixture.outbox.troubledOrigins.isEmpty)
    }

    @Test func `An outcome that cannot be committed waits in memory, and its request is not made again`() throws {
        let fixture = try OutboxFixture { _ in .answer(200) }
        fixture.store.contents.update { $0.failing = [.accepted] }
        try fixture.outbox.start()
        let (first, second) = (update(1, "a"), update(2, "b"))
        fixture.submit([first, second])
        _ = fixture.store.contents.wait(upTo: .seconds(20)) { $0.failures >= 2 ? true : nil }
        #expect(fixture.store[first.id]?.state == .sending && fixture.server.requests.count == 1)
        fixture.store.contents.update { $0.failing = [] }
        #expect(fixture.store.wait(for: second.id) { $0.state == .accepted } != nil)
        #expect(fixture.server.requests.count == 2)
    }

    @Test func `Nothing is sent that cannot be noted`() throws {
        let store = MemoryStore()
        store.contents.update { $0.failing = [.sending] }
        let update = update(1, "a")
        let fixture = try OutboxFixture([update], store: store) { _ in .answer(200) }
        try fixture.outbox.start()
        _ = fixture.events.wait(upTo: .seconds(20)) { $0.contains("not noted") ? true : nil }
        #expect(fixture.server.requests.isEmpty && store[update.id] == update)
        store.contents.update {
            $0.failing = []
            $0.failsToNote = true
        }
        #expect(store.wait(for: update.id) { $0.delivery.attempts == 1 && $0.state == .queued } != nil)
        #expect(fixture.server.requests.isEmpty && store[update.id]?.delivery.keyUse == nil)
        store.contents.update { $0.failsToNote = false }
        #expect(store.wait(for: update.id) { $0.state == .accepted } != nil)
        #expect(fixture.server.requests.count == 1)
    }

    @Test func `A look at the record decides whether anything is sent, and over which version`() throws {
        let fixture = try OutboxFixture(
            rules: { rules in
                let address = rules.actions[1].request?.address ?? WriteAddress("")
                rules.match = WriteRequest(method: .get, address: address)
            },
            treatment: { request in
                guard request.method == "GET" else { return .answer(200) }
                let record = request.path.split(separator: "/").last ?? ""
                return record == "9"
                    ? .answer(404)
                    : .answer(200, headers: "ETag: \"v1\"\r\n", body: #"{"id":"\#(record)","title":"old"}"#)
            })
        try fixture.outbox.start()
        var operations = [
            update(1, "new"), update(2, "old", on: "8"), update(3, "x", on: "9"), update(4, "y", on: "10"),
        ]
        for index in operations.indices {
            operations[index].values.before = ["title": index == 3 ? "older" : "old"]
            operations[index].values.wasInSnapshot = true
        }
        fixture.submit(operations)
        let wanted: [OperationState] = [.accepted, .accepted, .conflict, .conflict]
        for (operation, state) in zip(operations, wanted) {
            #expect(fixture.store.wait(for: operation.id) { $0.state == state } != nil)
        }
        let writes = fixture.server.requests.filter { $0.method != "GET" }
        #expect(writes.map(\.path) == ["/books/7"] && writes.first?.ifMatch == "\"v1\"")
    }

    @Test func `An operation that the definition does not offer is held`() throws {
        let fixture = try OutboxFixture(rules: { $0.actions.removeFirst() }, treatment: { _ in .answer(200) })
        try fixture.outbox.start()
        let create = create(1)
        fixture.submit([create])
        #expect(fixture.store.wait(for: create.id) { $0.state == .held }?.reason == .definition)
        #expect(fixture.events.wait(upTo: .seconds(20)) { $0.contains("stuck held") ? true : nil } == true)
    }

    @Test func `A stop ends a request that nobody answers, and notes that it may have been done`() throws {
        let fixture = try OutboxFixture { _ in .silence }
        try fixture.outbox.start()
        let create = create(1)
        fixture.submit([create])
        _ = try fixture.server.requests(count: 1)
        fixture.outbox.stop(grace: .zero)
        #expect(fixture.store[create.id]?.state == .uncertain)
    }

    @Test func `A silent origin delays no other, and two requests go to it at once`() throws {
        let silent = try OutboxFixture { _ in .silence }
        try silent.outbox.start()
        silent.submit((1...6).map { update($0, "a", on: "\($0)") })
        #expect(try silent.server.requests(count: 2).count == 2)
        // The schedule goes on, and begins no third one.
        let ticks = silent.outbox.ticks
        while silent.outbox.ticks < ticks + 3 { silent.outbox.wake() }
        #expect(silent.server.requests.count == 2)
        silent.outbox.stop(grace: .zero)
    }
}
