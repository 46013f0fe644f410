// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport

/// The course of a fleet: storms, in which all kinds of things happen at once, and single faults in the calm, of which it is
/// known what each host is to say, and when.
final class SoakCourse {
    private typealias Sight = SoakOracle.Sight

    /// How long it goes on; nil: it is left out.
    static let seconds = Environment["SOAK_SECONDS"].flatMap { Int($0) }

    let fleet: SoakFleet
    let oracle: SoakOracle
    private var random: SeededGenerator
    private let end: UInt64
    /// The ends of what goes on, in milliseconds since 1970.
    private var ends: [(event: SoakEvent, at: Int64)] = []
    private var lastKind: SoakEvent.Kind?

    private static let leaders = SoakFleet.leaders
    /// An interval with a tenth, a poll with a tenth, and what busy machines take.
    private static let refreshed = SoakFleet.interval * 11 / 10 + 10_000

    init(seconds: Int, seed: UInt64) throws {
        fleet = try SoakFleet()
        oracle = SoakOracle(fleet)
        random = SeededGenerator(seed: seed)
        end = SystemClock.monotonic &+ Duration.seconds(seconds).wholeNanoseconds
    }

    private var isOver: Bool { SystemClock.monotonic >= end || !oracle.findings.isEmpty }

    /// Goes on until the time is over, or something is found.
    func run() throws {
        let faults = [refusing, hanging, alone, unserved, gone, silent]
        var round = Int.random(in: faults.indices, using: &random)
        calm()
        while !isOver {
            try storm(for: Int64.random(in: 120_000...240_000, using: &random))
            try fleet.mend()
            calm()
            if isOver { break }
            fleet.tell("a single fault")
            try faults[round % faults.count](leader)
            try fleet.mend()
            round += 1
            calm()
            print(
                "\(fleet.upstream.answered.count) requests, \(oracle.looks) looks, \(oracle.leaderChanges) new leaders")
        }
        try fleet.mend()
        calm()
        judgeRequests()
    }

    // MARK: - Watching

    /// Looks at all hosts once a second, until something is so.
    ///
    /// - Returns: whether it became so.
    @discardableResult
    private func watch(for time: Int64, until isSo: () -> Bool = { false }) -> Bool {
        let end = SystemClock.wall + time
        while SystemClock.wall < end {
            oracle.look()
            if isSo() { return true }
            if !oracle.findings.isEmpty { return false }
            _ = Monitor(false).wait(upTo: .milliseconds(700)) { $0 ? true : nil }
        }
        return false
    }

    /// The host that asks, as one of the others sees it.
    private var leader: String { oracle.sights[SoakFleet.others[0]]?.via ?? Self.leaders[0] }

    private var isSettled: Bool {
        let sights = SoakFleet.names.compactMap { oracle.sights[$0] }
        return sights.count == SoakFleet.names.count && Set(sights.map(\.number)).count == 1
            && Set(sights.map(\.asOf)).count == 1 && sights.allSatisfy { $0.error == nil }
            && sights.allSatisfy { ($0.age ?? .max) < Self.refreshed }
    }

    /// Waits until all hosts are fresh and equal, and sees that one host asks, once an interval.
    private func calm() {
        fleet.tell("all is mended")
        guard oracle.findings.isEmpty else { return }
        guard watch(for: 200_000, until: { isSettled }) else {
            return oracle.complain("in the calm not all are fresh and equal: \(describe())")
        }
        let (before, asks) = (fleet.upstream.requests.count, leader)
        watch(for: 75_000)
        for host in SoakFleet.names {
            guard let sight = oracle.sights[host], oracle.findings.isEmpty else { continue }
            if sight.error != nil || (sight.age ?? .max) > Self.refreshed {
                oracle.complain("\(host) is not well in the calm: \(sight)")
            }
        }
        let requests = fleet.upstream.requests.dropFirst(before)
        if oracle.findings.isEmpty, !(2...3).contains(requests.count) || requests.contains(where: { $0.host != asks }) {
            oracle.complain("in the calm ask \(requests.map(\.host)), and not \(asks) once an interval")
        }
    }

    private func describe() -> [String] {
        SoakFleet.names.map { "\($0): \(oracle.sights[$0].map { "\($0)" } ?? "unknown")" }
    }

