// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

@Suite struct IncrementalRefreshTests {
    private static let byField = #"{"since":{"parameter":"since","field":"rev"}}"#
    private static let byToken = #"{"items":"/items","since":{"parameter":"since","token":"/token","deleted":"/gone"}}"#
    private static let records = #"[{"id":1,"name":"a","rev":1},{"id":2,"name":"b","rev":2}]"#

    private func byField() throws -> RefreshFixture {
        let fixture = try RefreshFixture { source, _ in
            source.since = IncrementalRules(to: .query("since"), position: .field(4, overlap: .number(0)))
        }
        try fixture.upstream.keep("things.json", Self.records)
        try fixture.upstream.misbehave("things.json", Self.byField)
        return fixture
    }

    private func byToken() throws -> RefreshFixture {
        let fixture = try RefreshFixture { source, _ in
            source.request.root = try JSONPointer("/items")
            source.since = IncrementalRules(to: .query("since"), position: .token(try JSONPointer("/token")))
            source.deleted = .ids(try JSONPointer("/gone"))
        }
        try fixture.upstream.keep("things.json", Self.records)
        try fixture.upstream.misbehave("things.json", Self.byToken)
        return fixture
    }

    private func served(_ fixture: RefreshFixture) -> [String: String] {
        var served: [String: String] = [:]
        for document in fixture.documents {
            guard let value = try? JSONValue.parse(document), let id = value["id"]?.string else { continue }
            served[id] = value["name"]?.string ?? ""
        }
        return served
    }

