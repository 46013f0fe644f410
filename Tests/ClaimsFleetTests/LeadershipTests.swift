// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsRefresh
import ClaimsTestSupport
import Testing

@testable import ClaimsFleet

@Suite struct LeadershipTests {
    private let hosts = ["a", "b", "c"]

    private func permission(
        of host: String, after newest: NewestEntry?, startedAt: Int64 = 1_000_000
    ) -> AskPermission {
        Leadership(own: Issuer(host: host, epoch: "2"), hosts: hosts, rank: hosts.firstIndex(of: host))
            .permission(after: newest, request: "r", startedAt: startedAt)
    }

    private func newest(
        of host: String, epoch: String = "1", _ entry: HeadEntry, seenAt: Int64 = 500, isSeenFresh: Bool = true
    ) -> NewestEntry {
        NewestEntry(
            issuer: Issuer(host: host, epoch: epoch), leader: 0, entry: entry, seenAt: seenAt, isSeenFresh: isSeenFresh)
    }

    @Test("without a head the leaders may ask one after the other, and other hosts never") func noHead() {
        #expect(permission(of: "a", after: nil) == .from(1_000_000))
        #expect(permission(of: "b", after: nil) == .from(1_020_000))
        #expect(permission(of: "x", after: nil) == .never)
    }

    @Test("the host that issued the newest head asks when its source is due") func ownHead() {
        let known = newest(of: "b", epoch: "2", headEntry(issuedAt: 400))
        #expect(permission(of: "b", after: known) == .bySchedule)
    }

    @Test("the others wait for the time that was announced, counted from when they saw it, one step each")
    func takingOver() {
        let known = newest(of: "a", headEntry(issuedAt: 400, next: 10_400))
        #expect(permission(of: "b", after: known) == .from(30_500))
        #expect(permission(of: "c", after: known) == .from(50_500))
        // Of a head that was found at a start, the clock of its issuer counts.
        let found = newest(of: "a", headEntry(issuedAt: 400, next: 10_400), isSeenFresh: false)
        #expect(permission(of: "b", after: found) == .from(30_400))
        // The first of the list does not take over from one that is well.
        let other = newest(of: "c", headEntry(issuedAt: 400, next: 10_400))
        #expect(permission(of: "a", after: other) == .from(30_500))
    }

    @Test("a leader that has started again goes on when it is due") func restarted() {
        let known = newest(of: "b", headEntry(issuedAt: 400, next: 10_400), isSeenFresh: false)
        #expect(permission(of: "b", after: known, startedAt: 30_400) == .bySchedule)
        // Another one may have taken over from it.
        #expect(permission(of: "b", after: known, startedAt: 30_401) == .from(50_401))
    }

    @Test("a failure that another host may not have lets it try") func failures() {
        func permission(_ kind: String, _ failures: Int) -> AskPermission {
            let error = HeadEntry.Fault(kind: kind, reason: nil, status: nil, at: 300, failures: failures)
            let known = newest(of: "a", headEntry(issuedAt: 400, next: 900_400, error: error))
            return self.permission(of: "b", after: known)
        }
        #expect(permission("tls", 1) == .from(20_500))
        #expect(permission("credential", 1) == .from(20_500))
        #expect(permission("unreachable", 4) == .from(920_500))
        #expect(permission("unreachable", 5) == .from(20_500))
        #expect(permission("http_status", 9) == .from(920_500))
    }

    @Test("what the upstream demanded of one host binds the others") func retryAfter() {
        let known = newest(of: "a", headEntry(issuedAt: 400, next: 10_400, retryAfter: 99_000))
        #expect(permission(of: "b", after: known) == .from(99_000))
    }

    @Test("an answer counts unless another host has published meanwhile, or the clock was set") func permits() {
        let own = Issuer(host: "b", epoch: "2")
        let given = GivenPermit(permit: AskPermit(number: 1, floor: 0), newest: 400, clock: 7)
        let known = newest(of: "a", headEntry(issuedAt: 400))
        #expect(given.holds(with: known, own: own, clock: 7))
        #expect(given.holds(with: nil, own: own, clock: 2_007) && !given.holds(with: nil, own: own, clock: 2_008))
        #expect(!given.holds(with: newest(of: "a", headEntry(issuedAt: 401)), own: own, clock: 7))
        #expect(given.holds(with: newest(of: "b", epoch: "2", headEntry(issuedAt: 900)), own: own, clock: 7))
    }

    @Test("a host with another request does not take over") func otherRequest() {
        let known = newest(of: "a", headEntry(issuedAt: 400, next: 10_400, request: "other"))
        #expect(permission(of: "b", after: known) == .never)
    }

