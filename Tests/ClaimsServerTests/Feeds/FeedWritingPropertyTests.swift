// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// Settles operations at random.
private struct RandomSettler: OperationSettler {
    let seed: UInt64

    func settle(_ operations: [Operation], by evidence: RefreshEvidence) -> [Operation] {
        var random = SeededGenerator(seed: seed &+ UInt64(operations.count))
        return operations.filter { _ in random.oneIn(3) }.map { $0.with(random.oneIn(2) ? .confirmed : .unconfirmed) }
    }
}

/// Clients that follow feeds of a collection that is written through the store, here or to an upstream.
@Suite struct FeedWritingPropertyTests {
    private static let feeds = [
        "", #","filter":"level>=3""#, #","filter":"pump","fields":"id,title""#, #","filter":"at<now","fields":"id,at""#,
        #","archived":"include""#, #","archived":"only","fields":"id,level""#, #","filter":"level<3 or water""#,
    ]
    private static let pendingFeeds = [#","filter":"pending.any""#, #","filter":"not pending=stuck","fields":"id""#]

    private static func definition(to destination: WriteRules.Destination) -> Definition {
        let notes = FeedFixture.notes()
        let address = WriteAddress("https://notes.example/{id}")
        let request = destination == .upstream ? WriteRequest(method: .post, address: address) : nil
        var actions = [
            WriteAction(name: "create", kind: .create, fields: [1, 2, 3]),
            WriteAction(name: "update", kind: .update, fields: [1, 2, 3]), WriteAction(name: "delete", kind: .delete),
        ]
        for index in actions.indices { actions[index].request = request }
        let rules = WriteRules(
            to: destination, fields: [FieldRule(field: 1), FieldRule(field: 2), FieldRule(field: 3)], actions: actions)
        let url = destination == .upstream ? "https://notes.example/" : nil
        return Definition(
            name: "notes", source: Source(ReadRequest(url: url, root: JSONPointer(tokens: []))), fields: notes.fields,
            isArchivable: true, writes: rules)
    }

    /// A client that follows one feed.
    private struct Client {
        let feed: String
        var held: [String: String] = [:]
        var clock: String?
        var cursor: String?

        mutating func apply(_ page: JSONValue) throws {
            if page["fresh_instance"] == .bool(true) { held = [:] }
            for entry in try #require(page["changes"]?.array) {
                let id = try #require(entry["id"]?.string)
                held[id] = entry["op"]?.string == "removed" ? nil : entry["record"]?.text
            }
        }
    }

    private struct Model {
        var random: SeededGenerator
        let fixture: FeedFixture
        let isLocal: Bool
        var body: [Int: String] = [:]
        var count = 0
        /// How many submissions were committed.
        var written = 0

        init(seed: UInt64, isLocal: Bool) throws {
            random = SeededGenerator(seed: seed &* 3571)
            self.isLocal = isLocal
            fixture = try FeedFixture([FeedWritingPropertyTests.definition(to: isLocal ? .local : .upstream)])
        }

        mutating func submit() throws {
            let view = try fixture.view("notes")
            count += 1
            let rows = (0..<view.rows.end).filter { !view.rows.isUnlisted($0) }
            let id = rows.randomElement(using: &random).flatMap { view.rows.idBytes($0) }
            let action = id == nil || random.oneIn(3) ? "create" : random.oneIn(3) ? "delete" : "update"
            var submission = Submission(
                OperationID(time: FeedFixture.now, random: (0, UInt64(count) << 2)), OperationAction(action),
                on: action == "create" ? nil : id, of: "notes", uid: 1000,
                calendar: CivilCalendar(now: fixture.clock.with { $0 }),
                limits: .init(pending: 1000, pendingBytes: 1 << 20, historyBytes: 1 << 20))
            if action != "delete" {
                let object = try JSONValue.parse(Array(FeedObjects.note(0, &random).utf8))
                for member in object.object?.members ?? [] where member.key != "id" && !random.oneIn(3) {
                    submission.fields[member.key] = member.value
                }
            }
            let answer = Monitor<Result<SubmitOutcome, SubmitRefusal>?>(nil)
            fixture.store.submit(submission) { result in answer.update { $0 = result } }
            if case .success? = answer.wait({ $0 }) { written += 1 }
        }

