// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// Refreshes of a real daemon, as their clients hear of them.
@Suite struct RefreshOverSocketTests {
    /// All lines up to the answer to a request, which is the last one.
    private func lines(_ client: LineClient, upTo id: String) throws -> [JSONValue] {
        var lines: [JSONValue] = []
        while let line = try client.receive() {
            lines.append(try JSONValue.parse(line))
            if lines.last?["id"]?.string == id { return lines }
        }
        throw TestFailure("the connection ended before the answer")
    }

    @Test func `a refresh tells how far it is, to each that waits for it, and the log tells of it once`() throws {
        let site = try Site()
        let (one, two) = (try site.daemon.connect(), try site.daemon.connect())
        let before = try one.request("refreshes", #"{"collection":"units"}"#).at("result", "refreshes")?.array ?? []
        try site.upstream.forgetRequests()
        try site.upstream.misbehave("units.json", #"{"hold":true}"#)
        func refresh(_ client: LineClient, _ id: String) throws {
            let params = #"{"collection":"units","wait":true,"progress":true}"#
            try client.send(#"{"id":"\#(id)","method":"refresh","params":\#(params)}"#)
        }
        try refresh(one, "a")
        // Both are heard of before the upstream goes on, so that they share the fetch.
        var first: [String] = []
        while first.last != "connect" {
            let news = try JSONValue.parse(try #require(try one.receive()))
            #expect(news["method"]?.string == "progress" && news.at("params", "request")?.string == "a")
            first.append(news.at("params", "phase")?.string ?? "")
        }
        try refresh(two, "b")
        let joined = try JSONValue.parse(try #require(try two.receive()))
        #expect(joined.at("params", "phase")?.string == "connect" && joined.at("params", "request")?.string == "b")
        try site.upstream.requests("units.json", count: 1)
        try site.upstream.release("units.json")
        for (client, id, known) in [(one, "a", first), (two, "b", ["connect"])] {
            let lines = try lines(client, upTo: id)
            #expect(lines.last?.at("result", "collections", "0", "outcome")?.string != nil)
            let phases = known + lines.dropLast().compactMap { $0.at("params", "phase")?.string }
            let order = ["queued", "connect", "receive", "read", "write"]
            let ranks = phases.compactMap { order.firstIndex(of: $0) }
            #expect(ranks == ranks.sorted(), "\(phases)")
            for news in lines.dropLast() {
                #expect(news["method"]?.string == "progress" && news.at("params", "collection")?.string == "units")
                #expect(news.at("params", "bytes")?.integer != nil && news.at("params", "records")?.integer != nil)
            }
        }
        let after = try one.request("refreshes", #"{"collection":"units"}"#).at("result", "refreshes")?.array ?? []
        #expect(after.count == before.count + 1 && Array(after.dropFirst()) == before)
        #expect(after.first?["outcome"]?.string == "unchanged" && before.last?["outcome"]?.string == "updated")
        let refusal = try one.request("refresh", #"{"progress":true}"#)
        #expect(refusal.at("error", "data", "kind")?.string == "bad_params")
    }

    @Test func `the log of refreshes is that of all collections, and outlives a kill`() throws {
        let site = try Site()
        var client = try site.daemon.connect()
        _ = try client.request("refresh", #"{"wait":true}"#)
        try site.upstream.misbehave("units.json", #"{"fault":"status","status":404}"#)
        _ = try client.request("refresh", #"{"collection":"units","wait":true}"#)
        let before = try client.request("refreshes", #"{"limit":2}"#)
        #expect(before.at("result", "refreshes")?.array?.count == 2)
        #expect(before.at("result", "refreshes", "0", "collection")?.string == "units")
        #expect(before.at("result", "refreshes", "0", "outcome")?.string == "failed")
        #expect(before.at("result", "refreshes", "0", "kind")?.string == "http_status")
        #expect(before.at("result", "refreshes", "0", "records")?.isNull == true)
        let number = try #require(before.at("result", "refreshes", "0", "number")?.integer)
        site.daemon.kill()
        try site.daemon.start()
        client = try site.daemon.connect()
        let after = try client.request("refreshes", "{}").at("result", "refreshes")?.array ?? []
        #expect(after.contains { $0["number"]?.integer == number && $0["outcome"]?.string == "failed" })
        #expect(try client.request("refreshes", #"{"collection":"nothing"}"#)["error"] != nil)
        #expect(try client.request("refreshes", #"{"limit":0}"#)["error"] != nil)
    }
}
