// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Testing

/// Requests to a real upstream through one gate.
struct PacedAccessTests {
    private static let pause = Duration.seconds(20)

    private let upstream: UpstreamProcess
    private let spool: TemporaryFolder

    init() throws {
        upstream = try UpstreamProcess(["records.json": "[]"])
        spool = try TemporaryFolder()
    }

    private func access(_ limits: HostLimits = HostLimits()) -> UpstreamAccess {
        var table = HostLimitTable()
        table.named["127.0.0.1"] = limits
        return UpstreamAccess(credentials: CredentialReader(directory: nil), gate: HostGate(table))
    }

    /// The failure of one request; nil where it has an answer.
    private func failure(
        _ access: UpstreamAccess, _ collection: String, budget: RequestBudget? = nil
    ) throws -> AccessFailure? {
        let client = try HTTPClient(spoolDirectory: spool.path)
        var budget = budget ?? RequestBudget(transfer: .seconds(60), pause: Self.pause)
        do throws(AccessFailure) {
            _ = try access.perform(
                UpstreamAccess.Call(HTTPRequest(url: upstream.url("records.json")), requester: SourceID(collection)),
                client: client, cancellation: HTTPCancellation(), budget: &budget
            ) { _ in }
            return nil
        } catch { return error }
    }

    @Test func `six sources and the writes share what a host takes, and nobody gets nothing`() throws {
        let access = access(HostLimits(concurrency: 1, rate: RequestRate(10, each: .hour)))
        // All of them wait before the first one begins.
        var pause = Self.pause
        let pass = try access.gate.enter("127.0.0.1", as: .writes, cancellation: nil, pause: &pause)
        let readers = try (0..<6).map { number in
            try BackgroundCall { [self] in
                try (0..<2).map { _ in try failure(access, "c\(number)") }
            }
        }
        let writer = try BackgroundCall { [self] in
            try (0..<2).map { _ in
                let paced = PacedRequests(access.gate, as: .writes, cancellation: nil, pause: Self.pause)
                let client = try HTTPClient(spoolDirectory: spool.path)
                return (try? paced.perform(HTTPRequest(url: upstream.url("records.json")), client: client)) != nil
            }
        }
        let never = Monitor(())
        while access.gate.report.first?.waiting != 7 { _ = never.wait(upTo: .milliseconds(1)) { _ -> Bool? in nil } }
        pass.report(hostDelay: nil)
        end(consume pass)
        let failures = try readers.map { try $0.result() }
        let written = try writer.result()
        // The pass was one of the ten.
        #expect(try upstream.requests("records.json").count == 9)
        #expect(failures.allSatisfy { $0[0] == nil })
        #expect(written[0])
        #expect(failures.flatMap(\.self).allSatisfy { $0 == nil || $0 == .pause })
        #expect(failures.count { $0[1] == nil } + written.dropFirst().count { $0 } == 2)
    }

    private func end(_ pass: consuming HostPass) {}

    @Test func `a host that got too many requests is asked by no other source, unless somebody forces it`() throws {
        let access = access()
        try upstream.misbehave(
            "records.json", #"{"fault":"status","status":429,"headers":{"Retry-After":"600"},"times":1}"#)
        guard case .transfer(let error) = try failure(access, "one") else {
            Issue.record("no failure")
            return
        }
        #expect(error.status == 429)
        let short = RequestBudget(transfer: .seconds(60), pause: .seconds(1))
        #expect(try failure(access, "two", budget: short) == .pause)
        #expect(try upstream.requests("records.json").count == 1)
        #expect(try failure(access.pressing(HostUrgency(isForced: true)), "two", budget: short) == nil)
        #expect(access.gate.report.map(\.host) == ["127.0.0.1"])
    }

    @Test func `a redirect gives its pass back before it is followed`() throws {
        let access = access(HostLimits(concurrency: 1))
        try upstream.misbehave("records.json", #"{"fault":"redirect","count":2}"#)
        #expect(try failure(access, "one") == nil)
        #expect(try upstream.requests("records.json").count == 3)
        #expect(access.gate.report == [])
        // Each redirect counts: the third request is one too many.
        let rated = self.access(HostLimits(rate: RequestRate(2, each: .hour)))
        try upstream.misbehave("records.json", #"{"fault":"redirect","count":2}"#)
        #expect(try failure(rated, "one") == .pause)
        #expect(try upstream.requests("records.json").count == 5)
    }
}
