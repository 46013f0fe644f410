// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Subscribers that read slowly, never, or are many; and time as a cause.
@Suite struct SubscriptionFlowTests {
    /// Units with long names: `count` of them, of about 2 KB each.
    private static func units(_ count: Int, status: String) -> String {
        let name = String(repeating: "wide ", count: 400)
        let records = (0..<count).map { #"{"id":"\#($0)","name":"\#(name)","status":"\#(status)"}"# }
        return "[\(records.joined(separator: ","))]"
    }

    private static let feed = #""collection":"units","fields":["id","name","status"]"#

    @Test func `a client that reads nothing is told that it lagged, and the connection lives on`() throws {
        let settings = #"{ limits: { stall: "300ms", heartbeat: "200ms", subscriptions_per_user: 1 } }"#
        let site = try Site(["units": Self.units(1000, status: "ok")], site: ["claimsd.json5": settings])
        let slow = try site.daemon.connect()
        try slow.send(#"{"id":1,"method":"subscribe","params":{\#(Self.feed),"initial":true}}"#)
        // Its end makes room for another one; until then there is none.
        let other = try site.daemon.connect()
        while try other.request("status").at("result", "clients")?.integer != 2 {}
        var attempts = 0
        while try other.request("subscribe", "{\(Self.feed)}")["result"] == nil { attempts += 1 }
        #expect(attempts > 0)
        var last: JSONValue?
        var told = 0
        while last?.at("params", "type")?.string != "lagged" {
            last = try JSONValue.parse(try #require(try slow.receive()))
            told += last?.at("params", "changes")?.array?.count ?? 0
        }
        #expect(last?.at("params", "clock") == .null && told < 1000)
        #expect(try slow.request("ping")["result"] != nil)
    }

    @Test func `clients that never read do not hold up the others, and get the net effect when they read`() throws {
        let settings = #"{ limits: { heartbeat: "200ms" } }"#
        let site = try Site(["units": Self.units(300, status: "ok")], site: ["claimsd.json5": settings])
        let sleepers = try (0..<20).map { _ in Subscriber(try site.daemon.connect(), Self.feed) }
        for sleeper in sleepers { try sleeper.subscribe(#""initial":true"#) }
        let reader = Subscriber(try site.daemon.connect(), Self.feed)
        try reader.subscribe(#""initial":true"#)
        try reader.next("synced")
        for round in 0..<5 {
            try site.serve("units", Self.units(300, status: round.isMultiple(of: 2) ? "faulty" : "ok"))
            #expect(try site.differences(reader) == [])
        }
        for sleeper in sleepers.prefix(3) {
            #expect(try site.differences(sleeper) == [])
            #expect(sleeper.reasons == ["start"])
        }
    }

    @Test func `a stop waits for no subscriber that does not read`() throws {
        let site = try Site(["units": Self.units(1000, status: "ok")])
        let sleeper = Subscriber(try site.daemon.connect(), Self.feed)
        try sleeper.subscribe(#""initial":true"#)
        try sleeper.next("fresh_instance")
        let start = SystemClock.monotonic
        try site.daemon.stop()
        // Requests in flight would have five seconds.
        #expect(SystemClock.monotonic - start < 4_500_000_000)
    }

    @Test func `a change reaches 4,096 subscriptions`() throws {
        let body = SubscriptionTests.units("ok", "ok", "ok", "ok")
        let site = try Site(["units": body], site: ["claimsd.json5": "{ limits: { subscriptions_per_user: 4096 } }"])
        let clients = try (0..<64).map { _ in try site.daemon.connect() }
        for (index, client) in clients.enumerated() {
            for number in 0..<64 {
                // Half of the feeds are equal, the others have a filter each.
                let filter = index.isMultiple(of: 2) ? "status=faulty" : "status=faulty name!=u\(index)x\(number)"
                let parameters = #"{"collection":"units","filter":"\#(filter)"}"#
                try client.send(#"{"id":\#(number),"method":"subscribe","params":\#(parameters)}"#)
            }
            var answers = 0
            while answers < 64 {
                let line = try #require(try client.receive())
                #expect(!line.contains(#""error":{"#))
                if line.contains(#""id""#), line.contains("result") { answers += 1 }
            }
        }
        #expect(try site.daemon.connect().request("subscribe", #"{"collection":"units"}"#).errorKind == "busy")
        try site.serve("units", SubscriptionTests.units("faulty", "ok", "ok", "ok"))
        for client in clients {
            var told: Set<Int64> = []
            while told.count < 64 {
                let event = try JSONValue.parse(try #require(try client.receive()))
                guard event.at("params", "type")?.string == "changes" else { continue }
                #expect(event.at("params", "complete")?.boolean == true)
                told.insert(event.at("params", "subscription")?.integer ?? 0)
            }
        }
    }

    @Test func `records come and go in time without any change of the data`() throws {
        var text: [UInt8] = []
        Instant(ms: SystemClock.wall + 2_500).append(to: &text)
        let expiry = String(decoding: text, as: UTF8.self)
        let body = """
            [{"id":"1","status":"CREATED","expiryDate":"\(expiry)"},
             {"id":"2","status":"CREATED","expiryDate":"2020-01-01T00:00:00Z"},
             {"id":"3","status":"CREATED","expiryDate":"2099-01-01T00:00:00Z"}]
            """
        let site = try Site(["packs": body], site: ["claimsd.json5": #"{ limits: { heartbeat: "10min" } }"#])
        let feed = #""collection":"packs","fields":["id"],"filter":"expiry_date"#
        let expired = Subscriber(try site.daemon.connect(), feed + #"<now""#)
        let valid = Subscriber(try site.daemon.connect(), feed + #">=now""#)
        for subscriber in [expired, valid] {
            try subscriber.subscribe(#""initial":true"#)
            try subscriber.next("synced")
        }
        let before = Set(expired.held.keys)
        if !before.contains("1") {
            let changes = try expired.next("changes")
            #expect(changes.at("changes", "0", "cause")?.string == "time" && changes["complete"]?.boolean == true)
        }
        while valid.held["1"] != nil { _ = try valid.event() }
        #expect(Set(expired.held.keys) == ["1", "2"] && Set(valid.held.keys) == ["3"])
    }
}
