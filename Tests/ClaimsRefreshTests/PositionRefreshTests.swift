// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

/// Positions by the times of records, of an upstream that tells its clock.
@Suite struct PositionRefreshTests {
    private static let start = RefreshFixture.start  // 2027-01-15T08:00:00Z

    /// An upstream with a clock of its own, whose pages have two records each.
    private final class Server: Sendable {
        struct State {
            /// The names and stamps of records, by their ids.
            var records: [Int: (name: String, at: Int64)] = [:]
            /// The lead of its clock, in milliseconds.
            var lead: Int64 = 0
            /// The `Age` of its answers.
            var age: Int?
            /// Whether requests for all records fail.
            var isFailing = false
            /// The number of a page that is not there.
            var missingPage: Int?
            /// Called once a first page has been answered.
            var incident: (@Sendable () -> Void)?
            var now: @Sendable () -> Int64 = { PositionRefreshTests.start }
        }

        let state = Monitor(State())
        private let pages: PageServer

        init() throws {
            let state = state
            pages = try PageServer { request, _ in
                let parts = request.query.split(separator: "&").map { $0.split(separator: "=").map(String.init) }
                let query = Dictionary(parts.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { $1 }
                let since = query["since"].flatMap { Instant.parse($0.replacing("%3A", with: ":")) }?.ms
                let page = query["page"].flatMap { Int($0) } ?? 1
                if page > 1 { state.update { $0.incident.take() }?() }
                return state.read { state in
                    if state.isFailing, since == nil { return .answer(500, "") }
                    if page == state.missingPage { return .answer(404, "") }
                    let found = state.records.sorted { $0.key < $1.key }.filter { $0.value.at >= since ?? .min }
                    let elements = found.dropFirst(2 * (page - 1)).prefix(2).map { id, record in
                        #"{"id":\#(id),"name":"\#(record.name)","rev":"\#(Instant(ms: record.at).text)"}"#
                    }
                    let time = state.now() + state.lead - Int64(state.age ?? 0) * 1000
                    let age = state.age.map { "Age: \($0)\r\n" } ?? ""
                    return .answer(
                        200, headers: "Date: \(Self.date(time))\r\n\(age)", "[\(elements.joined(separator: ","))]")
                }
            }
        }

        var url: String { pages.url() }

        /// The positions of the first pages that were asked for; empty for all records.
        var positions: [String] {
            pages.requests.filter { $0.query.contains("page=1") }.map { request in
                let parts = request.query.split(separator: "&").filter { $0.hasPrefix("since=") }
                return (parts.first.map { String($0.dropFirst(6)) } ?? "").replacing("%3A", with: ":")
            }
        }

        /// Changes a record, by the server's clock.
        func put(_ id: Int, _ name: String) {
            state.update { $0.records[id] = (name, $0.now() + $0.lead) }
        }

        private static func date(_ ms: Int64) -> String {
            let text = Array(Instant(ms: ms).text)
            let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
            let month = months[(Int(String(text[5..<7])) ?? 1) - 1]
            return "Fri, \(String(text[8..<10])) \(month) \(String(text[..<4])) \(String(text[11..<19])) GMT"
        }
    }

    private func site() throws -> (server: Server, fixture: RefreshFixture) {
        let server = try Server()
        let fixture = try RefreshFixture(url: server.url, revision: .instant) { source, _ in
            source.request.next = .page(to: .query("page"), size: 2, from: 1, more: nil)
            source.since = IncrementalRules(to: .query("since"), position: .field(4, overlap: .span(.seconds(300))))
        }
        server.state.update { $0.now = { [unowned fixture] in fixture.now } }
        for id in 1...5 { server.put(id, "a\(id)") }
        return (server, fixture)
    }

    private func names(_ fixture: RefreshFixture) -> [String] {
        fixture.documents.compactMap { (try? JSONValue.parse($0))?["name"]?.string }.sorted()
    }

    @Test func `what changes during a long walk is asked for again`() throws {
        let (server, fixture) = try site()
        fixture.advance(.seconds(3600))
        server.state.update {
            $0.incident = { [unowned fixture] in
                fixture.advance(.seconds(600))
                server.put(1, "b1")
                fixture.advance(.seconds(600))
                server.put(5, "b5")
            }
        }
        #expect(try fixture.refresh().outcome == .updated)
        #expect(names(fixture) == ["a1", "a2", "a3", "a4", "b5"])
        let report = try fixture.refresh()
        #expect(report.isIncremental && report.counts.updated == 1)
        #expect(names(fixture) == ["a2", "a3", "a4", "b1", "b5"])
        #expect(server.positions == ["", "2027-01-15T08:55:00Z"])
    }

    @Test func `a page that is not there for a moment leaves the position where it was`() throws {
        let (server, fixture) = try site()
        try fixture.refresh()
        fixture.advance(.seconds(3600))
        for id in 1...3 { server.put(id, "b\(id)") }
        server.state.update { $0.missingPage = 2 }
        let cut = try fixture.refresh()
        #expect(cut.isIncremental && cut.counts.updated == 2)
        server.state.update { $0.missingPage = nil }
        #expect(try fixture.refresh().counts.updated == 1)
        #expect(names(fixture) == ["a4", "a5", "b1", "b2", "b3"])
        try fixture.refresh()
        #expect(
            server.positions == ["", "2027-01-15T07:55:00Z", "2027-01-15T07:55:00Z", "2027-01-15T08:55:00Z"])
    }

