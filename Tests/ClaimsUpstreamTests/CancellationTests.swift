// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Synchronization
import Testing

struct CancellationTests {
    @Test(arguments: ["hang", "hang_after_headers", "drip", "endless_headers"])
    func `another thread ends a transfer at once`(fault: String) throws {
        let fixture = try Fixture(#"{"fault":"\#(fault)","delay_ms":1000}"#)
        let cancellation = HTTPCancellation()
        let outcome = Mutex<HTTPError?>(nil)
        let work = Work(fixture: fixture, cancellation: cancellation)
        try withThread {
            outcome.withLock { $0 = work.run() }
        } meanwhile: {
            try fixture.upstream.requests("records.json", count: 1)
            cancellation.cancel()
        }
        // A flood of headers may reach its cap first.
        let reason = outcome.withLock { $0?.reason }
        #expect(reason == .cancelled || (fault == "endless_headers" && reason == .headersTooLarge))
    }

    @Test(arguments: [true, false])
    func `a request that the server holds is answered when that lets it go`(bySteps: Bool) throws {
        let fixture = try Fixture(#"{"hold":true}"#)
        let outcome = Mutex<HTTPError?>(HTTPError(.other))
        let work = Work(fixture: fixture, cancellation: HTTPCancellation())
        try withThread {
            outcome.withLock { $0 = work.run() }
        } meanwhile: {
            try fixture.upstream.requests("records.json", count: 1)
            if bySteps { try fixture.upstream.release("records.json") } else { try fixture.upstream.behave() }
        }
        #expect(outcome.withLock { $0 } == nil)
    }

    @Test func `what is cancelled before it begins asks nobody`() throws {
        let fixture = try Fixture(#"{"fault":"hang"}"#)
        let cancellation = HTTPCancellation()
        cancellation.cancel()
        #expect(cancellation.isCancelled)
        let error = Work(fixture: fixture, cancellation: cancellation).run()
        #expect(error?.reason == .cancelled)
        #expect(error?.isCancelled == true)
    }

    @Test func `a cancellation that is not used changes nothing`() throws {
        let fixture = try Fixture()
        let cancellation = HTTPCancellation()
        #expect(Work(fixture: fixture, cancellation: cancellation).run() == nil)
        cancellation.cancel()
        #expect(cancellation.isCancelled)
    }

    private struct Work: Sendable {
        let fixture: Fixture
        let cancellation: HTTPCancellation

        func run() -> HTTPError? {
            failure { () throws(HTTPError) in
                let client = try HTTPClient(spoolDirectory: fixture.spool.path)
                _ = try client.perform(HTTPRequest(url: fixture.url), cancellation: cancellation)
            }
        }
    }

    /// Runs `body` on a thread of its own, and returns when both have.
    private func withThread(_ body: @escaping @Sendable () -> Void, meanwhile: () throws -> Void) throws {
        let thread = try NamedThread("transfer", body)
        try meanwhile()
        thread.join()
    }
}
