// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

@Suite struct FleetFaultTests {
    /// Waits for looks at an address: the number of requests for its head that come from now on.
    private func waitForLooks(_ count: Int, at host: String, in fleet: FleetHosts) throws {
        let web = try fleet.web(host)
        let before = try web.requests("head").count
        try FleetHosts.wait("looks at \(host)") { try web.requests("head").count >= before + count }
    }

    /// Has the leader ask for five records while its folder takes no head, as a folder is in its place.
    ///
    /// - Returns: the way to mend it.
    private func refreshUnpublished(_ fleet: FleetHosts) throws -> () throws -> Void {
        let draft = try fleet.web("desk-a").folder(".draft-head")
        try Directory.create(draft)
        try fleet.upstream.folder.write("units.json", FleetHosts.units(5))
        _ = try fleet.refresh("desk-a")
        return { try Directory.remove(draft) }
    }

    @Test("a host that may ask keeps to its own wait after a failure, however often it looks") func backoff() throws {
        let fleet = try FleetHosts(leaders: ["desk-a"], others: [])
        try fleet.upstream.misbehave("units.json", #"{"status":403}"#)
        try fleet.start()
        try fleet.wait("desk-a", for: "the refusal") { $0["meta"]?["last_error"]?["status"]?.integer == 403 }
        try waitForLooks(4, at: "desk-a", in: fleet)
        #expect(try fleet.upstream.requests("units.json").count == 1)
        #expect(try fleet.meta("desk-a")["last_error"]?["status"]?.integer == 403)
    }

    @Test("files that were fetched and cannot be taken in are fetched again after longer and longer waits")
    func untaken() throws {
        let fleet = try FleetHosts()
        try fleet.daemon("depot").configure("claimsd.json5", "{ limits: { records: 2 } }")
        try fleet.start()
        try fleet.wait("depot", for: "the failure") { $0["meta"]?["last_error"]?["kind"]?.string == "too_large" }
        let before = try fleet.web("desk-a").requests("*").filter { $0.path.utf8.count == 65 }.count
        try waitForLooks(6, at: "desk-a", in: fleet)
        // Each attempt fetches a manifest and a base. A dozen seconds have room for three after doubled waits.
        let after = try fleet.web("desk-a").requests("*").filter { $0.path.utf8.count == 65 }.count
        #expect(after - before <= 8, "\(before) \(after)")
    }

    @Test("an answer that is held on a host is followed by the next one that is good") func held() throws {
        let fleet = try FleetHosts()
        // This host finds ids where the leader needs none.
        try fleet.daemon("depot").configure(
            "collections.d/units.json5",
            """
            { source: { url: "\(fleet.upstream.url("units.json"))", interval: "1h" },
              fields: { id: { type: "id", from: ["/key"] }, name: { type: "text", from: ["/name"] } } }
            """)
        func units(_ count: Int, key: String) -> String {
            "[" + (1...count).map { "{\"id\":\($0),\"\(key)\":\($0),\"name\":\"Pump\"}" }.joined(separator: ",") + "]"
        }
        try fleet.upstream.folder.write("units.json", units(3, key: "key"))
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        try fleet.upstream.folder.write("units.json", units(4, key: "other"))
        _ = try fleet.refresh("desk-a")
        try fleet.wait("depot", for: "the held answer") { $0["meta"]?["last_error"]?["kind"]?.string == "held" }
        #expect(try fleet.names("depot").count == 3)
        try fleet.upstream.folder.write("units.json", units(5, key: "key"))
        _ = try fleet.refresh("desk-a")
        try fleet.wait("depot", for: "the good answer") {
            $0["total"]?.integer == 5 && $0["meta"]?["last_error"] == .null
        }
    }

    @Test("what could not be published is published once it can be, and people are told meanwhile") func full() throws {
        let fleet = try FleetHosts()
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        let mend = try refreshUnpublished(fleet)
        let client = try fleet.daemon("desk-a").connect()
        try FleetHosts.wait("the problem") {
            let problems = try client.request("status")["result"]?["problems"]?.array ?? []
            return problems.contains { $0["message"]?.string?.contains("cannot be published") == true }
        }
        try waitForLooks(3, at: "desk-a", in: fleet)
        #expect(try fleet.answer("depot")["result"]?["total"]?.integer == 3)
        try mend()
        try fleet.wait("depot", for: "the new records", within: .seconds(90)) { $0["total"]?.integer == 5 }
        try FleetHosts.wait("no problem") {
            let problems = try client.request("status")["result"]?["problems"]?.array ?? []
            return !problems.contains { $0["message"]?.string?.contains("cannot be published") == true }
        }
    }

    @Test("a leader that is killed before it has published does so when it is back, without a request") func killed()
        throws
    {
        let fleet = try FleetHosts()
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        let mend = try refreshUnpublished(fleet)
        try fleet.daemon("desk-a").kill()
        try mend()
        try fleet.start("desk-a")
        try fleet.wait("depot", for: "the new records") { $0["total"]?.integer == 5 }
        #expect(try fleet.upstream.requests("units.json").count == 2)
    }

    @Test("a leader whose state was put back from a copy takes what it had published") func restored() throws {
        let fleet = try FleetHosts()
        try fleet.start()
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == 3 }
        let leader = try fleet.daemon("desk-a")
        try leader.stop()
        let copy = try TemporaryFolder(prefix: "claims-fleet-copy")
        let names = try Directory.list(leader.folder("state")).filter { Files.isRegular(leader.folder("state/\($0)")) }
        for name in names {
            try copy.write(name, try Files.readAll(leader.folder("state/\(name)"), cap: 1 << 26))
        }
        try fleet.start("desk-a")
        try fleet.upstream.folder.write("units.json", FleetHosts.units(5))
        _ = try fleet.refresh("desk-a")
        try fleet.wait("depot", for: "the new records") { $0["total"]?.integer == 5 }
        try leader.stop()
        for name in try Directory.list(leader.folder("state")) where Files.isRegular(leader.folder("state/\(name)")) {
            Files.remove(leader.folder("state/\(name)"))
        }
        for name in names { try leader.folder.write("state/\(name)", try Files.readAll(copy(name), cap: 1 << 26)) }
        try fleet.upstream.misbehave("units.json", #"{"status":503}"#)
        try fleet.start("desk-a")
        try fleet.wait("desk-a", for: "its own records") { $0["total"]?.integer == 5 }
        #expect(try fleet.names("depot").count == 5)
    }

    @Test("records of a collection that is not shared any more are in no file that is served") func unshared() throws {
        let fleet = try FleetHosts()
        try fleet.upstream.folder.write("units.json", #"[{"id":1,"name":"Xylophone"}]"#)
        try fleet.daemon("desk-a").configure(
            "collections.d/notes.json5",
            "{ fields: { id: { type: \"id\", from: [\"/id\"] } } }")
        try fleet.start()
        try fleet.wait("depot", for: "the record") { $0["total"]?.integer == 1 }
        #expect(try fleet.holds("Xylophone", "desk-a"))
        let leader = try fleet.daemon("desk-a")
        Files.remove(leader.folder("config/collections.d/units.json5"))
        leader.signal(SIGHUP)
        try FleetHosts.wait("an empty folder") { try !fleet.holds("Xylophone", "desk-a") }
        #expect(try !fleet.web("desk-a").folder.read("head").contains("units"))
    }

    @Test("a fetch that was interrupted goes on with the files that are missing, also after a restart") func goesOn()
        throws
    {
        // Texts that cannot be compressed much: files of some megabytes.
        var random = SeededGenerator(seed: 7)
        let units = (1...180_000).map { number in
            "{\"id\":\(number),\"name\":\"\(String(random.next(), radix: 36))\(String(random.next(), radix: 36))\(String(random.next(), radix: 36))\(String(random.next(), radix: 36))\"}"
        }
        let fleet = try FleetHosts(units: "[\(units.joined(separator: ","))]")
        try fleet.start("desk-a")
        try fleet.wait("desk-a", for: "records", within: .seconds(60)) { $0["total"]?.integer == 180_000 }
        let web = try fleet.web("desk-a")
        var sizes: [String: Int] = [:]
        try FleetHosts.wait("its files") {
            sizes = [:]
            for name in try Directory.list(web.folder.path) where name.utf8.count == 64 {
                sizes[name] = Files.size(web.folder(name)).map { Int($0) }
            }
            return sizes.count >= 3 && (try? web.folder.read("head").contains("units")) == true
        }
        let large = sizes.filter { $0.value > 256 << 10 }.keys.sorted()
        try #require(large.count >= 2, "\(sizes)")
        for name in large { try web.misbehave(name, #"{"status":503}"#) }
        try web.behave(large[0])
        try fleet.start("depot")
        try fleet.wait("depot", for: "the failure") { $0["meta"]?["last_error"]?["status"]?.integer == 503 }
        let depot = try fleet.daemon("depot")
        try depot.stop()
        for name in large { try web.behave(name) }
        let before = try web.requests(large[0]).count
        try fleet.start("depot")
        try fleet.wait("depot", for: "records", within: .seconds(60)) { $0["total"]?.integer == 180_000 }
        if before > 0 { #expect(try web.requests(large[0]).count == before, "what was fetched is fetched no more") }
        try FleetHosts.wait("an empty cache") {
            try !Directory.list(depot.folder("cache")).contains { $0.hasPrefix("fleet-") }
        }
    }

    @Test("joined values that are gone are gone on the other hosts") func emptyJoin() throws {
        let fleet = try FleetHosts(more: "")
        let people = try UpstreamProcess(["people.json": #"[{"id":1,"name":"Ann"}]"#])
        let definition = """
            { source: { url: "\(fleet.upstream.url("units.json"))", interval: "1h",
                join: { url: "\(people.url("people.json"))", on: ["owner", "/id"], take: { name: "/name" } } },
              fields: { id: { type: "id", from: ["/id"] }, owner: { type: "text", from: ["/owner"] },
                name: { type: "text", from: ["/title"] } } }
            """
        try fleet.upstream.folder.write("units.json", #"[{"id":1,"owner":1}]"#)
        for host in ["desk-a", "depot"] { try fleet.daemon(host).configure("collections.d/units.json5", definition) }
        try fleet.start()
        try fleet.wait("depot", for: "the value") { $0["records"]?.array?.first?["name"]?.string == "Ann" }
        try people.folder.write("people.json", "[]")
        _ = try fleet.refresh("desk-a")
        try fleet.wait("depot", for: "no value") { $0["records"]?.array?.first?["name"]?.string == nil }
    }
}
