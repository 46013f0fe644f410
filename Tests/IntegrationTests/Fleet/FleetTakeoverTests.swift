// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// The files that the other hosts fetch when another leader asks.
@Suite struct FleetTakeoverTests {
    private static let count = 200

    /// A fleet whose hosts all have the records of desk-a, which is gone then.
    private func fleet(_ prepare: (FleetHosts) throws -> Void = { _ in }) throws -> FleetHosts {
        let fleet = try FleetHosts(leaders: ["desk-a", "desk-b"], units: FleetHosts.units(Self.count))
        try prepare(fleet)
        try fleet.start()
        for host in ["desk-b", "depot"] {
            try fleet.wait(host, for: "records") {
                $0["total"]?.integer == Int64(Self.count) && $0["meta"]?["via"]?.string == "desk-a"
            }
        }
        try fleet.daemon("desk-a").kill()
        return fleet
    }

    /// Has desk-b ask, and the other host take what came.
    private func takeOver(_ fleet: FleetHosts, _ total: Int) throws {
        let answer = try fleet.refresh("desk-b", #","force":true"#)
        #expect(answer["error"] == nil, "\(answer)")
        try fleet.wait("depot", for: "the change") {
            $0["meta"]?["via"]?.string == "desk-b" && $0["total"]?.integer == Int64(total)
        }
    }

    /// The files that were fetched from desk-b, by their names.
    private func fetched(_ fleet: FleetHosts) throws -> Set<String> {
        Set(try fleet.web("desk-b").requests("*").map { String($0.path.dropFirst()) }.filter { $0.utf8.count == 64 })
    }

    /// Whether the host fetched a file with all records.
    private func hasFetchedAll(_ fleet: FleetHosts) throws -> Bool {
        let folder = try fleet.web("desk-b").folder
        return try fetched(fleet).contains { name in
            let process = try ChildProcess(
                "/bin/sh", ["-c", "zstd -q -d -c '\(folder(name))' | grep -q '\"Pump 150\"'"])
            return process.wait() == .exited(0)
        }
    }

    private func state(_ fleet: FleetHosts) throws -> String? {
        let result = try fleet.daemon("depot").connect().request("fleet", "{}")["result"]
        return result?["sources"]?.array?.first?["state"]?.string
    }

    @Test("a host takes only what has changed from a new leader, and goes on with its next changes") func delta() throws
    {
        let fleet = try fleet()
        try fleet.upstream.folder.write("units.json", FleetHosts.units(Self.count + 1))
        try takeOver(fleet, Self.count + 1)
        // The manifest and the change.
        #expect(try fetched(fleet).count == 2)
        #expect(try !hasFetchedAll(fleet))
        try fleet.upstream.folder.write("units.json", FleetHosts.units(Self.count - 1))
        #expect(try fleet.refresh("desk-b")["error"] == nil)
        try fleet.wait("depot", for: "what is gone") { $0["total"]?.integer == Int64(Self.count - 1) }
        #expect(try !hasFetchedAll(fleet))
        // The first leader, which has what it had published itself, takes only what has changed since, and asks again.
        try fleet.start("desk-a")
        try fleet.wait("desk-a", for: "the other leader's records") {
            $0["total"]?.integer == Int64(Self.count - 1) && $0["meta"]?["via"]?.string == "desk-b"
        }
        #expect(try !hasFetchedAll(fleet))
        try fleet.upstream.folder.write("units.json", FleetHosts.units(Self.count))
        try fleet.web("desk-a").forgetRequests()
        #expect(try fleet.refresh("desk-a", #","force":true"#)["error"] == nil)
        for host in ["desk-b", "depot"] {
            try fleet.wait(host, for: "the change") {
                $0["total"]?.integer == Int64(Self.count) && $0["meta"]?["via"]?.string == "desk-a"
            }
        }
        let names = Set(try fleet.web("desk-a").requests("*").map(\.path).filter { $0.utf8.count == 65 })
        // The manifest and the change, for both other hosts.
        #expect(names.count == 2, "\(names)")
    }

    @Test("nothing is fetched from a new leader whose records are those of the one before") func unchanged() throws {
        let fleet = try fleet()
        let before = try state(fleet)
        try takeOver(fleet, Self.count)
        let after = try state(fleet)
        #expect(before != nil && after == before)
        #expect(try fetched(fleet).isEmpty)
        // A new host takes all of it. The other leader's files are the same records, and are away.
        try fleet.web("desk-a").stop()
        try fleet.daemon("depot").stop()
        for folder in ["state", "cache"] {
            let path = try fleet.daemon("depot").folder(folder)
            #expect(try ChildProcess("/bin/sh", ["-c", "rm -rf '\(path)'/*"]).wait() == .exited(0))
        }
        try fleet.start("depot")
        try fleet.wait("depot", for: "records") { $0["total"]?.integer == Int64(Self.count) }
        #expect(try hasFetchedAll(fleet))
    }

    @Test("a new leader with another definition begins with all records") func otherDefinition() throws {
        let fleet = try fleet { fleet in
            let path = "collections.d/units.json5"
            let text = try fleet.daemon("desk-b").folder.read("config/\(path)")
            try fleet.daemon("desk-b").configure(
                path, text.replacing("type: \"text\"", with: "type: \"text\", search: true"))
        }
        try fleet.upstream.folder.write("units.json", FleetHosts.units(Self.count + 1))
        try takeOver(fleet, Self.count + 1)
        #expect(try hasFetchedAll(fleet))
    }

    @Test("a new leader that may lack what was in its quarantine begins with all records") func quarantine() throws {
        let fleet = try fleet()
        let leader = try fleet.daemon("desk-b")
        try leader.stop()
        // As after an element that was too large to be kept, and is decoded by no later definition.
        let statement =
            "INSERT OR REPLACE INTO quarantine_extent SELECT number, '', 0, 1 FROM collection WHERE name = 'units'"
        let process = try ChildProcess("/usr/bin/sqlite3", [leader.folder("state/state.db"), statement])
        #expect(process.wait() == .exited(0))
        try fleet.start("desk-b")
        try fleet.upstream.folder.write("units.json", FleetHosts.units(Self.count + 1))
        try takeOver(fleet, Self.count + 1)
        #expect(try hasFetchedAll(fleet))
    }

    @Test("what is gone upstream leaves the quarantine of a former leader, too") func formerQuarantine() throws {
        let fleet = try fleet {
            try $0.upstream.folder.write(
                "units.json", FleetHosts.units(Self.count).dropLast() + ",{\"name\":\"without an id\"}]")
        }
        try fleet.upstream.folder.write("units.json", FleetHosts.units(Self.count + 1))
        try takeOver(fleet, Self.count + 1)
        try fleet.start("desk-a")
        try fleet.wait("desk-a", for: "the other leader's records") {
            $0["total"]?.integer == Int64(Self.count + 1) && $0["meta"]?["via"]?.string == "desk-b"
        }
        #expect(try fleet.meta("desk-a")["quarantined"]?.integer == 0)
    }

    @Test("a leader that is killed before it has published goes on from what it had taken all the same") func killed()
        throws
    {
        let fleet = try fleet()
        try fleet.upstream.folder.write("units.json", FleetHosts.units(Self.count + 1))
        // No head can be written.
        let draft = try fleet.web("desk-b").folder(".draft-head")
        try Directory.create(draft)
        _ = try fleet.refresh("desk-b", #","force":true"#)
        try fleet.wait("desk-b", for: "its own answer") { $0["total"]?.integer == Int64(Self.count + 1) }
        try fleet.daemon("desk-b").kill()
        try Directory.remove(draft)
        try fleet.start("desk-b")
        try takeOver(fleet, Self.count + 1)
        #expect(try !hasFetchedAll(fleet))
        #expect(try fetched(fleet).count == 2)
    }

    @Test("joined values come as a change, too") func joined() throws {
        let people = try UpstreamProcess(["people.json": #"[{"id":1,"name":"Ann"},{"id":2,"name":"Bo"}]"#])
        let units = (1...Self.count).map { "{\"id\":\($0),\"owner\":\($0),\"note\":\"Pump \($0)\"}" }
        let fleet = try fleet { fleet in
            let definition = """
                { source: { url: "\(fleet.upstream.url("units.json"))", interval: "1h",
                    join: { url: "\(people.url("people.json"))", on: ["owner", "/id"], take: { name: "/name" } } },
                  fields: { id: { type: "id", from: ["/id"] }, owner: { type: "text", from: ["/owner"] },
                    name: { type: "text", from: ["/title"] } } }
                """
            for host in fleet.daemons.keys {
                try fleet.daemon(host).configure("collections.d/units.json5", definition)
            }
            try fleet.upstream.folder.write("units.json", "[\(units.joined(separator: ","))]")
        }
        let before = try state(fleet)
        try takeOver(fleet, Self.count)
        #expect((try state(fleet)) == before)
        #expect(try fetched(fleet).isEmpty)
        try people.folder.write("people.json", #"[{"id":1,"name":"Anna"},{"id":2,"name":"Bo"}]"#)
        #expect(try fleet.refresh("desk-b")["error"] == nil)
        try FleetHosts.wait("the new value") {
            let record = try fleet.answer("depot")["result"]?["records"]?.array?.first
            return "\(record ?? .null)".contains("Anna")
        }
        #expect(try !hasFetchedAll(fleet))
    }

    @Test("whichever leader asks, all hosts have the upstream's records") func alternating() throws {
        let fleet = try FleetHosts(leaders: ["desk-a", "desk-b"], units: FleetHosts.units(20))
        try fleet.start()
        for host in fleet.daemons.keys { try fleet.wait(host, for: "records") { $0["total"]?.integer == 20 } }
        var random = SeededGenerator(seed: 11)
        var units = Dictionary(uniqueKeysWithValues: (1...20).map { ($0, "Pump \($0)") })
        var leader = "desk-a"
        for round in 1...12 {
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let id = Int.random(in: 1...24, using: &random)
                units[id] = random.oneIn(3) ? nil : "Pump \(id) of round \(round)"
            }
            let records = units.sorted { $0.key < $1.key }.map { "{\"id\":\($0.key),\"name\":\"\($0.value)\"}" }
            try fleet.upstream.folder.write("units.json", "[\(records.joined(separator: ","))]")
            leader = random.pick(fleet.leaders)
            let answer = try fleet.refresh(leader, #","force":true,"accept":true"#)
            #expect(answer["error"] == nil, "\(answer)")
            let expected = units.values.sorted()
            for host in fleet.daemons.keys.sorted() {
                try FleetHosts.wait("\(host) has the records of round \(round)") {
                    let via = try fleet.meta(host)["via"]?.string
                    return try fleet.names(host).sorted() == expected && (host == leader ? via == nil : via == leader)
                }
            }
        }
    }
}
