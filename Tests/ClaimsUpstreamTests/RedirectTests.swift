// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `redirects are followed`(status: Int) throws {
        let fixture = try Fixture(#"{"fault":"redirect","count":1,"status":\#(status)}"#)
        let response = try fixture.fetch()
        #expect(response.body.text == Fixture.records)
        #expect(response.effectiveURL == fixture.url + "?hop=1")
    }

    @Test func `as many as allowed are followed, and not one more`() throws {
        let five = try Fixture(#"{"fault":"redirect","count":5}"#)
        #expect(five.failure() == nil)
        let six = try Fixture(#"{"fault":"redirect","count":6}"#)
        let error = six.failure()
        #expect(error?.reason == .tooManyRedirects(5))
        #expect(error?.kind == .redirect)
        #expect(try six.upstream.requests("records.json").count == 6)
    }

    @Test func `a loop ends`() throws {
        #expect(try Fixture(#"{"fault":"redirect"}"#).failure()?.reason == .tooManyRedirects(5))
        #expect(
            try Fixture(#"{"fault":"redirect"}"#).failure(limits: TransferLimits(redirects: 0))?.reason
                == .tooManyRedirects(0))
    }

    @Test(arguments: [
        "file:///etc/passwd", "FILE:/etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "dict://127.0.0.1/",
        "scp://127.0.0.1/etc/passwd", "javascript:alert(1)", "http://user:password@127.0.0.1/", "http://",
        "http://127.0.0.1:99999/",
    ])
    func `redirects lead to nothing but https and http`(location: String) throws {
        let fixture = try Fixture(#"{"fault":"redirect","location":"\#(location)"}"#)
        let error = fixture.failure()
        #expect(error?.reason == .redirectElsewhere)
        #expect(error?.kind == .redirect)
    }

    @Test func `a redirect to nowhere is a failure`() throws {
        let nowhere = try Fixture(#"{"fault":"status","status":302}"#).failure()
        #expect(nowhere?.reason == .redirectNowhere)
        #expect(nowhere?.kind == .redirect)
        #expect(try Fixture(#"{"fault":"redirect","location":""}"#).failure()?.reason == .redirectNowhere)
    }

    @Test func `the body of a redirect is not waited for`() throws {
        let fixture = try Fixture(#"{"fault":"endless_body","status":302,"headers":{"Location":"/other.json"}}"#)
        try fixture.upstream.folder.write("other.json", "[]")
        #expect(try fixture.fetch().body.text == "[]")
    }

    @Test func `headers and credential stay with their origin`() throws {
        let other = try UpstreamProcess(["other.json": "[]"])
        let fixture = try Fixture(#"{"fault":"redirect","location":"\#(other.url("other.json"))"}"#)
        let response = try fixture.fetch { request in
            request.headers = [("X-Key", "k"), ("Accept", "application/json")]
            request.credential = .bearer("token")
        }
        #expect(response.effectiveURL == other.url("other.json"))
        let here = try #require(fixture.upstream.requests("records.json").first)
        #expect(here.headers["x-key"] == "k")
        #expect(here.headers["authorization"] == "Bearer token")
        let there = try #require(other.requests("other.json").first)
        #expect(there.headers["x-key"] == nil)
        #expect(there.headers["authorization"] == nil)
        #expect(there.headers["accept"] == "*/*")
    }

    @Test func `headers and credential go along within their origin`() throws {
        let fixture = try Fixture(#"{"fault":"redirect","count":2}"#)
        _ = try fixture.fetch { request in
            request.headers = [("X-Key", "k")]
            request.credential = .bearer("token")
        }
        let requests = try fixture.upstream.requests("records.json")
        #expect(requests.count == 3)
        #expect(requests.allSatisfy { $0.headers["x-key"] == "k" && $0.headers["authorization"] == "Bearer token" })
    }

    @Test func `another name of the same host is another origin`() throws {
        let fixture = try Fixture()
        let elsewhere = "http://localhost:\(fixture.upstream.port)/other.json"
        try fixture.upstream.folder.write("other.json", "[]")
        try fixture.upstream.misbehave("records.json", #"{"fault":"redirect","location":"\#(elsewhere)"}"#)
        _ = try fixture.fetch { request in request.credential = .bearer("token") }
        #expect(try fixture.upstream.requests("other.json").first?.headers["authorization"] == nil)
    }

    @Test func `validators go to the URL that gave them only`() throws {
        let fixture = try Fixture(#"{"fault":"redirect","count":1}"#)
        let first = try fixture.fetch()
        #expect(first.validators.url == fixture.url + "?hop=1")
        let second = try fixture.fetch { request in request.validators = first.validators }
        #expect(second.isNotModified)
        let requests = try fixture.upstream.requests("records.json")
        #expect(requests.map { $0.headers["if-none-match"] != nil } == [false, false, false, true])

        var stale = first.validators
        stale.url = nil
        #expect(try !fixture.fetch { request in request.validators = stale }.isNotModified)
    }
}
