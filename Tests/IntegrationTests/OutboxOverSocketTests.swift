// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// Writes on their way to an upstream, by real processes.
@Suite struct OutboxOverSocketTests {
    @Test func `what is written reaches the upstream once, and a refresh confirms it`() throws {
        let site = try WritingSite()
        let client = try site.daemon.connect()
        let operations = [
            try site.submit(client, #""action":"create","fields":{"title":"three"}"#),
            try site.submit(client, #""action":"update","id":"1","fields":{"title":"first"}"#),
            try site.submit(client, #""action":"delete","id":"2""#),
        ]
        let states = try site.wait(client, operations)
        #expect(states.allSatisfy { ["accepted", "confirmed"].contains($0) }, "\(states)")
        _ = try site.refresh(client)
        #expect(try site.wait(client, operations) == ["confirmed", "confirmed", "confirmed"])
        #expect(try site.upstream.writes().count == 3)
        let records = try site.upstream.records("docs").compactMap { $0["title"]?.string }
        #expect(records.sorted() == ["first", "three"])
        let found = try client.request("search", #"{"collection":"docs"}"#)
        let titles = (found["result"]?["records"]?.array ?? []).compactMap { $0["title"]?.string }
        #expect(titles.sorted() == ["first", "three"])
    }

    @Test func `what its own deletes take away is no loss, and what else is missing is`() throws {
        let records = (1...6).map { #"{"id":"\#($0)","title":"t"}"# }.joined(separator: ",")
        let site = try WritingSite("[\(records)]")
        let client = try site.daemon.connect()
        // The refresh that the first delete makes due is to find all of them.
        let many = try (3...6).map { try site.submit(client, #""action":"delete","id":"\#($0)""#) }
        #expect(try site.wait(client, many).allSatisfy { ["accepted", "confirmed"].contains($0) })
        let trial = try client.request("try", #"{"collection":"docs"}"#)
        #expect(trial["result"]?["guard"] == .null, "\(trial)")
        let taken = try site.refresh(client)
        #expect(taken.at("result", "collections", "0", "outcome")?.string != "held", "\(taken)")
        #expect(try site.wait(client, many) == ["confirmed", "confirmed", "confirmed", "confirmed"])
        // The first two go: one by a delete, the other by somebody else.
        try site.upstream.put("docs/2", "null")
        let last = try site.submit(client, #""action":"delete","id":"1""#)
        #expect(try site.wait(client, [last]) == ["accepted"])
        let held = try site.refresh(client)
        #expect(held.at("result", "collections", "0", "outcome")?.string == "held", "\(held)")
    }

    @Test func `what was not sent and is not allowed any more is held for a person`() throws {
        let site = try WritingSite()
        try site.upstream.misbehave(
            "docs/*", #"[{"fault":"status","status":503,"headers":{"Retry-After":"3600"}}]"#)
        let client = try site.daemon.connect()
        let operation = try site.submit(client, #""action":"update","id":"1","fields":{"title":"a long title"}"#)
        let pending = try client.request("detail", #"{"collection":"docs","id":"1"}"#)
        #expect(pending.at("result", "record", "pending", "ops", "0", "op")?.string == operation)
        let isTried = try (0..<10_000).contains { _ in
            let found = try client.request("outbox", #"{"action":"get","ops":["\#(operation)"]}"#)
            return found.at("result", "operations", "0", "log", "0", "status") != nil
        }
        #expect(isTried)
        let definition = site.daemon.folder("config/collections.d/docs.json5")
        let text = try Files.readText(definition, cap: 1 << 16).replacing("title: {}", with: "title: { max_length: 3 }")
        try site.daemon.configure("collections.d/docs.json5", text)
        try site.daemon.reload()
        #expect(try site.wait(client, [operation]) == ["held"])
        let held = try client.request("outbox", #"{"action":"get","ops":["\#(operation)"]}"#)
        #expect(held.at("result", "operations", "0", "reason")?.string == "definition")
        #expect(held.at("result", "operations", "0", "message")?.string?.contains("title") == true)
        // Its values are shown as long as it is held.
        let record = try client.request("detail", #"{"collection":"docs","id":"1"}"#)
        #expect(record.at("result", "record", "title")?.string == "a long title")
    }

    @Test func `a daemon that is killed before the answer asks again under the same key`() throws {
        let site = try WritingSite(more: WritingSite.keys)
        try site.upstream.misbehave("docs", #"[{"method":"POST","fault":"hang","commit":1}]"#)
        let operation = try site.submit(site.daemon.connect(), #""action":"create","fields":{"title":"three"}"#)
        try site.upstream.writes("docs", count: 1)
        site.daemon.kill()
        try site.upstream.behave("docs")
        try site.daemon.start()
        let states = try site.wait(site.daemon.connect(), [operation])
        #expect(["accepted", "confirmed"].contains(states[0]), "\(states)")
        #expect(try site.upstream.writes("docs").map(\.key) == [operation])
        #expect(try site.upstream.records("docs").count == 3)
    }

    @Test func `a daemon that is killed before the answer of an upstream without keys leaves it to a person`() throws {
        let site = try WritingSite()
        try site.upstream.misbehave("docs", #"[{"method":"POST","fault":"hang","commit":1}]"#)
        let operation = try site.submit(site.daemon.connect(), #""action":"create","fields":{"title":"three"}"#)
        try site.upstream.writes("docs", count: 1)
        site.daemon.kill()
        try site.upstream.behave("docs")
        try site.daemon.start()
        let client = try site.daemon.connect()
        #expect(try site.wait(client, [operation]) == ["uncertain"])
        _ = try site.refresh(client)
        #expect(try site.wait(client, [operation]) == ["uncertain"])
        #expect(try site.upstream.writes("docs").count == 1)
        let list = try client.request(
            "outbox", #"{"action":"resolve","ops":["\#(operation)"],"as":"done","id":"3"}"#)
        #expect(list["result"]?["changed"]?.array?.count == 1, "\(list)")
        _ = try site.refresh(client)
        #expect(try site.wait(client, [operation]) == ["confirmed"])
        #expect(try site.upstream.writes("docs").count == 1)
    }

    @Test func `a new record that a refresh shows before its answer comes is one record, and accepted`() throws {
        let site = try WritingSite()
        try site.upstream.misbehave("docs", #"[{"method":"POST","hold":"answer"}]"#)
        let client = try site.daemon.connect()
        let operation = try site.submit(client, #""action":"create","fields":{"title":"three"}"#)
        try site.upstream.writes("docs", count: 1)
        _ = try site.refresh(client)
        try site.upstream.release("docs")
        let states = try site.wait(client, [operation])
        #expect(["accepted", "confirmed"].contains(states[0]), "\(states)")
        let found = try client.request("search", #"{"collection":"docs"}"#)
        let titles = (found["result"]?["records"]?.array ?? []).compactMap { $0["title"]?.string }
        #expect(titles.sorted() == ["one", "three", "two"])
        _ = try site.refresh(client)
        #expect(try site.wait(client, [operation]) == ["confirmed"])
    }

    @Test func `a refusal of a repeat is not told as one of the write, which a refresh confirms`() throws {
        let site = try WritingSite(more: WritingSite.keys)
        try site.upstream.misbehave(
            "docs/*",
            #"[{"method":"PATCH","fault":"close","commit":1},{"method":"PATCH","fault":"status","status":422}]"#)
        let client = try site.daemon.connect()
        let operation = try site.submit(client, #""action":"update","id":"1","fields":{"title":"first"}"#)
        #expect(try site.wait(client, [operation]) == ["uncertain"])
        let retried = try client.request("outbox", #"{"action":"retry","ops":["\#(operation)"]}"#)
        #expect(retried.at("result", "refused", "0", "op")?.string == operation)
        #expect(retried.at("result", "refused", "0", "resolve") == ["done", "again"], "\(retried)")
        _ = try site.refresh(client)
        #expect(try site.wait(client, [operation]) == ["confirmed"])
        #expect(try site.upstream.writes("docs/1").count == 1)
    }

    @Test func `the words of the upstream stand with its refusal, and what waits behind it says so`() throws {
        let site = try WritingSite()
        try site.upstream.misbehave(
            "docs/*", #"[{"method":"PATCH","fault":"status","status":422,"json":{"detail":"too short"}}]"#)
        let client = try site.daemon.connect()
        let first = try site.submit(client, #""action":"update","id":"1","fields":{"title":"a"}"#)
        #expect(try site.wait(client, [first]) == ["rejected"])
        let second = try site.submit(client, #""action":"update","id":"1","fields":{"title":"b"}"#)
        let listed = try client.request("outbox", #"{"state":"unsettled"}"#)
        let operations = try #require(listed.at("result", "operations")?.array)
        #expect(operations.map { $0["op"]?.string } == [second, first])
        #expect(operations[0]["waits_for"]?.string == first && operations[0]["next_try"] == nil)
        #expect(operations[1]["message"]?.string?.hasSuffix(": too short") == true, "\(operations[1])")
        let detail = try client.request("detail", #"{"collection":"docs","id":"1"}"#)
        let told = detail.at("result", "record", "pending", "ops", "0", "message")?.string
        #expect(told?.hasSuffix(": too short") == true, "\(detail)")
        let dropped = try client.request("outbox", #"{"action":"drop","ops":["\#(first)"]}"#)
        #expect(dropped.at("result", "changed", "0")?.string == first)
        _ = try site.wait(client, [second])
        let settled = try client.request("outbox", #"{"state":"dropped"}"#)
        #expect(settled.at("result", "operations", "0", "op")?.string == first)
        #expect(settled.at("result", "operations", "0", "attempts") == nil, "\(settled)")
    }

    @Test func `what waits for a paused origin tells the time of its next try, and never one that is past`() throws {
        let records = (1...7).map { #"{"id":"\#($0)","title":"a"}"# }.joined(separator: ",")
        let site = try WritingSite("[\(records)]", more: WritingSite.keys)
        try site.upstream.misbehave("docs/*", #"[{"method":"PATCH","fault":"status","status":503,"times":1000}]"#)
        let client = try site.daemon.connect()
        for number in 1...7 {
            _ = try site.submit(client, #""action":"update","id":"\#(number)","fields":{"title":"b"}"#)
        }
        // A probe that is under way, or due, has no next try.
        var listed: JSONValue = .null
        let isTold = try (0..<10_000).contains { _ in
            listed = try client.request("outbox", #"{"state":"unsettled"}"#)
            let operations = listed.at("result", "operations")?.array ?? []
            guard let next = listed.at("result", "paused", "0", "next_try") else { return false }
            return operations.count == 7 && operations.allSatisfy { $0["next_try"] == next }
        }
        #expect(isTold, "\(listed)")
    }

    @Test func `a conflict is told with the values that the upstream has`() throws {
        let site = try WritingSite()
        let client = try site.daemon.connect()
        try site.upstream.misbehave("docs/*", #"[{"method":"PATCH","fault":"status","status":409}]"#)
        let operation = try site.submit(client, #""action":"update","id":"1","fields":{"title":"mine"}"#)
        #expect(try site.wait(client, [operation]) == ["conflict"])
        try site.upstream.put("docs/1", #"{"id":"1","title":"theirs"}"#)
        _ = try site.refresh(client)
        let found = try client.request("outbox", #"{"action":"get","ops":["\#(operation)"]}"#)
        let told = try #require(found.at("result", "operations", "0"))
        #expect(told["values"] == ["title": "mine"] && told["before"] == ["title": "one"])
        #expect(told["theirs"] == ["title": "theirs"], "\(told)")
    }

    @Test func `an upstream that does not answer writes delays no refresh`() throws {
        let site = try WritingSite()
        try site.upstream.misbehave("docs", #"[{"method":"POST","fault":"hang","times":9}]"#)
        let client = try site.daemon.connect()
        for title in ["a", "b", "c"] {
            _ = try site.submit(client, #""action":"create","fields":{"title":"\#(title)"}"#)
        }
        try site.upstream.put("docs/1", #"{"id":"1","title":"changed"}"#)
        let answer = try site.refresh(client)
        #expect(answer["result"] != nil, "\(answer)")
        let found = try client.request("detail", #"{"collection":"docs","id":"1"}"#)
        let text = String(decoding: found.compactBytes, as: UTF8.self)
        #expect(text.contains("changed"))
        #expect(try site.daemon.stop() == .exited(0))
    }

    @Test(arguments: [true, false])
    func `however often it is killed, no write is done twice, and with keys each is done once`(hasKeys: Bool) throws {
        let site = try WritingSite(more: hasKeys ? WritingSite.keys : "")
        var random = SeededGenerator(seed: hasKeys ? 1 : 2)
        var operations: [String] = []
        for round in 0..<RandomRounds.count(6) {
            let client = try site.daemon.connect()
            for number in 0..<5 {
                operations.append(
                    try site.submit(client, #""action":"create","fields":{"title":"\#(round)-\#(number)"}"#))
            }
            try site.daemon.kill(after: .microseconds(Int64.random(in: 0...60_000, using: &random)))
            try site.daemon.start()
        }
        let states = try site.wait(site.daemon.connect(), operations)
        let titles = try site.upstream.records("docs").compactMap { $0["title"]?.string }.filter { $0.contains("-") }
        #expect(Set(titles).count == titles.count, "\(titles)")
        let stuck = states.filter { $0 == "uncertain" }.count
        #expect(states.allSatisfy { ["accepted", "confirmed", "uncertain"].contains($0) }, "\(states)")
        if hasKeys { #expect(stuck == 0 && titles.count == operations.count) }
        #expect(titles.count >= operations.count - stuck)
    }
}
