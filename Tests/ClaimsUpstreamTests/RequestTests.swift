// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct RequestTests {
    @Test(arguments: [
        "", "nonsense", "/path", "//host/path", "http://", "http:///path", "http://user@host/", "http://u:p@host/",
        "file:///etc/passwd", "ftp://host/", "ws://host/", "http://host:0x50/", "http://host:99999/", "http://ho st/",
        "http://host/a b", "http://host/\n", "http://[::1/", "mailto:a@b", String(repeating: "h", count: 20000),
    ])
    func `what may not be fetched is no URL`(url: String) throws {
        let error = try Fixture().failure { request in request.url = url }
        #expect(error?.reason == .invalidURL)
        #expect(error?.kind == .invalidURL)
    }

    @Test func `a fragment stays here`() throws {
        let fixture = try Fixture()
        let response = try fixture.fetch { request in request.url += "?a=b#c" }
        #expect(response.effectiveURL == fixture.url + "?a=b")
        #expect(try fixture.upstream.requests("records.json").first?.query == "a=b")
    }

    @Test func `headers are sent as they are`() throws {
        let fixture = try Fixture()
        _ = try fixture.fetch { request in
            request.headers = [
                ("X-Empty", ""), ("X-Text", "a b: ż"), ("User-Agent", "somebody"), ("Authorization", "x"),
            ]
        }
        let headers = try #require(fixture.upstream.requests("records.json").first?.headers)
        #expect(headers["x-empty"] == "")
        #expect(headers["x-text"] == "a b: ż")
        #expect(headers["user-agent"] == "somebody")
        #expect(headers["authorization"] == "x")
        _ = try fixture.fetch { request in
            request.headers = [("authorization", "x")]
            request.credential = .bearer("token")
        }
        let second = try fixture.upstream.requests("records.json").last
        #expect(second?.headers["authorization"] == "Bearer token")
        #expect(second?.headers["user-agent"] == "claimsd")
    }

    @Test(arguments: [("X-A", "b\r\nX-C: d"), ("X A", "b"), ("", "b"), ("X:A", "b"), ("X-A", "b\u{0}")])
    func `a header that would be two is not sent`(name: String, value: String) throws {
        let fixture = try Fixture()
        #expect(fixture.failure { request in request.headers = [(name, value)] }?.kind == .other)
        #expect(try fixture.upstream.requests("records.json").isEmpty)
    }

    @Test(arguments: ["", "two words", "line\n", "ż"])
    func `a credential that cannot be sent is an error of its own`(credential: String) throws {
        let fixture = try Fixture()
        #expect(fixture.failure { request in request.credential = .bearer(credential) }?.kind == .credential)
        #expect(try fixture.upstream.requests("records.json").isEmpty)
    }

    @Test func `a server that wants a token gets it`() throws {
        let fixture = try Fixture(#"{"require":{"Authorization":"Bearer abc.DEF-1~2_3/4+5=="}}"#)
        #expect(fixture.failure()?.status == 401)
        #expect(fixture.failure { request in request.credential = .bearer("abc.DEF-1~2_3/4+5==") } == nil)
    }
}
