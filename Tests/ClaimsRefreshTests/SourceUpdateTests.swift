// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore
import ClaimsUpstream
import Testing

@testable import ClaimsRefresh

@Suite struct SourceUpdateTests {
    private let now: Int64 = 1_800_000_000_000
    private let old = HTTPValidators(etag: "\"1\"", lastModified: "then")
    private let failure = FetchFailure(.timeout, Message(.other, "too slow"))

    private func requests(_ url: String = "https://example.org/a?key=secret") throws -> SourceRequests {
        let definition = Definition(
            name: "things", source: Source(ReadRequest(url: url, root: try JSONPointer(""))),
            fields: [Field(name: "id", type: .id, from: [try JSONPointer("/id")])])
        return try #require(SourceRequests(definition, limits: TransferLimits()))
    }

    private func update(_ known: SourceRow = SourceRow(), url: String? = nil, later: Int64 = 0) throws -> SourceUpdate {
        SourceUpdate(
            known: known, requests: try url.map { try requests($0) } ?? requests(),
            schedule: RefreshSchedule(interval: .seconds(300), offset: 0), now: now + later, random: 0.5)
    }

    private func answered() throws -> SourceRow {
        try update().succeeded(.init(bodyHash: "a", validators: old, maxAge: 900_000))
    }

    @Test func `a good answer sets time, origin, hash, validators and schedule`() throws {
        let row = try answered()
        #expect(row.asOf == now && row.fetchedAt == now && row.bodyHash == "a" && row.lastError == nil)
        #expect(row.origin == "https://example.org/a")
        #expect(row.validators == .init(key: try requests().records.key, etag: "\"1\"", lastModified: "then"))
        #expect(row.due == now + 900_000 && row.freshUntil == now + 900_000)
        #expect(row.triedKey == (try requests().key))
    }

    @Test func `a 304 moves the time of confirmation, and keeps validators that it does not repeat`() throws {
        let row = try update(answered(), later: 60_000).succeeded(.init(isNotModified: true, bodyHash: "a"))
        #expect(row.asOf == now + 60_000 && row.fetchedAt == now && row.validators.etag == "\"1\"")
        #expect(row.due == now + 360_000 && row.freshUntil == nil)
        let other = try update(row).succeeded(
            .init(isNotModified: true, bodyHash: "a", validators: HTTPValidators(etag: "\"2\"", lastModified: nil)))
        #expect(other.validators.etag == "\"2\"" && other.validators.lastModified == nil)
    }

    @Test func `an answer without validators ends the old ones`() throws {
        #expect(try update(answered()).succeeded(.init(bodyHash: "b")).validators.http == nil)
    }

    @Test func `an answer is too old by its own request, and by data that the clock has passed`() throws {
        let known = try answered()
        func moment(_ asOf: Int64) -> AnswerMoment {
            AnswerMoment(now: now, uptime: 0, begin: 0, oldest: asOf - now)
        }
        #expect(try update(known, later: 1).lag(of: moment(now - 2_000)) == nil)
        #expect(try update(known, later: 1).lag(of: moment(now - 2_001)) == 2_001)
        #expect(try update(known, later: -1).lag(of: moment(now - 60_000)) == nil)
        #expect(try update(known, url: "https://example.org/b").lag(of: moment(now - 60_000)) == nil)
        #expect(try update().lag(of: moment(now - 60_000)) == nil)
    }

    @Test func `a clock that steps meanwhile moves the times of an answer with it`() {
        let steady = AnswerMoment(now: now + 7_000, uptime: 17_000, begin: 10_000, oldest: 12_000)
        #expect(steady.began == now && steady.asOf == now)
        let cached = AnswerMoment(now: now - 3_600_000, uptime: 17_000, begin: 10_000, oldest: -20_000)
        #expect(cached.began == now - 3_607_000 && cached.asOf == now - 3_637_000)
    }

