// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

/// Records that the pages of a moving list lack are asked for twice.
@Suite struct SecondWalkTests {
    private static let start = RefreshFixture.start
    private static let accept = RefreshOptions(accept: true)
    private static let byPage = Paging.page(to: .query("page"), size: 2, from: 1, more: nil)

    private func ids(_ fixture: RefreshFixture) -> Set<Int> {
        Set(fixture.documents.compactMap { (try? JSONValue.parse($0))?["id"]?.string.flatMap { Int($0) } })
    }

    /// A collection with the records 1 to 5, of which the upstream then has lost the last two.
    private func shrunk(settings: Settings = Settings()) throws -> (MovingUpstream, RefreshFixture) {
        let upstream = try MovingUpstream(1...5)
        let fixture = try upstream.fixture(Self.byPage, settings: settings)
        try fixture.refresh()
        upstream.state.update { state in
            state.items.removeLast(2)
            state.begin(moves: [])
        }
        return (upstream, fixture)
    }

    @Test func `the second walk passes all caches`() throws {
        let (upstream, fixture) = try shrunk()
        #expect(try fixture.refresh(Self.accept).counts.removed == 2 && ids(fixture) == [1, 2, 3])
        let asked = upstream.server.requests.map { request in
            (request.query, request.headers.contains { $0.lowercased() == "cache-control: no-cache" })
        }
        #expect(asked.map(\.0) == ["page=1", "page=2", "page=3", "page=1", "page=2", "page=1", "page=2"])
        #expect(asked.map(\.1) == [false, false, false, false, false, true, true])
    }

    @Test(arguments: [8, 9])
    func `a second walk with a page that a cache has kept since the first says nothing`(age: Int) throws {
        let (upstream, fixture) = try shrunk()
        let requests = Monitor(0)
        // Each page takes 10 s: the first walk ends after 20 s, and the last page is asked for after 30 s.
        upstream.incident.update {
            $0 = { [unowned fixture] in
                fixture.advance(.seconds(10))
                let number = requests.update { count in
                    count += 1
                    return count
                }
                if number == 4 { upstream.state.update { $0.headers = (1, "Age: \(age)\r\n") } }
            }
        }
        let report = try fixture.refresh(Self.accept)
        upstream.incident.update { $0 = nil }
        #expect(fixture.view?.condition.source.asOf == Self.start)
        if age == 8 {
            #expect(report.outcome == .updated && ids(fixture).count == 3)
        } else {
            #expect(report.failure?.kind == .late && report.failure?.reason == .older)
            #expect(report.failure?.message.arguments == ["9"] && ids(fixture).count == 5)
        }
    }

    @Test func `a page that a cache has kept for a second may be one of a short first walk`() throws {
        let (upstream, fixture) = try shrunk()
        upstream.state.update { $0.headers = (1, "Age: 1\r\n") }
        #expect(try fixture.refresh(Self.accept).failure?.kind == .late && ids(fixture).count == 5)
    }

    @Test(arguments: [3600, -3600])
    func `the answer is as old as its first walk, by the clock after the second`(step: Int) throws {
        let (upstream, fixture) = try shrunk()
        fixture.advance(.seconds(7200))
        let requests = Monitor(0)
        upstream.incident.update {
            $0 = { [unowned fixture] in
                fixture.advance(.seconds(10))
                let count = requests.update { count in
                    count += 1
                    return count
                }
                if count == 4 { fixture.step(.seconds(step)) }
            }
        }
        #expect(try fixture.refresh(Self.accept).outcome == .updated && ids(fixture).count == 3)
        upstream.incident.update { $0 = nil }
        let row = try #require(fixture.view?.condition.source)
        #expect(row.asOf == fixture.now - 40_000 && row.fetchedAt == fixture.now)
        #expect(try #require(row.due) >= fixture.now + 300_000)
    }

    @Test func `each walk has the limit of bodies for itself`() throws {
        var settings = Settings()
        settings.transfer.body = 150
        let (upstream, fixture) = try shrunk(settings: settings)
        // Five records have 103 bytes, three have 62.
        #expect(try fixture.refresh(Self.accept).outcome == .updated)
        upstream.state.update { state in
            state.items = (2...6).map { MovingUpstream.Item(id: $0) }
            state.begin(moves: [])
        }
        #expect(try fixture.refresh(Self.accept).outcome == .updated && ids(fixture) == [2, 3, 4, 5, 6])
        // The list grows between the walks.
        let requests = Monitor(0)
        upstream.state.update { state in
            state.items.removeFirst()
            state.begin(moves: [])
        }
        upstream.incident.update {
            $0 = {
                let number = requests.update { count in
                    count += 1
                    return count
                }
                guard number == 4 else { return }
                upstream.state.update { $0.items = (3...10).map { MovingUpstream.Item(id: $0) } }
            }
        }
        let report = try fixture.refresh(Self.accept)
        upstream.incident.update { $0 = nil }
        #expect(upstream.state.read { $0.walks.count } == 2)
        #expect(report.failure?.kind == .tooLarge && report.failure?.message.arguments.contains("150") == true)
        #expect(ids(fixture) == [2, 3, 4, 5, 6])
    }

