// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsRefresh

/// A process of a host. A host that has started again is another issuer.
struct Issuer: Sendable, Hashable {
    let host: String
    let epoch: String
}

/// The place of a head entry among all of a source. What was issued later is newer; of two that were issued in the same
/// millisecond, the one of the greater host is newer, so that all hosts find the same one newest.
struct HeadOrder: Sendable, Comparable {
    /// Milliseconds since 1970.
    let issuedAt: Int64
    let host: String

    static func < (one: Self, other: Self) -> Bool { (one.issuedAt, one.host) < (other.issuedAt, other.host) }
}

/// The newest head entry of a source that this host has accepted, its own included. Times are in milliseconds since 1970.
struct NewestEntry: Sendable, Equatable {
    var issuer: Issuer
    /// The rank of the issuer among the leaders.
    var leader: Int
    var entry: HeadEntry
    /// The time at which this host saw it, by its clock.
    var seenAt: Int64
    /// Whether it was seen by this process, and not found at its start.
    var isSeenFresh: Bool
    /// Whether this clock agreed with the clock of the address. Only then can it show that something is dated too far
    /// ahead.
    var isClockTrusted = false
    /// The time at which this host saw the first of the consecutive entries in which the issuer tells of a failure that another
    /// host may not have; nil if this one tells of none.
    private(set) var troubleSeenAt: Int64?

    init(
        issuer: Issuer, leader: Int, entry: HeadEntry, seenAt: Int64, isSeenFresh: Bool, isClockTrusted: Bool = false
    ) {
        self.issuer = issuer
        self.leader = leader
        self.entry = entry
        self.seenAt = seenAt
        self.isSeenFresh = isSeenFresh
        self.isClockTrusted = isClockTrusted
        if entry.error?.isWorthTrying == true { troubleSeenAt = seenAt }
    }

    var order: HeadOrder { HeadOrder(issuedAt: entry.issuedAt, host: issuer.host) }

    /// This entry, in the place of one that was known. A failure that is reported again, after each attempt, makes nobody
    /// wait for longer.
    func replacing(_ known: NewestEntry?) -> NewestEntry {
        var next = self
        if let known, known.issuer.host == issuer.host, let since = known.troubleSeenAt {
            next.troubleSeenAt = troubleSeenAt.map { min($0, since) }
        }
        return next
    }

    /// This entry, with the times when it was seen by another clock.
    func shifted(by difference: Int64) -> NewestEntry {
        var next = self
        next.seenAt += difference
        next.troubleSeenAt = troubleSeenAt.map { $0 + difference }
        return next
    }
}

extension HeadEntry.Fault {
    /// The number of failures in a row without an answer after which another leader may try.
    private static let failuresToTry = 5

    /// Whether another host may not have the same failure.
    var isWorthTrying: Bool {
        switch kind {
        case "tls", "credential": failures >= 1
        case "unreachable", "timeout": failures >= Self.failuresToTry
        default: false
        }
    }
}

/// Decides whether a host may ask the upstream of a source. Pure.
///
///     Leadership(own: issuer, hosts: hosts, rank: 1).permission(after: newest, request: hash, startedAt: start)
struct Leadership: Sendable {
    /// The time that each further leader waits longer, in milliseconds.
    static let step: Int64 = 20_000

    let own: Issuer
    /// The hosts of the leaders, in the order in which they take over.
    let hosts: [String]
    /// The rank of this host among the leaders; nil if it is none, or cannot sign.
    let rank: Int?

    /// - Parameter startedAt: the start of this process by the clock as it is now.
    func permission(after newest: NewestEntry?, request: String, startedAt: Int64) -> AskPermission {
        guard let rank else { return .never }
        guard let newest else { return .from(startedAt + Int64(rank) * Self.step) }
        if newest.issuer.host == own.host {
            return isOverdue(newest, startedAt: startedAt) ? .from(startedAt + Int64(rank) * Self.step) : .bySchedule
        }
        // A host that would ask for something else does not take over.
        guard newest.entry.request == request else { return .never }
        let entry = newest.entry
        var start = due(newest)
        if let trouble = newest.troubleSeenAt { start = min(start, trouble) }
        return .from(max(start + wait(after: newest.issuer), entry.retryAfter ?? .min))
    }

    /// Whether a head of this host's earlier process is so old that another leader may have taken over. Otherwise this
    /// process continues where that process was.
    func isOverdue(_ newest: NewestEntry, startedAt: Int64) -> Bool {
        newest.issuer != own && due(newest) + Self.step < startedAt
    }

    /// The wait of this host after the next head is due, in milliseconds.
    ///
    /// The first of the other leaders waits one step: a head is read later than it is issued, so without a wait that
    /// leader would take over from a healthy one.
    private func wait(after issuer: Issuer) -> Int64 {
        let others = hosts.filter { $0 != issuer.host }
        return Int64((others.firstIndex(of: own.host) ?? others.count) + 1) * Self.step
    }

    /// The time at which the next head is due.
    func due(_ newest: NewestEntry) -> Int64 {
        let span = max(0, (newest.entry.nextRefresh ?? newest.entry.issuedAt) - newest.entry.issuedAt)
        return (newest.isSeenFresh ? newest.seenAt : newest.entry.issuedAt) + span
    }
}

/// Decides whether the head of an address counts. Pure. Times are in milliseconds since 1970.
enum HeadJudgement {
    /// The longest lead of a head over this clock.
    static let maxLead: Int64 = 300_000
    /// The maximal difference between this clock and a trusted clock of an address, in milliseconds.
    static let maxClockDifference: Int64 = 60_000
    /// The longest silence beyond the announced time of the next head; after it the data counts as late.
    static let maxSilence: Int64 = 120_000

    /// Whether an entry is dated so far ahead that one of the clocks is wrong.
    static func isAhead(_ entry: HeadEntry, now: Int64) -> Bool {
        isAhead(entry.issuedAt, now: now) || isAhead(entry.asOf, now: now)
    }

    static func isAhead(_ time: Int64, now: Int64) -> Bool { time > now + maxLead }

    /// The time for an entry: now, but after the entry before. An earlier entry that is dated far ahead does not count:
    /// it was issued before this clock was set back, and no host takes it.
    static func issueTime(_ now: Int64, after known: Int64?) -> Int64 {
        guard let known, !isAhead(known, now: now) else { return now }
        return max(now, known + 1)
    }

    /// The time of the next request as an entry tells it. What counts is by how much it is later than the entry: one that was
    /// issued after one that is dated ahead would announce a request too early, and others would take over.
    ///
    /// - Parameter due: by the clock of the issuer, as `now` is; nil: there is none.
    static func nextRefresh(_ due: Int64?, issuedAt: Int64, now: Int64) -> Int64? {
        due.map { $0 + max(0, issuedAt - now) }
    }

    /// Whether an entry is newer than the known one. Once this clock is known to agree with the clock of the address, a known
    /// entry that is far ahead does not count: it was issued under a wrong clock.
    static func isNewer(_ next: NewestEntry, than known: NewestEntry?, now: Int64) -> Bool {
        guard let known else { return true }
        if next.isClockTrusted, isAhead(known.entry, now: now) { return true }
        return next.order > known.order
    }
}
