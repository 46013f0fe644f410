// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport

@testable import ClaimsUpstream

/// Random requests through a `PaceBook`, on a clock of its own, and what they did.
struct PaceSimulation {
    static let second: UInt64 = 1_000_000_000

    struct Request {
        let host: String
        let requester: HostRequester
        let asked: UInt64
        let length: UInt64
        let isForced: Bool
        var ticket: PaceBook.Ticket?
        var began: UInt64?
        var ended: UInt64?
        /// How many requests each other requester of the host began while this one was the first of its requester.
        var overtaken: [HostRequester: Int] = [:]
    }

    var book: PaceBook
    private(set) var requests: [Request] = []
    private(set) var now: UInt64 = 1_000_000 * second
    private var random: SeededGenerator

    init(_ book: PaceBook, seed: UInt64) {
        self.book = book
        random = SeededGenerator(seed: seed)
    }

    static func requester(_ number: Int) -> HostRequester {
        number == 0 ? .writes : .source(SourceID("c\(number % 3)", site: "s\(number)"))
    }

    /// Asks for some requests within a span of time.
    mutating func plan(_ count: Int, hosts: [String], within span: UInt64, longest: UInt64, forced: Bool = false) {
        for _ in 0..<count {
            requests.append(
                Request(
                    host: random.pick(hosts), requester: Self.requester(Int.random(in: 0..<7, using: &random)),
                    asked: now + UInt64.random(in: 0...span, using: &random),
                    length: UInt64.random(in: 0...longest, using: &random),
                    isForced: forced && random.oneIn(4)))
        }
        requests.sort { $0.asked < $1.asked }
    }

    /// Runs until all have ended; false where nothing goes on any more.
    mutating func run() -> Bool {
        while requests.contains(where: { $0.ended == nil }) {
            for index in requests.indices {
                let request = requests[index]
                if let began = request.began, request.ended == nil, began + request.length <= now {
                    requests[index].ended = now
                    if let ticket = request.ticket { book.end(ticket, now: now) }
                }
                if request.ticket == nil, request.asked <= now {
                    requests[index].ticket = book.ask(
                        request.host, for: request.requester,
                        HostUrgency(isForced: request.isForced, due: Int64(index % 5)), now: now)
                }
            }
            begin()
            guard let next = nextTime(), next > now else {
                return !requests.contains { $0.ended == nil }
            }
            now = next
        }
        return true
    }

    private mutating func begin() {
        var firsts: [Pair: Int] = [:]
        for index in requests.indices where requests[index].began == nil && requests[index].ticket != nil {
            let pair = Pair(host: requests[index].host, requester: requests[index].requester)
            firsts[pair] = firsts[pair] ?? index
        }
        guard book.begin(now: now) else { return }
        var begun: [Pair: Int] = [:]
        for index in requests.indices where requests[index].began == nil {
            guard let ticket = requests[index].ticket, book.consumeBegun(ticket) else { continue }
            requests[index].began = now
            begun[Pair(host: ticket.host, requester: ticket.requester), default: 0] += 1
        }
        for (pair, first) in firsts where requests[first].began == nil {
            for (other, count) in begun where other.host == pair.host && other != pair {
                requests[first].overtaken[other.requester, default: 0] += count
            }
        }
    }

    private struct Pair: Hashable {
        let host: String
        let requester: HostRequester
    }

    private mutating func nextTime() -> UInt64? {
        var times: [UInt64] = []
        for request in requests where request.ended == nil {
            if let began = request.began {
                times.append(began + request.length)
            } else if let ticket = request.ticket {
                let opening = book.opening(ticket, isForced: request.isForced, now: now)
                if opening > now { times.append(opening) }
            } else {
                times.append(request.asked)
            }
        }
        return times.map { max($0, now) }.filter { $0 > now }.min() ?? (times.isEmpty ? nil : now + 1)
    }

    /// The requests to a host that ran at each moment one began, at most.
    func maxAtOnce(where isCounted: (Request) -> Bool) -> Int {
        let counted = requests.filter(isCounted)
        return counted.compactMap(\.began).map { time in
            counted.count { ($0.began ?? .max) <= time && time < max($0.ended ?? .max, ($0.began ?? 0) + 1) }
        }.max() ?? 0
    }

    /// The greatest number of times in any window of that length, both of its ends included.
    static func maxWithin(_ length: UInt64, of times: [UInt64]) -> Int {
        let times = times.sorted()
        var (first, most) = (0, 0)
        for (index, time) in times.enumerated() {
            while times[first] + length < time { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }
}
