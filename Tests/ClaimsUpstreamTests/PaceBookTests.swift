// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsUpstream

struct PaceBookTests {
    private static let second = PaceSimulation.second

    private func table(_ limits: [String: HostLimits], standard: HostLimits = HostLimits()) -> HostLimitTable {
        var table = HostLimitTable()
        table.standard = standard
        table.named = limits
        return table
    }

    @Test func `whatever comes, no window sees more requests begin or arrive than the rate, and none is left out`() {
        for _ in 0..<RandomRounds.count(30) {
            let seed = UInt64.random(in: 0..<1_000_000)
            var random = SeededGenerator(seed: seed)
            let rate = RequestRate(Int.random(in: 1...6, using: &random), each: random.pick([.second, .minute]))
            let limits = HostLimits(concurrency: Int.random(in: 1...4, using: &random), rate: rate)
            var simulation = PaceSimulation(PaceBook(table(["a": limits])), seed: seed)
            let length = UInt64(rate.window.length / .seconds(1)) * Self.second
            simulation.plan(
                60, hosts: ["a", "b"], within: random.pick([0, length, 20 * length]),
                longest: random.pick([0, length / 3, 3 * length]))
            let isDone = simulation.run()
            #expect(isDone, "seed \(seed)")
            let requests = simulation.requests.filter { $0.host == "a" }
            let begins = requests.compactMap(\.began)
            #expect(PaceSimulation.maxWithin(length, of: begins) <= rate.count, "seed \(seed)")
            let arrivals = requests.map { request -> UInt64 in
                let began = request.began ?? 0
                let latest = min(request.ended ?? began, began + RateWindow.maxLag(of: rate))
                return UInt64.random(in: began...max(began, latest), using: &random)
            }
            #expect(PaceSimulation.maxWithin(length, of: arrivals) <= rate.count, "seed \(seed)")
            for host in ["a", "b"] {
                let concurrency = host == "a" ? limits.concurrency : 4
                #expect(simulation.maxAtOnce { $0.host == host } <= concurrency, "seed \(seed)")
            }
            for request in simulation.requests {
                #expect(request.overtaken.values.allSatisfy { $0 <= 1 }, "seed \(seed): \(request.overtaken)")
            }
        }
    }

    @Test func `all transfers together keep to their bound, and a collection to half of it`() {
        for _ in 0..<RandomRounds.count(20) {
            let seed = UInt64.random(in: 0..<1_000_000)
            var random = SeededGenerator(seed: seed)
            let fetches = Int.random(in: 1...6, using: &random)
            var simulation = PaceSimulation(PaceBook(table([:]), maxFetches: fetches), seed: seed)
            simulation.plan(
                80, hosts: ["a", "b", "c"], within: 5 * Self.second, longest: 3 * Self.second, forced: true)
            let isDone = simulation.run()
            #expect(isDone, "seed \(seed)")
            #expect(simulation.maxAtOnce { $0.requester.collection != nil } <= fetches, "seed \(seed)")
            for number in 0..<3 {
                let most = simulation.maxAtOnce { $0.requester.collection == "c\(number)" }
                #expect(most <= max(1, fetches / 2), "seed \(seed)")
            }
        }
    }

    @Test func `of sources that wait for a transfer, the one that was due first comes first`() {
        let book = SharedBook(PaceBook(table([:]), maxFetches: 1))
        let tickets = [30, 10, 20].map { due in
            book.ask("h\(due)", for: .source(SourceID("c\(due)")), HostUrgency(due: Int64(due)), now: 0)
        }
        var order: [String] = []
        for _ in tickets {
            book.begin(now: 1)
            for ticket in tickets where book.consumeBegun(ticket) {
                order.append(ticket.host)
                book.end(ticket, now: 1)
            }
        }
        #expect(order == ["h10", "h20", "h30"])
    }

    @Test func `a write waits for no transfer that reads elsewhere`() {
        let book = SharedBook(PaceBook(table([:]), maxFetches: 1))
        let read = book.ask("a", for: .source(SourceID("c")), HostUrgency(), now: 0)
        let write = book.ask("a", for: .writes, HostUrgency(), now: 0)
        book.begin(now: 0)
        #expect(book.consumeBegun(read))
        #expect(book.consumeBegun(write))
    }

