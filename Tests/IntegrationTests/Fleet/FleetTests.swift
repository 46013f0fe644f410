// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@Suite struct FleetTests {
    @Test("one host asks for all, and the others have its records, its as_of and its name") func oneAsks() throws {
        let fleet = try FleetHosts(others: ["depot", "shop"])
        try fleet.start()
        for host in ["depot", "shop"] {
            try fleet.wait(host, for: "records") { $0["total"]?.integer == 3 }
            let meta = try fleet.meta(host)
            #expect(meta["source"]?.string == "fleet")
            #expect(meta["via"]?.string == "desk-a")
            #expect(meta["as_of"] == (try fleet.meta("desk-a")["as_of"]))
            #expect(meta["last_error"] == .null)
        }
        let outcome = try fleet.refresh("depot")["result"]?["collections"]?.array?.first
        #expect(outcome?["outcome"]?.string == "unchanged", "\(outcome ?? .null)")
        #expect(try fleet.meta("desk-a")["source"]?.string == "upstream")
        #expect(try fleet.meta("desk-a")["via"] == nil)
        #expect(try fleet.upstream.requests("units.json").map(\.path) == ["/units.json"])
    }

    @Test("changed, new and gone records come as a delta, and one file is fetched for them") func deltas() throws {
        let fleet = try FleetHosts(units: FleetHosts.units(200))
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 200 }
        let web = try fleet.web("desk-a")
        let before = try Directory.list(web.folder.path).count
        let changed = """
            [{"id":1,"name":"Gate"},{"id":900,"name":"Mast"},\
            \(FleetHosts.units(198).dropFirst().dropFirst("{\"id\":1,\"name\":\"Pump 1\"},".count))
            """
        try fleet.upstream.folder.write("units.json", changed)
        #expect(try fleet.refresh("desk-a")["error"] == nil)
        #expect(try fleet.refresh("depot")["error"] == nil)
        try fleet.wait("depot", for: "the change") { $0["total"]?.integer == 199 }
        let client = try fleet.daemon("depot").connect()
        let first = try client.request("detail", #"{"collection":"units","id":"1"}"#)
        #expect(first["result"]?["record"]?["name"]?.string == "Gate")
        #expect(try client.request("detail", #"{"collection":"units","id":"200"}"#)["error"] != nil)
        // The manifest and the delta.
        #expect(try Directory.list(web.folder.path).count == before + 2)
        #expect(try fleet.upstream.requests("units.json").count == 2)
        let history = try client.request("history", #"{"collection":"units","id":"1"}"#)
        #expect(history["error"] == nil)
    }

    @Test("a follower keeps what it has over a restart, without leader, web server and upstream") func alone() throws {
        let fleet = try FleetHosts()
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        try fleet.daemon("depot").stop()
        try fleet.daemon("desk-a").stop()
        try fleet.web("desk-a").stop()
        fleet.upstream.stop()
        try fleet.start("depot")
        #expect(try fleet.names("depot") == ["Pump 1", "Pump 2", "Pump 3"])
        #expect(try fleet.meta("depot")["source"]?.string == "cache")
        #expect(try fleet.meta("depot")["via"]?.string == "desk-a")
    }

    @Test("the leader's failure is told on every host, with its name, and the data stays") func leaderFails() throws {
        let fleet = try FleetHosts()
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        try fleet.upstream.misbehave("units.json", #"{"status":503}"#)
        _ = try fleet.refresh("desk-a")
        try fleet.wait("depot", for: "the failure") {
            $0["meta"]?["last_error"]?["kind"]?.string == "http_status"
                && $0["meta"]?["last_error"]?["host"]?.string == "desk-a"
                && $0["meta"]?["last_error"]?["status"]?.integer == 503
        }
        #expect(try fleet.names("depot").count == 3)
        try fleet.upstream.behave()
        _ = try fleet.refresh("desk-a")
        try fleet.wait("depot", for: "its end") { $0["meta"]?["last_error"] == .null }
    }

    @Test("a forged head or file costs no data, and is told as integrity") func forged() throws {
        let fleet = try FleetHosts()
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        let web = try fleet.web("desk-a")
        let head = try web.folder.read("head")
        try web.folder.write("head", head.replacing("\"format\":1", with: "\"format\": 1"))
        try fleet.wait("depot", for: "the fault") {
            $0["meta"]?["last_error"]?["kind"]?.string == "integrity"
                && $0["meta"]?["last_error"]?["host"]?.string == "desk-a"
        }
        #expect(try fleet.names("depot").count == 3)
        // The next good head mends it. The new files are damaged before the host takes them.
        try fleet.daemon("depot").stop()
        try fleet.upstream.folder.write("units.json", FleetHosts.units(4))
        _ = try fleet.refresh("desk-a")
        try fleet.daemon("desk-a").stop()
        var whole: [String: [UInt8]] = [:]
        for name in try Directory.list(web.folder.path) where name.utf8.count == 64 {
            whole[name] = try Files.readAll(web.folder(name), cap: 1 << 20)
            try web.folder.write(name, Array("damaged".utf8))
        }
        try fleet.start("depot")
        try fleet.wait("depot", for: "the fault") { $0["meta"]?["last_error"]?["kind"]?.string == "integrity" }
        #expect(try fleet.names("depot").count == 3)
        for (name, bytes) in whole { try web.folder.write(name, bytes) }
        try fleet.wait("depot", for: "the new record") { $0["total"]?.integer == 4 }
        try fleet.wait("depot", for: "no fault") { $0["meta"]?["last_error"] == .null }
    }

    @Test("another leader takes over from one that is gone, and follows goes on") func takingOver() throws {
        let fleet = try FleetHosts(leaders: ["desk-a", "desk-b"], interval: "1s")
        try fleet.start()
        for host in ["desk-b", "depot"] {
            try fleet.wait(host, for: "records") { $0["total"]?.integer == 3 && $0["meta"]?["via"]?.string == "desk-a" }
        }
        try fleet.daemon("desk-a").kill()
        try fleet.upstream.folder.write("units.json", FleetHosts.units(5))
        try fleet.wait("depot", for: "the records of the other leader", within: .seconds(60)) {
            $0["total"]?.integer == 5 && $0["meta"]?["via"]?.string == "desk-b"
        }
        // The first one follows when it is back.
        try fleet.start("desk-a")
        try fleet.wait("desk-a", for: "the other leader's records") {
            $0["total"]?.integer == 5 && $0["meta"]?["via"]?.string == "desk-b"
        }
    }

    @Test("a leader that starts again has its own records, fetches nothing, and tells of all its sources")
    func restartedLeader() throws {
        let fleet = try FleetHosts(others: ["depot", "shop"])
        try fleet.start("desk-a", "depot")
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        let asOf = try fleet.meta("depot")["as_of"]
        try fleet.daemon("desk-a").stop()
        let web = try fleet.web("desk-a")
        let files = try Directory.list(web.folder.path).filter { $0.utf8.count == 64 }
        for name in files { _ = try web.requests(name) }
        try web.forgetRequests()
        try fleet.start("desk-a")
        // It looks at its own address, too.
        _ = try web.requests("head", count: 3)
        #expect(try fleet.meta("desk-a")["via"] == nil && (try fleet.meta("desk-a")["source"]?.string) == "cache")
        for name in files { #expect(try web.requests(name).isEmpty) }
        #expect(try fleet.upstream.requests("units.json").count == 1)
        // A host that begins now takes what was published before.
        try fleet.start("shop")
        try fleet.wait("shop", for: "records") { $0["total"]?.integer == 3 && $0["meta"]?["as_of"] == asOf }
        _ = try fleet.refresh("desk-a")
        try fleet.wait("shop", for: "a newer time") { $0["meta"]?["as_of"] != asOf }
        #expect(try fleet.meta("shop")["via"]?.string == "desk-a")
    }

    @Test("`refresh --force` on any leader makes it the one that asks") func plannedChange() throws {
        let fleet = try FleetHosts(leaders: ["desk-a", "desk-b"])
        try fleet.start()
        for host in ["desk-b", "depot"] {
            try fleet.wait(host, for: "records") { $0["meta"]?["via"]?.string == "desk-a" }
        }
        // A leader that has nothing to tell is well all the same.
        let client = try fleet.daemon("depot").connect()
        try FleetHosts.wait("both addresses without an error") {
            let addresses = try client.request("fleet", "{}")["result"]?["addresses"]?.array ?? []
            return addresses.count == 2 && addresses.allSatisfy { $0["error"] == .null }
        }
        let answer = try fleet.refresh("desk-b", #","force":true"#)
        #expect(answer["result"]?["collections"]?.array?.first?["outcome"]?.string == "unchanged", "\(answer)")
        try fleet.wait("depot", for: "the change") { $0["meta"]?["via"]?.string == "desk-b" }
        try fleet.wait("desk-a", for: "the change") { $0["meta"]?["via"]?.string == "desk-b" }
        #expect(try fleet.upstream.requests("units.json").count == 2)
    }

    @Test("a leader without its key never asks, and says so") func withoutKey() throws {
        let fleet = try FleetHosts()
        let daemon = try fleet.daemon("desk-a")
        Files.remove(daemon.folder("config/credentials/fleet-key"))
        try fleet.start()
        let status = try daemon.connect().request("status", "{}")
        let problems = status["result"]?["problems"]?.array ?? []
        #expect(problems.contains { $0["message"]?.string?.contains("fleet-key") == true }, "\(status)")
        let outcome = try fleet.refresh("depot")["result"]?["collections"]?.array?.first
        #expect(outcome?["outcome"]?.string == "failed", "nobody has published: \(outcome ?? .null)")
        #expect(try fleet.upstream.requests("units.json").isEmpty)
        #expect(try fleet.answer("depot")["result"]?["total"]?.integer ?? 0 == 0)
    }

    @Test("the method `fleet` tells who asks, what differs and which address is broken") func report() throws {
        let fleet = try FleetHosts()
        let path = "collections.d/units.json5"
        let text = try fleet.daemon("depot").folder.read("config/\(path)")
        try fleet.daemon("depot").configure(
            path, text.replacing("type: \"text\"", with: "type: \"text\", search: true"))
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        let client = try fleet.daemon("depot").connect()
        let result = try client.request("fleet", "{}")["result"] ?? .null
        #expect(result["name"]?.string == "north")
        #expect(result["host"]?.string == "depot")
        let address = try #require(result["addresses"]?.array?.first)
        #expect(address["host"]?.string == "desk-a" && address["error"] == .null)
        #expect(address["contact"]?.string != nil && abs(address["clock_ms"]?.integer ?? 0) < 2_000)
        let source = try #require(result["sources"]?.array?.first)
        #expect(source["source"]?.string == "units" && source["leader"]?.string == "desk-a")
        #expect(source["role"]?.string == "follows" && source["overdue"]?.boolean == false)
        #expect(["request", "definition", "access"].map { source[$0]?.string } == ["same", "differs", "same"])
        let leader = try fleet.daemon("desk-a").connect().request("fleet", "{}")["result"]?["sources"]?.array?.first
        #expect(leader?["role"]?.string == "leads" && leader?["state"]?.string == source["state"]?.string)
        try fleet.web("desk-a").stop()
        try FleetHosts.wait("an error of the address") {
            try client.request("fleet", "{}")["result"]?["addresses"]?.array?.first?["error"] != .null
        }
        let alone = try Site([:])
        let nothing = try alone.daemon.connect().request("fleet", "{}")["result"] ?? .null
        #expect(nothing["name"] == .null && nothing["addresses"]?.array?.isEmpty == true)
    }

    @Test("a joined value and a new one reach the other hosts") func joined() throws {
        let fleet = try FleetHosts(more: "")
        let people = try UpstreamProcess(["people.json": #"[{"id":1,"name":"Ann"},{"id":2,"name":"Bo"}]"#])
        let definition = """
            { source: { url: "\(fleet.upstream.url("units.json"))", interval: "1h",
                join: { url: "\(people.url("people.json"))", on: ["owner", "/id"], take: { name: "/name" } } },
              fields: { id: { type: "id", from: ["/id"] }, owner: { type: "text", from: ["/owner"] },
                name: { type: "text", from: ["/title"] } } }
            """
        for host in ["desk-a", "depot"] { try fleet.daemon(host).configure("collections.d/units.json5", definition) }
        try fleet.upstream.folder.write("units.json", #"[{"id":1,"owner":1},{"id":2,"owner":2}]"#)
        try fleet.start()
        try fleet.wait("depot", for: "joined values") { $0["records"]?.array?.first?["name"]?.string == "Ann" }
        try people.folder.write("people.json", #"[{"id":1,"name":"Anna"},{"id":2,"name":"Bo"}]"#)
        _ = try fleet.refresh("desk-a")
        try fleet.wait("depot", for: "the new value") { $0["records"]?.array?.first?["name"]?.string == "Anna" }
        #expect(try people.requests("people.json").count == 2)
    }

    @Test("an erased record is in no file of any host") func forgotten() throws {
        let fleet = try FleetHosts(leaders: ["desk-a", "desk-b"])
        try fleet.upstream.folder.write("units.json", #"[{"id":1,"name":"Xylophone"},{"id":2,"name":"Pump 2"}]"#)
        try fleet.start()
        for host in ["desk-b", "depot"] { try fleet.wait(host, for: "records") { $0["total"]?.integer == 2 } }
        // Both leaders have published it.
        _ = try fleet.refresh("desk-b", #","force":true"#)
        for host in ["desk-a", "depot"] {
            try fleet.wait(host, for: "the change") { $0["meta"]?["via"]?.string == "desk-b" }
        }
        let order = #"{"collection":"units","ids":["1"]}"#
        let refusal = try fleet.daemon("depot").connect().request("forget", order)
        #expect(refusal["error"]?["data"]?["kind"]?.string == "conflict", "\(refusal)")
        #expect(refusal["error"]?["data"]?["leader"]?.string == "desk-b", "\(refusal)")
        try fleet.upstream.folder.write("units.json", #"[{"id":2,"name":"Pump 2"}]"#)
        #expect(try fleet.daemon("desk-b").connect().request("forget", order)["result"]?["records"]?.integer == 1)
        for host in ["desk-a", "desk-b", "depot"] {
            try fleet.wait(host, for: "its end") { $0["total"]?.integer == 1 }
        }
        for host in fleet.leaders {
            try FleetHosts.wait("no file of \(host) with it") { try !fleet.holds("Xylophone", host) }
        }
        for host in ["desk-a", "desk-b", "depot"] {
            let daemon = try fleet.daemon(host)
            try daemon.stop()
            for folder in ["state", "cache"] {
                for name in try Directory.list(daemon.folder(folder))
                where Files.isRegular(daemon.folder("\(folder)/\(name)")) {
                    let bytes = try Files.readAll(daemon.folder("\(folder)/\(name)"), cap: 1 << 26)
                    let text = String(decoding: bytes, as: UTF8.self)
                    #expect(!text.contains("Xylophone"), "\(host): \(folder)/\(name)")
                }
            }
        }
    }

    @Test("an erasure costs the other hosts a small file, and no base; a record that comes back comes with it")
    func forgottenByDelta() throws {
        let fleet = try FleetHosts(units: FleetHosts.units(200))
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 200 }
        let web = try fleet.web("desk-a")
        // The next answer has one of the two again.
        try fleet.upstream.folder.write("units.json", FleetHosts.units(199))
        for ids in [#""1""#, #""200""#] {
            try web.forgetRequests()
            let order = #"{"collection":"units","ids":[\#(ids)]}"#
            #expect(try fleet.daemon("desk-a").connect().request("forget", order)["result"]?["records"]?.integer == 1)
            let gone = try fleet.daemon("depot")
            try FleetHosts.wait("\(ids) is gone") {
                try gone.connect().request("detail", "{\"collection\":\"units\",\"id\":\(ids)}")["error"] != nil
            }
            // The manifest and the change.
            #expect(try web.requests("*").map(\.path).filter { $0.utf8.count == 65 }.count == 2)
        }
        _ = try fleet.refresh("desk-a")
        try fleet.wait("depot", for: "the first one again") { $0["total"]?.integer == 199 }
        let client = try fleet.daemon("depot").connect()
        #expect(try client.request("detail", #"{"collection":"units","id":"1"}"#)["result"] != nil)
    }

    @Test("each site is a source of its own") func sites() throws {
        let fleet = try FleetHosts()
        try fleet.upstream.folder.write("gdansk.json", #"[{"id":1,"name":"Crane"}]"#)
        let definition = """
            { source: { interval: "1h", sites: { field: "site", each: {
                warsaw: { url: "\(fleet.upstream.url("units.json"))" },
                gdansk: { url: "\(fleet.upstream.url("gdansk.json"))" } } } },
              fields: { id: { type: "id", from: ["/id"] }, site: { type: "text" },
                name: { type: "text", from: ["/name"] } } }
            """
        for host in ["desk-a", "depot"] { try fleet.daemon(host).configure("collections.d/units.json5", definition) }
        try fleet.start()
        try fleet.wait("depot", for: "both sites") { $0["total"]?.integer == 4 }
        try fleet.upstream.folder.write("gdansk.json", "[]")
        let answer = try fleet.refresh("desk-a", #","force":true,"accept":true"#)
        #expect(try fleet.answer("desk-a")["result"]?["total"]?.integer == 3, "\(answer)")
        try fleet.wait("depot", for: "the rest") { $0["total"]?.integer == 3 }
        #expect(try fleet.names("depot") == ["Pump 1", "Pump 2", "Pump 3"])
    }
}
