// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

/// Attempts to write to an upstream that keeps records and misbehaves: what is told of an attempt is never better than
/// what the upstream did.
@Suite struct WriteToUpstreamTests {
    private let upstream: UpstreamProcess

    init() throws {
        upstream = try UpstreamProcess()
        try upstream.keep("docs", "[]")
    }

    private func send(
        _ method: HTTPMethod = .post, _ path: String = "docs", key: String? = nil,
        type: String = "application/json", body: HTTPWriteRequest.Body = .content(.bytes(Array(#"{"n":1}"#.utf8))),
        total: Duration = .seconds(30)
    ) -> HTTPWriteOutcome {
        var headers = [(name: "Content-Type", value: type)]
        if let key { headers.append(("Idempotency-Key", key)) }
        let limits = TransferLimits(connect: .seconds(10), transfer: total)
        return HTTPWriter().send(
            HTTPWriteRequest(method, url: upstream.url(path), headers: headers, body: body, limits: limits))
    }

    /// The faults after which nothing more comes, or too slowly.
    private static let silent: Set<String> = ["hang", "hang_after_headers", "slow_headers"]
    /// The faults after which a whole answer has come.
    private static let answered: Set<String> = [
        "none", "status", "no_length", "chunked", "html", "empty", "no_content", "truncated_json", "garbage", "nan",
        "deep", "long_string", "duplicate_keys", "many_records", "gzip", "redirect", "not_modified", "etag_changes",
    ]

    @Test(arguments: [0, 1])
    func `no fault makes an attempt look unsent, or sends it twice`(commits: Int) throws {
        let help = try ControlProgram.run("claims-upstream", ["--help"]).output
        let line = try #require(help.split(separator: "\n").first { $0.hasPrefix("Faults: ") })
        for fault in line.dropFirst("Faults: ".count).split(separator: " ").map(String.init) {
            try upstream.misbehave(
                "docs", #"[{"fault":"\#(fault)","commit":\#(commits),"count":3,"bytes":100000,"delay_ms":1000}]"#)
            let outcome = send(total: Self.silent.contains(fault) ? .seconds(3) : .seconds(30))
            #expect(outcome.unsent == nil, "\(fault)")
            if Self.silent.contains(fault) { #expect(outcome.unanswered != nil, "\(fault)") }
            if Self.answered.contains(fault) { #expect(outcome.answer != nil, "\(fault)") }
            #expect(try upstream.requests("docs", count: 1).count == 1, "\(fault)")
            #expect(try upstream.writes("docs", count: commits).count == commits, "\(fault)")
            try upstream.forgetRequests()
            try upstream.forgetWrites()
        }
    }

    @Test func `a form from memory and disk arrives as it was, and its key makes it once`() throws {
        let folder = try TemporaryFolder()
        let bytes = WriteFixture.bytes(1_500_000)
        let path = try folder.write("scan", bytes)
        let form = HTTPWriteRequest.Body.multipart([
            HTTPPart(name: "record", type: "application/json", content: .bytes(Array(#"{"title":"Scan"}"#.utf8))),
            HTTPPart(
                name: "file", fileName: "my \"scan\";1.png", type: "image/png",
                content: .file(path: path, size: bytes.count)),
            HTTPPart(name: "file", fileName: "ż.pdf", type: "application/pdf", content: .bytes([])),
        ])
        try upstream.misbehave("docs", #"[{"fault":"reset","commit":1}]"#)
        #expect(send(key: "k", body: form).unanswered != nil)
        #expect(send(key: "k", body: form).answer?.body == Array(#"{"id":"1","title":"Scan"}"#.utf8))
        let writes = try upstream.writes("docs")
        #expect(writes.count == 1)
        let files = try #require(writes.first?.files)
        #expect(files.map(\.name) == ["my \"scan\";1.png", "ż.pdf"])
        #expect(files.map(\.type) == ["image/png", "application/pdf"])
        let digests = [SHA256.hexadecimal(of: bytes.rawSpan), SHA256().hexadecimal]
        #expect(files.map(\.sha256) == digests)
    }

    @Test func `a file that is read slowly is sent whole, one that is not read gets its answer`() throws {
        let folder = try TemporaryFolder()
        let bytes = WriteFixture.bytes(300_000)
        let file = HTTPWriteRequest.Body.content(
            .file(
                path: try folder.write("scan", bytes), size: bytes.count,
                sha256: SHA256.hexadecimal(of: bytes.rawSpan)))
        try upstream.put("docs/1", #"{"id":"1"}"#)
        try upstream.misbehave(
            "docs/*",
            #"[{"pace":20000,"delay_ms":5},{"fault":"status","status":413,"read":0},{"fault":"reset","read":1000}]"#)
        #expect(send(.post, "docs/1/files", type: "image/png", body: file).answer?.status == 200)
        #expect(send(.post, "docs/1/files", type: "image/png", body: file).answer?.status == 413)
        #expect(send(.post, "docs/1/files", type: "image/png", body: file).unanswered != nil)
        #expect(try upstream.writes("docs/1/files").flatMap(\.files).map(\.size) == [bytes.count])
    }

    @Test func `each method does what it says`() throws {
        #expect(send().answer?.status == 201)
        let etag = try #require(send(.put, "docs/1").answer?.etag)
        #expect(send(.patch, "docs/1").answer?.etag == etag)
        #expect(send(.get, "docs/1", body: .none).answer?.etag == etag)
        #expect(send(.delete, "docs/1", body: .none).answer?.status == 204)
        #expect(send(.get, "docs/1", body: .none).answer?.status == 404)
        #expect(try upstream.writes().map(\.method) == ["POST", "PUT", "PATCH", "DELETE"])
    }
}
