// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Several collections, and writes, on one host with a limit.
@Suite struct HostLimitTests {
    private static let names = (1...6).map { number in "part\(number)" }

    private static let writes = """
        writes: { to: "upstream", fields: { name: {} }, create: { url: "UPSTREAM/part1", id: "/id" } }
        """

    @Test func `six collections and a write keep to the limit of their host, and each has its share`() throws {
        let upstream = try UpstreamProcess()
        let start = SystemClock.monotonic
        let sources = Self.names.map { name in (name, #"url: "UPSTREAM/\#(name)", interval: "100ms""#) }
        let site = try SourceSite(
            Dictionary(uniqueKeysWithValues: sources),
            more: "", settings: #"{ hosts: { "127.0.0.1": { concurrency: 2, rate: "20/s" } } }"#, upstream: upstream)
        for name in Self.names { try upstream.keep(name, SourceSite.records(3)) }
        try site.define(
            "part1", sources[0].1, more: Self.writes.replacing("UPSTREAM", with: "http://127.0.0.1:\(upstream.port)"))
        try upstream.misbehave("*", #"{"hold":true}"#)
        try site.daemon.start()
        let client = try site.daemon.connect()
        let submitted = try client.request(
            "submit", #"{"collection":"part1","action":"create","fields":{"name":"new"}}"#)
        #expect(submitted.at("result", "op")?.string != nil, "\(submitted)")
        // All but two of the seven wait as long as no request is answered.
        var host: JSONValue?
        while (host?["in_flight"]?.integer ?? 0) < 2 || (host?["waiting"]?.integer ?? 0) < 5 {
            let hosts = try client.request("status").at("result", "hosts")?.array ?? []
            host = hosts.first { $0["host"] == "127.0.0.1" }
        }
        #expect(host?["in_flight"]?.integer == 2 && host?["waiting"]?.integer == 5)
        #expect(host?["concurrency"]?.integer == 2 && host?["rate"] == "20/s")
        #expect(try upstream.requests("*", count: 2).count == 2)
        try upstream.behave()
        try upstream.writes("part1", count: 1)
        for name in Self.names { try upstream.requests(name, count: 4) }
        let requests = try upstream.requests("*")
        let seconds = Int((SystemClock.monotonic - start) / 1_000_000_000) + 1
        // Requests come later than they begin, so that any second may see more of them; all seconds together do not.
        #expect(requests.count <= 20 * seconds, "\(requests.count) in \(seconds) s")
    }

    @Test func `a host that says when to come again is left alone by all its collections, over a restart too`() throws {
        let site = try SourceSite([
            "one": #"url: "UPSTREAM/one""#, "two": #"url: "UPSTREAM/two""#,
        ])
        for name in ["one", "two"] { try site.upstream.folder.write(name, SourceSite.records(3)) }
        try site.daemon.start()
        for name in ["one", "two"] { try site.refresh(name) }
        try site.upstream.misbehave("one", #"{"fault":"status","status":429,"headers":{"Retry-After":"3600"}}"#)
        try site.refresh("one", #","force":true"#)
        try site.upstream.forgetRequests()
        #expect(try site.refresh("two").first?["outcome"] == "skipped")
        try site.daemon.stop()
        try site.daemon.start()
        #expect(try site.refresh("two").first?["outcome"] == "skipped")
        #expect(try site.upstream.requests("two").isEmpty)
        let told = try ControlProgram.run(["status", "-o", "table"], socket: site.daemon.socket)
        #expect(told.output.contains("127.0.0.1"), "\(told.output)")
        #expect(try site.refresh("two", #","force":true"#).first?.at("meta", "last_error") == .null)
    }

    @Test func `a host that hangs keeps no other waiting`() throws {
        let healthy = try UpstreamProcess(["well": SourceSite.records(3)])
        var sources = ["well": #"url: "http://localhost:\#(healthy.port)/well""#]
        for name in Self.names { sources[name] = #"url: "UPSTREAM/\#(name)""# }
        let site = try SourceSite(sources)
        try site.upstream.misbehave("*", #"{"fault":"hang"}"#)
        try site.daemon.start()
        let clients = try Self.names.map { name in
            let client = try site.daemon.connect()
            try client.send(#"{"id":1,"method":"refresh","params":{"collection":"\#(name)","wait":true}}"#)
            return client
        }
        #expect(try site.refresh("well", #","force":true"#).first?.at("meta", "last_error") == .null)
        #expect(try site.served("well").count == 3)
        withExtendedLifetime(clients) {}
    }

    @Test func `a write whose token has ended is sent once, with a newer one`() throws {
        let upstream = try UpstreamProcess()
        try upstream.keep("docs", SourceSite.records(2))
        try upstream.giveTokens(rules: #"{"client":"plant-7","secret":"s3cret"}"#)
        try upstream.misbehave("docs", #"{"tokens":"/token"}"#)
        let address = "http://127.0.0.1:\(upstream.port)"
        let auth = #"auth: { oauth2: { url: "\#(address)/token", client: "plant-7", secret: "erp" } }"#
        let site = try SourceSite(
            ["docs": #"url: "UPSTREAM/docs", \#(auth)"#], credentials: ["erp": "s3cret"],
            more: """
                writes: { to: "upstream", fields: { name: {} }, \(auth), create: { url: "\(address)/docs", id: "/id" } }
                """, upstream: upstream)
        try site.daemon.start()
        try site.refresh("docs")
        try upstream.revokeTokens()
        let client = try site.daemon.connect()
        let submitted = try client.request(
            "submit", #"{"collection":"docs","action":"create","fields":{"name":"new"}}"#)
        let operation = try #require(submitted.at("result", "op")?.string, "\(submitted)")
        try upstream.writes("docs", count: 1)
        _ = try client.request("outbox", #"{"action":"wait","ops":["\#(operation)"]}"#)
        #expect(try upstream.writes("docs").count == 1)
        #expect(try upstream.tokens().given.count == 2)
        #expect(try upstream.requests("docs").filter { $0.method == "POST" }.count == 2)
    }
}
