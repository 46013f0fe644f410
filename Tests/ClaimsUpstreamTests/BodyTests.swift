// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct BodyTests {
    @Test(arguments: ["none", "chunked", "no_length", "gzip", "drip"])
    func `a body arrives whole, however it is sent`(fault: String) throws {
        let fixture = try Fixture(#"{"fault":"\#(fault)","bytes":7,"delay_ms":1}"#)
        let response = try fixture.fetch()
        #expect(response.status == 200)
        #expect(response.body.text == Fixture.records)
        #expect(response.body.digest == FetchedBody(Array(Fixture.records.utf8)).digest)
        #expect(response.contentType == "application/json")
        #expect(response.effectiveURL == fixture.url)
        #expect(!response.isNotModified)
    }

    @Test func `gzip, br, zstd and nothing else of libcurl's are offered`() throws {
        let fixture = try Fixture()
        _ = try fixture.fetch()
        let encodings = try #require(fixture.upstream.requests("records.json").first?.headers["accept-encoding"])
        #expect(encodings == "deflate, gzip, br, zstd")
    }

    @Test func `what was received is counted before decoding`() throws {
        let bomb = try Fixture(#"{"fault":"gzip_bomb","bytes":500000}"#)
        let response = try bomb.fetch()
        #expect(response.body.count == 500_002)
        #expect(response.received < 1000)
    }

    @Test(arguments: [(FetchedBody.maxInMemory, false), (FetchedBody.maxInMemory + 1, true), (5_000_000, true)])
    func `a large body is a mapped file without a name`(count: Int, isMapped: Bool) throws {
        let fixture = try Fixture()
        let content = (0..<count).map { index in UInt8(truncatingIfNeeded: index) }
        try fixture.upstream.folder.write("records.json", content)
        let body = try fixture.fetch().body
        #expect(body.count == count)
        #expect(body.isMapped == isMapped)
        #expect(body.digest == FetchedBody(content).digest)
        #expect(body.array == content)
        #expect(try Directory.list(fixture.spool.path).isEmpty)
    }

    @Test func `a body that has no room is an error of its own`() throws {
        let fixture = try Fixture(#"{"fault":"long_string","bytes":2000000}"#)
        try Directory.remove(fixture.spool.path)
        let error = fixture.failure()
        #expect(error?.reason == .spool(2))
        #expect(error?.kind == .other)
        // A small body needs none.
        try fixture.upstream.behave()
        #expect(try fixture.fetch().body.text == Fixture.records)
    }

    @Test func `an empty body is a body`() throws {
        let response = try Fixture(#"{"fault":"empty"}"#).fetch()
        #expect(response.body.count == 0)
        #expect(!response.isNotModified)
    }

    @Test func `a client keeps its connection`() throws {
        let fixture = try Fixture()
        let client = try HTTPClient(spoolDirectory: fixture.spool.path)
        for _ in 0..<3 { #expect(try client.perform(HTTPRequest(url: fixture.url)).status == 200) }
        // Its only connection is reset behind its back; libcurl makes another.
        try fixture.upstream.start()
        #expect(try client.perform(HTTPRequest(url: fixture.url)).status == 200)
    }

    @Test func `headers that say when to come back are understood`() throws {
        let fixture = try Fixture(
            #"{"headers":{"Cache-Control":"public, max-age=300","Age":"40","Retry-After":"7"}}"#)
        let response = try fixture.fetch()
        #expect(response.maxAge == 260)
        #expect(response.retryAfter == 7)
        #expect(response.validators.etag?.hasPrefix("\"") == true)
        #expect(response.validators.lastModified?.hasSuffix("GMT") == true)
    }
}
