// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

@Suite struct FleetHomeTests {
    /// Writes a note on a host.
    ///
    /// - Returns: its id.
    @discardableResult
    private func write(_ text: String, on host: String, in fleet: FleetHosts) throws -> String {
        let parameters = #"{"collection":"notes","action":"create","fields":{"text":"\#(text)"}}"#
        let answer = try fleet.daemon(host).connect().request("submit", parameters)
        guard let id = answer["result"]?["id"]?.string else { throw TestFailure("no note: \(answer)") }
        return id
    }

    private func request(_ method: String, _ parameters: String, on host: String, in fleet: FleetHosts) throws
        -> JSONValue
    {
        try fleet.daemon(host).connect().request(method, parameters)
    }

    /// Waits until a host has these notes, in any order.
    private func wait(_ host: String, for texts: Set<String>, in fleet: FleetHosts) throws {
        var answer = JSONValue.null
        try FleetHosts.wait("\(host): \(texts)") {
            answer = try request("search", #"{"collection":"notes"}"#, on: host, in: fleet)
            guard let records = answer["result"]?["records"]?.array else { return false }
            return Set(records.compactMap { $0["text"]?.string }) == texts && records.count == texts.count
        } telling: {
            let text = answer["result"]?["records"] ?? answer["error"]?["message"] ?? .null
            let source = "\(try request("fleet", "{}", on: host, in: fleet)["result"]?["addresses"] ?? .null)"
            return try
                "\(text) \(source) \(try problems("desk-a", in: fleet)) \(try problems(host, in: fleet)) \(fleet.web("desk-a").folder.read("head").split(separator: "\n").last ?? "")"
        }
    }

    private func problems(_ host: String, in fleet: FleetHosts) throws -> String {
        let problems = try request("status", "{}", on: host, in: fleet)["result"]?["problems"]?.array ?? []
        return problems.compactMap { $0["message"]?.string }.joined(separator: "; ")
    }

    private func source(_ host: String, in fleet: FleetHosts) throws -> JSONValue? {
        try request("fleet", "{}", on: host, in: fleet)["result"]?["sources"]?.array?.first {
            $0["source"]?.string == "notes"
        }
    }

    @Test("the journal names the home of records, for which nobody asks an upstream")
    func journal() throws {
        let fleet = try FleetHosts(leaders: ["desk-a", "desk-b"], notes: true)
        try fleet.start()
        try write("one", on: "desk-a", in: fleet)
        for host in ["desk-b", "depot"] { try wait(host, for: ["one"], in: fleet) }
        let own = try fleet.daemon("desk-a").log
        #expect(own.contains("notes: this host is the home of the records"), "\(own)")
        #expect(!own.contains("notes: this host asks"), "\(own)")
        for host in ["desk-b", "depot"] {
            let log = try fleet.daemon(host).log
            #expect(log.contains("notes: the records come from desk-a, their home"), "\(log)")
            #expect(!log.contains("notes: desk-a asks"), "\(log)")
        }
    }

    @Test("what is written on its home is read on all hosts: new, changed, deleted and forgotten records")
    func follows() throws {
        let fleet = try FleetHosts(leaders: ["desk-a", "desk-b"], notes: true)
        try fleet.start()
        let first = try write("one", on: "desk-a", in: fleet)
        let second = try write("two", on: "desk-a", in: fleet)
        for host in ["desk-b", "depot"] { try wait(host, for: ["one", "two"], in: fleet) }
        let meta = try request("search", #"{"collection":"notes"}"#, on: "depot", in: fleet)["result"]?["meta"]
        #expect(meta?["source"]?.string == "fleet" && meta?["via"]?.string == "desk-a", "\(meta ?? .null)")
        #expect(meta?["last_error"] == .null)
        let own = try request("search", #"{"collection":"notes"}"#, on: "desk-a", in: fleet)["result"]?["meta"]
        #expect(own?["source"]?.string == "local" && own?["age_ms"]?.integer == 0, "\(own ?? .null)")
        let change = #"{"collection":"notes","action":"update","id":"\#(first)","fields":{"text":"uno"}}"#
        #expect(try request("submit", change, on: "desk-a", in: fleet)["error"] == nil)
        for host in ["desk-b", "depot"] { try wait(host, for: ["uno", "two"], in: fleet) }
        let deletion = #"{"collection":"notes","action":"delete","id":"\#(second)"}"#
        #expect(try request("submit", deletion, on: "desk-a", in: fleet)["error"] == nil)
        for host in ["desk-b", "depot"] { try wait(host, for: ["uno"], in: fleet) }
        // Also what was written, and is, once more, after a restart.
        try fleet.daemon("desk-a").kill()
        try fleet.start("desk-a")
        try write("three", on: "desk-a", in: fleet)
        for host in ["desk-b", "depot"] { try wait(host, for: ["uno", "three"], in: fleet) }
        let order = #"{"collection":"notes","ids":["\#(first)"]}"#
        #expect(try request("forget", order, on: "desk-a", in: fleet)["error"] == nil)
        for host in ["desk-b", "depot"] { try wait(host, for: ["three"], in: fleet) }
        try FleetHosts.wait("nothing is left of it") { try !fleet.holds("uno", "desk-a") }
        #expect(try source("desk-a", in: fleet)?["role"]?.string == "home")
        for host in ["desk-b", "depot"] {
            let source = try source(host, in: fleet)
            #expect(source?["role"]?.string == "follows" && source?["leader"]?.string == "desk-a", "\(source ?? .null)")
            #expect(source?["request"]?.string == "same" && source?["definition"]?.string == "same")
            #expect(try problems(host, in: fleet) == "")
        }
    }

    @Test("another host refuses writes and has no files, and names the home") func refuses() throws {
        let fleet = try FleetHosts(leaders: ["desk-a", "desk-b"], notes: true)
        try fleet.start()
        let client = try fleet.daemon("desk-a").connect()
        let bytes = Array("%PDF-1.4 a note".utf8)
        let upload = try client.request(
            "attach",
            #"{"collection":"notes","name":"a.pdf","size":\#(bytes.count),"data":"\#(Base64.encode(bytes))"}"#)[
                "result"]
        let digest = try #require(upload?["sha256"]?.string)
        let name = try #require(upload?["upload"]?.string)
        let created = try client.request(
            "submit",
            #"{"collection":"notes","action":"create","fields":{"text":"one"},"attach":["\#(name)"]}"#)["result"]
        let id = try #require(created?["id"]?.string)
        let part = #"{"collection":"notes","id":"\#(id)","sha256":"\#(digest)","offset":0}"#
        #expect(try client.request("fetch_attachment", part)["result"] != nil)
        for host in ["desk-b", "depot"] {
            try wait(host, for: ["one"], in: fleet)
            let record = try request("detail", #"{"collection":"notes","id":"\#(id)"}"#, on: host, in: fleet)
            #expect("\(record)".contains(digest), "the list of files is there")
            let file = try request("fetch_attachment", part, on: host, in: fleet)["error"]
            #expect(file?["data"]?["kind"]?.string == "not_found", "\(file ?? .null)")
            #expect(file?["message"]?.string?.contains("desk-a") == true)
            let attachment = try request(
                "attach", #"{"collection":"notes","name":"b.pdf","size":3,"data":"AAAA"}"#, on: host, in: fleet)[
                    "error"]
            #expect(attachment?["data"]?["kind"]?.string == "not_allowed", "\(attachment ?? .null)")
            #expect(attachment?["message"]?.string?.contains("desk-a") == true)
            for action in ["create", "update", "delete"] {
                let subject = action == "create" ? "" : #","id":"\#(id)""#
                let fields = action == "delete" ? "" : #","fields":{"text":"two"}"#
                let parameters = #"{"collection":"notes","action":"\#(action)"\#(subject)\#(fields)}"#
                let error = try request("submit", parameters, on: host, in: fleet)["error"]
                #expect(error?["data"]?["kind"]?.string == "not_allowed", "\(error ?? .null)")
                #expect(error?["message"]?.string?.contains("desk-a") == true)
            }
            let order = #"{"collection":"notes","ids":["\#(id)"]}"#
            let error = try request("forget", order, on: host, in: fleet)["error"]
            #expect(error?["data"]?["leader"]?.string == "desk-a", "\(error ?? .null)")
        }
    }

    @Test("the home is the truth: no other leader takes over, however long it is silent") func neverTakenOver() throws {
        let fleet = try FleetHosts(leaders: ["desk-a", "desk-b"], notes: true)
        try fleet.start()
        try write("one", on: "desk-a", in: fleet)
        for host in ["desk-b", "depot"] { try wait(host, for: ["one"], in: fleet) }
        try fleet.daemon("desk-a").kill()
        let answer = try request(
            "refresh", #"{"collection":"notes","wait":true,"force":true}"#, on: "desk-b", in: fleet)
        #expect(answer["error"] == nil, "\(answer)")
        #expect(try source("desk-b", in: fleet)?["leader"]?.string == "desk-a")
        for host in ["desk-b", "depot"] { try wait(host, for: ["one"], in: fleet) }
        #expect(try !fleet.web("desk-b").folder.read("head").contains("\"notes\""))
    }

    @Test("a host serves what was written on it, read-only, until it is forgotten, and then takes the home's")
    func retained() throws {
        let fleet = try FleetHosts(notes: true)
        let depot = try fleet.daemon("depot")
        let definition = try depot.folder.read("config/fleet.json5")
        try Directory.remove(depot.folder("config/fleet.json5"))
        try fleet.start()
        let id = try write("mine", on: "depot", in: fleet)
        try write("home", on: "desk-a", in: fleet)
        try depot.configure("fleet.json5", definition)
        #expect(try depot.stop() == .exited(0))
        try fleet.start("depot")
        try FleetHosts.wait("the problem is told") {
            try problems("depot", in: fleet).contains("'notes'")
        } telling: {
            "\(try request("status", "{}", on: "depot", in: fleet))"
        }
        try wait("depot", for: ["mine"], in: fleet)
        let meta = try request("search", #"{"collection":"notes"}"#, on: "depot", in: fleet)["result"]?["meta"]
        #expect(meta?["source"]?.string == "local", "\(meta ?? .null)")
        let parameters = #"{"collection":"notes","action":"create","fields":{"text":"two"}}"#
        let error = try request("submit", parameters, on: "depot", in: fleet)["error"]
        #expect(error?["data"]?["kind"]?.string == "not_allowed", "\(error ?? .null)")
        let answer = try request("refresh", #"{"collection":"notes","wait":true,"force":true}"#, on: "depot", in: fleet)
        #expect(answer["error"] == nil, "\(answer)")
        try wait("depot", for: ["mine"], in: fleet)
        // Without its files a start makes them anew of state.db: nothing counts as forgotten before it was read.
        #expect(try depot.stop() == .exited(0))
        #expect(try ChildProcess("/bin/sh", ["-c", "rm -rf '\(depot.folder("cache"))'/*"]).wait() == .exited(0))
        try fleet.start("depot")
        try wait("depot", for: ["mine"], in: fleet)
        let order = #"{"collection":"notes","ids":["\#(id)"]}"#
        #expect(try request("forget", order, on: "depot", in: fleet)["error"] == nil)
        try wait("depot", for: ["home"], in: fleet)
        try FleetHosts.wait("the problem is gone") { try problems("depot", in: fleet) == "" }
        // Without the fleet the records that are here become this host's own, and what is known of the home is void.
        try Directory.remove(depot.folder("config/fleet.json5"))
        try reload(depot)
        try FleetHosts.wait("it may write again") {
            try request("submit", parameters, on: "depot", in: fleet)["error"] == nil
        }
        try wait("depot", for: ["home", "two"], in: fleet)
    }

    private func reload(_ daemon: DaemonProcess) throws { daemon.signal(SIGHUP) }

    @Test("another home goes on with the records that it has taken, and the former one keeps its own") func moves()
        throws
    {
        let fleet = try FleetHosts(leaders: ["desk-a", "desk-b"], notes: true)
        try fleet.start()
        try write("one", on: "desk-a", in: fleet)
        for host in ["desk-b", "depot"] { try wait(host, for: ["one"], in: fleet) }
        for (host, daemon) in fleet.daemons.sorted(by: { $0.key < $1.key }) {
            let text = try daemon.folder.read("config/fleet.json5")
            let start = try #require(text.firstRange(of: "leaders: [")).upperBound
            let end = try #require(text.firstRange(of: "}] }")?.lowerBound ?? text.firstRange(of: " }] }")?.lowerBound)
            let entries = String(text[start..<end]) + "}"
            let cut = try #require(entries.firstRange(of: ", { host: \"desk-b\""))
            let swapped = entries[cut.lowerBound...].dropFirst(2) + ", " + entries[..<cut.lowerBound]
            try daemon.configure("fleet.json5", String(text[..<start]) + swapped + "] }")
            try reload(daemon)
            try FleetHosts.wait("\(host) has read it") {
                try request("fleet", "{}", on: host, in: fleet)["result"]?["addresses"]?.array?.first?["host"]?.string
                    == "desk-b"
            }
        }
        try FleetHosts.wait("the new home takes writes") {
            let parameters = #"{"collection":"notes","action":"create","fields":{"text":"two"}}"#
            return try request("submit", parameters, on: "desk-b", in: fleet)["error"] == nil
        }
        try wait("depot", for: ["one", "two"], in: fleet)
        try wait("desk-a", for: ["one"], in: fleet)
        #expect(try problems("desk-a", in: fleet).contains("desk-b"))
        let meta = try request("search", #"{"collection":"notes"}"#, on: "depot", in: fleet)["result"]?["meta"]
        #expect(meta?["via"]?.string == "desk-b", "\(meta ?? .null)")
    }
}
