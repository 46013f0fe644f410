// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// Feeds of a peer that a rule shows a part of the records: those with `place` "here".
@Suite struct AccessFeedTests {
    private static let definition = Shelf.definition.with(
        AccessRules([
            .init(
                .members(.init(users: ["1000"])),
                rows: .filter(.init("place=here", at: ConfigurationLocation(file: "shelf.json5"))))
        ]).resolved(user: { UInt32($0) }, group: { UInt32($0) }))

    /// A record.
    private struct Book: Equatable {
        var place: String
        var state: String
        var level: Int
        var note: Int

        func object(_ id: Int) -> String {
            #"{"id":"\#(id)","place":"\#(place)","state":"\#(state)","level":\#(level),"note":"n\#(note)"}"#
        }

        static func random(_ place: String, _ random: inout SeededGenerator) -> Book {
            Book(
                place: place, state: random.pick(["open", "shut", "new"]), level: Int.random(in: 0..<6, using: &random),
                note: Int.random(in: 0..<100, using: &random))
        }
    }

    /// A reader that keeps the set of its feed.
    private struct Reader {
        let parameters: String
        var clock: String?
        var held: [String: JSONValue] = [:]

        /// Takes the entries of an answer.
        mutating func take(_ answer: JSONValue) throws {
            if answer["fresh_instance"] != nil { held = [:] }
            for entry in answer["changes"]?.array ?? [] {
                let id = try #require(entry["id"]?.string)
                held[id] = entry["op"]?.string == "removed" ? nil : entry["record"]
            }
        }
    }

    private func forget(_ id: Int, _ fixture: FeedFixture) throws {
        _ = try fixture.opener.forget(
            ForgetOrder(
                collection: "shelf", ids: [Array("\(id)".utf8)], isDryRun: false, uid: 7, at: fixture.clock.with { $0 })
        )
    }