    @Test func `after an answer with all records only what has changed is asked for`() throws {
        let fixture = try byField()
        let first = try fixture.refresh()
        #expect(first.outcome == .updated && !first.isIncremental && first.counts.added == 2)
        try fixture.upstream.put("things.json/2", #"{"id":2,"name":"B","rev":3}"#)
        try fixture.upstream.put("things.json/3", #"{"id":3,"name":"c","rev":4}"#)
        try fixture.upstream.put("things.json/1", "null")
        fixture.advance(.seconds(60))
        let second = try fixture.refresh()
        #expect(second.outcome == .updated && second.isIncremental)
        #expect(second.counts.added == 1 && second.counts.updated == 1 && second.counts.removed == 0)
        #expect(served(fixture) == ["1": "a", "2": "B", "3": "c"])
        let queries = try fixture.upstream.requests("things.json").map(\.query)
        #expect(queries == ["", "since=2"])
        // No request is conditional.
        #expect(try fixture.upstream.requests("things.json").allSatisfy { $0.headers["If-None-Match"] == nil })
        let third = try fixture.refresh()
        #expect(third.outcome == .unchanged && third.isIncremental && fixture.view?.condition.row.generation == 2)
        #expect(fixture.view?.condition.source.asOf == fixture.now)
        #expect(fixture.view?.condition.source.full.asOf == RefreshFixture.start)
        // The next answer with all records shows what is gone.
        fixture.advance(.seconds(27 * 3600))
        let fourth = try fixture.refresh()
        #expect(!fourth.isIncremental && fourth.counts.removed == 1 && served(fixture).count == 2)
        #expect(fixture.view?.condition.source.full.asOf == fixture.now)
    }

    @Test func `force asks for all, and a position survives a restart`() throws {
        let fixture = try byField()
        try fixture.refresh()
        try fixture.upstream.put("things.json/1", "null")
        #expect(try fixture.refresh().outcome == .unchanged)
        fixture.close()
        let again = try RefreshFixture(after: fixture) { source, _ in
            source.since = IncrementalRules(to: .query("since"), position: .field(4, overlap: .number(0)))
        }
        #expect(try again.refresh().isIncremental)
        let forced = try again.refresh(RefreshOptions(force: true))
        #expect(!forced.isIncremental && forced.counts.removed == 1)
        // Another request knows no position.
        try again.reload { $0.request.query = [QueryParameter("x", ["1"])] }
        #expect(try !again.refresh().isIncremental)
        #expect(try again.refresh().isIncremental)
    }

    @Test func `an upstream that has forgotten the token is asked for all records at once`() throws {
        let fixture = try byToken()
        try fixture.refresh()
        try fixture.upstream.put("things.json/1", "null")
        try fixture.upstream.misbehave(
            "things.json", Self.byToken.replacing(#""token":"#, with: #""epoch":"b","token":"#))
        let report = try fixture.refresh()
        #expect(report.outcome == .updated && !report.isIncremental && report.counts.removed == 1)
        #expect(report.failure == nil)
        #expect(try fixture.refresh().isIncremental)
    }

    @Test func `while requests for all records fail, incremental ones go on, and the failure is told`() throws {
        let fixture = try byField()
        try fixture.refresh()
        try fixture.upstream.put("things.json/2", #"{"id":2,"name":"B","rev":3}"#)
        fixture.advance(.seconds(27 * 3600))
        try fixture.upstream.misbehave(
            "things.json", "[\(#"{"fault":"status","status":500,"times":1}"#),\(Self.byField)]")
        let failed = try fixture.refresh()
        #expect(failed.outcome == .failed && failed.transition == .failed && failed.failure?.status == 500)
        let report = try fixture.refresh()
        #expect(report.isIncremental && report.outcome == .updated && served(fixture)["2"] == "B")
        #expect(report.failure?.status == 500 && report.transition == .updated)
        #expect(fixture.view?.condition.source.failures == 0)
        fixture.advance(.seconds(20 * 60))
        let full = try fixture.refresh()
        #expect(!full.isIncremental && full.failure == nil && full.transition == .recovered)
    }

    @Test func `an answer with what has changed that would remove too much is checked with all records`() throws {
        let fixture = try byToken()
        try fixture.refresh()
        for id in 1...2 { try fixture.upstream.put("things.json/\(id)", "null") }
        let report = try fixture.refresh()
        #expect(report.outcome == .held && !report.isIncremental && served(fixture).count == 2)
        #expect(try fixture.upstream.requests("things.json").count == 3)
    }

    @Test func `a missing token is a failure, and no record is taken`() throws {
        let fixture = try byToken()
        try fixture.upstream.misbehave("things.json", #"{"json":{"items":[{"id":7}]}}"#)
        let report = try fixture.refresh()
        #expect(report.outcome == .failed && report.failure?.kind == .wrongShape && fixture.documents == [])
    }

    @Test func `a model upstream's changes are never missed, and what is gone leaves in time`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of the model upstream: \(seed)")
        var generator = SeededGenerator(seed: seed)
        for names in [false, true] {
            let fixture = try names ? byToken() : byField()
            var current = ["1": "a", "2": "b"]
            var expected: [String: String] = [:]
            var revision = 2
            for step in 0..<40 {
                for _ in 0..<Int.random(in: 0...3, using: &generator) {
                    let id = "\(Int.random(in: 1...9, using: &generator))"
                    if Bool.random(using: &generator), current.count > 3 {
                        current[id] = nil
                        try fixture.upstream.put("things.json/\(id)", "null")
                    } else {
                        revision += 1
                        current[id] = "n\(revision)"
                        try fixture.upstream.put(
                            "things.json/\(id)", #"{"id":\#(id),"name":"n\#(revision)","rev":\#(revision)}"#)
                    }
                }
                if Int.random(in: 0..<8, using: &generator) == 0 { fixture.advance(.seconds(27 * 3600)) }
                fixture.advance(.seconds(60))
                let report = try fixture.refresh(RefreshOptions(force: step == 20, accept: false))
                guard report.outcome != .held else {
                    expected = current
                    _ = try fixture.refresh(RefreshOptions(accept: true))
                    #expect(served(fixture) == expected)
                    continue
                }
                expected = names || !report.isIncremental ? current : expected.merging(current) { $1 }
                #expect(served(fixture) == expected, "step \(step)")
            }
        }
    }
}
