// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore
import ClaimsTestSupport

@testable import ClaimsFleet

/// A thing that happens to a simulated fleet.
enum SimulatedDisturbance: CaseIterable {
    case killed, restarted, cutOff, upstreamDead, unreachable, addressGone, clockSet, clocksSet, frozen, replayed,
        thawed,
        backedUp, putBack, redefined
}

extension SimulatedFleet {
    /// Starts a host again: it goes on with the head that it has left, as far as that counts.
    mutating func restart(_ host: Int) {
        hosts[host].epoch += 1
        hosts[host].isAlive = true
        hosts[host].startedAt = now
        (hosts[host].newest, hosts[host].work) = (nil, nil)
        (hosts[host].isResumed, hosts[host].hasLooked, hosts[host].hasFailed) = (false, false, false)
        guard let rank = Self.leaders.firstIndex(of: Self.names[host]), let head = hosts[host].folder.head else {
            return
        }
        let time = time(host)
        guard !HeadJudgement.isAhead(head.entry, now: time) else {
            hosts[host].folder.head = nil
            return
        }
        hosts[host].folder.head = (issuer(host), head.entry)
        let row = hosts[host].disk.row
        let newest = NewestEntry(
            issuer: head.issuer, leader: rank, entry: head.entry, seenAt: time, isSeenFresh: false)
        if let taken = FollowedState(row.position, fleet: Self.fleet), taken.order > newest.order { return }
        let leadership = Leadership(own: issuer(host), hosts: Self.leaders, rank: rank)
        let isBehind = row.asOf.map { $0 < head.entry.asOf } ?? true
        let isResumed = !isBehind && !leadership.isOverdue(newest, startedAt: time)
        hosts[host].newest = newest.shifted(by: now - time)
        hosts[host].isResumed = isResumed
        // Its commits are published, unless another one asks now.
        if isResumed { hosts[host].work = .committed(nil) }
    }

    /// Has something happen.
    mutating func disturb() {
        let host = Int.random(in: hosts.indices, using: &random)
        let leader = Int.random(in: Self.leaders.indices, using: &random)
        let disturbance = random.pick(SimulatedDisturbance.allCases)
        note("\(disturbance) \(Self.names[host]) \(Self.names[leader])")
        switch disturbance {
        case .killed: hosts[leader].isAlive = false
        case .restarted: restart(host)
        case .cutOff: hosts[leader].reachesUpstream.toggle()
        case .upstreamDead: isUpstreamAlive.toggle()
        case .unreachable: isReachable[host][leader].toggle()
        case .addressGone:
            for other in hosts.indices { isReachable[other][leader] = false }
        case .clockSet:
            // Little enough to be taken for right, or not.
            set(random.pick([-3_600_000, -200_000, 0, 30_000, 200_000, 3_600_000]), host)
        case .clocksSet:
            let step = random.pick([-3_600_000, 0, 3_600_000] as [Int64])
            for other in hosts.indices { set(hosts[other].clock + step, other) }
        case .frozen: hosts[leader].frozen = hosts[leader].folder
        case .replayed: hosts[leader].frozen = copies[leader] ?? hosts[leader].folder
        case .thawed:
            hosts[leader].frozen = nil
            copies[leader] = hosts[leader].folder
        case .backedUp: backups[leader] = (hosts[leader].disk, hosts[leader].folder)
        case .putBack:
            guard let backup = backups[leader] else { return }
            hosts[leader].disk = backup.disk
            if random.oneIn(2) { hosts[leader].folder = backup.folder }
            restart(leader)
        case .redefined:
            hosts[host].isStrict.toggle()
            restart(host)
        }
    }

    private mutating func set(_ clock: Int64, _ host: Int) {
        hosts[host].clock = clock
        guard host < Self.leaders.count else { return }
        clocks = min(clocks.lowerBound, clock)...max(clocks.upperBound, clock)
    }

    /// Mends all. Heads that were issued an hour ahead are deleted by a restart of their leaders.
    mutating func calm() {
        note("calm")
        (isUpstreamAlive, isUpstreamSlow) = (true, false)
        for host in hosts.indices {
            hosts[host].clock = 0
            hosts[host].reachesUpstream = true
            hosts[host].isStrict = false
            hosts[host].frozen = nil
            isReachable[host] = isReachable[host].map { _ in true }
            restart(host)
        }
    }
}