    @Test(arguments: [(4, true), (3, false)])
    func `the records that count of both walks keep to the limit of records`(limit: Int, isTaken: Bool) throws {
        var settings = Settings()
        settings.transfer.records = limit
        let upstream = try MovingUpstream(1...3)
        let fixture = try upstream.fixture(Self.byPage, settings: settings)
        try fixture.refresh()
        upstream.state.update { $0.begin(moves: []) }
        // The first record goes, and so the third is on no page; another one comes before the second walk.
        let requests = Monitor(0)
        upstream.incident.update {
            $0 = {
                let number = requests.update { count in
                    count += 1
                    return count
                }
                upstream.state.update { state in
                    if number == 2 { state.items = [2, 3].map { .init(id: $0) } }
                    if number == 3 { state.items = [2, 3, 4].map { .init(id: $0) } }
                }
            }
        }
        let report = try fixture.refresh(Self.accept)
        upstream.incident.update { $0 = nil }
        #expect(upstream.state.read { $0.walks.map { $0.map { $0.map(\.id) } } } == [[[1, 2], []], [[2, 3], [4]]])
        #expect(report.outcome == (isTaken ? .updated : .failed))
        #expect(ids(fixture) == (isTaken ? [1, 2, 3, 4] : [1, 2, 3]))
        #expect(report.failure?.kind == (isTaken ? nil : .tooLarge))
    }

    @Test func `a trial walks twice as a refresh does`() throws {
        var settings = Settings()
        settings.transfer.records = 5
        let (upstream, fixture) = try shrunk(settings: settings)
        upstream.state.update { state in
            state.items = (2...6).map { MovingUpstream.Item(id: $0) }
        }
        let view = try #require(fixture.view)
        let trace = RequestTrace()
        let run = TrialRun(
            view.definition, settings: settings, fetcher: fixture.context.fetcher.traced(by: trace),
            trace: trace)
        let report = try #require(run.report(comparedWith: view, cancellation: HTTPCancellation()))
        #expect(report.failure == nil && report.counts.removed == 1 && report.counts.added == 1)
        #expect(report.requests.map(\.elements) == [2, 2, 1, 2, 2, 1])
        upstream.state.update { state in
            state.begin(moves: [])
            state.headers = (1, "Age: 3\r\n")
        }
        let late = try #require(run.report(comparedWith: view, cancellation: HTTPCancellation()))
        #expect(late.outcome == .failed && late.failure?.kind == .late)
    }

    @Test(arguments: [byPage, .offset(to: .query("offset"), size: 2, more: nil)])
    func `a record that is there all the time stays, and one that is gone leaves`(paging: Paging) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let upstream = try MovingUpstream(1...12, seed: seed)
        let fixture = try upstream.fixture(paging)
        try fixture.refresh(Self.accept)
        for round in 0..<RandomRounds.count(40) {
            let told = "round \(round) seed \(seed)"
            let moves = upstream.state.update { state in
                let moves = state.random.pick([[true, false], [false, true], [true, true]])
                if moves == [false, true] { state.move() }
                state.begin(moves: moves)
                return moves
            }
            let before = ids(fixture)
            let report = try fixture.refresh(Self.accept)
            let (after, state) = (ids(fixture), upstream.state.read { $0 })
            if report.outcome == .failed {
                // A first page that is short, or comes twice, is a failure where the list grows meanwhile.
                #expect(after == before && [.protocol, .wrongShape].contains(report.failure?.kind), "\(told)")
            } else {
                let walks = state.walks.map { Array($0.joined()) }
                let named = walks.map { Set($0.map(\.id)) }
                let good = walks.map { Set($0.filter { $0.manner == .good }.map(\.id)) }
                #expect(walks.count == (before.isSubset(of: named[0]) ? 1 : 2), "\(told)")
                var expected = good[0]
                if walks.count == 2 { expected = good[1].union(good[0].subtracting(named[1])) }
                #expect(after == expected, "\(told)")
                if walks.count == 1 || moves != [true, true] {
                    #expect(before.intersection(state.lasting).isSubset(of: after), "\(told)")
                }
            }
            upstream.state.update { $0.begin(moves: []) }
            let quiet = try fixture.refresh(Self.accept)
            #expect(quiet.failure == nil && ids(fixture) == upstream.state.read { $0.good }, "\(told)")
        }
    }
}
