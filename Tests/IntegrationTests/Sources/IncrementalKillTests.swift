// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// A model upstream that is asked for changes only, by a daemon that is killed at any moment.
@Suite struct IncrementalKillTests {
    /// The records that the upstream has, and those that it has ever removed.
    private struct Model {
        var records: [String: Int] = [:]
        var removed: Set<String> = []
        var revision = 0

        mutating func set(_ id: String, _ upstream: UpstreamProcess) throws {
            revision += 1
            records[id] = revision
            try upstream.put("things/\(id)", #"{"id":"\#(id)","name":"N\#(id)","rev":\#(revision)}"#)
        }

        mutating func remove(_ id: String, _ upstream: UpstreamProcess) throws {
            records[id] = nil
            removed.insert(id)
            try upstream.put("things/\(id)", "null")
        }
    }

    /// The records with their revisions that are served.
    private func served(_ site: SourceSite) throws -> [String: Int] {
        try site.served("things").mapValues { record in Int(record["rev"]?.integer ?? -1) }
    }

    private static let source = #"url: "UPSTREAM/things", since: { to: "since", field: "rev", full: "24h" }"#

    @Test func `no change is ever missed, and what is gone goes with the next full answer`() throws {
        let seed = RandomBytes.integer()
        var chance = SeededGenerator(seed: seed)
        let upstream = try UpstreamProcess()
        try upstream.keep("things", "[]")
        try upstream.misbehave("things", #"{"since":{"parameter":"since","field":"rev"}}"#)
        var model = Model()
        for number in 0..<20 { try model.set("\(number)", upstream) }
        let site = try SourceSite(["things": #"interval: "100ms", \#(Self.source)"#], upstream: upstream)
        try site.daemon.start()
        try site.refresh("things")
        try upstream.forgetRequests()

        for _ in 0..<RandomRounds.count(12) {
            try site.daemon.kill(after: .microseconds(Int.random(in: 0..<150_000, using: &chance)))
            try site.daemon.launch()
            for _ in 0..<Int.random(in: 1...5, using: &chance) {
                let id = "\(Int.random(in: 0..<40, using: &chance))"
                let removes = chance.oneIn(6) && model.records.count > 15
                if removes { try model.remove(id, upstream) } else { try model.set(id, upstream) }
            }
        }
        try site.daemon.waitUntilAnswering()
        try site.refresh("things")
        let found = try served(site)
        let kept = found.filter { record in model.records[record.key] != nil }
        #expect(kept == model.records, "seed \(seed)")
        #expect(Set(found.keys).subtracting(model.records.keys).isSubset(of: model.removed), "seed \(seed)")
        #expect(try upstream.requests("things").allSatisfy { $0.query.hasPrefix("since=") }, "seed \(seed)")

        // Another definition of changes: everything is asked for, and only then is the removed record gone.
        let removed = try #require(found.keys.filter { id in model.records[id] != nil }.min())
        try model.remove(removed, upstream)
        try site.define("things", Self.source.replacing(#"full: "24h""#, with: #"overlap: 1"#))
        site.daemon.signal(1)
        let subscriber = Subscriber(try site.daemon.connect(), #""collection":"things""#)
        try subscriber.subscribe(#""initial":true"#)
        while Set(subscriber.held.keys) != Set(model.records.keys) { try subscriber.next() }
        #expect(try served(site) == model.records, "seed \(seed)")
    }

    @Test func `what is gone is gone within full, though each answer has changes only`() throws {
        let upstream = try UpstreamProcess()
        try upstream.keep("things", SourceSite.records(5))
        try upstream.misbehave("things", #"{"since":{"parameter":"since","field":"rev"}}"#)
        let site = try SourceSite(
            ["things": #"interval: "100ms", url: "UPSTREAM/things", since: { to: "since", field: "rev", full: "1s" }"#],
            upstream: upstream)
        try site.daemon.start()
        try site.refresh("things")
        let subscriber = Subscriber(try site.daemon.connect(), #""collection":"things""#)
        try subscriber.subscribe(#""initial":true"#)
        while subscriber.held.count < 5 { try subscriber.next() }
        try upstream.put("things/3", "null")
        while subscriber.held["3"] != nil { try subscriber.next() }
        #expect(subscriber.held.count == 4)
        #expect(try site.meta("things")["full_as_of"]?.string != nil)
        #expect(try upstream.requests("things").contains { $0.query.hasPrefix("since=") })
    }

    @Test func `a mark, a list of ids and an old token are understood`() throws {
        let upstream = try UpstreamProcess()
        try upstream.keep("marks", SourceSite.records(4))
        try upstream.keep("ids", SourceSite.records(4))
        try upstream.misbehave("marks", #"{"since":{"parameter":"since","field":"rev"}}"#)
        let token = { (epoch: String) in
            #"{"since":{"parameter":"sync","token":"/sync","deleted":"/gone","epoch":"\#(epoch)"}}"#
        }
        try upstream.misbehave("ids", token("a"))
        let sync = #"{ to: "sync", token: "/sync" }"#
        let site = try SourceSite(
            [
                "marks": #"url: "UPSTREAM/marks", since: { to: "since", field: "rev" }, deleted: "/gone""#,
                "ids": #"url: "UPSTREAM/ids", root: "/items", since: \#(sync), deleted: { ids: "/gone" }"#,
            ], upstream: upstream)
        try site.daemon.start()
        for name in ["marks", "ids"] { try site.refresh(name) }
        try upstream.put("marks/2", #"{"id":"2","rev":9,"gone":true}"#)
        try upstream.put("ids/2", "null")
        for name in ["marks", "ids"] {
            #expect(try site.refresh(name).first?["removed"]?.integer == 1, "\(name)")
            #expect(try site.served(name).keys.sorted() == ["1", "3", "4"], "\(name)")
        }
        try upstream.misbehave("ids", token("b"))
        try upstream.put("ids/1", "null")
        try upstream.forgetRequests()
        #expect(try site.refresh("ids").first?.at("meta", "last_error") == .null)
        #expect(try upstream.requests("ids").map(\.query) == ["sync=a.5", ""])
        #expect(try site.served("ids").keys.sorted() == ["3", "4"])
    }
}
