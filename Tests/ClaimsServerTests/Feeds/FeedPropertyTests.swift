// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

@Suite struct FeedPropertyTests {
    /// Feeds as parameters; each has the id among its fields, so that `search` answers the same records.
    private static let feeds = [
        "", #","filter":"state=open""#, #","filter":"pump or level>=3","fields":"id,state,title""#,
        #","filter":"not state=open,shut","archived":"include""#, #","filter":"at<now","fields":"id,at,level""#,
        #","filter":"at>-1d at<+2d""#, #","filter":"day=today or day>+2d","time_zone":"Europe/Warsaw""#,
        #","filter":"at=today,yesterday","archived":"include""#, #","archived":"only""#,
        #","filter":"state.raw=what or title~water","fields":"id,state""#, #","fields":"id,extra,flag,link""#,
        #","filter":"price>=1 kind=small","archived":"only","fields":"id""#, #","filter":"not at>=now""#,
    ]

    /// A client that follows one feed and may begin again from any clock that it was given.
    private struct Client {
        let feed: String
        /// nil: all collections.
        let collection: String?
        var held: [String: JSONValue] = [:]
        var clock: String?
        var cursor: String?
        /// The page that the client reads is the first and the last one of its way.
        var isWhole = false
        /// The records that it held at earlier clocks.
        var earlier: [(clock: String?, held: [String: JSONValue])] = [(nil, [:])]

        func key(_ entry: JSONValue) throws -> String {
            let id = try #require(entry["id"]?.string)
            return "\(entry["collection"]?.string ?? collection ?? "") \(id)"
        }

        mutating func apply(_ page: JSONValue) throws {
            for member in page["reasons"]?.object?.members ?? [] {
                held = held.filter { !$0.key.hasPrefix(member.key + " ") }
            }
            let isFresh = page["fresh_instance"] == .bool(true)
            var seen: Set<String> = []
            for entry in try #require(page["changes"]?.array) {
                let key = try key(entry)
                let known = held[key]
                if isWhole, !isFresh {
                    #expect(seen.insert(key).inserted, "one entry a record: \(entry)")
                    try checkBefore(entry, known)
                }
                switch entry["op"]?.string {
                case "added", "updated": held[key] = entry["record"]
                default: held[key] = nil
                }
            }
        }

        /// An entry tells of the time before exactly the record that the client holds.
        private func checkBefore(_ entry: JSONValue, _ known: JSONValue?) throws {
            switch entry["op"]?.string {
            case "added": #expect(known == nil, "\(entry)")
            case "removed": #expect(entry["was"]?.text == known?.text, "\(entry) \(known?.text ?? "")")
            default:
                let record = try #require(entry["record"])
                let names = try #require(entry["changed"]?.array).compactMap(\.string)
                #expect(!names.isEmpty, "\(entry)")
                for name in names {
                    #expect(known?[name] != record[name] || known?[name + ".raw"] != record[name + ".raw"], "\(entry)")
                    #expect(entry["was"]?[name] == known?[name], "\(entry)")
                }
                for member in known?.object?.members ?? [] {
                    let field = member.key.hasSuffix(".raw") ? String(member.key.dropLast(4)) : member.key
                    if !names.contains(field) { #expect(record[member.key] == member.value, "\(entry)") }
                }
            }
        }
    }

