// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// A daemon that withholds units two seconds after their upstream has confirmed them.
@Suite struct WithheldCollectionTests {
    private static let span = #"ttl: "100ms", expires: "200ms", withhold: "2s","#
    private static let feed = #""collection":"units","fields":["id","name"]"#

    @Test func `feeds are silent from the state event on, and go on from their clock after a good answer`() throws {
        let site = try Site(["units": Site.units], source: Self.span)
        let subscriber = Subscriber(try site.daemon.connect(), Self.feed)
        try subscriber.subscribe(#""initial":true"#)
        try subscriber.next("synced")
        // Nobody asks for anything meanwhile.
        var state = ""
        while state != "withheld" {
            state = try subscriber.next("state").at("meta", "state")?.string ?? ""
        }
        let client = try site.daemon.connect()
        let refused = try client.request("detail", #"{"collection":"units","id":"1"}"#)
        #expect(refused.errorKind == "no_data" && refused.at("error", "data", "meta", "state")?.string == "withheld")
        try site.serve("units", #"[{"id":"1","name":"Only"},{"id":"2"},{"id":"3"},{"id":"4"},{"id":"5"},{"id":"6"}]"#)
        let changes = try subscriber.next("changes")
        #expect(changes["complete"]?.boolean == true)
        #expect(subscriber.held["1"]?["name"]?.string == "Only" && subscriber.held["10"] == nil)
        #expect(subscriber.reasons == ["start"])
    }

    @Test func `what becomes of the refreshes is not told while the records are withheld, and the clock is`() throws {
        let quick = ["claimsd.json5": #"{ limits: { heartbeat: "100ms" } }"#]
        let site = try Site(["units": Site.units], source: Self.span, site: quick)
        let subscriber = Subscriber(try site.daemon.connect(), Self.feed)
        try subscriber.subscribe(#""initial":true"#)
        while try subscriber.next("state").at("meta", "state")?.string != "withheld" {}
        let clock = try #require(subscriber.clock)
        for _ in 0..<3 { #expect(try site.serve("units", "{").at("result", "outcome")?.string != "updated") }
        for _ in 0..<3 {
            let event = try subscriber.event()
            #expect(event["type"]?.string == "heartbeat" && event["clock"]?.string == clock, "\(event)")
        }
        try site.serve("units", Site.units)
        let back = try subscriber.next("state")
        #expect(back["change"]?.string == "freshness" && back.at("meta", "state")?.string == "ready")
    }

    @Test func `a repeated detail is refused as soon as the data is too old`() throws {
        let site = try Site(["units": Site.units], source: Self.span)
        let client = try site.daemon.connect()
        var answer = try client.request("detail", #"{"collection":"units","id":"1"}"#)
        while answer["result"] != nil { answer = try client.request("detail", #"{"collection":"units","id":"1"}"#) }
        #expect(answer.errorKind == "no_data")
        #expect(answer.at("error", "message")?.string == "units is withheld: older than 2 s")
        site.daemon.kill()
        try site.daemon.start()
        let again = try site.daemon.connect().request("detail", #"{"collection":"units","id":"1"}"#)
        // The start asks the upstream as soon as the source is due, which is in an hour.
        #expect(again.errorKind == "no_data")
    }
}