    @Test func `under a floor only what is forced begins, and never beyond the limits`() {
        let book = SharedBook(PaceBook(table(["a": HostLimits(concurrency: 1)])))
        book.raiseFloor(of: "a", to: 100, now: 0)
        let plain = book.ask("a", for: .writes, HostUrgency(), now: 0)
        let forced = (0..<2).map { number in
            book.ask("a", for: .source(SourceID("c\(number)")), HostUrgency(isForced: true), now: 0)
        }
        #expect(book.begin(now: 1))
        #expect(forced.map { book.consumeBegun($0) } == [true, false])
        book.end(forced[0], now: 2)
        #expect(book.begin(now: 3))
        #expect(book.consumeBegun(forced[1]))
        book.end(forced[1], now: 4)
        #expect(!book.begin(now: 99))
        #expect(book.opening(plain, isForced: false, now: 99) == 100)
        // An earlier time does not take back a later one.
        book.raiseFloor(of: "a", to: 50, now: 99)
        #expect(!book.begin(now: 99))
        #expect(book.begin(now: 100))
        #expect(book.consumeBegun(plain))
    }

    @Test func `other limits are in force at once, and what was counted stays counted`() {
        let book = SharedBook(PaceBook(table(["a": HostLimits(concurrency: 1)])))
        let tickets = (0..<4).map { book.ask("a", for: .source(SourceID("c\($0)")), HostUrgency(), now: 0) }
        book.begin(now: 0)
        #expect(tickets.map { book.consumeBegun($0) } == [true, false, false, false])
        book.configure(table(["a": HostLimits(concurrency: 3)]), maxFetches: 64, now: 1)
        book.begin(now: 1)
        #expect(tickets.map { book.consumeBegun($0) } == [false, true, true, false])

        let rate = RequestRate(2, each: .minute)
        let rated = SharedBook(PaceBook(table(["a": HostLimits(rate: rate)])))
        let three = (0..<3).map { rated.ask("a", for: .source(SourceID("c\($0)")), HostUrgency(), now: 0) }
        rated.begin(now: 0)
        rated.configure(table(["a": HostLimits(rate: RequestRate(3, each: .minute))]), maxFetches: 64, now: 1)
        #expect(rated.begin(now: 1))
        #expect(three.map { rated.consumeBegun($0) } == [true, true, true])
        let fourth = rated.ask("a", for: .writes, HostUrgency(), now: 2)
        #expect(!rated.begin(now: 2))
        #expect(rated.opening(fourth, isForced: true, now: 2) > 60 * Self.second)
        rated.configure(table([:]), maxFetches: 64, now: 3)
        #expect(rated.begin(now: 3))
    }

    @Test func `a request that is taken back leaves nothing behind`() {
        let book = SharedBook(PaceBook(table(["a": HostLimits(concurrency: 1)])))
        let first = book.ask("a", for: .writes, HostUrgency(), now: 0)
        let second = book.ask("a", for: .writes, HostUrgency(), now: 0)
        book.begin(now: 0)
        #expect(book.consumeBegun(first))
        book.withdraw(second)
        book.end(first, now: 1)
        #expect(!book.begin(now: 2))
        #expect(book.value.hosts["a"]?.isIdle == true)
    }

    @Test func `hosts that rest are forgotten once there are too many, but no floor as long as others rest`() {
        let book = SharedBook(PaceBook(table([:], standard: HostLimits(rate: RequestRate(1, each: .hour)))))
        book.raiseFloor(of: "kept", to: 1000 * Self.second, now: 0)
        for number in 0..<(2 * PaceBook.maxHosts) {
            let ticket = book.ask("h\(number)", for: .writes, HostUrgency(), now: UInt64(number))
            book.begin(now: UInt64(number))
            #expect(book.consumeBegun(ticket))
            book.end(ticket, now: UInt64(number))
        }
        #expect(book.value.hosts.count <= PaceBook.maxHosts)
        #expect(book.value.hosts["kept"] != nil)
    }
}

/// A book that expectations may change.
private final class SharedBook {
    var value: PaceBook

    init(_ value: PaceBook) { self.value = value }

    func ask(_ host: String, for requester: HostRequester, _ urgency: HostUrgency, now: UInt64) -> PaceBook.Ticket {
        value.ask(host, for: requester, urgency, now: now)
    }

    @discardableResult func begin(now: UInt64) -> Bool { value.begin(now: now) }
    func consumeBegun(_ ticket: PaceBook.Ticket) -> Bool { value.consumeBegun(ticket) }
    func end(_ ticket: PaceBook.Ticket, now: UInt64) { value.end(ticket, now: now) }
    func withdraw(_ ticket: PaceBook.Ticket) { value.withdraw(ticket) }
    func raiseFloor(of host: String, to time: UInt64, now: UInt64) { value.raiseFloor(of: host, to: time, now: now) }

    func configure(_ table: HostLimitTable, maxFetches: Int, now: UInt64) {
        value.configure(table, maxFetches: maxFetches, now: now)
    }

    func opening(_ ticket: PaceBook.Ticket, isForced: Bool, now: UInt64) -> UInt64 {
        value.opening(ticket, isForced: isForced, now: now)
    }
}
