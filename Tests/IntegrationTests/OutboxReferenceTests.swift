// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// New records that a refresh shows before, or instead of, the answer to their create.
@Suite struct OutboxReferenceTests {
    private static let reference = #"reference: "/ref","#
    private static let create = #""action":"create","fields":{"title":"three"}"#

    /// The titles of the records that are listed, by id.
    private func listed(_ client: LineClient) throws -> [String] {
        let found = try client.request("search", #"{"collection":"docs"}"#)
        let records = found["result"]?["records"]?.array ?? []
        return records.map { "\($0["id"]?.string ?? "") \($0["title"]?.string ?? "")" }.sorted()
    }

    @Test func `what follows a new record that only a refresh has confirmed goes to the id that it told`() throws {
        let site = try WritingSite(more: Self.reference)
        try site.upstream.misbehave("docs", #"[{"method":"POST","fault":"close","commit":1}]"#)
        let client = try site.daemon.connect()
        let create = try site.submit(client, Self.create)
        #expect(try site.wait(client, [create]) == ["uncertain"])
        let update = try site.submit(client, #""action":"update","id":"\#(create)","fields":{"title":"3"}"#)
        let delete = try site.submit(client, #""action":"delete","id":"\#(create)""#)
        _ = try site.refresh(client)
        #expect(try site.wait(client, [create]) == ["confirmed"])
        let states = try site.wait(client, [update, delete])
        #expect(states.allSatisfy { ["accepted", "confirmed"].contains($0) }, "\(states)")
        #expect(try site.upstream.writes("docs/3").map(\.method) == ["PATCH", "DELETE"])
        #expect(try site.upstream.records("docs").count == 2)
        _ = try site.refresh(client)
        #expect(try site.wait(client, [update, delete]) == ["confirmed", "confirmed"])
        #expect(try listed(client) == ["1 one", "2 two"])
    }

    @Test(arguments: ["", WritingSite.keys])
    func `a new record that a refresh shows by its reference is confirmed before its answer comes`(
        keys: String
    ) throws {
        let site = try WritingSite(more: Self.reference + keys)
        try site.upstream.misbehave("docs", #"[{"method":"POST","hold":"answer"}]"#)
        let client = try site.daemon.connect()
        let create = try site.submit(client, Self.create)
        try site.upstream.writes("docs", count: 1)
        _ = try site.refresh(client)
        #expect(try site.wait(client, [create]) == ["confirmed"])
        #expect(try listed(client) == ["1 one", "2 two", "3 three"])
        let update = try site.submit(client, #""action":"update","id":"\#(create)","fields":{"title":"3"}"#)
        #expect(try ["accepted", "confirmed"].contains(site.wait(client, [update])[0]))
        // The answer is lost, too.
        site.daemon.kill()
        try site.upstream.release("docs")
        try site.daemon.start()
        let again = try site.daemon.connect()
        _ = try site.refresh(again)
        #expect(try site.wait(again, [create, update]) == ["confirmed", "confirmed"])
        #expect(try listed(again) == ["1 one", "2 two", "3 3"])
        #expect(try site.upstream.writes("docs").count == 1)
    }

    @Test(arguments: ["update", "delete"])
    func `a new record that somebody works on under its new id before its answer comes is one record`(
        action: String
    ) throws {
        let site = try WritingSite()
        try site.upstream.misbehave("docs", #"[{"method":"POST","hold":"answer"}]"#)
        // A refresh that comes by itself shall not settle the delete before the answer.
        try site.upstream.misbehave("docs/3", #"[{"method":"DELETE","show_after":4}]"#)
        let client = try site.daemon.connect()
        let create = try site.submit(client, Self.create)
        try site.upstream.writes("docs", count: 1)
        _ = try site.refresh(client)
        let fields = action == "update" ? #","fields":{"title":"3"}"# : ""
        let other = try site.submit(client, #""action":"\#(action)","id":"3"\#(fields)"#)
        #expect(try ["accepted", "confirmed"].contains(site.wait(client, [other])[0]))
        try site.upstream.release("docs")
        let states = try site.wait(client, [create])
        #expect(["accepted", "confirmed"].contains(states[0]), "\(states)")
        let wanted = ["1 one", "2 two"] + (action == "update" ? ["3 3"] : [])
        #expect(try listed(client) == wanted)
        for _ in 0..<5 { _ = try site.refresh(client) }
        #expect(try site.wait(client, [create, other]) == ["confirmed", "confirmed"])
        #expect(try listed(client) == wanted)
    }
}