    @Test func `all records are asked for again after a page of them that was not there`() throws {
        let (server, fixture) = try site()
        server.state.update { $0.missingPage = 2 }
        #expect(try fixture.refresh().outcome == .updated && names(fixture) == ["a1", "a2"])
        server.state.update { $0.missingPage = nil }
        let report = try fixture.refresh()
        #expect(!report.isIncremental && report.counts.added == 3)
        // A record that both walks lack is gone, and there is no doubt left.
        server.state.update { $0.missingPage = 2 }
        #expect(try fixture.refresh(RefreshOptions(accept: true)).counts.removed == 3)
        #expect(try fixture.refresh().isIncremental)
        #expect(server.positions.dropLast().allSatisfy { $0 == "" } && server.positions.last != "")
    }

    @Test func `after a clock that was ahead all records are asked for at once, once an hour`() throws {
        let (server, fixture) = try site()
        server.state.update { $0.lead = 86_400_000 }
        server.put(1, "b1")
        try fixture.refresh()
        server.state.update { $0.lead = 0 }
        fixture.advance(.seconds(60))
        server.put(2, "b2")
        let report = try fixture.refresh()
        #expect(report.outcome == .updated && !report.isIncremental && report.failure == nil)
        #expect(server.positions == ["", "2027-01-16T07:55:00Z", ""])
        #expect(names(fixture) == ["a3", "a4", "a5", "b1", "b2"])
        // Within the hour the position falls back.
        for _ in 0..<2 {
            server.state.update { $0.lead = 1_800_000 }
            fixture.advance(.seconds(60))
            server.put(3, "c3")
            #expect(try fixture.refresh().isIncremental)
            server.state.update { $0.lead = 0 }
            fixture.advance(.seconds(60))
            server.put(4, "c\(fixture.now)")
            #expect(try fixture.refresh().isIncremental)
        }
        #expect(server.positions.count == 7 && server.positions.dropFirst(3).allSatisfy { $0 != "" })
        #expect(try fixture.refresh().isIncremental && server.positions.last == "2027-01-15T08:00:00Z")
        #expect(names(fixture).contains("c\(fixture.now)"))
        // The hour counts from that request.
        server.state.update { $0.lead = 1_800_000 }
        fixture.advance(.seconds(56 * 60 - 1))
        server.put(3, "d3")
        try fixture.refresh()
        server.state.update { $0.lead = 0 }
        #expect(try fixture.refresh().isIncremental)
        fixture.advance(.seconds(60))
        #expect(try !fixture.refresh().isIncremental)
        // And anew from that one.
        server.state.update { $0.lead = 1_800_000 }
        server.put(3, "e3")
        try fixture.refresh()
        server.state.update { $0.lead = 0 }
        #expect(try fixture.refresh().isIncremental)
    }

    @Test func `what changed while a clock was ahead again is asked for once the hour is over`() throws {
        let (server, fixture) = try site()
        server.state.update { $0.lead = 86_400_000 }
        server.put(1, "b1")
        try fixture.refresh()
        server.state.update { $0.lead = 0 }
        #expect(try !fixture.refresh().isIncremental)
        let recalled = fixture.now
        server.state.update { $0.lead = 7_200_000 }
        fixture.advance(.seconds(60))
        server.put(1, "c1")
        try fixture.refresh()
        server.state.update { $0.lead = 0 }
        server.put(2, "b2")
        // Longer than the overlap.
        fixture.advance(.seconds(600))
        #expect(try fixture.refresh().isIncremental)
        #expect(try fixture.refresh().isIncremental && !names(fixture).contains("b2"))
        let source = fixture.view?.condition.source
        #expect(source?.full.isOwed == true)
        #expect(try #require(source?.due) <= recalled + IncrementalPlan.recallPause)
        fixture.advance(.seconds(3600 - 660))
        #expect(try !fixture.refresh().isIncremental && names(fixture).contains("b2"))
        #expect(fixture.view?.condition.source.full.isOwed == false)
        #expect(try fixture.refresh().isIncremental)
    }

    @Test func `while all records cannot be had, what has changed is asked for from the clock on`() throws {
        let (server, fixture) = try site()
        server.state.update { $0.lead = 86_400_000 }
        server.put(1, "b1")
        try fixture.refresh()
        server.state.update { ($0.lead, $0.isFailing) = (0, true) }
        fixture.advance(.seconds(60))
        #expect(try fixture.refresh().failure?.status == 500)
        server.put(2, "b2")
        #expect(try fixture.refresh().isIncremental)
        #expect(try fixture.refresh().isIncremental && names(fixture).contains("b2"))
        #expect(server.positions.suffix(2) == ["2027-01-16T07:55:00Z", "2027-01-15T07:56:00Z"])
        server.state.update { $0.isFailing = false }
        fixture.advance(.seconds(20 * 60))
        let report = try fixture.refresh()
        #expect(!report.isIncremental && report.transition == .recovered)
    }

    @Test func `what a cache kept is no clock that was set back`() throws {
        let (server, fixture) = try site()
        fixture.advance(.seconds(3600))
        server.put(1, "b1")
        try fixture.refresh()
        server.state.update { $0.age = 600 }
        fixture.advance(.seconds(601))
        #expect(try fixture.refresh().isIncremental)
        #expect(server.positions == ["", "2027-01-15T08:55:00Z"])
        #expect(fixture.view?.condition.source.asOf == Self.start + 3_601_000)
    }
}