    /// Waits until hosts say what they are to.
    private func expect(_ what: String, within time: Int64, _ hosts: [String], _ isSo: (Sight) -> Bool) {
        let isDone = watch(for: time) { hosts.allSatisfy { oracle.sights[$0].map(isSo) ?? false } }
        if isDone { return fleet.tell("as expected: \(what)") }
        if oracle.findings.isEmpty { oracle.complain("not so within \(time) ms: \(what): \(describe())") }
    }

    /// All hosts but one.
    private func all(but host: String) -> [String] { SoakFleet.names.filter { $0 != host } }

    // MARK: - Storms

    private func storm(for time: Int64) throws {
        fleet.tell("a storm")
        let end = SystemClock.wall + time
        var next = SystemClock.wall
        while SystemClock.wall < end, !isOver {
            if SystemClock.wall >= next, fleet.history.active.count < 4 {
                try disturb()
                next = SystemClock.wall + Int64.random(in: 2_000...20_000, using: &random)
            }
            let due = ends.filter { $0.at <= SystemClock.wall }
            ends.removeAll { $0.at <= SystemClock.wall }
            for entry in due { try finish(entry.event) }
            oracle.look()
            _ = Monitor(false).wait(upTo: .milliseconds(Int64.random(in: 100...1_000, using: &random))) {
                $0 ? true : nil
            }
        }
        for entry in ends { try finish(entry.event) }
        ends = []
    }

    /// Begins something, at a leader mostly at the one that asks.
    private func disturb() throws {
        let kind = random.pick(SoakEvent.Kind.allCases)
        var host = random.oneIn(2) ? leader : random.pick(Self.leaders)
        if kind == .restarted { host = random.pick(SoakFleet.others) }
        if kind == .refusing { host = "" }
        let active = fleet.history.active
        // One process is in one state, and no two addresses are out of order: the hosts would be in parts.
        let isTaken = active.contains { event in
            event.kind == kind && event.host == host
                || SoakEvent.isOfUpstream(event.kind) && SoakEvent.isOfUpstream(kind) && event.host == host
                || event.isOfProcess && event.host == host
                    && SoakEvent(kind: kind, host: host, began: 0).isOfProcess
                || event.isOfAddress && SoakEvent(kind: kind, host: host, began: 0).isOfAddress
        }
        guard !isTaken else { return }
        if random.oneIn(3) { try fleet.copyFiles(of: random.pick(Self.leaders.filter { !isFrozen($0) })) }
        try fleet.begin(kind, host, isOld: random.oneIn(2))
        if kind == .restored { oracle.restored(host) }
        let event = SoakEvent(kind: kind, host: host, began: SystemClock.wall)
        let isShort = kind == .restarted || kind == .restored
        let time = isShort ? 0 : Int64.random(in: 1_000...90_000, using: &random)
        ends.append((event, SystemClock.wall + time))
    }

    private func isFrozen(_ host: String) -> Bool {
        fleet.history.active.contains { $0.kind == .frozen && $0.host == host }
    }

    private func finish(_ event: SoakEvent) throws {
        try fleet.end(event)
        if event.isOfProcess, event.kind != .stopped { oracle.restarted(event.host) }
    }

    // MARK: - Single faults

    /// The upstream refuses all: each host names the one that asks.
    private func refusing(_ leader: String) throws {
        try fleet.begin(.refusing, "")
        expect("503 of \(leader)", within: Self.refreshed, all(but: leader)) {
            $0.error?.kind == "http_status" && $0.error?.status == 503 && $0.error?.host == leader
        }
        expect("503", within: 1_000, [leader]) { $0.error?.status == 503 && $0.error?.host == nil }
    }

    /// The process that asks does not go on: the next one takes over, and nobody is blamed.
    private func hanging(_ leader: String) throws {
        try fleet.begin(.stopped, leader)
        expect("another than \(leader) asks", within: Self.refreshed + 35_000, SoakFleet.others) {
            $0.via != leader && $0.error == nil && ($0.age ?? .max) < Self.refreshed
        }
    }

    /// The host that asks does not reach the upstream: it is named, and after five failures another one asks.
    private func alone(_ leader: String) throws {
        try fleet.begin(.cut, leader)
        expect("\(leader) is named", within: Self.refreshed, SoakFleet.others) {
            $0.error?.kind == "unreachable" && $0.error?.host == leader
        }
        expect("another than \(leader) asks", within: 62_000 + 20_000 + Self.refreshed, SoakFleet.others) {
            $0.via != leader && $0.error == nil && ($0.age ?? .max) < Self.refreshed
        }
    }

