// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsTestSupport
import Testing

/// claims-upstream takes writes as its help says, so that tests of writing can rely on it.
@Suite struct UpstreamStoreTests {
    private let upstream: UpstreamProcess

    init() throws {
        upstream = try UpstreamProcess()
        try upstream.keep("v1/docs", #"[{"id":7,"title":"Lease","more":{"a":1,"b":2}}]"#)
    }

    /// The status and the body of an answer, for comparisons.
    private func outcome(_ answer: LoopbackHTTP.Answer?) -> String {
        answer.map { "\($0.status) \($0.text)" } ?? "none"
    }

    private func send(
        _ method: String, _ path: String, _ json: String = "", headers: [String: String] = [:]
    ) throws -> String {
        outcome(try upstream.send(method, path, headers: headers, json: json))
    }

    private func get(_ path: String) throws -> String { try send("GET", path) }

    @Test func `a record is added, read, merged into, replaced and removed`() throws {
        #expect(try send("POST", "v1/docs", #"{"title":"New","id":"mine"}"#) == #"201 {"id":8,"title":"New"}"#)
        #expect(try get("v1/docs/8") == #"200 {"id":8,"title":"New"}"#)
        #expect(
            try send("PATCH", "v1/docs/7", #"{"title":null,"more":{"a":null,"c":[1]}}"#)
                == #"200 {"id":7,"more":{"b":2,"c":[1]}}"#)
        #expect(try send("PUT", "v1/docs/8", #"{"n":1.50}"#) == #"200 {"id":8,"n":1.50}"#)
        #expect(try get("v1/docs") == #"200 [{"id":7,"more":{"b":2,"c":[1]}},{"id":8,"n":1.50}]"#)
        #expect(try send("DELETE", "v1/docs/7") == "204 ")
        #expect(try get("v1/docs/7") == "404 404\n")
        #expect(try send("DELETE", "v1/docs/7") == "404 404\n")
        #expect(try send("PUT", "v1/docs/9", "{}") == "404 404\n")
        let writes = try upstream.writes("v1/docs/*", count: 3)
        #expect(writes.map(\.method) == ["PATCH", "PUT", "DELETE"])
        #expect(writes.map(\.id) == ["7", "8", "7"])
        #expect(writes[2].record == .null)
        #expect(try upstream.writes("v1/docs").map(\.fields) == [["title": "New", "id": "mine"]])
    }

    @Test func `actions have their effects, and take what they are sent`() throws {
        try upstream.keep("v1/docs", rules: #"{"actions":{"again":{"status":"pending"}}}"#)
        #expect(
            try send("POST", "v1/docs/7/again", #"{"title":"Lease 2"}"#)
                == #"200 {"id":7,"title":"Lease 2","more":{"a":1,"b":2},"status":"pending"}"#)
        #expect(try upstream.send("POST", "v1/docs/7/close", headers: ["Content-Type": ""], json: "")?.status == 200)
        #expect(try upstream.writes("v1/docs/7/again").count == 1)
    }

    @Test func `ids, answers and tags are as the rules say`() throws {
        try upstream.keep("a", "[]", rules: #"{"id":"code","ids":"client","answer":"location","tags":"weak"}"#)
        let created = try upstream.send("POST", "a", json: #"{"code":"x/1"}"#)
        #expect(outcome(created) == "201 ")
        #expect(created?.headers["location"] == "/a/x%2F1")
        #expect(created?.headers["etag"]?.hasPrefix("W/\"") == true)
        #expect(try get("a/x%2F1") == #"200 {"code":"x/1"}"#)
        #expect(try send("POST", "a", #"{"code":"x/1"}"#) == "409 409\n")
        #expect(try send("PUT", "a/y", #"{"n":1}"#) == "201 ")
        #expect(try get("a") == #"200 [{"code":"x/1"},{"code":"y","n":1}]"#)
        try upstream.keep("a", rules: #"{"answer":"none","tags":"none"}"#)
        let answer = try upstream.send("POST", "a", json: "{}")
        #expect(outcome(answer) == "204 ")
        #expect(answer?.headers["etag"] == nil)
    }

    @Test func `a write with the tag of another version is refused`() throws {
        let tag = try #require(try upstream.send("GET", "v1/docs/7", json: "")?.headers["etag"])
        let again = try #require(
            try upstream.send("PATCH", "v1/docs/7", headers: ["If-Match": tag], json: #"{"n":1}"#)?.headers["etag"])
        #expect(again != tag)
        for wrong in [tag, "W/\(again)", "\"other\", \(tag)"] {
            #expect(try send("PATCH", "v1/docs/7", #"{"n":2}"#, headers: ["If-Match": wrong]) == "412 412\n")
        }
        #expect(try send("DELETE", "v1/docs/7", headers: ["If-Match": "\"other\", \(again)"]) == "204 ")
        #expect(try send("PUT", "v1/docs/7", "{}", headers: ["If-Match": "*"]) == "412 412\n")
        #expect(try upstream.writes().count == 2)
    }

    @Test func `what is no write is refused`() throws {
        #expect(try send("POST", "v1/docs", "[1]") == "400 400\n")
        #expect(try send("POST", "v1/docs", "{") == "400 400\n")
        #expect(try send("DELETE", "v1/docs") == "405 405\n")
        #expect(try send("POST", "v1/docs/7", "{}") == "405 405\n")
        #expect(try send("POST", "v1/docs", "{}", headers: ["Content-Type": "text/plain"]) == "415 415\n")
        #expect(try send("POST", "elsewhere", "{}") == "405 405\n")
        let chunked = try LoopbackHTTP.send(
            "POST", "/v1/docs", to: upstream.port, headers: ["Transfer-Encoding": "chunked"], body: [])
        #expect(chunked?.status == 411)
        #expect(try upstream.writes().isEmpty)
    }

    @Test func `an equal key is committed once, unless keys are ignored`() throws {
        let key = ["Idempotency-Key": "k1"]
        let first = try send("POST", "v1/docs", #"{"n":1}"#, headers: key)
        #expect(first == #"201 {"id":8,"n":1}"#)
        #expect(try send("POST", "v1/docs", #"{ "n": 1 }"#, headers: key) == first)
        #expect(try send("POST", "v1/docs", #"{"n":2}"#, headers: key) == "422 422\n")
        #expect(try upstream.writes().map(\.key) == ["k1"])
        try upstream.keep("v1/docs", rules: #"{"keys":"ignored"}"#)
        #expect(try send("POST", "v1/docs", #"{"n":1}"#, headers: key) == #"201 {"id":9,"n":1}"#)
        #expect(try upstream.writes().map(\.key) == ["k1", "k1"])
        try upstream.keep("v1/docs", rules: #"{"key_header":"X-Once"}"#)
        for _ in 0..<2 { _ = try send("POST", "v1/docs", "{}", headers: ["X-Once": "k2"]) }
        #expect(try upstream.writes().map(\.key) == ["k1", "k1", "k2"])
    }

    @Test func `a key whose first request is not answered yet may be refused`() throws {
        try upstream.keep("v1/docs", rules: #"{"keys":"busy"}"#)
        try upstream.misbehave("v1/docs", #"[{"method":"POST","hold":"answer"}]"#)
        let key = ["Idempotency-Key": "k1"]
        let slow = try BackgroundCall { try self.send("POST", "v1/docs", "{}", headers: key) }
        try upstream.writes("v1/docs", count: 1)
        #expect(try send("POST", "v1/docs", "{}", headers: key) == "409 409\n")
        try upstream.release("v1/docs")
        #expect(try slow.result() == #"201 {"id":8}"#)
        #expect(try send("POST", "v1/docs", "{}", headers: key) == #"201 {"id":8}"#)
        #expect(try upstream.writes().count == 1)
    }

    @Test func `files are counted and hashed, raw ones and those of a form`() throws {
        try upstream.keep("v1/docs", rules: #"{"files":"urls"}"#)
        let file = [UInt8](repeating: 0xff, count: 300_000) + Array("\r\n--x\r\n".utf8)
        let digest = SHA256.hexadecimal(of: file.rawSpan)
        let raw = try LoopbackHTTP.send(
            "POST", "/v1/docs/7/files", to: upstream.port,
            headers: [
                "Content-Type": "image/png", "Content-Disposition": "attachment; filename=\"a%22b.png\"",
                "Expect": "100-continue",
            ], body: file)
        #expect(raw?.status == 200)
        let form =
            Array(
                """
                --xyz\r\nContent-Disposition: form-data; name="record"\r\nContent-Type: application/json\r\n\r\n\
                {"title":"With a file"}\r\n--xyz\r\nContent-Disposition: form-data; name="file"; filename="s.pdf"\r\n\
                Content-Type: application/pdf\r\n\r\n
                """.utf8) + file + Array("\r\n--xyz--\r\n".utf8)
        let type = ["Content-Type": "multipart/form-data; boundary=xyz"]
        let created = try LoopbackHTTP.send("POST", "/v1/docs", to: upstream.port, headers: type, body: form)
        #expect(outcome(created) == #"201 {"id":8,"title":"With a file","urls":["/v1/docs/8/files/\#(digest)"]}"#)
        let cut = try LoopbackHTTP.send("POST", "/v1/docs", to: upstream.port, headers: type, body: form.dropLast(9))
        #expect(cut?.status == 400)
        let writes = try upstream.writes()
        #expect(
            writes.flatMap(\.files).map { "\($0.name) \($0.type) \($0.size) \($0.sha256)" } == [
                "a\"b.png image/png \(file.count) \(digest)", "s.pdf application/pdf \(file.count) \(digest)",
            ])
        #expect(writes[0].record["urls"]?.array?.count == 1)
    }
}
