// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// The requests of a real daemon to hosts that want to be left alone.
@Suite struct HostPaceTests {
    private func hosts(_ site: Site) throws -> [JSONValue] {
        try site.daemon.connect().request("status").at("result", "hosts")?.array ?? []
    }

    @Test func `a host that got too many requests is left alone by all its collections, also after kill -9`() throws {
        let site = try Site(site: ["claimsd.json5": #"{ hosts: { "127.0.0.1": { rate: "1000/min" } } }"#])
        #expect(try hosts(site).isEmpty)
        try site.upstream.misbehave(
            "units.json", #"{"fault":"status","status":429,"headers":{"Retry-After":"3600"}}"#)
        _ = try site.daemon.connect().request("refresh", #"{"collection":"units","wait":true}"#)
        func check() throws {
            let host = try #require(try hosts(site).first)
            #expect(host["host"]?.string == "127.0.0.1" && host["rate"]?.string == "1000/min")
            #expect(host["concurrency"]?.integer == 4 && host["in_flight"]?.integer == 0)
            #expect(host["waiting"]?.integer == 0 && host["until"]?.string != nil)
            // Another collection of that host, which was not answered 429.
            let answer = try site.daemon.connect().request("refresh", #"{"collection":"packs","wait":true}"#)
            #expect(answer.at("result", "collections", "0", "outcome")?.string == "skipped")
        }
        try check()
        let before = try site.upstream.requests("packs.json").count
        site.daemon.kill()
        try site.daemon.start()
        try check()
        #expect(try site.upstream.requests("packs.json").count == before)
        let forced = try site.daemon.connect().request("refresh", #"{"collection":"packs","wait":true,"force":true}"#)
        #expect(forced.at("result", "collections", "0", "outcome")?.string == "unchanged")
    }
}
