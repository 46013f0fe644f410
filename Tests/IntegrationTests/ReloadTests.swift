// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

@Suite struct ReloadTests {
    private func reload(_ site: Site, _ more: String, file: String = "units.json") throws {
        let definition = #"{ source: { url: "\#(site.upstream.url(file))", \#(more) } }"#
        try site.daemon.configure("collections.d/units.json5", definition)
        try site.daemon.reload()
    }

    private func meta(_ client: LineClient) throws -> JSONValue? {
        try client.request("search", #"{"collection":"units"}"#).at("result", "meta")
    }

    @Test func `a shorter interval takes effect at once`() throws {
        let site = try Site(["units": Site.units])
        let before = try site.upstream.requests("units.json").count
        try reload(site, #"interval: "100ms""#)
        try site.upstream.requests("units.json", count: before + 2)
    }

    @Test func `ttl and expires take effect at once`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        #expect(try meta(client)?["freshness"]?.string == "fresh")
        try reload(site, #"interval: "1h", ttl: "1ms""#)
        #expect(try meta(client)?["freshness"]?.string == "stale")
        try reload(site, #"interval: "1h", ttl: "1ms", expires: "1ms""#)
        #expect(try meta(client)?["freshness"]?.string == "expired")
        try reload(site, #"interval: "1h""#)
        #expect(try meta(client)?["freshness"]?.string == "fresh")
    }

    @Test func `a collection without data has none either when its fields change`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        try site.daemon.configure(
            "collections.d/packs.json5", #"{ fields: { more: { type: "text", from: ["/more"] } } }"#)
        try site.daemon.reload()
        let answer = try client.request("count", #"{"collection":"packs"}"#)
        #expect(answer.errorKind == "no_data", "\(answer)")
        #expect(answer.at("error", "data", "meta", "state")?.string == "unconfigured", "\(answer)")
        #expect(try client.request("count", #"{"collection":"packs","filter":"more=x"}"#).errorKind == "no_data")
        // Its first data is read by the new definition.
        try site.upstream.folder.write("packs.json", #"[{"id":"1","more":"x"}]"#)
        let source = #"source: { url: "\#(site.upstream.url("packs.json"))" }"#
        try site.daemon.configure(
            "collections.d/packs.json5", #"{ \#(source), fields: { more: { type: "text", from: ["/more"] } } }"#)
        try site.daemon.reload()
        _ = try client.request("refresh", #"{"collection":"packs","wait":true}"#)
        #expect(try client.request("search", #"{"collection":"packs","filter":"more=x"}"#).ids == ["1"])
    }

    @Test func `another address is asked at once, and what the old one is asked is given up`() throws {
        let site = try Site(["units": Site.units])
        let before = try site.upstream.requests("units.json").count
        try site.upstream.misbehave("units.json", #"{"fault":"hang"}"#)
        try site.upstream.folder.write("others.json", #"[{"id":"77","name":"New pump","status":"OK"}]"#)
        let waiting = try site.daemon.connect()
        try waiting.send(#"{"jsonrpc":"2.0","id":1,"method":"refresh","params":{"collection":"units","wait":true}}"#)
        try site.upstream.requests("units.json", count: before + 1)
        try reload(site, #"interval: "1h""#, file: "others.json")
        // The one who waits gets the answer of the new address: too little to replace what was there.
        let answer = try JSONValue.parse(#require(try waiting.receive()))
        #expect(answer.at("result", "collections", "0", "outcome")?.string == "held", "\(answer)")
        #expect(try site.upstream.requests("others.json").allSatisfy { $0.headers["if-none-match"] == nil })
    }

    @Test func `accepting waits for a reload that was asked for before`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        for round in 1...5 {
            let file = "others\(round).json"
            try site.upstream.folder.write(file, #"[{"id":"\#(70 + round)","name":"New pump","status":"OK"}]"#)
            let definition = #"{ source: { url: "\#(site.upstream.url(file))", interval: "1h" } }"#
            try site.daemon.configure("collections.d/units.json5", definition)
            // The answer of the daemon to the signal is not waited for.
            site.daemon.signal(SIGHUP)
            let answer = try client.request("refresh", #"{"collection":"units","wait":true,"accept":true}"#)
            #expect(answer.at("result", "collections", "0", "outcome")?.string == "updated", "\(answer)")
            #expect(try client.request("search", #"{"collection":"units"}"#).ids == ["\(70 + round)"])
        }
    }

    @Test func `accepting is answered although the daemon is to stop after the reload that it waits for`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        try site.upstream.folder.write("others.json", #"[{"id":"77","name":"New pump","status":"OK"}]"#)
        let definition = #"{ source: { url: "\#(site.upstream.url("others.json"))", interval: "1h" } }"#
        try site.daemon.configure("collections.d/units.json5", definition)
        site.daemon.signal(SIGHUP)
        try client.send(
            #"{"jsonrpc":"2.0","id":1,"method":"refresh","params":{"collection":"units","wait":true,"accept":true}}"#)
        // Once this is answered, the line before it has been read.
        try client.send(#"{"jsonrpc":"2.0","id":2,"method":"count","params":{"collection":"units"}}"#)
        var answers = [try JSONValue.parse(#require(try client.receive()))]
        site.daemon.signal(SIGTERM)
        answers.append(try JSONValue.parse(#require(try client.receive())))
        let refresh = try #require(answers.first { $0["id"]?.integer == 1 })
        #expect(refresh.at("result", "collections", "0", "outcome")?.string != nil, "\(answers)")
        #expect(try site.daemon.waitForEnd() == .exited(0))
    }

    @Test func `a reload that is asked for later is not accepted with what was asked for before`() throws {
        let site = try Site(["units": Site.units])
        let before = try site.upstream.requests("units.json").count
        try site.upstream.misbehave("units.json", #"{"fault":"hang"}"#)
        try site.upstream.folder.write("others.json", #"[{"id":"77","name":"New pump","status":"OK"}]"#)
        let waiting = try site.daemon.connect()
        try waiting.send(
            #"{"jsonrpc":"2.0","id":1,"method":"refresh","params":{"collection":"units","wait":true,"accept":true}}"#)
        try site.upstream.requests("units.json", count: before + 1)
        try reload(site, #"interval: "1h""#, file: "others.json")
        let answer = try JSONValue.parse(#require(try waiting.receive()))
        #expect(answer.at("result", "collections", "0", "outcome")?.string == "held", "\(answer)")
    }
}