    @Test(arguments: 0..<12)
    func `a client holds what search answers, at every clock it is given`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed &* 7919)
        let fixture = try FeedFixture()
        var bodies: [String: [Int: String]] = ["shelf": [:], "notes": [:]]
        var clients = Self.feeds.map { Client(feed: $0, collection: "shelf") }
        for feed in ["", #","filter":"level<3 or pump""#, #","filter":"at<now","archived":"include""#] {
            clients.append(Client(feed: feed, collection: nil))
        }
        try change(fixture, "shelf", &bodies, &random)
        var clocks = 0
        for _ in 0..<60 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: try change(fixture, "shelf", &bodies, &random)
            case 3: try change(fixture, "notes", &bodies, &random)
            case 4:
                let count = Int.random(in: 1...4, using: &random)
                let ids = (0..<count).map { _ in "\(Int.random(in: 0..<25, using: &random))" }
                try fixture.archive(Array(Set(ids)), !random.oneIn(2))
            case 5: fixture.clock.with { [step = Int64.random(in: -30...60, using: &random)] in $0 += step * 3_600_000 }
            case 6 where random.oneIn(3): try fixture.trim("shelf", changes: Int.random(in: 0..<60, using: &random))
            case 7 where random.oneIn(4): try fixture.restart()
            case 8 where random.oneIn(4):
                fixture.reload([Shelf.definition, FeedFixture.notes(isTextual: random.oneIn(2))])
            default: break
            }
            for index in clients.indices where random.oneIn(3) {
                if try await step(&clients[index], fixture, &random) { clocks += 1 }
            }
        }
        #expect(clocks > 50)
    }

    /// Reads one page.
    ///
    /// - Returns: whether it brought a clock.
    private func step(
        _ client: inout Client, _ fixture: FeedFixture, _ random: inout SeededGenerator
    ) async throws -> Bool {
        if random.oneIn(6), let earlier = client.earlier.randomElement(using: &random) {
            // Killed: it begins again with what it last kept.
            (client.clock, client.held, client.cursor) = (earlier.clock, earlier.held, nil)
        }
        let limit = random.oneIn(2) ? 1000 : Int.random(in: 1...7, using: &random)
        let named = client.collection.map { #","collection":"\#($0)""# } ?? ""
        var params = #"{"limit":\#(limit)\#(named)\#(client.feed)"#
        client.isWhole = client.cursor == nil
        if let cursor = client.cursor {
            params += #","cursor":"\#(cursor)""#
        } else if let clock = client.clock {
            params += #","since":"\#(clock)""#
        }
        let page = try await fixture.ask("changes", params + "}")
        client.isWhole = client.isWhole && page["more"] == .bool(false)
        try client.apply(page)
        #expect((page["changes"]?.array?.count ?? 0) <= limit)
        guard let clock = page["clock"]?.string else {
            client.cursor = try #require(page["next"]?.string)
            return false
        }
        (client.clock, client.cursor) = (clock, nil)
        client.earlier.append((clock, client.held))
        try await expectSet(of: client, at: clock, fixture)
        return true
    }

    /// Compares with `search` at the time of the clock.
    private func expectSet(of client: Client, at clock: String, _ fixture: FeedFixture) async throws {
        let decoded = try FeedClockCodec(key: FeedFixture.key).decode(clock, epoch: fixture.store.epoch)
        #expect(decoded.revision == fixture.store.catalog.current().revision)
        let now = fixture.clock.with { $0 }
        if let time = decoded.bound?.time { fixture.clock.with { $0 = time } }
        let named = client.collection.map { #","collection":"\#($0)""# } ?? ""
        let result = try await fixture.ask("search", #"{"limit":1000\#(named)\#(client.feed)}"#)
        fixture.clock.with { $0 = now }
        var expected: [String: String] = [:]
        for record in try #require(result["records"]?.array) {
            let text = record.text.replacing(#"{"collection":"shelf","#, with: "{").replacing(
                #"{"collection":"notes","#, with: "{")
            expected[try client.key(record)] = text
        }
        let held = client.held.mapValues(\.text)
        for key in Set(held.keys).union(expected.keys) where held[key] != expected[key] {
            Issue.record("\(client.feed) \(key): holds \(held[key] ?? "nothing"), not \(expected[key] ?? "nothing")")
        }
    }

    private func change(
        _ fixture: FeedFixture, _ name: String, _ bodies: inout [String: [Int: String]],
        _ random: inout SeededGenerator
    ) throws {
        var body = bodies[name] ?? [:]
        FeedObjects.change(&body, of: name, &random)
        bodies[name] = body
        try fixture.take(body.values.shuffled(using: &random), into: name)
    }
}

extension JSONValue {
    fileprivate var text: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
