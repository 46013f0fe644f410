// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// claims-upstream misbehaves towards writes as it was told.
@Suite struct UpstreamWriteFaultTests {
    private let upstream: UpstreamProcess

    init() throws {
        upstream = try UpstreamProcess()
        try upstream.keep("docs", #"[{"id":"1","n":1}]"#)
    }

    /// The status and the body of an answer; "none" where there is no whole one.
    private func send(
        _ method: String, _ path: String, _ json: String = "", headers: [String: String] = [:]
    ) throws -> String {
        try upstream.send(method, path, headers: headers, json: json).map { "\($0.status) \($0.text)" } ?? "none"
    }

    private func records() throws -> String {
        String(decoding: JSONValue.array(try upstream.records("docs")).compactBytes, as: UTF8.self)
    }

    @Test(arguments: [
        (#""fault":"close""#, "none", 0), (#""fault":"reset""#, "none", 0), (#""fault":"close","commit":1"#, "none", 1),
        (#""fault":"reset","commit":1"#, "none", 1), (#""fault":"status","status":503"#, "503 503\n", 0),
        (#""fault":"status","status":500,"commit":1"#, "500 500\n", 1), (#""fault":"close_mid_headers""#, "none", 1),
        (#""fault":"not_http""#, "none", 1), (#""fault":"empty""#, "201 ", 1), (#""fault":"no_content""#, "204 ", 1),
        (#""require":{"authorization":"Bearer x"}"#, "401 401\n", 0),
        (#""commit":0"#, #"201 {"id":"2","n":2}"#, 0), (#""commit":2"#, #"201 {"id":"2","n":2}"#, 2),
        (#""status":202,"json":{"id":"1"}"#, #"202 {"id":"1"}"#, 1), (#""json":{"ok":true}"#, #"201 {"ok":true}"#, 1),
        (#""change":{"n":null,"m":"x"}"#, #"201 {"id":"2","m":"x"}"#, 1),
        (#""fault":"no_length""#, #"201 {"id":"2","n":2}"#, 1),
    ])
    func `a write is done as often as the step says, whatever is answered`(
        step: String, answer: String, count: Int
    ) throws {
        try upstream.misbehave("docs", "[{\(step)}]")
        #expect(try send("POST", "docs", #"{"n":2}"#) == answer)
        #expect(try upstream.writes("docs").count == count)
        #expect(try upstream.records("docs").count == count + 1)
        #expect(try send("POST", "docs", "{}").hasPrefix("201 "), "the step was for one request")
    }

    @Test func `a second try under the same key has the answer that was lost`() throws {
        try upstream.misbehave("docs", #"[{"fault":"close","commit":1}]"#)
        let key = ["Idempotency-Key": "k"]
        #expect(try send("POST", "docs", "{}", headers: key) == "none")
        #expect(try send("POST", "docs", "{}", headers: key) == #"201 {"id":"2"}"#)
        #expect(try upstream.writes("docs").count == 1)
    }

    @Test func `a hanging upstream may have done the write`() throws {
        try upstream.misbehave("docs/*", #"[{"fault":"hang","commit":1}]"#)
        let hanging = try BackgroundCall { try self.send("PATCH", "docs/1", #"{"n":2}"#) }
        try upstream.writes("docs/1", count: 1)
        #expect(try send("GET", "docs/1") == #"200 {"id":"1","n":2}"#)
        upstream.stop()
        #expect(try hanging.result() == "none")
    }

    @Test func `steps are for a method, a number of requests, and all paths below`() throws {
        try upstream.misbehave(
            "docs/*",
            #"""
            [{"method":"PATCH","fault":"status","status":503,"times":2,"headers":{"Retry-After":"7"}},
             {"method":"DELETE","fault":"status","status":403}]
            """#)
        let first = try upstream.send("PATCH", "docs/1", json: "{}")
        #expect(first?.status == 503 && first?.headers["retry-after"] == "7")
        #expect(try send("DELETE", "docs/1") == "403 403\n")
        #expect(try send("GET", "docs/1") == #"200 {"id":"1","n":1}"#)
        #expect(try send("PATCH", "docs/1", "{}") == "503 503\n")
        #expect(try send("PATCH", "docs/1", #"{"n":2}"#) == #"200 {"id":"1","n":2}"#)
        try upstream.misbehave("docs/1", #"{"fault":"status","status":500}"#)
        try upstream.misbehave("docs/*", #"{"fault":"status","status":501}"#)
        try upstream.misbehave("*", #"{"fault":"status","status":502}"#)
        #expect(try send("GET", "docs/1") == "500 500\n", "the narrowest pattern goes first")
        #expect(try send("GET", "docs/2") == "501 501\n")
        #expect(try send("GET", "docs") == "502 502\n")
        try upstream.behave("docs/1")
        #expect(try send("GET", "docs/1") == "501 501\n")
        #expect(try upstream.requests("docs/*").map(\.method).suffix(3) == ["GET", "GET", "GET"])
    }

    @Test func `a write is seen only after some requests, or some time`() throws {
        try upstream.misbehave("docs/1", #"[{"method":"PATCH","show_after":2}]"#)
        #expect(try send("PATCH", "docs/1", #"{"n":2}"#) == #"200 {"id":"1","n":2}"#)
        for _ in 0..<2 {
            #expect(try send("GET", "docs/1") == #"200 {"id":"1","n":1}"#)
            #expect(try send("GET", "docs") == #"200 [{"id":"1","n":1}]"#)
        }
        #expect(try send("GET", "docs") == #"200 [{"id":"1","n":2}]"#)
        try upstream.misbehave("docs", #"[{"method":"POST","show_after_ms":3600000}]"#)
        #expect(try send("POST", "docs", "{}") == #"201 {"id":"2"}"#)
        #expect(try send("GET", "docs/2") == "404 404\n")
        try upstream.misbehave("docs/1", #"[{"method":"DELETE","show_after":1}]"#)
        #expect(try send("DELETE", "docs/1") == "204 ")
        #expect(try send("GET", "docs") == #"200 [{"id":"1","n":2}]"#)
        #expect(try send("GET", "docs") == "200 []")
        #expect(try records() == #"[{"id":"2"}]"#)
    }

    @Test func `a held write waits before it is done`() throws {
        try upstream.misbehave("docs", #"[{"hold":true}]"#)
        let held = try BackgroundCall { try self.send("POST", "docs", "{}") }
        try upstream.requests("docs", count: 1)
        #expect(try upstream.writes().isEmpty)
        try upstream.release("docs")
        #expect(try held.result() == #"201 {"id":"2"}"#)
    }

    @Test func `a body is read slowly, in part, or not at all`() throws {
        let long = #"{"text":"\#(String(repeating: "x", count: 100_000))"}"#
        try upstream.misbehave(
            "docs/1",
            #"""
            [{"pace":10000,"delay_ms":1}, {"fault":"status","status":413,"read":0},
             {"fault":"reset","read":1000}, {"read":1000}]
            """#)
        #expect(try send("PATCH", "docs/1", long).hasPrefix("200 "))
        #expect(try send("PATCH", "docs/1", long) == "413 413\n")
        #expect(try send("PATCH", "docs/1", long) == "none")
        #expect(try send("PATCH", "docs/1", long) == "400 400\n")
        #expect(try upstream.writes().count == 1)
    }

    @Test func `somebody else changes records without a write`() throws {
        try upstream.put("docs/1", #"{"id":"1","n":5}"#)
        try upstream.put("docs/x", #"{"id":"x"}"#)
        #expect(try records() == #"[{"id":"1","n":5},{"id":"x"}]"#)
        try upstream.put("docs/1", "null")
        #expect(try send("GET", "docs") == #"200 [{"id":"x"}]"#)
        try upstream.stopKeepingStores()
        try upstream.start()
        #expect(try send("GET", "docs") == #"200 [{"id":"x"}]"#)
        #expect(try upstream.writes().isEmpty)
    }

    @Test func `what was asked is logged with its body, and all is forgotten on command`() throws {
        _ = try send("PATCH", "docs/1", #"{"n":2}"#, headers: ["Idempotency-Key": "k"])
        let request = try #require(try upstream.requests("docs/1", count: 1).first)
        #expect(request.method == "PATCH" && request.body == #"{"n":2}"#)
        #expect(request.headers["idempotency-key"] == "k")
        try upstream.forgetRequests()
        try upstream.forgetWrites()
        #expect(try upstream.requests("*").isEmpty)
        #expect(try upstream.writes().isEmpty)
    }
}
