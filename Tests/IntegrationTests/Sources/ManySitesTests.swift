// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Forty equal upstreams as one collection.
@Suite struct ManySitesTests {
    private let site: SourceSite
    private static let names = (1...40).map { number in "site\(number)" }

    init() throws {
        let each = Self.names.map { name in #"\#(name): { url: "UPSTREAM/site/\#(name)/things" }"# }
        site = try SourceSite(["things": #"sites: { field: "plant", each: { \#(each.joined(separator: ", ")) } }"#])
        // The field of the sites is read nowhere.
        let path = "collections.d/things.json5"
        let text = try site.daemon.folder.read("config/\(path)")
        try site.daemon.configure(path, text.replacing(#"type: "text", from: "/plant""#, with: #"type: "text""#))
        for name in Self.names {
            try Directory.create(site.upstream.folder("site/\(name)"))
            try site.upstream.folder.write("site/\(name)/things", SourceSite.records(3))
        }
    }

    @Test func `one dead site among forty costs only itself, and is told`() throws {
        try site.upstream.misbehave("site/site7/things", #"{"fault":"status","status":500}"#)
        try site.daemon.start()
        let results = try site.refresh("things")
        #expect(results.count == 40)
        let failed = results.filter { $0["outcome"] == "failed" }
        #expect(failed.map { $0["site"] } == ["site7"])
        let records = try site.served("things")
        #expect(records.count == 39 * 3)
        #expect(records["site1:2"]?["plant"] == "site1")
        #expect(records["site7:1"] == nil)

        let meta = try site.meta("things")
        #expect(meta["state"] == "ready")
        #expect(meta.at("last_error", "site") == "site7")
        #expect(meta.at("last_error", "kind") == "http_status")
        #expect(meta.at("sites", "total")?.integer == 40)
        #expect(meta.at("sites", "never")?.integer == 1)
        #expect(meta["freshness"] == "stale")
        let status = try site.daemon.connect().request("status").at("result", "collections")?.array ?? []
        let sites = status.first { $0["name"] == "things" }?["sites"]?.array ?? []
        #expect(sites.filter { $0["last_error"] != .null }.map { $0["site"] } == ["site7"], "\(sites)")
        let told = try ControlProgram.run(["status", "-o", "table"], socket: site.daemon.socket).output
        #expect(told.contains("things: site7: ") && !told.contains("site8"), "\(told)")

        try site.upstream.behave("site/site7/things")
        let again = try site.refresh("things", #","site":"site7","force":true"#)
        #expect(again.map { $0["site"] } == ["site7"])
        #expect(again.first?.at("meta", "last_error") == .null)
        #expect(try site.served("things").count == 120)
        #expect(try site.meta("things")["freshness"] == "fresh")
    }

    @Test func `a site that dies keeps its records, and one that is taken out takes them along`() throws {
        try site.daemon.start()
        try site.refresh("things")
        #expect(try site.served("things").count == 120)
        try site.upstream.misbehave("site/site3/things", #"{"fault":"close"}"#)
        try site.upstream.folder.write("site/site4/things", SourceSite.records(4))
        let results = try site.refresh("things", #","force":true"#)
        #expect(results.filter { $0["outcome"] == "failed" }.map { $0["site"] } == ["site3"])
        #expect(try site.served("things").count == 121)

        let path = "collections.d/things.json5"
        let text = try site.daemon.folder.read("config/\(path)")
        let line = #"site3: { url: "http://127.0.0.1:\#(site.upstream.port)/site/site3/things" }, "#
        #expect(text.contains(line))
        let subscriber = Subscriber(try site.daemon.connect(), #""collection":"things""#)
        try subscriber.subscribe(#""initial":true"#)
        while subscriber.held.count < 121 { try subscriber.next() }
        try site.daemon.configure(path, text.replacing(line, with: ""))
        site.daemon.signal(1)
        while subscriber.held.count > 118 { try subscriber.next() }
        #expect(!subscriber.held.keys.contains { $0.hasPrefix("site3:") })
        #expect(try site.meta("things").at("sites", "total")?.integer == 39)
    }
}