    /// The address of the host that asks is gone: another one asks, and this host takes what that one has.
    private func unserved(_ leader: String) throws {
        try fleet.begin(.unserved, leader)
        expect("another than \(leader) asks", within: Self.refreshed + 35_000, SoakFleet.others + [leader]) {
            $0.via != leader && $0.via != nil && $0.error == nil && ($0.age ?? .max) < Self.refreshed
        }
    }

    /// No leader is there: after its announced silence and two minutes the last one is named.
    private func gone(_ leader: String) throws {
        for host in Self.leaders { try fleet.begin(.killed, host) }
        watch(for: 110_000)
        for host in SoakFleet.others {
            guard let error = oracle.sights[host]?.error else { continue }
            oracle.complain("\(host) blames \(error) too early")
        }
        expect("\(leader) is late", within: Self.refreshed + 30_000, SoakFleet.others) {
            $0.error?.kind == "late" && $0.error?.host == leader
        }
        for host in Self.leaders { oracle.restarted(host) }
    }

    /// No address answers: after a minute the newest failure is told. The leaders each ask for themselves.
    private func silent(_ leader: String) throws {
        for host in Self.leaders { try fleet.begin(.unserved, host) }
        watch(for: 50_000)
        for host in SoakFleet.others {
            guard let error = oracle.sights[host]?.error else { continue }
            oracle.complain("\(host) blames \(error) too early")
        }
        // The looks come after doubled waits.
        expect("no address answers", within: 25_000, SoakFleet.others) {
            $0.error?.kind == "unreachable" && $0.error?.reason == "refused"
                && $0.error?.host.map { Self.leaders.contains($0) } == true
        }
    }

    // MARK: - Requests

    /// One request an interval, and at most one more for each time that something happened to a leader. Where no address
    /// answers, each leader asks for itself.
    private func judgeRequests() {
        let answered = fleet.upstream.answered
        guard let first = answered.first?.at, let last = answered.last?.at, oracle.findings.isEmpty else { return }
        var allowed = Int((last - first) / SoakFleet.interval) + 1
        let events = fleet.history.events
        for event in events where event.isOfLeader { allowed += 1 }
        for event in events where event.kind == .unserved {
            let others = events.filter {
                $0.kind == .unserved && $0.began <= (event.ended ?? last) && ($0.ended ?? last) >= event.began
            }
            if others.count == Self.leaders.count {
                allowed += Int(((event.ended ?? last) - event.began) / SoakFleet.interval) + 1
            }
        }
        if answered.count > allowed { oracle.complain("\(answered.count) requests, and \(allowed) are allowed") }
        // Requests that come sooner than the interval lets them are explained by what has happened to a leader just before.
        for (before, request) in zip(answered, answered.dropFirst())
        where request.at - before.at < SoakFleet.interval - 2_000 {
            let isExplained = events.contains { event in
                (event.isOfLeader || event.kind == .refusing) && event.began <= request.at
                    && (event.ended ?? request.at) + 90_000 >= request.at
            }
            if !isExplained {
                oracle.complain(
                    "\(request.host) asks \(request.at - before.at) ms after \(before.host) without a reason")
            }
        }
    }

    /// The figures, for people.
    var figures: String {
        let (requests, events) = (fleet.upstream.requests, fleet.history.events)
        let answered = fleet.upstream.answered
        let time = (answered.last?.at ?? 0) - (answered.first?.at ?? 0)
        let kinds = SoakEvent.Kind.allCases.map { kind in "\(kind.rawValue) \(events.count { $0.kind == kind })" }
        let hosts = Self.leaders.map { host in "\(host) \(answered.count { $0.host == host })" }
        return """
            \(answered.count) requests answered (\(hosts.joined(separator: ", "))) in \(time / SoakFleet.interval) intervals, \
            \(requests.count - answered.count) not; \(events.count) disturbances (\(kinds.joined(separator: ", "))), \
            \(events.count(where: \.isOfLeader)) of leaders; \(oracle.looks) looks, \(oracle.comparisons) comparisons of all \
            records, \(oracle.leaderChanges) new leaders
            """
    }
}
