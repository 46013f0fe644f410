// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct ConditionalTests {
    @Test func `what did not change is not sent again`() throws {
        let fixture = try Fixture()
        let first = try fixture.fetch()
        let second = try fixture.fetch { request in request.validators = first.validators }
        #expect(second.isNotModified)
        #expect(second.status == 304)
        #expect(second.body.count == 0)
        #expect(second.validators.etag == first.validators.etag)

        try fixture.upstream.folder.write("records.json", "[]")
        let third = try fixture.fetch { request in request.validators = second.validators }
        #expect(third.status == 200)
        #expect(third.body.text == "[]")
    }

    @Test func `a date alone is enough`() throws {
        let fixture = try Fixture(#"{"headers":{"ETag":null}}"#)
        let first = try fixture.fetch()
        #expect(first.validators.etag == nil)
        #expect(try fixture.fetch { request in request.validators = first.validators }.isNotModified)
        let sent = try fixture.upstream.requests("records.json").last
        #expect(sent?.headers["if-modified-since"] == first.validators.lastModified)
        #expect(sent?.headers["if-none-match"] == nil)
    }

    @Test func `a 304 that was not asked for is a failure`() throws {
        let fixture = try Fixture(#"{"fault":"not_modified"}"#)
        #expect(fixture.failure()?.reason == .unsolicitedNotModified)
        let empty = fixture.failure { request in request.validators = HTTPValidators() }
        #expect(empty?.reason == .unsolicitedNotModified)
        let elsewhere = fixture.failure { request in
            request.validators = HTTPValidators(etag: "\"1\"", url: fixture.url + "?other")
        }
        #expect(elsewhere?.reason == .unsolicitedNotModified)
    }

    @Test(arguments: ["\u{7f}", "ż", String(repeating: "x", count: 2000)])
    func `a validator that cannot be sent back is none`(etag: String) throws {
        let fixture = try Fixture(#"{"headers":{"ETag":"\#(etag)","Last-Modified":null}}"#)
        #expect(try fixture.fetch().validators.isEmpty)
    }

    @Test func `weak validators are kept as they are`() throws {
        let fixture = try Fixture(#"{"headers":{"ETag":"W/\"1\""}}"#)
        let first = try fixture.fetch()
        #expect(first.validators.etag == "W/\"1\"")
        #expect(try fixture.fetch { request in request.validators = first.validators }.isNotModified)
    }
}
