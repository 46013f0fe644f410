// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// The entries of the daemon's journal; here, where there is none, as lines.
@Suite struct JournalTests {
    @Test func `a source that fails is told once, and once more when it is well again`() throws {
        let site = try Site(["units": Site.units])
        try site.upstream.misbehave("units.json", #"{"status":503}"#)
        let client = try site.daemon.connect()
        for _ in 0..<3 {
            let answer = try client.request("refresh", #"{"collection":"units","wait":true,"force":true}"#)
            #expect(answer.at("result", "collections", "0", "outcome")?.string == "failed", "\(answer)")
        }
        try site.upstream.behave()
        _ = try client.request("refresh", #"{"collection":"units","wait":true,"force":true}"#)
        try site.daemon.stop()
        let lines = site.daemon.log.split(separator: "\n")
        let failures = lines.filter { $0.contains("the source of units fails") }
        #expect(failures.count == 1 && failures[0].contains("http_status=503"), "\(lines)")
        #expect(failures.first?.contains("source=\(site.upstream.url("units.json"))") == true)
        #expect(lines.filter { $0.contains("the source of units is well again") }.count == 1)
    }

    @Test func `a source that fails for another reason is told again`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        for status in [503, 500, 404, 404] {
            try site.upstream.misbehave("units.json", #"{"status":\#(status)}"#)
            _ = try client.request("refresh", #"{"collection":"units","wait":true,"force":true}"#)
        }
        try site.daemon.stop()
        let lines = site.daemon.log.split(separator: "\n")
        #expect(lines.filter { $0.contains("the source of units fails") }.count == 1, "\(lines)")
        #expect(lines.filter { $0.contains("the source of units refuses the request") }.count == 1, "\(lines)")
    }

    @Test func `a line says how many records changed, by whom, and how long it took`() throws {
        let packs = (1...1200).map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
        let site = try Site(["packs": "[\(packs)]"])
        let client = try site.daemon.connect()
        let ids = (1...100).map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try client.request("archive", #"{"collection":"packs","ids":[\#(ids)]}"#)
        #expect(answer["result"] != nil, "\(answer)")
        try site.daemon.stop()
        let log = site.daemon.log
        let uid = ProcessUser.number
        #expect(log.contains("packs: 100 records archived by uid \(uid)"), "\(log)")
        #expect(log.contains("packs has new data: 1,200 records, 1,200 added, 0 changed, 0 removed, in "), "\(log)")
    }

    @Test func `a time zone that nobody knows is told at the start`() throws {
        let daemon = try DaemonProcess(environment: ["TZ": "Europe/Warsa"])
        try daemon.start()
        try daemon.stop()
        #expect(daemon.log.contains("WARNING: the time zone 'Europe/Warsa' of TZ is not known"), "\(daemon.log)")
    }

    @Test func `data that is held, and taken after all, is told`() throws {
        let site = try Site(["units": Site.units])
        let held = try site.serve("units", #"[{"id":"1","name":"Pump north"}]"#)
        #expect(held.at("result", "collections", "0", "outcome")?.string == "held")
        let taken = try site.serve("units", #"[{"id":"1","name":"Pump north"}]"#, #","accept":true"#)
        #expect(taken.at("result", "collections", "0", "outcome")?.string == "updated")
        try site.daemon.stop()
        let log = site.daemon.log
        #expect(log.contains("WARNING: new data of units is held back: "), "\(log)")
        #expect(log.contains("held data of units was taken: 1 record, 0 added, "), "\(log)")
        #expect(log.contains("records=1, generation=2"), "\(log)")
    }

    @Test func `a connection that is one too many is told`() throws {
        let site = try Site(["units": Site.units], site: ["claimsd.json5": "{ limits: { clients_per_user: 1 } }"])
        try site.upstream.misbehave("units.json", #"{"hold":true}"#)
        // Idle, it would make room.
        let busy = try site.daemon.connect()
        try busy.send(#"{"id":1,"method":"refresh","params":{"collection":"units","wait":true}}"#)
        try site.upstream.requests("units.json", count: 2)
        for _ in 0..<3 {
            let second = try site.daemon.connect()
            #expect(try JSONValue.parse(try #require(try second.receive())).errorKind == "busy")
            #expect(try second.receive() == nil)
        }
        let lines = site.daemon.log.split(separator: "\n").filter { $0.contains("there are too many connections") }
        #expect(lines.count == 1 && lines[0].contains("peer_uid="), "\(lines)")
        try site.upstream.release("units.json")
        #expect(try busy.receive() != nil)
    }
}
