// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// Clients that follow feeds while records are written, refreshed, archived and folded.
@Suite struct FeedOverlayPropertyTests {
    private static let feeds = [
        "", #","filter":"state=open""#, #","filter":"pump or level>=3","fields":"id,state,title""#,
        #","filter":"not state=open,shut","archived":"include""#, #","filter":"at<now","fields":"id,at,level""#,
        #","filter":"at>-1d at<+2d""#, #","archived":"only""#, #","filter":"level<3","archived":"include""#,
        #","fields":"id,extra,flag,link""#, #","filter":"pending=queued or level>4""#, #","filter":"pending.any""#,
        #","filter":"not pending=stuck,accepted","archived":"include","fields":"id,level""#,
    ]
    /// Ids below this are the refreshes'; those from here to ``end`` are written. Some of these are in all bodies.
    private static let firstWritten = 20
    private static let firstNew = 25
    private static let end = 32

    /// A client that follows one feed.
    private struct Client {
        let feed: String
        var held: [String: String] = [:]
        var clock: String?
        var cursor: String?
        /// The records that it held at earlier clocks.
        var earlier: [(clock: String?, held: [String: String])] = [(nil, [:])]

        mutating func apply(_ page: JSONValue) throws {
            if page["fresh_instance"] == .bool(true) { held = [:] }
            for entry in try #require(page["changes"]?.array) {
                let id = try #require(entry["id"]?.string)
                held[id] = entry["op"]?.string == "removed" ? nil : entry["record"]?.text
            }
        }
    }

    /// The store, and what was written.
    private struct Model {
        var random: SeededGenerator
        let fixture: FeedFixture
        var body: [Int: String] = [:]
        var written: [Int: OverlayEntry] = [:]
        /// The objects that every body has, though they are written over.
        var steady: [Int: String] = [:]

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed &* 4409)
            fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
            for id in firstWritten..<firstNew { steady[id] = FeedObjects.shelf(id, &random) }
        }

        private var entries: [OverlayEntry] { written.keys.sorted().compactMap { written[$0] } }

        mutating func refresh() throws {
            FeedObjects.change(&body, of: "shelf", &random)
            body = body.filter { $0.key < firstWritten }
            let objects = Array(body.values) + steady.values
            try fixture.take(objects.shuffled(using: &random))
            try fixture.layOver(entries)
        }

        mutating func write() throws {
            var changed: [OverlayEntry] = []
            var settled: [String] = []
            for id in firstWritten..<FeedOverlayPropertyTests.end where random.oneIn(4) {
                if random.oneIn(3) {
                    written[id] = nil
                    settled.append("\(id)")
                    continue
                }
                let states: [PendingState?] = [nil, .queued, .accepted, .stuck]
                let state = states.randomElement(using: &random) ?? .queued
                var entry = FeedFixture.entry("\(id)", FeedObjects.shelf(id, &random), state)
                if random.oneIn(4) { entry = FeedFixture.entry("\(id)", nil, state, isHidden: state != nil) }
                written[id] = entry
                changed.append(entry)
            }
            try fixture.write(changed, settling: settled)
        }

        mutating func act() throws {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2: try refresh()
            case 3...6: try write()
            case 7:
                let ids = (0..<3).map { _ in "\(Int.random(in: 0..<FeedOverlayPropertyTests.end, using: &random))" }
                try fixture.archive(Array(Set(ids)), !random.oneIn(2))
            case 8: fixture.clock.with { [step = Int64.random(in: -30...60, using: &random)] in $0 += step * 3_600_000 }
            case 9 where random.oneIn(3): try fixture.trim("shelf", changes: Int.random(in: 0..<60, using: &random))
            case 10 where random.oneIn(3):
                try fixture.restart()
                try fixture.layOver(entries)
            default: break
            }
        }
    }

    @Test(arguments: 0..<12)
    func `a client holds what search answers over written records, at every clock it is given`(
        seed: UInt64
    ) async throws {
        var model = try Model(seed: seed)
        var clients = Self.feeds.map { Client(feed: $0) }
        if seed % 3 > 0 { try model.refresh() } else { try model.write() }
        var clocks = 0
        for _ in 0..<80 {
            try model.act()
            for index in clients.indices where model.random.oneIn(3) {
                if try await step(&clients[index], &model) { clocks += 1 }
            }
        }
        #expect(clocks > 50)
    }

    /// Reads one page.
    ///
    /// - Returns: whether it brought a clock.
    private func step(_ client: inout Client, _ model: inout Model) async throws -> Bool {
        if model.random.oneIn(6), let earlier = client.earlier.randomElement(using: &model.random) {
            (client.clock, client.held, client.cursor) = (earlier.clock, earlier.held, nil)
        }
        let limit = model.random.oneIn(2) ? 1000 : Int.random(in: 1...7, using: &model.random)
        var rest = #"\#(client.feed),"limit":\#(limit)"#
        if let cursor = client.cursor { rest += #","cursor":"\#(cursor)""# }
        let fixture = model.fixture
        if try !fixture.view("shelf").hasRecords, client.clock == nil, client.cursor == nil { return false }
        let page = try await fixture.changes(client.cursor == nil ? client.clock : nil, rest)
        try client.apply(page)
        guard let clock = page.clock else {
            client.cursor = try #require(page["next"]?.string)
            return false
        }
        (client.clock, client.cursor) = (clock, nil)
        client.earlier.append((clock, client.held))
        try await expectSet(of: client, at: clock, fixture)
        return true
    }

    /// Compares with a fresh set at the time of the clock, and the records in it with those that are served.
    private func expectSet(of client: Client, at clock: String, _ fixture: FeedFixture) async throws {
        let decoded = try FeedClockCodec(key: FeedFixture.key).decode(clock, epoch: fixture.store.epoch)
        let now = fixture.clock.with { $0 }
        if let time = decoded.bound?.time { fixture.clock.with { $0 = time } }
        var other = Client(feed: client.feed)
        try other.apply(try await fixture.changes(nil, client.feed))
        var found = JSONValue.null
        if try fixture.view("shelf").hasRecords {
            found = try await fixture.ask("search", #"{"limit":1000,"collection":"shelf"\#(client.feed)}"#)
        }
        fixture.clock.with { $0 = now }
        for record in found["records"]?.array ?? [] {
            let id = try #require(record["id"]?.string)
            #expect(client.held[id] == record.text, "\(client.feed) \(id)")
        }
        for key in Set(client.held.keys).union(other.held.keys) where client.held[key] != other.held[key] {
            Issue.record(
                "\(client.feed) \(key): holds \(client.held[key] ?? "nothing"), not \(other.held[key] ?? "nothing")")
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
