// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// Writes that go back into the queue after an attempt.
@Suite struct RequeuedWriteTests {
    @Test(arguments: [503, 429])
    func `a change of somebody else that is seen while a write is being sent is not overwritten`(
        status: Int
    ) throws {
        let site = try WritingSite()
        try site.upstream.misbehave(
            "docs/1",
            #"[{"method":"PATCH","hold":true,"fault":"status","status":\#(status),"headers":{"Retry-After":"1"}}]"#)
        let client = try site.daemon.connect()
        let update = try site.submit(client, #""action":"update","id":"1","fields":{"title":"mine"}"#)
        try site.upstream.requests("docs/1", count: 1)
        try site.upstream.put("docs/1", #"{"id":"1","title":"THEIRS"}"#)
        _ = try site.refresh(client)
        try site.upstream.release("docs/1")
        #expect(try site.wait(client, [update]) == ["conflict"])
        #expect(try site.upstream.records("docs").map { $0["title"]?.string ?? "" } == ["THEIRS", "two"])
        // A person decides.
        let resolved = try client.request("outbox", #"{"action":"resolve","as":"mine","ops":["\#(update)"]}"#)
        #expect(resolved["result"]?["changed"]?.array?.count == 1, "\(resolved)")
        #expect(try ["accepted", "confirmed"].contains(site.wait(client, [update])[0]))
        #expect(try site.upstream.records("docs").map { $0["title"]?.string ?? "" } == ["mine", "two"])
    }

    @Test func `a write that was being sent when the daemon was killed is not sent again over a change`() throws {
        let site = try WritingSite(more: WritingSite.keys)
        try site.upstream.misbehave("docs/1", #"[{"method":"PATCH","hold":true,"fault":"close"}]"#)
        let client = try site.daemon.connect()
        let update = try site.submit(client, #""action":"update","id":"1","fields":{"title":"mine"}"#)
        try site.upstream.requests("docs/1", count: 1)
        try site.upstream.put("docs/1", #"{"id":"1","title":"THEIRS"}"#)
        _ = try site.refresh(client)
        site.daemon.kill()
        try site.upstream.release("docs/1")
        try site.daemon.start()
        #expect(try site.wait(site.daemon.connect(), [update]) == ["conflict"])
        #expect(try site.upstream.records("docs").map { $0["title"]?.string ?? "" } == ["THEIRS", "two"])
    }
}

/// Writes that refer to new records of another collection.
@Suite struct ReferringWriteTests {
    private let upstream: UpstreamProcess
    private let daemon: DaemonProcess
    private let client: LineClient

    init() throws {
        let upstream = try UpstreamProcess()
        try upstream.keep("docs", #"[{"id":"1","title":"one"}]"#)
        try upstream.keep("cases", #"[{"id":"7","title":"seven","docs":["1"]}]"#)
        let daemon = try DaemonProcess(site: [
            "collections.d/docs.json5": Self.definition(at: upstream.url("docs"), "", ""),
            "collections.d/cases.json5": Self.definition(
                at: upstream.url("cases"), #"docs: { type: "json", from: "/docs" }"#,
                #"docs: { refs: "docs" }"#),
        ])
        try daemon.start()
        let client = try daemon.connect()
        for name in ["docs", "cases"] {
            _ = try client.request("refresh", #"{"collection":"\#(name)","wait":true,"force":true}"#)
        }
        (self.upstream, self.daemon, self.client) = (upstream, daemon, client)
    }

    private static func definition(at url: String, _ fields: String, _ writes: String) -> String {
        """
        { source: { url: "\(url)", interval: "1h" },
          fields: { id: { type: "id", from: "/id" }, title: { type: "text", from: "/title" }, \(fields) },
          writes: { to: "upstream", fields: { title: {}, \(writes) },
            create: { url: "\(url)", id: "/id" }, update: { url: "\(url)/{id}" } } }
        """
    }

    private func submit(_ collection: String, _ parameters: String) throws -> JSONValue {
        let answer = try client.request("submit", #"{"collection":"\#(collection)",\#(parameters)}"#)
        return try #require(answer["result"], "\(answer)")
    }

    private func wait(_ operation: String) throws -> String {
        let site = try client.request("outbox", #"{"action":"wait","ops":["\#(operation)"]}"#)
        var answer = site
        while answer["method"]?.string == "progress" {
            answer = try JSONValue.parse(try #require(try client.receive()))
        }
        return answer["result"]?["operations"]?.array?.first?["state"]?.string ?? "unknown: \(answer)"
    }

    @Test(arguments: ["answer", "refusal"])
    func `a new record that refers to a new record goes out with the id that the upstream gave`(
        _ delay: String
    ) throws {
        let step = delay == "answer" ? #""hold":"answer""# : #""fault":"status","status":422"#
        try upstream.misbehave("docs", #"[{"method":"POST",\#(step)}]"#)
        let document = try #require(
            submit("docs", #""action":"create","fields":{"title":"new"}"#)["op"]?.string)
        if delay == "refusal" { #expect(try wait(document) == "rejected") }
        let claim = try #require(
            submit("cases", #""action":"create","fields":{"title":"C","docs":["\#(document)"]}"#)["op"]?.string)
        if delay == "answer" {
            try upstream.writes("docs", count: 1)
            try upstream.release("docs")
        } else {
            _ = try client.request("outbox", #"{"action":"retry","ops":["\#(document)"]}"#)
        }
        #expect(try ["accepted", "confirmed"].contains(wait(claim)))
        #expect(try upstream.records("cases").last?["docs"] == ["2"])
    }

    @Test func `an old id in a change, its preview or its correction stands for the new one`() throws {
        let document = try #require(
            submit("docs", #""action":"create","fields":{"title":"new"}"#)["op"]?.string)
        #expect(try ["accepted", "confirmed"].contains(wait(document)))
        let change = #""action":"update","id":"7","fields":{"docs":["\#(document)"]}"#
        let preview = try submit("cases", change + #","dry_run":true"#)
        #expect(preview["request"]?["body"]?["docs"] == ["2"] && preview["record"]?["docs"] == ["2"], "\(preview)")
        try upstream.misbehave("cases/7", #"[{"method":"PATCH","fault":"status","status":422}]"#)
        let operation = try #require(submit("cases", change)["op"]?.string)
        #expect(try wait(operation) == "rejected")
        let retried = try client.request(
            "outbox", #"{"action":"retry","ops":["\#(operation)"],"fields":{"docs":["1","\#(document)"]}}"#)
        #expect(retried["result"]?["changed"]?.array?.count == 1, "\(retried)")
        #expect(try ["accepted", "confirmed"].contains(wait(operation)))
        #expect(try upstream.records("cases").first?["docs"] == ["1", "2"])
    }
}
