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