    @Test("an entry is issued after the one before, unless the clock was set back since") func issueTimes() {
        #expect(HeadJudgement.issueTime(5_000, after: nil) == 5_000)
        #expect(HeadJudgement.issueTime(5_000, after: 4_000) == 5_000)
        #expect(HeadJudgement.issueTime(5_000, after: 7_000) == 7_001)
        #expect(HeadJudgement.issueTime(5_000, after: 5_000 + HeadJudgement.maxLead) == 5_001 + HeadJudgement.maxLead)
        #expect(HeadJudgement.issueTime(5_000, after: 5_001 + HeadJudgement.maxLead) == 5_000)
    }

    @Test("a head counts if it is newer, or if what is known was issued under a wrong clock") func newer() {
        let known = newest(of: "a", headEntry(issuedAt: 400))
        #expect(HeadJudgement.isNewer(headEntry(issuedAt: 401), than: known, now: 500, isClockTrusted: false))
        #expect(!HeadJudgement.isNewer(headEntry(issuedAt: 400), than: known, now: 500, isClockTrusted: true))
        let ahead = newest(of: "a", headEntry(issuedAt: 4_000_000))
        #expect(!HeadJudgement.isNewer(headEntry(issuedAt: 401), than: ahead, now: 500, isClockTrusted: false))
        #expect(HeadJudgement.isNewer(headEntry(issuedAt: 401), than: ahead, now: 500, isClockTrusted: true))
    }
}

/// Hosts whose decisions are those of `Leadership` and `HeadJudgement`, on clocks and addresses of the test's making.
private struct SimulatedFleet {
    struct Host {
        var clock: Int64 = 0
        var epoch = 0
        var startedAt: Int64 = 0
        var isAlive = true
        var reachesUpstream = true
        var newest: NewestEntry?
        /// The time of the data, by the clock of the host that asked; kept over restarts.
        var asOf: Int64 = 0
        /// When it asks next by its own schedule, by its clock.
        var due: Int64 = 0
        /// Served by its web server, also while the daemon is dead.
        var published: (issuer: Issuer, entry: HeadEntry)?
        var hasLooked = false
    }

    static let interval: Int64 = 60_000
    static let leaders = ["a", "b", "c"]
    static let names = leaders + ["d", "e"]

    var hosts = names.map { _ in Host() }
    /// Whether a host reaches the address of another.
    var isReachable = [[Bool]](repeating: [Bool](repeating: true, count: names.count), count: names.count)
    var now: Int64 = 10_000_000
    var requests = 0
    /// An as_of that went back, in words.
    var fault: String?
    let poll = Int64(5_000)

    func time(_ host: Int) -> Int64 { now + hosts[host].clock }

    func issuer(_ host: Int) -> Issuer { Issuer(host: Self.names[host], epoch: "\(hosts[host].epoch)") }

    mutating func restart(_ host: Int) {
        hosts[host].epoch += 1
        hosts[host].isAlive = true
        hosts[host].startedAt = time(host)
        hosts[host].newest = nil
        hosts[host].hasLooked = false
        guard host < Self.leaders.count, let own = hosts[host].published else { return }
        if HeadJudgement.isAhead(own.entry, now: time(host)) {
            hosts[host].published = nil
        } else {
            hosts[host].newest = NewestEntry(
                issuer: own.issuer, leader: host, entry: own.entry, seenAt: time(host), isSeenFresh: false)
        }
    }

    mutating func look(_ host: Int) {
        for address in Self.leaders.indices where address != host && isReachable[host][address] {
            guard let head = hosts[address].published, !HeadJudgement.isAhead(head.entry, now: time(host)) else {
                continue
            }
            let known = hosts[host].newest
            let isTrusted = abs(time(host) - time(address)) <= HeadJudgement.maxClockDifference
            guard
                HeadJudgement.isNewer(head.entry, than: known, now: time(host), isClockTrusted: isTrusted)
            else { continue }
            hosts[host].newest = NewestEntry(
                issuer: head.issuer, leader: address, entry: head.entry, seenAt: time(host),
                isSeenFresh: hosts[host].hasLooked)
            take(head.entry, host)
        }
        hosts[host].hasLooked = true
    }

    /// Older data stays out, unless what is here is dated ahead.
    mutating func take(_ entry: HeadEntry, _ host: Int) {
        if entry.asOf >= hosts[host].asOf || HeadJudgement.isAhead(hosts[host].asOf, now: time(host)) {
            hosts[host].asOf = entry.asOf
        }
    }

