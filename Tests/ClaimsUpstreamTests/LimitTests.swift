// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct LimitTests {
    @Test func `a body over its cap is refused by what it says of its length`() throws {
        let fixture = try Fixture(#"{"fault":"hang_after_headers"}"#)
        let size = Fixture.records.utf8.count
        let error = fixture.failure(limits: TransferLimits(body: size - 1))
        #expect(error?.reason == .bodyTooLarge(size - 1))
        #expect(error?.kind == .tooLarge)
        try fixture.upstream.behave()
        #expect(fixture.failure(limits: TransferLimits(body: size)) == nil)
    }

    @Test(arguments: ["no_length", "chunked", "gzip"])
    func `a body over its cap is refused where it does not say`(fault: String) throws {
        let fixture = try Fixture(#"{"fault":"\#(fault)"}"#)
        let size = Fixture.records.utf8.count
        #expect(fixture.failure(limits: TransferLimits(body: size - 1))?.kind == .tooLarge)
    }

    @Test func `a body without end is cut at its cap`() throws {
        let error = try Fixture(#"{"fault":"endless_body"}"#).failure(limits: TransferLimits(body: 4 << 20))
        #expect(error?.reason == .bodyTooLarge(4 << 20))
    }

    @Test(arguments: [#""gzip_bomb""#, #""gzip_bomb","bytes":8000000"#, #""gzip_bomb","bytes":2000000"#])
    func `a bomb does not go off`(fault: String) throws {
        let error = try Fixture(#"{"fault":\#(fault)}"#).failure()
        #expect(error?.reason == .expandsTooMuch(100))
        #expect(error?.kind == .tooLarge)
    }

    @Test func `how much a body may expand can be set`() throws {
        let fixture = try Fixture(#"{"fault":"gzip_bomb","bytes":8000000}"#)
        #expect(try fixture.fetch(limits: TransferLimits(expansion: 2000)).body.count == 8_000_002)
    }

    @Test func `many short headers and one long one are refused`() throws {
        let long = String(repeating: "x", count: 70000)
        #expect(try Fixture(#"{"headers":{"X-Long":"\#(long)"}}"#).failure()?.kind == .tooLarge)
        let many = (0..<300).map { number in #""X-\#(number)":"1""# }.joined(separator: ",")
        #expect(try Fixture(#"{"headers":{\#(many)}}"#).failure()?.kind == .tooLarge)
        let some = (0..<100).map { number in #""X-\#(number)":"1""# }.joined(separator: ",")
        #expect(try Fixture(#"{"headers":{\#(some)}}"#).failure() == nil)
    }

    @Test func `a server that says nothing fails at the first byte's deadline`() throws {
        let error = try Fixture(#"{"fault":"hang"}"#).failure(limits: TransferLimits(firstByte: .milliseconds(100)))
        #expect(error?.reason == .timeout(.firstByte))
        #expect(error?.kind == .timeout)
    }

    @Test func `each redirect has a first byte's deadline of its own`() throws {
        let fixture = try Fixture(#"[{"fault":"redirect","location":"/records.json"},{"fault":"hang"}]"#)
        let error = fixture.failure(limits: TransferLimits(firstByte: .milliseconds(100)))
        #expect(error?.reason == .timeout(.firstByte))
        #expect(try fixture.upstream.requests("records.json").count == 2)
    }

    @Test(arguments: ["slow_headers", "hang_after_headers", "drip"])
    func `a server that does not finish fails at the last deadline`(fault: String) throws {
        let fixture = try Fixture(#"{"fault":"\#(fault)","delay_ms":50}"#)
        let start = SystemClock.monotonic
        let error = fixture.failure(
            limits: TransferLimits(
                connect: .milliseconds(150), firstByte: .milliseconds(200), transfer: .milliseconds(300)))
        #expect(error?.reason == .timeout(.transfer))
        #expect(SystemClock.monotonic - start >= 300_000_000)
        #expect(error?.status == (fault == "slow_headers" ? nil : 200))
    }

    @Test func `redirects share the last deadline`() throws {
        let fixture = try Fixture(#"{"fault":"redirect"}"#)
        let start = SystemClock.monotonic
        let error = fixture.failure(limits: TransferLimits(redirects: .max, transfer: .milliseconds(100)))
        #expect(error?.reason == .timeout(.transfer))
        #expect(SystemClock.monotonic - start >= 100_000_000)
    }

    @Test func `a connection that cannot be secured in time fails at the first deadline`() throws {
        let (listener, port) = try LoopbackSocket.silentListener()
        let spool = try TemporaryFolder()
        let client = try HTTPClient(spoolDirectory: spool.path)
        let request = HTTPRequest(
            url: "https://127.0.0.1:\(port)/", limits: TransferLimits(connect: .milliseconds(100)))
        let error = failure { () throws(HTTPError) in _ = try client.perform(request) }
        #expect(error?.reason == .timeout(.connect))
        withExtendedLifetime(listener) {}
    }
}
