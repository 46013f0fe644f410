// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct FailureTests {
    @Test(arguments: [
        ("close", HTTPError.Reason.unreachable, FailureKind.unreachable, Int?.none),
        ("reset", .unreachable, .unreachable, nil),
        ("close_mid_headers", .truncated, .truncated, nil),
        ("close_mid_body", .truncated, .truncated, 200),
        ("reset_mid_body", .truncated, .truncated, 200),
        ("length_long", .truncated, .truncated, 200),
        ("length_twice", .truncated, .truncated, 200),
        ("length_invalid", .malformed, .protocol, nil),
        ("chunked_broken", .malformed, .protocol, 200),
        ("chunked_cut", .truncated, .truncated, 200),
        ("not_http", .malformed, .protocol, nil),
        ("endless_headers", .headersTooLarge, .tooLarge, nil),
        ("endless_interim", .headersTooLarge, .tooLarge, nil),
        ("huge_header", .headersTooLarge, .tooLarge, nil),
        ("gzip_wrong", .encoding, .encoding, 200),
        ("unknown_encoding", .encoding, .encoding, 200),
        ("not_modified", .unsolicitedNotModified, .protocol, 304),
        ("no_content", .status, .httpStatus, 204),
        ("status", .status, .httpStatus, 500),
    ])
    func `each fault has its name`(
        fault: String, reason: HTTPError.Reason, kind: FailureKind, status: Int?
    ) throws {
        let error = try Fixture(#"{"fault":"\#(fault)"}"#).failure()
        #expect(error?.reason == reason)
        #expect(error?.kind == kind)
        #expect(error?.status == status)
    }

    @Test(arguments: [201, 202, 203])
    func `other successes with a body are good`(status: Int) throws {
        let response = try Fixture(#"{"status":\#(status)}"#).fetch()
        #expect(response.status == status)
        #expect(response.body.text == Fixture.records)
    }

    @Test(arguments: [206, 300, 400, 401, 403, 404, 410, 418, 429, 500, 503, 599])
    func `other statuses are failures with their number`(status: Int) throws {
        let error = try Fixture(#"{"fault":"status","status":\#(status)}"#).failure()
        #expect(error?.kind == .httpStatus)
        #expect(error?.status == status)
    }

    @Test func `an error is known without its body`() throws {
        let fixture = try Fixture(
            #"{"fault":"endless_body","status":503,"headers":{"Retry-After":"120"}}"#)
        let error = fixture.failure()
        #expect(error?.status == 503)
        #expect(error?.retryAfter == 120)
    }

    @Test func `a server that asks for an age is left alone for six hours`() throws {
        let error = try Fixture(
            #"{"fault":"status","status":429,"headers":{"Retry-After":"1000000000"}}"#
        ).failure()
        #expect(error?.retryAfter == 21600)
    }

    @Test func `a closed port is unreachable, until somebody listens again`() throws {
        let fixture = try Fixture()
        fixture.upstream.stop()
        let error = fixture.failure()
        #expect(error?.reason == .unreachable)
        #expect(error?.detail.isEmpty == false)
        #expect(error?.cause == .refused)
        #expect(error?.peer == HTTPURL.authority(of: fixture.url))
        try fixture.upstream.start()
        #expect(fixture.failure() == nil)
    }

    @Test func `connections that are reset at once are unreachable`() throws {
        let fixture = try Fixture()
        try fixture.upstream.resetConnections(1)
        #expect(fixture.failure()?.kind == .unreachable)
        #expect(fixture.failure() == nil)
    }

    @Test func `a server that closes without an answer is no server that refuses`() throws {
        let error = try Fixture(#"{"fault":"close"}"#).failure()
        #expect(error?.reason == .unreachable && error?.cause == .reset && error?.peer == nil)
    }

    @Test func `the host is told without a user, a path or a query`() {
        for url in ["http://depot:81/a?b", "https://ann:s3cret@depot:81", "http://depot:81#c"] {
            #expect(HTTPURL.authority(of: url) == "depot:81")
        }
        #expect(HTTPURL.authority(of: "http://[::1]:8/x") == "[::1]:8")
        let error = HTTPError(.unreachable, detail: "Failed to connect to ::1 port 8 after 0 ms: Could not connect")
        #expect(error.peer == "[::1]:8")
    }

    @Test func `a name without an address is unreachable`() throws {
        let error = try Fixture().failure { request in request.url = "http://nobody.invalid/" }
        #expect(error?.reason == .unknownHost && error?.peer == "nobody.invalid")
        #expect(error?.kind == .unreachable)
    }

    @Test func `no error repeats the path, the query or a credential`() throws {
        let fixture = try Fixture(#"{"fault":"status","status":500}"#)
        for url in [fixture.url + "?key=s3cret", "http://nobody.invalid/s3cret", "http://user:s3cret@host/", "s3cret"] {
            let error = fixture.failure { request in
                request.url = url
                request.credential = .bearer("s3cret")
            }
            #expect(error != nil)
            #expect(error.map { error in "\(error)" }?.contains("s3cret") == false)
        }
    }
}