    func mayAsk(_ host: Int) -> Bool {
        let leadership = Leadership(
            own: issuer(host), hosts: Self.leaders, rank: Self.leaders.firstIndex(of: Self.names[host]))
        let start = hosts[host].startedAt
        switch leadership.permission(after: hosts[host].newest, request: "r", startedAt: start) {
        case .bySchedule: return hosts[host].due <= time(host)
        case .from(let start): return start <= time(host)
        case .never: return false
        }
    }

    mutating func step(_ host: Int) {
        guard hosts[host].isAlive else { return }
        if now / 1000 % (poll / 1000) == Int64(host) % (poll / 1000) { look(host) }
        guard mayAsk(host) else { return }
        look(host)
        guard mayAsk(host) else { return }
        let leads = hosts[host].newest?.issuer == issuer(host)
        let issuedAt = max(time(host), (hosts[host].newest?.entry.issuedAt ?? 0) + 1)
        if hosts[host].reachesUpstream {
            requests += 1
            let asOf = max(
                time(host),
                (hosts[host].newest?.entry.asOf).map { HeadJudgement.isAhead($0, now: time(host)) ? 0 : $0 + 1 } ?? 0)
            if asOf < hosts[host].asOf, !HeadJudgement.isAhead(hosts[host].asOf, now: time(host)) {
                // Its own answer is too old for it: late.
                hosts[host].due = time(host) + Self.interval
                return
            }
            hosts[host].asOf = asOf
        } else if !leads {
            return
        }
        hosts[host].due = time(host) + Self.interval
        let error =
            hosts[host].reachesUpstream
            ? nil : HeadEntry.Fault(kind: "unreachable", reason: nil, status: nil, at: time(host), failures: 5)
        let entry = headEntry(
            issuedAt: issuedAt, asOf: hosts[host].asOf, next: hosts[host].due, error: error)
        hosts[host].published = (issuer(host), entry)
        hosts[host].newest = NewestEntry(
            issuer: issuer(host), leader: host, entry: entry, seenAt: time(host), isSeenFresh: true)
    }

    mutating func second() {
        now += 1000
        let before = hosts.map(\.asOf)
        for host in hosts.indices { step(host) }
        for host in hosts.indices where hosts[host].asOf < before[host] {
            guard !HeadJudgement.isAhead(before[host], now: time(host)) else { continue }
            fault = fault ?? "\(Self.names[host]): \(before[host]) → \(hosts[host].asOf)"
        }
    }

    /// Does something to the fleet.
    mutating func disturb(using random: inout SeededGenerator) {
        let host = Int.random(in: hosts.indices, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: hosts[host].isAlive = false
        case 1: restart(host)
        case 2: hosts[host].reachesUpstream.toggle()
        case 3: isReachable[host][Int.random(in: hosts.indices, using: &random)].toggle()
        case 4:
            for other in hosts.indices { isReachable[other][host] = false }
        case 5: hosts[host].clock = Int64.random(in: -1...1, using: &random) * 3_600_000
        case 6:
            let step = Int64.random(in: -1...1, using: &random) * 3_600_000
            for other in hosts.indices { hosts[other].clock += step }
        default: break
        }
    }

    /// Mends all.
    mutating func calm() {
        for host in hosts.indices {
            hosts[host].clock = 0
            hosts[host].reachesUpstream = true
            if !hosts[host].isAlive { restart(host) }
            isReachable[host] = isReachable[host].map { _ in true }
        }
    }
}

@Suite struct SimulatedFleetTests {
    @Test(
        "no data goes back, and after all is mended one host asks, and all are fresh",
        arguments: 0..<UInt64(RandomRounds.count(20)))
    func simulated(block: UInt64) {
        for seed in block * 20..<(block + 1) * 20 {
            var random = SeededGenerator(seed: seed)
            var fleet = SimulatedFleet()
            for host in fleet.hosts.indices { fleet.restart(host) }
            for second in 0..<900 {
                if second > 100, Int.random(in: 0..<40, using: &random) == 0 { fleet.disturb(using: &random) }
                fleet.second()
            }
            #expect(fleet.fault == nil, "seed \(seed)")
            fleet.calm()
            // Heads that were issued an hour ahead are deleted by a restart of their leaders, or pass.
            for host in fleet.hosts.indices { fleet.restart(host) }
            for _ in 0..<200 { fleet.second() }
            let before = fleet.requests
            for _ in 0..<600 { fleet.second() }
            #expect(
                (9...11).contains(fleet.requests - before),
                "seed \(seed): \(fleet.requests - before) requests in ten intervals")
            for host in fleet.hosts.indices {
                let age = fleet.time(host) - fleet.hosts[host].asOf
                #expect(
                    (-1...70_000).contains(age), "seed \(seed): \(SimulatedFleet.names[host]) has an age of \(age) ms")
            }
        }
    }
}
