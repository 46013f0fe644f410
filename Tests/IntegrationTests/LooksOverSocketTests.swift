// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// The accounts of shown records, by each method. The log has lines here, which come with the end of the daemon.
@Suite struct LooksOverSocketTests {
    /// A daemon with records of three boats, whose looks are counted until it stops.
    private static func site(ids: Int = 100) throws -> Site {
        let boats = #"[{"id":"1","name":"a"},{"id":"2","name":"b"},{"id":"3","name":"b"}]"#
        let site = try Site([:])
        try site.upstream.folder.write("boats.json", boats)
        try site.daemon.configure("claimsd.json5", "{ access: { journal: { every: '10min', ids: \(ids) } } }")
        try configure(site, isTold: true)
        _ = try site.daemon.connect().request("refresh", #"{"collection":"boats","wait":true}"#)
        return site
    }

    private static func configure(_ site: Site, isTold: Bool) throws {
        try site.daemon.configure(
            "collections.d/boats.json5",
            """
            { source: { url: '\(site.upstream.url("boats.json"))', interval: '1h' }, archive: true,
              fields: { id: { type: 'id', from: ['/id'] }, name: { type: 'text', from: ['/name'] } },
              deal: { message: { en: '{name}' } }, access: { journal: \(isTold) } }
            """)
        try site.daemon.reload()
    }

    /// The fields of the entries, by name, once the daemon has stopped.
    private static func entries(of site: Site) throws -> [[String: String]] {
        try site.daemon.stop()
        return site.daemon.log.split(separator: "\n").filter { $0.contains("shown to uid") }.map { line in
            var fields: [String: String] = [:]
            let text = line[(line.firstIndex(of: "(") ?? line.startIndex)...].dropFirst().dropLast()
            for part in text.split(separator: ", ") {
                let words = part.split(separator: "=", maxSplits: 1)
                if words.count == 2 { fields[String(words[0])] = String(words[1]) }
            }
            return fields
        }
    }

    private static func next(_ client: LineClient) throws -> JSONValue {
        try JSONValue.parse(try #require(try client.receive()))
    }

    @Test func `repeated requests for records are counted, on one connection and on many`() throws {
        let site = try Self.site()
        let clients = try (0..<4).map { _ in try site.daemon.connect() }
        for round in 0..<50 {
            for (index, client) in clients.enumerated() {
                try client.send(
                    #"{"id":\#(round),"method":"detail","params":{"collection":"boats","id":"\#(index % 2 + 1)"}}"#)
            }
            for client in clients { #expect(try Self.next(client)["result"] != nil) }
        }
        // A batch on one connection, with an id that is nowhere.
        let lines = (0..<100).map {
            #"{"id":\#($0),"method":"detail","params":{"collection":"boats","id":"\#($0 == 40 ? 9 : 3)"}}"#
        }
        try clients[0].send(lines.joined(separator: "\n"))
        for _ in lines { _ = try Self.next(clients[0]) }
        let entries = try Self.entries(of: site)
        #expect(entries.count == 1, "\(entries)")
        #expect(entries.first?["methods"] == "detail=300")
        #expect(entries.first?["records"] == "299")
        #expect(entries.first?["misses"] == "1")
        #expect(Set((entries.first?["ids"] ?? "").filter(\.isNumber)) == ["1", "2", "3"])
        #expect(entries.first?["peer_uid"] == "\(ProcessUser.number)" && entries.first?["rule"] == "0")
    }

    @Test func `a purpose holds for the requests after it, repeated ones too`() throws {
        let site = try Self.site()
        let client = try site.daemon.connect()
        for purpose in ["audit", "claim 7"] {
            #expect(try client.request("hello", #"{"purpose":"\#(purpose)"}"#)["result"] != nil)
            for _ in 0..<10 { _ = try client.request("detail", #"{"collection":"boats","id":"1"}"#) }
        }
        let entries = try Self.entries(of: site)
        #expect(Set(entries.map { $0["purpose"] }) == ["audit", "claim 7"])
        #expect(entries.map { $0["records"] } == ["10", "10"])
    }

    /// The records that each method shows, as `METHOD=REQUESTS` and the number of records.
    @Test(
        arguments: [
            ("search", #"{"collection":"boats"}"#, "search=1", 3),
            ("search", #"{"collection":"boats","limit":1}"#, "search=1", 1),
            ("search", #"{}"#, "search=1", 3), ("sort", #"{"collection":"boats","by":"name"}"#, "sort=1", 3),
            ("search", #"{"collection":"boats","anchor":{"id":"2"},"limit":1}"#, "search=1", 1),
            ("count", #"{"collection":"boats"}"#, "count=1", 0),
            ("facets", #"{"collection":"boats","fields":["name"]}"#, "facets=1", 0),
            ("deal", #"{"collection":"boats"}"#, "deal=1", 1),
            ("explain", #"{"collection":"boats","filter":"name=a","id":"1"}"#, "explain=1", 1),
            ("history", #"{"collection":"boats","id":"1"}"#, "history=1", 1),
            ("changes", #"{"collection":"boats"}"#, "changes=1", 3),
            ("outbox", #"{"action":"list","collection":"boats"}"#, "outbox=1", 0),
            ("quarantine", #"{"collection":"boats"}"#, "quarantine=1", 0),
        ])
    func `each method counts its request and the records that it shows`(
        _ method: String, _ params: String, _ counted: String, _ records: Int
    ) throws {
        let site = try Self.site()
        let answer = try site.daemon.connect().request(method, params)
        #expect(answer["result"] != nil, "\(answer)")
        let entries = try Self.entries(of: site)
        #expect(entries.map { $0["methods"] } == [counted], "\(site.daemon.log)")
        #expect(entries.map { $0["records"] } == ["\(records)"])
    }

    @Test func `a stream and a subscription count one request, and each record that they show`() throws {
        let site = try Self.site()
        let client = try site.daemon.connect()
        try client.send(#"{"id":1,"method":"search","params":{"collection":"boats","stream":true}}"#)
        while try Self.next(client)["id"] == nil {}
        try client.send(#"{"id":2,"method":"subscribe","params":{"collection":"boats","initial":true}}"#)
        while try Self.next(client).at("params", "type")?.string != "synced" {}
        try site.serve("boats", #"[{"id":"1","name":"c"},{"id":"2","name":"b"}]"#)
        while try Self.next(client).at("params", "type")?.string != "changes" {}
        let entries = try Self.entries(of: site)
        #expect(entries.map { $0["methods"] } == ["search=1 subscribe=1"])
        #expect(entries.map { $0["records"] } == ["8"])
        #expect(entries.map { $0["ids_more"] } == ["0"])
    }

    @Test func `ids that are not there are misses, of each method that names some`() throws {
        let site = try Self.site()
        let client = try site.daemon.connect()
        for method in ["detail", "history", "explain"] {
            #expect(try client.request(method, #"{"collection":"boats","id":"9"}"#).errorKind == "not_found")
        }
        #expect(try client.request("archive", #"{"collection":"boats","ids":["8","9","1"]}"#)["result"] != nil)
        #expect(try client.request("unarchive", #"{"collection":"boats","ids":["8"],"dry_run":true}"#)["result"] != nil)
        #expect(try client.request("forget", #"{"collection":"boats","ids":["8"]}"#)["result"] != nil)
        let entries = try Self.entries(of: site)
        #expect(entries.map { $0["misses"] } == ["7"])
        #expect(entries.map { $0["records"] } == ["0"])
        #expect(entries.first?["methods"] == "archive=1 detail=1 explain=1 forget=1 history=1 unarchive=1")
    }

    @Test func `nothing is told of a collection whose definition does not ask for it`() throws {
        let site = try Site(["units": Site.units])
        _ = try site.daemon.connect().request("search", #"{"collection":"units"}"#)
        #expect(try Self.entries(of: site).isEmpty)
        #expect(!site.daemon.log.contains("shown"))
    }

    @Test func `a reload begins and ends the telling for open connections`() throws {
        let site = try Self.site()
        let client = try site.daemon.connect()
        let record = #"{"collection":"boats","id":"1"}"#
        for _ in 0..<5 { _ = try client.request("detail", record) }
        for isTold in [false, true] {
            try Self.configure(site, isTold: isTold)
            for _ in 0..<5 { _ = try client.request("detail", record) }
        }
        #expect(try Self.entries(of: site).map { $0["records"] } == ["10"])
    }
}