    /// The content of answers without sequences: these count all changes, which is told to everybody. The order of the
    /// changes of one commit is told, too.
    ///
    /// - Parameter hasCauses: whether causes are told; that of a change in nothing shown is told with the one before.
    private func told(_ answers: [JSONValue], hasCauses: Bool = true) -> [JSONValue?] {
        let entries = answers.flatMap { $0["changes"]?.array ?? [] }.map { entry in
            var entry = entry.object ?? JSONObject()
            entry["seq"] = nil
            if !hasCauses { entry["cause"] = nil }
            return JSONValue.object(entry)
        }
        var meta = answers.last?["meta"]?.object
        meta?["clock"] = nil
        return [
            .array(entries.sorted { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") }), meta.map { .object($0) },
        ] + answers.map { $0["fresh_instance"] }.filter { $0 != nil }
    }

    /// Asks both worlds for the versions of some records, in pages, which must differ in sequences alone.
    private func expectEqualHistories(
        _ worlds: [FeedFixture], ids: Range<Int>, _ random: inout SeededGenerator
    ) async throws {
        let id = Int.random(in: ids, using: &random)
        let limit = Int.random(in: 1..<6, using: &random)
        var told: [[JSONValue]] = [[], []]
        for world in worlds.indices {
            var cursor = ""
            repeat {
                let answer: JSONValue
                do {
                    answer = try await worlds[world].ask(
                        "history", #"{"collection":"shelf","id":"\#(id)","limit":\#(limit)\#(cursor)}"#)
                } catch let error as RequestError {
                    told[world].append(.string("\(error.kind)"))
                    break
                }
                let versions = answer["versions"]?.array ?? []
                #expect(answer["complete"] == false && versions.count <= limit)
                told[world] += versions.map { version in
                    var version = version.object ?? JSONObject()
                    version["seq"] = nil
                    return .object(version)
                }
                cursor = answer["next"]?.string.map { #","cursor":"\#($0)""# } ?? ""
            } while !cursor.isEmpty
        }
        let texts = told.map { String(decoding: JSONValue.array($0).compactBytes, as: UTF8.self) }
        #expect(texts[0] == texts[1], "history of \(id)")
    }

    @Test(arguments: 0..<6) func `worlds that differ in hidden records tell the same, and the set is what search finds`(
        seed: Int
    ) async throws {
        var random = SeededGenerator(seed: UInt64(seed) + 77)
        let worlds = try [FeedFixture([Self.definition]), FeedFixture([Self.definition])]
        var own: [Int: Book] = [:]
        var hidden: [[Int: Book]] = [[:], [:]]
        var readers = worlds.map { _ in
            ["", #","filter":"level>2""#, #","archived":"include""#, #","filter":"state=open","archived":"only""#].map {
                Reader(parameters: $0)
            }
        }
        var gone: Set<Int> = []
        for step in 0..<RandomRounds.count(24) {
            for id in 0..<24 where random.oneIn(3) && !gone.contains(id) {
                own[id] = random.oneIn(3) ? nil : .random("here", &random)
            }
            own[100] = Book(place: "here", state: "open", level: step, note: step)
            for world in worlds.indices {
                hidden[world] = hidden[world].filter { own[$0.key] == nil }
                for id in 0..<24 where own[id] == nil && random.oneIn(3) && !gone.contains(id) {
                    hidden[world][id] = random.oneIn(3) ? nil : .random("there", &random)
                }
                let all = own.merging(hidden[world]) { own, _ in own }.sorted { $0.key < $1.key }
                try worlds[world].take(all.map { $0.value.object($0.key) })
            }
            if random.oneIn(3) {
                let ids = own.keys.sorted().prefix(3).map { "\($0)" }
                let isArchiving = random.oneIn(2)
                for world in worlds { try world.archive(ids, isArchiving) }
            }
            if random.oneIn(8), let id = own.keys.sorted().first {
                gone.insert(id)
                own[id] = nil
                for world in worlds { try forget(id, world) }
            }
            try await expectEqualHistories(worlds, ids: 0..<24, &random)
            let limit = Int.random(in: 2..<12, using: &random)
            for reader in readers[0].indices where !random.oneIn(4) {
                var answers: [[JSONValue]] = [[], []]
                for world in worlds.indices {
                    let parameters = readers[world][reader].parameters + #","limit":\#(limit)"#
                    var cursor = ""
                    repeat {
                        let since = cursor.isEmpty ? readers[world][reader].clock : nil
                        let answer = try await worlds[world].changes(since, parameters + cursor)
                        try readers[world][reader].take(answer)
                        if let clock = answer.clock { readers[world][reader].clock = clock }
                        if answer["fresh_instance"] != nil { answers[world] = [] }
                        answers[world].append(answer)
                        cursor = answer["next"]?.string.map { #","cursor":"\#($0)""# } ?? ""
                    } while !cursor.isEmpty
                }
                #expect(told(answers[0]) == told(answers[1]), "step \(step), reader \(reader)")
                let parameters = readers[0][reader].parameters
                let found = try await worlds[0].ask("search", #"{"collection":"shelf","limit":100\#(parameters)}"#)
                let ids = Set((found["records"]?.array ?? []).compactMap { $0["id"]?.string })
                #expect(Set(readers[0][reader].held.keys) == ids, "step \(step), reader \(reader)")
                #expect(Set(ids.compactMap { Int($0) }).isSubset(of: own.keys))
            }
        }
    }

    @Test func `the rows that a rule leaves out of new data are found before a peer asks`() async throws {
        let fixture = try FeedFixture([Self.definition])
        let book = Book(place: "here", state: "open", level: 1, note: 1)
        try fixture.take([book.object(1)])
        let sets = fixture.store.catalog.rowSets
        #expect(sets.bytes == 0)
        _ = try await fixture.ask("count", #"{"collection":"shelf"}"#)
        let first = sets.bytes
        try fixture.take([book.object(1), book.object(2)], writesFile: true)
        let second = sets.bytes
        #expect(first > 0 && second > first)
        _ = try await fixture.ask("count", #"{"collection":"shelf"}"#)
        #expect(sets.bytes == second)
        // A set that is larger than the bound is not kept, and costs no other its place.
        sets.setBound(first - 1)
        try fixture.take([book.object(1), book.object(3)], writesFile: true)
        #expect(sets.bytes == second)
    }

    @Test func `feeds of other rules share no lines, although their hashes are equal`() {
        func key(_ limit: String?) -> FeedCollection.GroupKey { .init(hash: 7, limit: limit, language: nil) }
        #expect(key("1: place=here") == key("1: place=here"))
        #expect(key("1: place=here") != key("1: place=there") && key("1: place=here") != key(nil))
    }

    @Test func `a subscription that ends before it began does not count`() throws {
        let fixture = try FeedFixture([Self.definition])
        let peer = Peer(
            PeerCredentials(pid: 1, uid: 1000, gid: 100, groups: []), roles: [], scopes: [],
            requester: Requester(process: 1, connection: 1))
        let view = try fixture.view("shelf")
        let request = try FeedRequest(FeedParameters(), fixture.context.queries)
        let feed = try Feed(request, of: view.definition, within: nil)
        let order = SubscriptionOrder(
            peer: peer, request: request, feed: feed,
            progress: FeedProgress(position: .rest(at: 0, time: 0), stage: .live), clock: nil, result: { _ in [] })
        let channel = EventChannel(token: 1, budget: EventBudget(), send: { _, _ in }, onRoom: { _ in })
        let subscriptions = (1...2).map {
            Subscription($0, on: ConnectionLink(channel), order, of: FeedGroup(feed, time: 0), at: 0)
        }
        let collection = FeedCollection(view, at: 0, now: 0)
        collection.begin(subscriptions[0])
        collection.end(subscriptions[1])
        #expect(collection.count == 1)
        for _ in 0..<2 { collection.end(subscriptions[0]) }
        #expect(collection.count == 0)
    }

    @Test(arguments: 0..<6) func `worlds that differ in hidden and masked fields tell the same`(seed: Int) async throws
    {
        var random = SeededGenerator(seed: UInt64(seed) + 177)
        let rules = AccessRules([
            .init(.members(.init(users: ["1000"])), fields: ["state", "level"], masks: ["note": .lastFour])
        ]).resolved(user: { UInt32($0) }, group: { UInt32($0) })
        let definition = Shelf.definition.with(rules)
        let worlds = try [FeedFixture([definition]), FeedFixture([definition])]
        var shown: [Int: Book] = [:]
        var hidden: [[Int: String]] = [[:], [:]]
        var readers = worlds.map { _ in
            ["", #","filter":"level>2""#, #","archived":"include""#, #","fields":["note"]"#].map {
                Reader(parameters: $0)
            }
        }
        for step in 0..<RandomRounds.count(24) {
            for id in 0..<16 where random.oneIn(3) { shown[id] = random.oneIn(4) ? nil : .random("", &random) }
            // A record that changes in every step, because sequences count all changes.
            shown[100] = Book(place: "", state: "open", level: step, note: step)
            for world in worlds.indices {
                for id in shown.keys.sorted() where random.oneIn(2) {
                    hidden[world][id] = "\(Int.random(in: 0..<1_000_000, using: &random))"
                }
                try worlds[world].take(
                    shown.sorted { $0.key < $1.key }.map { id, book in
                        let own = hidden[world][id] ?? ""
                        return #"{"id":"\#(id)","place":"p\#(own)","state":"\#(book.state)","level":\#(book.level),"#
                            + #""title":"t\#(own)","note":"hidden \#(own) \#(1_000 + book.note)"}"#
                    })
            }
            if random.oneIn(3) {
                let ids = shown.keys.sorted().prefix(3).map { "\($0)" }
                let isArchiving = random.oneIn(2)
                for world in worlds { try world.archive(ids, isArchiving) }
            }
            try await expectEqualHistories(worlds, ids: 0..<16, &random)
            for reader in readers[0].indices where !random.oneIn(4) {
                var answers: [[JSONValue]] = [[], []]
                for world in worlds.indices {
                    let answer = try await worlds[world].changes(
                        readers[world][reader].clock, readers[world][reader].parameters + #","limit":1000"#)
                    try readers[world][reader].take(answer)
                    readers[world][reader].clock = answer.clock
                    answers[world].append(answer)
                }
                #expect(
                    told(answers[0], hasCauses: false) == told(answers[1], hasCauses: false),
                    "step \(step), reader \(reader)")
                let found = try await worlds[0].ask(
                    "search", #"{"collection":"shelf","limit":100\#(readers[0][reader].parameters)}"#)
                let held = readers[0][reader].held.values.map { record -> JSONValue in
                    var object = record.object ?? JSONObject()
                    if readers[0][reader].parameters.contains("fields") { object["id"] = nil }
                    return .object(object)
                }
                let records = found["records"]?.array ?? []
                #expect(held.count == records.count && held.allSatisfy(records.contains), "step \(step)")
            }
        }
    }

    @Test func `a record that leaves the rows is gone, and one that comes in is added`() async throws {
        let fixture = try FeedFixture([Self.definition])
        var book = Book(place: "here", state: "open", level: 1, note: 1)
        let other = Book(place: "there", state: "open", level: 1, note: 1)
        try fixture.take([book.object(1), other.object(2)])
        let clock = try await fixture.changes(nil).clock
        book.place = "there"
        try fixture.take([book.object(1), other.object(2)])
        let left = try await fixture.changes(clock)
        #expect(left.told == ["removed 1 gone"])
        book.place = "here"
        try fixture.take([book.object(1), other.object(2)])
        #expect(try await fixture.changes(left.clock).told == ["added 1"])
        // A record that never was in the rows is told to nobody.
        try fixture.take([book.object(1)])
        #expect(try await fixture.changes(left.clock).told == ["added 1"])
    }

    @Test func `time moves a feed at the moments of its own records alone`() throws {
        let fixture = try FeedFixture([Self.definition])
        func object(_ id: Int, _ place: String, _ second: Int) -> String {
            #"{"id":"\#(id)","place":"\#(place)","at":"2027-01-15T08:00:\#(second)Z"}"#
        }
        try fixture.take([object(1, "there", 20), object(2, "here", 40), object(3, "there", 50)])
        let view = try fixture.view("shelf")
        var parameters = FeedParameters()
        parameters.filter = "at<now"
        let peer = Peer(
            PeerCredentials(pid: 1, uid: 1000, gid: 100, groups: []), roles: [], scopes: [],
            requester: Requester(process: 1, connection: 1))
        let limit = ViewLimit(peer.sight(of: view.definition), of: view.definition)
        let feed = try Feed(FeedRequest(parameters, fixture.context.queries), of: view.definition, within: limit)
        let start = FeedFixture.now
        let next = FeedBoundary.next(after: start, of: feed, in: view.layers, view.rows)
        #expect(next == start + 40_000)
        #expect(FeedBoundary.next(after: start + 40_000, of: feed, in: view.layers, view.rows) == start + 40_001)
        #expect(FeedBoundary.next(after: start + 40_001, of: feed, in: view.layers, view.rows) == nil)
    }

    @Test func `history tells what comes into the rows and leaves them, as it was shown`() async throws {
        let fixture = try FeedFixture([Self.definition])
        var book = Book(place: "here", state: "open", level: 1, note: 1)
        let other = Book(place: "there", state: "open", level: 1, note: 1)
        try fixture.take([book.object(1), other.object(2)])
        book.level = 2
        try fixture.take([book.object(1), other.object(2)])
        book.place = "there"
        try fixture.take([book.object(1), other.object(2)])
        book.level = 3
        try fixture.take([book.object(1), other.object(2)])
        book.place = "here"
        try fixture.take([book.object(1)])
        let answer = try await fixture.ask("history", #"{"collection":"shelf","id":"1"}"#)
        let versions = try #require(answer["versions"]?.array)
        #expect(versions.compactMap { $0["op"]?.string } == ["added", "removed", "updated", "added"])
        #expect(versions.compactMap { $0["record"]?["level"]?.integer } == [3, 2, 1])
        #expect(versions[2]["changes"] == ["level": [1, 2]])
        await #expect(throws: RequestError.self) {
            _ = try await fixture.ask("history", #"{"collection":"shelf","id":"2"}"#)
        }
    }

    @Test func `forget erases what is shown, and nothing else`() throws {
        let fixture = try FeedFixture([Self.definition])
        let here = Book(place: "here", state: "open", level: 1, note: 1)
        let there = Book(place: "there", state: "open", level: 1, note: 1)
        try fixture.take([here.object(1), there.object(2), here.object(3)])
        let peer = Peer(
            PeerCredentials(pid: 1, uid: 1000, gid: 100, groups: []), roles: .all, scopes: [],
            requester: Requester(process: 1, connection: 1))
        var order = ForgetOrder(
            collection: "shelf", ids: ["1", "2", "7"].map { Array($0.utf8) }, isDryRun: false, uid: 1000, at: 0)
        order.sight = { peer.recordSight(of: $0) }
        let outcome = try fixture.opener.forget(order)
        #expect(outcome.forgotten == [Array("1".utf8)])
        #expect(outcome.missing == [Array("2".utf8), Array("7".utf8)])
        #expect(try fixture.view("shelf").rows.count == 2)
    }

    @Test func `a record that is forgotten, whichever it is, begins a fresh set`() async throws {
        let fixture = try FeedFixture([Self.definition])
        let (mine, other) = (
            Book(place: "here", state: "open", level: 1, note: 1),
            Book(place: "there", state: "open", level: 1, note: 1)
        )
        try fixture.take([mine.object(1), other.object(2), mine.object(3)])
        for id in [2, 3] {
            let clock = try await fixture.changes(nil).clock
            try forget(id, fixture)
            let answer = try await fixture.changes(clock)
            #expect(answer["fresh_instance"] == true && answer["reasons"]?["shelf"] == "compacted")
            #expect(!answer.told.contains { $0.contains(" \(id)") })
        }
    }

    @Test func `a clock of other rules, or a bare one, begins a fresh set`() async throws {
        let fixture = try FeedFixture([Self.definition])
        let book = Book(place: "here", state: "open", level: 1, note: 1)
        try fixture.take([book.object(1)])
        let first = try await fixture.changes(nil)
        let bare = try #require(first["meta"]?["clock"]?.string)
        #expect(first.clock?.contains("-") == true)
        #expect(try await fixture.changes(bare)["reasons"]?["shelf"] == "filter")
        fixture.reload([Self.definition.with(nil)])
        #expect(try await fixture.changes(first.clock)["reasons"]?["shelf"] == "filter")
    }
}
