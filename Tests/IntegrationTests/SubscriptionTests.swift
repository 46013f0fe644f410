// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@Suite struct SubscriptionTests {
    /// The units with these statuses, by id from 0 on.
    static func units(_ statuses: String..., more: String = "") -> String {
        let records = statuses.enumerated().map { index, status in
            #"{"id":"\#(index)","name":"Unit \#(index)","status":"\#(status)"\#(more)}"#
        }
        return "[\(records.joined(separator: ","))]"
    }

    private static let quick = ["claimsd.json5": #"{ limits: { heartbeat: "200ms" } }"#]
    private static let feed = #""collection":"units","fields":["id","name","status"]"#

    @Test func `the set comes first, then each commit as one`() throws {
        let site = try Site(["units": Self.units("ok", "faulty", "ok")], site: Self.quick)
        let subscriber = Subscriber(try site.daemon.connect(), Self.feed)
        let result = try subscriber.subscribe(#""initial":true"#)
        #expect(result["clock"] == nil && result["meta"] != nil)
        #expect(try subscriber.next()["reason"]?.string == "start")
        let set = try subscriber.next()
        #expect(set["changes"]?.array?.count == 3 && set["complete"] == nil && set["clock"] == nil)
        #expect(set.at("changes", "0", "seq") == nil && set.at("changes", "0", "op")?.string == "added")
        let synced = try subscriber.next()
        #expect(synced["type"]?.string == "synced" && synced["total"]?.integer == 3)
        try site.serve("units", Self.units("faulty", "faulty"))
        let changes = try subscriber.next("changes")
        #expect(changes["complete"]?.boolean == true && changes["clock"]?.string != nil && changes["meta"] != nil)
        #expect(changes["changes"]?.array?.compactMap { $0["op"]?.string } == ["updated", "removed"])
        #expect(changes.at("changes", "0", "was")?.object?.members.map(\.key) == ["status"])
        #expect(changes.at("changes", "1", "reason")?.string == "gone")
        #expect(try site.differences(subscriber) == [])
    }

    @Test func `a subscription from now tells only what comes, and none after its end`() throws {
        let site = try Site(["units": Self.units("ok", "ok")], site: Self.quick)
        let client = try site.daemon.connect()
        let subscriber = Subscriber(client, Self.feed + #","filter":"status=faulty""#)
        #expect(try subscriber.subscribe("")["clock"]?.string != nil)
        try site.serve("units", Self.units("ok", "faulty"))
        let changes = try subscriber.next("changes")
        #expect(changes.at("changes", "0", "op")?.string == "added" && changes["complete"]?.boolean == true)
        #expect(try client.request("unsubscribe", #"{"subscription":1}"#)["result"] != nil)
        try site.serve("units", Self.units("faulty", "ok"))
        try client.send(#"{"id":"last","method":"unsubscribe","params":{"subscription":1}}"#)
        let line = try client.receive() ?? ""
        #expect(try JSONValue.parse(line).errorKind == "not_found" && line.contains(#""id":"last""#))
    }

    @Test func `a commit that concerns nobody moves the clock of the heartbeats`() throws {
        let site = try Site(["units": Self.units("ok"), "packs": Site.packs], site: Self.quick)
        let subscriber = Subscriber(try site.daemon.connect(), Self.feed)
        try subscriber.subscribe(#""initial":true"#)
        let client = try site.daemon.connect()
        _ = try client.request("archive", #"{"collection":"packs","ids":["7"]}"#)
        let (_, seq) = try site.records(Self.feed)
        try subscriber.follow(to: seq)
        #expect(subscriber.causes.isEmpty)
        #expect(try site.differences(Subscriber(resuming: subscriber, site.daemon.connect())) == [])
    }

    @Test func `a client that comes back is told the net effect, also after kill -9`() throws {
        let site = try Site(["units": Self.units("ok", "ok", "ok")], site: Self.quick)
        let first = Subscriber(try site.daemon.connect(), Self.feed)
        try first.subscribe(#""initial":true"#)
        try first.next("synced")
        try site.serve("units", Self.units("faulty", "ok"))
        try site.serve("units", Self.units("ok", "faulty", "ok", "ok"))
        site.daemon.kill()
        try site.daemon.start()
        let second = try Subscriber(resuming: first, site.daemon.connect())
        let changes = try second.next("changes")
        #expect(changes["complete"]?.boolean == true)
        #expect(changes["changes"]?.array?.compactMap { $0["id"]?.string } == ["1", "3"])
        #expect(try second.next("synced")["total"]?.integer == 4)
        #expect(second.reasons == [])
        #expect(try site.differences(second) == [])
    }

    @Test func `archive marks go through the feeds that leave archived records out`() throws {
        let site = try Site(["packs": Site.packs], site: Self.quick)
        let feeds = ["exclude", "only", "include"].map { #""collection":"packs","archived":"\#($0)""# }
        let subscribers = try feeds.map { Subscriber(try site.daemon.connect(), $0) }
        for subscriber in subscribers {
            try subscriber.subscribe(#""initial":true"#)
            try subscriber.next("synced")
        }
        let client = try site.daemon.connect()
        _ = try client.request("archive", #"{"collection":"packs","ids":["7","8"]}"#)
        _ = try client.request("unarchive", #"{"collection":"packs","ids":["8"]}"#)
        for subscriber in subscribers {
            #expect(try site.differences(subscriber) == [])
            #expect(subscriber.causes == ["archive"])
        }
    }

    @Test func `each refresh is told by its state`() throws {
        let site = try Site(["units": Self.units("ok", "ok", "ok", "ok")], site: Self.quick)
        let subscriber = Subscriber(try site.daemon.connect(), Self.feed)
        try subscriber.subscribe("")
        /// The states of one refresh, up to its end. That of the refresh before the subscription may be told as well.
        func states(_ body: String, until last: String) throws -> [String] {
            try site.upstream.folder.write("units.json", body)
            _ = try site.daemon.connect().request("refresh", #"{"collection":"units","wait":true}"#)
            var states: [String] = []
            while states.last != last {
                let event = try subscriber.next("state")
                #expect(event.at("meta", "collection")?.string == "units")
                states.append(event["change"]?.string ?? "")
            }
            return states
        }
        _ = try states(Self.units("ok", "ok", "ok", "faulty"), until: "updated")
        #expect(try states(Self.units("ok", "ok", "ok", "ok"), until: "updated").contains("started"))
        #expect(try states("[]", until: "held").contains("started"))
        #expect(try states("{", until: "failed").contains("started"))
    }

    @Test func `heartbeats come by their own time, whatever states are told between`() throws {
        let site = try Site(
            ["units": Self.units("ok"), "packs": Site.packs],
            site: ["claimsd.json5": #"{ limits: { heartbeat: "1s" } }"#])
        let subscriber = Subscriber(try site.daemon.connect(), Self.feed)
        try subscriber.subscribe(#""initial":true"#)
        let synced = try subscriber.next("synced")["clock"]?.string
        let client = try site.daemon.connect()
        _ = try client.request("archive", #"{"collection":"packs","ids":["7"]}"#)
        let deadline = SystemClock.monotonic + 10_000_000_000
        var last = ""
        while last != "heartbeat", SystemClock.monotonic < deadline {
            _ = try client.request("refresh", #"{"collection":"units","wait":true}"#)
            repeat {
                last = try subscriber.next("state", "heartbeat")["type"]?.string ?? ""
            } while last == "state" && subscriber.states.last == "started"
        }
        #expect(last == "heartbeat" && subscriber.clock != synced)
    }

    @Test func `too many subscriptions of a connection, of a user and of all are busy`() throws {
        let limits = """
            { limits: { subscriptions: 2, subscriptions_per_user: 5, subscriptions_all: 4, heartbeat: "1h" } }
            """
        let site = try Site(["units": Self.units("ok")], site: ["claimsd.json5": limits])
        var clients = try (0..<3).map { _ in try site.daemon.connect() }
        for client in clients[..<2] {
            for _ in 0..<2 { #expect(try client.request("subscribe", "{\(Self.feed)}")["result"] != nil) }
        }
        for (client, setting) in [(clients[0], "limits.subscriptions"), (clients[2], "limits.subscriptions_all")] {
            let answer = try client.request("subscribe", "{\(Self.feed)}")
            #expect(answer.errorKind == "busy" && answer.at("error", "data", "setting")?.string == setting)
        }
        // The end of a connection, and of a subscription, make room.
        clients.removeFirst()
        while try clients[1].request("status").at("result", "clients")?.integer != 2 {}
        #expect(try clients[0].request("unsubscribe", #"{"subscription":2}"#)["result"] != nil)
        for _ in 0..<2 { #expect(try clients[1].request("subscribe", "{\(Self.feed)}")["result"] != nil) }
        #expect(try clients[0].request("subscribe", "{\(Self.feed)}").at("result", "subscription")?.integer == 3)
    }

    @Test func `a connection with subscriptions is not idle, and lives on when its peer sends no more`() throws {
        let limits = #"{ limits: { clients_per_user: 3, heartbeat: "1h" } }"#
        let site = try Site(["units": Self.units("ok")], site: ["claimsd.json5": limits])
        let subscriber = Subscriber(try site.daemon.connect(), Self.feed)
        try subscriber.subscribe("")
        subscriber.client.finishSending()
        for _ in 0..<6 { #expect(try site.daemon.connect().request("ping")["result"] != nil) }
        try site.serve("units", Self.units("faulty"))
        #expect(try subscriber.next("changes")["complete"]?.boolean == true)
    }

    @Test func `a subscription to a collection without data has an empty set, until data comes`() throws {
        let site = try Site(["packs": Site.packs], site: Self.quick)
        let subscriber = Subscriber(try site.daemon.connect(), Self.feed)
        try subscriber.subscribe(#""initial":true"#)
        #expect(try subscriber.next("synced")["total"]?.integer == 0)
        try site.upstream.folder.write("units.json", Self.units("ok", "ok"))
        try site.daemon.configure("collections.d/units.json5", Site.definition(site.upstream.url("units.json")))
        try site.daemon.reload()
        _ = try site.daemon.connect().request("refresh", #"{"collection":"units","wait":true}"#)
        #expect(try subscriber.next("synced")["total"]?.integer == 2)
        #expect(subscriber.reasons.allSatisfy { $0 == "start" })
        #expect(try site.differences(subscriber) == [])
    }

    @Test func `subscriptions that end at once leave nothing behind`() throws {
        let site = try Site(["units": Self.units("ok")], site: Self.quick)
        let client = try site.daemon.connect()
        for number in 1...200 {
            let begin = #"{"id":"a","method":"subscribe","params":{\#(Self.feed),"initial":true}}"#
            try client.send(begin + "\n" + #"{"id":"b","method":"unsubscribe","params":{"subscription":\#(number)}}"#)
        }
        #expect(try client.request("subscribe", "{\(Self.feed)}").at("result", "subscription")?.integer == 201)
        for _ in 0..<20 {
            let other = try site.daemon.connect()
            try other.send(#"{"id":1,"method":"subscribe","params":{\#(Self.feed),"initial":true}}"#)
        }
        try site.serve("units", Self.units("faulty"))
        while try client.receive()?.contains(#""type":"changes""#) != true {}
    }

    @Test func `wrong subscriptions are refused`() throws {
        let site = try Site(["units": Self.units("ok")])
        let client = try site.daemon.connect()
        for (parameters, kind) in [
            (#"{"collection":"unitz"}"#, "unknown_collection"), (#"{"filter":"a"}"#, "bad_params"),
            (#"{"collection":"units","filter":"statsu=ok"}"#, "bad_filter"),
            (#"{"collection":"units","fields":["statsu"]}"#, "bad_params"),
            (#"{"collection":"units","since":"1.2.3"}"#, "bad_cursor"),
            (#"{"collection":"units","since":"now","initial":true}"#, "bad_params"),
            (#"{"collection":"units","time_zone":"Mars"}"#, "bad_params"),
        ] {
            #expect(try client.request("subscribe", parameters).errorKind == kind, "\(parameters)")
        }
    }
}