    @Test func `a failure keeps all that is known of the data`() throws {
        let before = try answered()
        let row = try update(before, later: 10).failed(failure)
        #expect(row.failures == 1 && row.lastError == failure.at(now + 10) && row.due == now + 10 + 1_000)
        #expect(row.asOf == before.asOf && row.validators == before.validators && row.bodyHash == "a")
        #expect(try update(row).failed(failure).failures == 2)
    }

    @Test func `an answer that is too old has no backoff, of a request for all records either`() throws {
        let late = FetchFailure(older: 3_000)
        #expect(late.message.arguments == ["3"])
        var row = try answered()
        row.full.failures = 4
        let failed = try update(row).failed(late)
        #expect(failed.failures == 0 && failed.due == now + 300_000 && failed.lastError?.kind == .late)
        // Changes are asked for at once, and all records after the interval.
        let full = try update(row).failedFull(late)
        #expect(full.full.failures == 1 && full.full.retryAt == now + 300_000 && full.full.error?.kind == .late)
        #expect(full.due == now && full.failures == row.failures)
        let other = try update(row).failedFull(failure)
        #expect(other.full.failures == 5 && other.full.retryAt == now + 16_000)
    }

    @Test func `failures of another address do not count`() throws {
        let row = try update(update(answered()).failed(failure)).failed(failure)
        #expect(row.failures == 2)
        let other = try update(row, url: "https://example.org/b").failed(failure)
        #expect(other.failures == 1)
        #expect(row.schedule(for: try requests("https://example.org/b")) == RefreshSchedule.State())
    }

    @Test func `a held body is no failure, and the next good answer ends it`() throws {
        let summary = HeldSummary(before: 9, after: 1, added: 0, updated: 0, removed: 8, quarantined: 0)
        let body = SourceRow.Held(bodyHash: "h", since: now, summary: summary)
        let row = try update(answered(), later: 5).held(body, wait: 600_000, reason: Message(.other, "less"))
        #expect(row.held == body && row.failures == 0 && row.lastError?.kind == .held)
        #expect(row.due == now + 5 + 600_000 && row.asOf == now)
        let next = try update(row).succeeded(.init(bodyHash: "b"))
        #expect(next.held == nil && next.lastError == nil)
        let known = RefreshReport("things", outcome: .held, before: row, after: row)
        let first = RefreshReport("things", outcome: .held, before: try answered(), after: row)
        #expect(first.transition == .held && known.transition == .none)
    }

    @Test func `a join that fails is told, keeps its values, and is no failure of the source`() throws {
        let joined = JoinOutcome.Answer(hash: "j", validators: .init(key: 7, etag: "e"))
        let known = try update().succeeded(.init(bodyHash: "a", join: .changed(nil, joined)))
        #expect(known.joinHash == "j" && known.joinValidators.etag == "e")
        let row = try update(known).succeeded(.init(bodyHash: "a", join: .failed(failure)))
        #expect(row.lastError?.kind == .join && row.failures == 0 && row.joinHash == "j")
        #expect(try update(row).succeeded(.init(bodyHash: "a", join: .dropped)).joinHash == nil)
    }

    @Test func `the report tells a failure of another kind, and none of the same kind`() throws {
        let other = FetchFailure(.tls, Message(.other, "untrusted"))
        let kinds = [failure, failure, other, other, failure]
        var row = try answered()
        var transitions: [RefreshReport.Transition] = []
        for failure in kinds {
            let next = try update(row).failed(failure)
            transitions.append(RefreshReport("a", outcome: .failed, before: row, after: next).transition)
            row = next
        }
        #expect(transitions == [.failed, .none, .failedOtherwise, .none, .opened])
    }

    @Test func `the report tells the first failure, the fifth, and the first success`() throws {
        var row = try answered()
        var transitions: [RefreshReport.Transition] = []
        for _ in 0..<6 {
            let next = try update(row).failed(failure)
            transitions.append(RefreshReport("a", outcome: .failed, before: row, after: next).transition)
            row = next
        }
        let good = try update(row).succeeded(.init(bodyHash: "a"))
        transitions.append(RefreshReport("a", outcome: .unchanged, before: row, after: good).transition)
        #expect(transitions == [.failed, .none, .none, .none, .opened, .none, .recovered])
    }
}
