// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// Each member of `meta` has a test here that makes it change.
@Suite struct MetaTests {
    private func meta(_ daemon: DaemonProcess, _ collection: String = "units") throws -> JSONValue {
        let answer = try daemon.connect().request("count", #"{"collection":"\#(collection)"}"#)
        return try #require(answer.at("result", "meta") ?? answer.at("error", "data", "meta"))
    }

    @Test func `a fetched collection is ready, fresh and from its upstream`() throws {
        let site = try Site(["units": Site.units])
        let meta = try meta(site.daemon)
        #expect(meta["collection"]?.string == "units")
        #expect(meta["state"]?.string == "ready")
        #expect(meta["freshness"]?.string == "fresh")
        #expect(meta["source"]?.string == "upstream")
        #expect(meta["generation"]?.integer == 1)
        #expect(meta["quarantined"]?.integer == 0)
        #expect(meta["unsupported"]?.integer == 1)
        #expect(meta["last_error"]?.isNull == true)
        #expect((0..<60_000).contains(try #require(meta["age_ms"]?.integer)))
        #expect(meta["as_of"]?.string?.hasSuffix("Z") == true)
        #expect(meta["next_refresh"]?.string?.hasSuffix("Z") == true)
    }

    @Test func `generation and clock move with new data and stand still without`() throws {
        let site = try Site(["units": Site.units])
        let before = try meta(site.daemon)
        let same = try site.serve("units", Site.units)
        #expect(same.at("result", "collections", "0", "outcome")?.string == "unchanged")
        let still = try meta(site.daemon)
        #expect(still["generation"] == before["generation"] && still["clock"] == before["clock"])
        let changed = try site.serve(
            "units", #"[{"id":"1","name":"Only"},{"id":"2"},{"id":"3"},{"id":"4"},{"id":"5"}]"#)
        #expect(changed.at("result", "collections", "0", "outcome")?.string == "updated")
        #expect(changed.at("result", "collections", "0", "removed")?.integer == 2)
        #expect(changed.at("result", "collections", "0", "updated")?.integer == 5)
        let after = try meta(site.daemon)
        #expect(after["generation"]?.integer == 2)
        #expect(after["clock"] != before["clock"])
    }

    @Test func `as_of moves when the upstream confirms what is there`() throws {
        let site = try Site(["units": Site.units])
        let before = try #require(try meta(site.daemon)["as_of"]?.string)
        let answer = try site.daemon.connect().request("refresh", #"{"collection":"units","wait":true}"#)
        #expect(answer.at("result", "collections", "0", "outcome")?.string == "unchanged")
        #expect(try #require(try meta(site.daemon)["as_of"]?.string) > before)
    }

    @Test func `a failure is told until the next good refresh, and the data stays`() throws {
        let site = try Site(["units": Site.units])
        try site.upstream.folder.write("units.json", "<html>not json</html>")
        let client = try site.daemon.connect()
        let failed = try client.request("refresh", #"{"collection":"units","wait":true}"#)
        #expect(failed.at("result", "collections", "0", "outcome")?.string == "failed")
        let error = try #require(try meta(site.daemon)["last_error"])
        #expect(error["kind"]?.string == "not_json")
        #expect(error["message"]?.string?.contains("not JSON") == true)
        #expect(error["at"]?.string?.hasSuffix("Z") == true)
        #expect(try client.request("search", #"{"collection":"units"}"#).ids.count == 7)
        _ = try site.serve("units", Site.units)
        #expect(try meta(site.daemon)["last_error"]?.isNull == true)
    }

    @Test func `a dead upstream makes data stale and then expired, and it is served all the same`() throws {
        let site = try Site(["units": Site.units], source: #"ttl: "0s", expires: "1h","#)
        #expect(try meta(site.daemon)["freshness"]?.string == "stale")
        let expired = try Site(["units": Site.units], source: #"ttl: "0s", expires: "0s","#)
        #expect(try meta(expired.daemon)["freshness"]?.string == "expired")
        expired.upstream.stop()
        let client = try expired.daemon.connect()
        let failed = try client.request("refresh", #"{"collection":"units","wait":true}"#)
        #expect(failed.at("result", "collections", "0", "meta", "last_error", "kind")?.string == "unreachable")
        #expect(try client.request("search", #"{"collection":"units"}"#).ids.count == 7)
    }

    @Test func `a status of the upstream is told with its number`() throws {
        let site = try Site(["units": Site.units])
        try site.upstream.misbehave("units.json", #"{"fault":"status","status":503}"#)
        let answer = try site.daemon.connect().request("refresh", #"{"collection":"units","wait":true}"#)
        let error = try #require(answer.at("result", "collections", "0", "meta", "last_error"))
        #expect(error["kind"]?.string == "http_status" && error["status"]?.integer == 503)
    }

    @Test func `after a restart the data is from the cache until the upstream has confirmed it`() throws {
        let site = try Site(["units": Site.units])
        try site.daemon.stop()
        site.upstream.stop()
        try site.daemon.start()
        #expect(try meta(site.daemon)["source"]?.string == "cache")
        try site.upstream.start()
        let client = try site.daemon.connect()
        _ = try client.request("refresh", #"{"collection":"units","wait":true,"force":true}"#)
        #expect(try meta(site.daemon)["source"]?.string == "upstream")
        #expect(try meta(site.daemon)["generation"]?.integer == 1)
    }

    @Test func `bad records are counted and the good ones served`() throws {
        let site = try Site(["units": #"[{"id":"1","name":"Good"},{"name":"No id"},5,{"id":"1","name":"Later"}]"#])
        let meta = try meta(site.daemon)
        #expect(meta["quarantined"]?.integer == 3)
        let answer = try site.daemon.connect().request("detail", #"{"collection":"units","id":"1"}"#)
        #expect(answer.at("result", "record", "name")?.string == "Later")
    }

    @Test func `the four states are told apart`() throws {
        let upstream = try UpstreamProcess(["empty.json": "[]"])
        try upstream.misbehave("slow.json", #"{"fault":"hang"}"#)
        let daemon = try DaemonProcess(site: [
            "collections.d/units.json5": Site.definition(upstream.url("empty.json")),
            "collections.d/packs.json5": Site.definition(upstream.url("slow.json")),
            "collections.d/claims.json5": Site.definition(upstream.url("missing.json")),
        ])
        try daemon.start()
        let client = try daemon.connect()
        _ = try client.request("refresh", #"{"collection":"units","wait":true}"#)
        _ = try client.request("refresh", #"{"collection":"claims","wait":true}"#)
        #expect(try meta(daemon, "units")["state"]?.string == "empty")
        #expect(try client.request("search", #"{"collection":"units"}"#).at("result", "total")?.integer == 0)
        #expect(try meta(daemon, "packs")["state"]?.string == "loading")
        #expect(try meta(daemon, "claims")["state"]?.string == "failed")
        #expect(try meta(daemon, "documents")["state"]?.string == "unconfigured")
        #expect(try meta(daemon, "countries")["freshness"]?.string == "bundle")
        for collection in ["packs", "claims", "documents"] {
            let answer = try client.request("search", #"{"collection":"\#(collection)"}"#)
            #expect(answer.errorKind == "no_data")
            #expect(answer.at("error", "data", "meta", "collection")?.string == collection)
        }
    }

    @Test func `too old data is refused where a request says so`() throws {
        let site = try Site(["units": Site.units])
        let client = try site.daemon.connect()
        let answer = try client.request("search", #"{"collection":"units","max_age_ms":3600000}"#)
        #expect(answer.ids.count == 7)
        let bundle = try client.request("search", #"{"collection":"countries","max_age_ms":1000}"#)
        #expect(bundle.errorKind == "not_fresh")
        #expect(bundle.at("error", "data", "meta", "freshness")?.string == "bundle")
    }
}
