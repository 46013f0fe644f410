// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Decides which requests begin, to all hosts. Pure; times are nanoseconds of a clock that never steps.
///
/// Each host has its own limits and its own order. All transfers that read are bounded together: if there are too many,
/// the one whose source was due first comes first, and a collection has half of them at most.
struct PaceBook: Sendable {
    /// A request that waits or runs.
    struct Ticket: Sendable, Hashable {
        let number: UInt64
        let host: String
        let requester: HostRequester
    }

    /// The maximal number of known hosts. Beyond it, hosts at rest are forgotten.
    static let maxHosts = 1024

    private(set) var hosts: [String: HostPace] = [:]
    /// Whether a host has ever wanted no requests for some time.
    private(set) var hasFloors = false
    /// The hosts with requests that wait.
    private var awaited: Set<String> = []
    private var table: HostLimitTable
    private var maxFetches: Int
    private var fetches = 0
    private var fetchesOfCollection: [String: Int] = [:]
    private var lastNumber: UInt64 = 0
    /// Requests that have begun since they asked, and do not know it yet.
    private var begun: Set<UInt64> = []

    init(_ table: HostLimitTable = HostLimitTable(), maxFetches: Int = FetchLimits().fetches) {
        self.table = table
        self.maxFetches = maxFetches
    }

    /// Takes other limits into use, also for requests that wait.
    mutating func configure(_ table: HostLimitTable, maxFetches: Int, now: UInt64) {
        self.table = table
        self.maxFetches = maxFetches
        for host in hosts.keys { hosts[host]?.configure(table[host], now: now) }
    }

    /// Registers a waiting request.
    mutating func ask(_ host: String, for requester: HostRequester, _ urgency: HostUrgency, now: UInt64) -> Ticket {
        lastNumber += 1
        let ticket = Ticket(number: lastNumber, host: host, requester: requester)
        know(host, now: now)
        hosts[host]?.ask(HostPace.Waiting(number: lastNumber, urgency: urgency), for: requester, now: now)
        awaited.insert(host)
        return ticket
    }

    /// Takes back a request that waits.
    mutating func withdraw(_ ticket: Ticket) {
        hosts[ticket.host]?.withdraw(ticket.number, of: ticket.requester)
        if hosts[ticket.host]?.hasWaiting != true { awaited.remove(ticket.host) }
    }

    /// Begins all requests that may begin now; false if there are none.
    mutating func begin(now: UInt64) -> Bool {
        var hasBegun = false
        while let ticket = next(now: now) {
            hosts[ticket.host]?.begin(ticket.number, of: ticket.requester, now: now)
            if hosts[ticket.host]?.hasWaiting != true { awaited.remove(ticket.host) }
            if let collection = ticket.requester.collection {
                fetches += 1
                fetchesOfCollection[collection, default: 0] += 1
            }
            begun.insert(ticket.number)
            hasBegun = true
        }
        return hasBegun
    }

    /// Whether a request has begun; true once for each.
    mutating func consumeBegun(_ ticket: Ticket) -> Bool { begun.remove(ticket.number) != nil }

    /// Ends a request that has begun.
    mutating func end(_ ticket: Ticket, now: UInt64) {
        hosts[ticket.host]?.end(ticket.number, now: now)
        guard let collection = ticket.requester.collection else { return }
        fetches -= 1
        let rest = (fetchesOfCollection[collection] ?? 1) - 1
        fetchesOfCollection[collection] = rest > 0 ? rest : nil
    }

    /// Records that a host wants no requests before that time.
    mutating func raiseFloor(of host: String, to time: UInt64, now: UInt64) {
        know(host, now: now)
        hasFloors = true
        hosts[host]?.raiseFloor(to: time)
    }

    /// The earliest time at which a request that waits could begin if no other one did.
    mutating func opening(_ ticket: Ticket, isForced: Bool, now: UInt64) -> UInt64 {
        hosts[ticket.host]?.opening(now: now, isForced: isForced) ?? now
    }

    private var maxFetchesOfCollection: Int { max(1, maxFetches / 2) }

    private mutating func next(now: UInt64) -> Ticket? {
        let (counts, isFull, maxCount) = (fetchesOfCollection, fetches >= maxFetches, maxFetchesOfCollection)
        let admits: (HostRequester) -> Bool = { requester in
            guard let collection = requester.collection else { return true }
            return !isFull && counts[collection, default: 0] < maxCount
        }
        var best: (ticket: Ticket, due: Int64)?
        for host in awaited {
            guard let (requester, request) = hosts[host]?.next(now: now, admits: admits) else { continue }
            let due = request.urgency.due
            if let best, (best.due, best.ticket.number) < (due, request.number) { continue }
            best = (Ticket(number: request.number, host: host, requester: requester), due)
        }
        return best?.ticket
    }

    /// Makes an entry for an unknown host. If there are too many, it replaces one that is at rest.
    private mutating func know(_ host: String, now: UInt64) {
        guard hosts[host] == nil else { return }
        if hosts.count >= Self.maxHosts {
            for name in Array(hosts.keys) where hosts[name]?.isForgettable(now: now) == true { hosts[name] = nil }
        }
        if hosts.count >= Self.maxHosts {
            // A host without a floor that has not been used for long is replaced first.
            let resting = hosts.filter { $0.value.isIdle }.map { name, pace in
                (rank: pace.floor > now ? 1 : 0, use: pace.lastUse, name: name)
            }
            let last = resting.sorted { ($0.rank, $0.use) < ($1.rank, $1.use) }.prefix(Self.maxHosts / 8)
            for (_, _, name) in last { hosts[name] = nil }
        }
        hosts[host] = HostPace(table[host], now: now)
    }
}
