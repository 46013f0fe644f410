// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct PagingTests {
    @Test func `links lead from page to page`() throws {
        let fixture = try Fixture(#"{"fault":"paged","style":"link","size":1}"#)
        let first = try fixture.fetch()
        #expect(first.body.text == #"[{"id":"1","name":"Åland"}]"#)
        let next = try #require(first.linkNext)
        let request = try HTTPRequest(url: fixture.url, credential: .bearer("token")).following(next, from: first)
        #expect(request.url == fixture.url + "?page=2")
        let second = try HTTPClient(spoolDirectory: fixture.spool.path).perform(request)
        #expect(second.body.text == #"[{"id":"2","name":"Łódź"}]"#)
        #expect(second.linkNext == nil)
        #expect(try fixture.upstream.requests("records.json").last?.headers["authorization"] == "Bearer token")
    }

    @Test func `a page elsewhere gets neither headers nor credential`() throws {
        let other = try UpstreamProcess(["more.json": "[]"])
        let fixture = try Fixture()
        let first = try fixture.fetch()
        let request = try HTTPRequest(url: fixture.url, headers: [("X-Key", "k")], credential: .bearer("token"))
            .following(other.url("more.json"), from: first)
        let client = try HTTPClient(spoolDirectory: fixture.spool.path)
        let second = try client.perform(request)
        let there = try #require(other.requests("more.json").first)
        #expect(there.headers["authorization"] == nil)
        #expect(there.headers["x-key"] == nil)
        // And back home again.
        _ = try client.perform(try request.following(fixture.url, from: second))
        #expect(try fixture.upstream.requests("records.json").last?.headers["x-key"] == "k")
    }

    @Test(arguments: ["file:///etc/passwd", "http://user@host/", "gopher://host/"])
    func `a page that may not be fetched is a redirect that may not be followed`(reference: String) throws {
        let first = try Fixture().fetch()
        let error = failure { () throws(HTTPError) in
            _ = try HTTPRequest(url: first.effectiveURL).following(reference, from: first)
        }
        #expect(error?.kind == .redirect)
    }

    @Test func `validators are not for other pages`() throws {
        let first = try Fixture().fetch()
        let request = HTTPRequest(url: first.effectiveURL, validators: first.validators)
        #expect(try request.following("?page=2", from: first).validators == nil)
    }
}