        /// Moves operations on as a sender does, or a person.
        mutating func moveOperations() throws {
            let states: [OperationState] = [.sending, .accepted, .held, .rejected, .dropped, .confirmed, .queued]
            let seed = random.next()
            let answer = Monitor(false)
            fixture.store.updateOperations(at: fixture.clock.with { $0 }) { operations in
                var random = SeededGenerator(seed: seed)
                return operations.filter { _ in random.oneIn(2) }.map { operation in
                    var changed = operation.with(states.randomElement(using: &random) ?? .queued)
                    if changed.state == .accepted, operation.action == .create, operation.delivery.givenID == nil {
                        changed.delivery.givenID = "n\(900 + operation.number)"
                    }
                    return changed
                }
            } completion: { _ in
                answer.update { $0 = true }
            }
            _ = answer.wait { $0 ? true : nil }
        }

        mutating func refresh() throws {
            fixture.store.settler = RandomSettler(seed: random.next())
            FeedObjects.change(&body, of: "notes", &random)
            try fixture.take(Array(body.values).shuffled(using: &random), into: "notes", isAnswer: true)
        }

        mutating func act() throws {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: try submit()
            case 4, 5: if isLocal { _ = try fixture.opener.fold("notes") } else { try moveOperations() }
            case 6: if isLocal { try submit() } else { try refresh() }
            case 7:
                let view = try fixture.view("notes")
                let ids = (0..<view.rows.end).filter { _ in random.oneIn(4) }.compactMap { view.rows.idBytes($0) }
                try fixture.archive(ids.map { String(decoding: $0, as: UTF8.self) }, in: "notes", !random.oneIn(2))
            case 8: fixture.clock.with { [step = Int64.random(in: -30...60, using: &random)] in $0 += step * 3_600_000 }
            case 9 where random.oneIn(3): try fixture.restart()
            default: break
            }
        }
    }

    @Test(arguments: 0..<12)
    func `a client holds what search answers, whatever becomes of writes`(seed: UInt64) async throws {
        var model = try Model(seed: seed, isLocal: seed % 3 == 0)
        var clients = (Self.feeds + (model.isLocal ? [] : Self.pendingFeeds)).map { Client(feed: $0) }
        for _ in 0..<80 {
            try model.act()
            for index in clients.indices where model.random.oneIn(3) { try await step(&clients[index], &model) }
        }
        #expect(model.written > 10)
    }

    /// Reads one page, and compares with `search` at the time of its clock.
    private func step(_ client: inout Client, _ model: inout Model) async throws {
        let fixture = model.fixture
        if try !fixture.view("notes").hasRecords, client.clock == nil, client.cursor == nil { return }
        let limit = model.random.oneIn(2) ? 1000 : Int.random(in: 1...7, using: &model.random)
        var rest = #"\#(client.feed),"limit":\#(limit)"#
        if let cursor = client.cursor { rest += #","cursor":"\#(cursor)""# }
        let page = try await fixture.changes(client.cursor == nil ? client.clock : nil, rest, of: "notes")
        try client.apply(page)
        guard let clock = page.clock else {
            client.cursor = try #require(page["next"]?.string)
            return
        }
        (client.clock, client.cursor) = (clock, nil)
        let decoded = try FeedClockCodec(key: FeedFixture.key).decode(clock, epoch: fixture.store.epoch)
        let now = fixture.clock.with { $0 }
        if let time = decoded.bound?.time { fixture.clock.with { $0 = time } }
        var found: [String: String] = [:]
        if try fixture.view("notes").hasRecords {
            let answer = try await fixture.ask("search", #"{"limit":1000,"collection":"notes"\#(client.feed)}"#)
            for record in try #require(answer["records"]?.array) {
                found[try #require(record["id"]?.string)] = record.text
            }
        }
        fixture.clock.with { $0 = now }
        for key in Set(client.held.keys).union(found.keys) where client.held[key] != found[key] {
            Issue.record(
                "\(client.feed) \(key): holds \(client.held[key] ?? "nothing"), not \(found[key] ?? "nothing")")
        }
    }
}

extension JSONValue {
    fileprivate var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
