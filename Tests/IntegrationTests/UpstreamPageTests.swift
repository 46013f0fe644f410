// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// claims-upstream serves pages and changes as its help says, so that tests of reading can rely on it.
@Suite struct UpstreamPageTests {
    private let upstream: UpstreamProcess

    init() throws {
        upstream = try UpstreamProcess([
            "n": #"[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}]"#
        ])
    }

    private func get(_ path: String) throws -> String {
        let answer = try upstream.send("GET", path, json: "")
        return answer.map { answer in answer.status == 200 ? answer.text : "\(answer.status)" } ?? "none"
    }

    /// The ids of the answers to these queries, each in brackets.
    private func ids(_ step: String, _ queries: String...) throws -> [String] {
        try upstream.misbehave("n", #"{"fault":"paged","size":2,\#(step)}"#)
        return try queries.map { query in
            let text = try get("n?\(query)")
            guard let records = try JSONValue.parse(text).array else { return text }
            return records.compactMap { $0["id"]?.number }.joined(separator: " ")
        }
    }

    @Test func `a cursor leads from page to page, and its end has four forms`() throws {
        try upstream.misbehave("n", #"{"fault":"paged","style":"cursor","size":2,"more":"/more"}"#)
        #expect(try get("n") == #"{"items":[{"id":1},{"id":2}],"more":true,"next":"next=2"}"#)
        #expect(try get("n?cursor=next%3D4") == #"{"items":[{"id":5}],"more":false,"next":null}"#)
        #expect(try get("n?cursor=bad") == "400")
        for (last, end) in [("absent", ""), ("empty", #","next":"""#), ("kept", #","next":"next=6""#)] {
            try upstream.misbehave("n", #"{"fault":"paged","style":"cursor","size":2,"last":"\#(last)"}"#)
            #expect(try get("n?cursor=next%3D4") == #"{"items":[{"id":5}]\#(end)}"#)
        }
        try upstream.misbehave("n", #"{"fault":"paged","style":"cursor","size":4,"numbers":true,"loop":true}"#)
        #expect(try get("n?cursor=4") == #"{"items":[{"id":5}],"next":4}"#)
    }

    @Test func `a query by POST has its cursor in its body, and its records far inside`() throws {
        try upstream.misbehave(
            "n",
            """
            {"fault":"paged","reads":true,"style":"cursor","size":3,"parameter":"/variables/a",
             "items":"/data/units/nodes","next":"/data/units/pageInfo/endCursor","more":"/data/units/pageInfo/hasNextPage"}
            """)
        let first = try upstream.send("POST", "n", json: #"{"query":"q","variables":{"a":null}}"#)
        #expect(
            first?.text == #"{"data":{"units":{"nodes":[{"id":1},{"id":2},{"id":3}],"#
                + #""pageInfo":{"hasNextPage":true,"endCursor":"next=3"}}}}"#)
        let second = try upstream.send("POST", "n", json: #"{"variables":{"a":"next=3"}}"#)
        #expect(second?.text.contains(#""nodes":[{"id":4},{"id":5}]"#) == true)
    }

    @Test func `pages are counted, offsets too, and wishes for a size are capped`() throws {
        #expect(try ids(#""style":"parameter","from":0"#, "page=0", "page=2", "page=3") == ["1 2", "5", ""])
        #expect(try ids(#""style":"offset""#, "", "offset=1", "offset=4") == ["1 2", "2 3", "5"])
        #expect(try ids(#""style":"offset","limit":"limit""#, "limit=1", "limit=9") == ["1", "1 2"])
    }

    @Test func `what is odd about pages is as asked for`() throws {
        #expect(try ids(#""style":"parameter","clamp":true"#, "page=3", "page=4", "page=9") == ["5", "5", "5"])
        #expect(try ids(#""style":"parameter","past":404"#, "page=3", "page=4") == ["5", "404"])
        #expect(try ids(#""style":"parameter","ignore":true"#, "page=1", "page=2") == ["1 2", "1 2"])
        #expect(try ids(#""style":"parameter","repeat":2"#, "page=2", "page=3") == ["1 2", "5"])
        #expect(try ids(#""style":"parameter","shift":1"#, "page=1", "page=2", "page=3") == ["1 2", "2 3", "3 4"])
        #expect(try ids(#""style":"parameter","shift":-1"#, "page=2", "page=3") == ["4 5", ""])
        #expect(try ids(#""style":"parameter","endless":true"#, "page=3", "page=4") == ["5 1", "2 3"])
    }

    @Test func `a page fails as often as asked for, and says when to come again`() throws {
        try upstream.misbehave(
            "n",
            """
            {"fault":"paged","style":"parameter","size":2,"fail_page":2,"status":429,"fail_times":2,
             "fail_headers":{"Retry-After":"0"}}
            """)
        let answers = try (0..<3).map { _ in try upstream.send("GET", "n?page=2", json: "") }
        #expect(answers.map { $0?.status } == [429, 429, 200])
        #expect(answers[0]?.headers["retry-after"] == "0")
        #expect(answers[2]?.headers["retry-after"] == nil)
        try upstream.misbehave(
            "n",
            #"{"fault":"paged","style":"parameter","size":2,"fail_page":1,"status":200,"fail_json":{"errors":["no"]}}"#)
        #expect(try get("n?page=1") == #"{"errors":["no"]}"#)
    }

    @Test func `records are asked for by the time of their change`() throws {
        try upstream.keep(
            "s", #"[{"id":1,"at":"2026-11-01T10:00:00Z"},{"id":2,"at":"2026-11-01T10:00:00.5Z"},{"id":3}]"#)
        try upstream.misbehave("s", #"{"since":{"parameter":"after","field":"at","deleted":"/gone"}}"#)
        #expect(try JSONValue.parse(try get("s"))["items"]?.array?.count == 3)
        let all = try JSONValue.parse(try get("s?after=2026-11-01T10:00:00Z"))
        #expect(all["items"]?.array?.compactMap { $0["id"]?.number } == ["1", "2"])
        try upstream.put("s/3", "null")
        let later = try get("s?after=2026-11-01T10:00:01Z")
        #expect(later == #"{"items":[],"gone":["3"]}"#)
        try upstream.misbehave("s", #"{"since":{"parameter":"after","field":"id","after":true}}"#)
        #expect(try get("s?after=1") == #"[{"id":2,"at":"2026-11-01T10:00:00.5Z"}]"#)
    }

    @Test func `a token stands for what was known, until its epoch ends`() throws {
        try upstream.keep("s", #"[{"id":1},{"id":2}]"#)
        let step = { (epoch: String) in
            """
            {"fault":"paged","style":"cursor","size":5,
             "since":{"parameter":"sync","token":"/sync","deleted":"/gone","epoch":"\(epoch)"}}
            """
        }
        try upstream.misbehave("s", step("a"))
        #expect(try get("s") == #"{"items":[{"id":1},{"id":2}],"sync":"a.2","gone":[],"next":null}"#)
        try upstream.put("s/1", #"{"id":1,"n":1}"#)
        try upstream.put("s/2", "null")
        #expect(try get("s?sync=a.2") == #"{"items":[{"id":1,"n":1}],"sync":"a.4","gone":["2"],"next":null}"#)
        #expect(try get("s?sync=a.4") == #"{"items":[],"sync":"a.4","gone":[],"next":null}"#)
        try upstream.misbehave("s", step("b"))
        #expect(try get("s?sync=a.4") == "410")
    }
}
