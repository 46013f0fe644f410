// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport

/// Looks at all hosts of a fleet, and judges what they serve and say. One thread uses it.
final class SoakOracle {
    /// The facts that a host gives about its data.
    struct Sight {
        var asOf: Int64?
        var age: Int64?
        /// The host that has asked; nil where it is the host itself.
        var via: String?
        var error: Blame?
        /// The number of the upstream's generation that it serves.
        var number: Int?

        init(_ meta: JSONValue) {
            asOf = meta["as_of"]?.string.flatMap { Instant.parse($0)?.ms }
            age = meta["age_ms"]?.integer
            via = meta["via"]?.string
            error = meta["last_error"].flatMap { Blame($0) }
        }
    }

    /// The reason that a host gives.
    struct Blame: Equatable {
        var kind: String
        var reason: String?
        var status: Int64?
        var host: String?

        init?(_ error: JSONValue) {
            guard let kind = error["kind"]?.string else { return nil }
            (self.kind, reason, status, host) = (
                kind, error["reason"]?.string, error["status"]?.integer, error["host"]?.string
            )
        }
    }

    private struct Known {
        var client: LineClient?
        var asOf: Int64 = 0
        var generation: Int64 = -1
        var sight: Sight?
        /// The start of the process, as far as it is known.
        var startedAt: Int64 = 0
    }

    private let fleet: SoakFleet
    private var known: [String: Known] = [:]
    private(set) var findings: [String] = []
    private(set) var looks = 0
    private(set) var comparisons = 0
    private(set) var leaderChanges = 0

    /// A leader's announced silence and the one that is no failure yet: 33 s and two minutes, with what polls take.
    private static let lateAge: Int64 = 250_000
    /// The longest age where a leader has been able to ask for ``ableTime``: the leader before may have had five timeouts.
    private static let maxAge: Int64 = 230_000
    private static let ableTime: Int64 = 260_000

    init(_ fleet: SoakFleet) {
        self.fleet = fleet
        for host in SoakFleet.names { known[host] = Known(startedAt: SystemClock.wall) }
    }

    /// The hosts as they were at the last look.
    var sights: [String: Sight] { known.compactMapValues(\.sight) }

    func complain(_ text: String) {
        fleet.tell("FOUND \(text)")
        if findings.count < 20 { findings.append(text) }
    }

    /// Takes note of a host whose disk was put back: its data may be older.
    func restored(_ host: String) { known[host] = Known(startedAt: SystemClock.wall) }

    /// Takes note of a new process.
    func restarted(_ host: String) {
        known[host]?.client = nil
        known[host]?.startedAt = SystemClock.wall
    }

    /// Looks at all hosts that run.
    func look() {
        for host in SoakFleet.names where fleet.runs(host) {
            do { try look(host) } catch {
                known[host]?.client = nil
                complain("\(host) does not answer: \(error)")
            }
        }
    }

    private func look(_ host: String) throws {
        let client = try known[host]?.client ?? fleet.hosts.daemon(host).connect()
        known[host]?.client = client
        looks += 1
        var answer = try client.request("search", #"{"collection":"units","limit":1,"fields":["id"]}"#)
        var meta = answer["result"]?["meta"] ?? answer["error"]?["data"]?["meta"] ?? .null
        var number = known[host]?.sight?.number
        let generation = meta["generation"]?.integer ?? -1
        if generation != known[host]?.generation, answer["result"] != nil {
            answer = try client.request("search", #"{"collection":"units","limit":1000,"fields":["id","name"]}"#)
            meta = answer["result"]?["meta"] ?? .null
            number = compare(answer["result"]?["records"]?.array ?? [], on: host, meta)
        }
        var sight = Sight(meta)
        sight.number = number
        judge(sight, of: host)
        if let before = known[host]?.sight, host == SoakFleet.others[0], before.via != sight.via, before.via != nil {
            leaderChanges += 1
            fleet.tell("\(sight.via ?? "nobody") leads")
        }
        known[host]?.generation = meta["generation"]?.integer ?? -1
        known[host]?.asOf = sight.asOf ?? 0
        known[host]?.sight = sight
    }

    /// Compares records with the generation that they say they are of.
    private func compare(_ records: [JSONValue], on host: String, _ meta: JSONValue) -> Int? {
        comparisons += 1
        var names: [String: String] = [:]
        for record in records { names[record["id"]?.string ?? ""] = record["name"]?.string ?? "" }
        guard names.count == records.count, let number = SoakGeneration.number(in: names) else {
            complain("\(host) has \(records.count) records of no generation")
            return nil
        }
        let expected = SoakGeneration(number: number).names
        if names != expected {
            let wrong = Set(names.keys).union(expected.keys).filter { names[$0] != expected[$0] }.sorted()
            complain("\(host) has a mixture: not of generation \(number) are \(wrong)")
        }
        let asOf = Sight(meta).asOf ?? 0
        // A host that was stopped within a request has begun it long before the upstream read it.
        let isStopped = fleet.history.has([.stopped], nil, at: asOf, for: 200_000)
        let times = asOf - 1_000...asOf + (isStopped ? 200_000 : 10_000)
        let isServed = fleet.upstream.answered.contains { $0.generation == number && times.contains($0.at) }
        if !isServed {
            complain("\(host) has generation \(number) as of \(asOf), which the upstream did not serve then")
        }
        return number
    }

    private func judge(_ sight: Sight, of host: String) {
        let (now, history) = (SystemClock.wall, fleet.history)
        let before = known[host]?.asOf ?? 0
        if (sight.asOf ?? 0) < before { complain("\(host): as of \(sight.asOf ?? 0) after \(before)") }
        // A disk that was put back tells what it told then, until the first look at an address.
        let isPutBack = history.has([.restored], host, at: now, for: 15_000)
        if let error = sight.error, !isPutBack, !isRight(error, on: host, at: now) {
            complain("\(host) blames \(error), which nothing explains")
        }
        guard let age = sight.age else { return }
        let isLongUp = now - (known[host]?.startedAt ?? now) > Self.lateAge
        if age > Self.lateAge, sight.error == nil, isLongUp {
            complain("\(host) has an age of \(age) ms, and no reason")
        }
        let isAble = SoakFleet.leaders.contains { history.isAble($0, at: now, for: Self.ableTime) }
        if age > Self.maxAge, isAble { complain("\(host) has an age of \(age) ms, though one could ask") }
    }

    /// Whether something has happened to the host that is blamed which explains the failure.
    private func isRight(_ blame: Blame, on host: String, at now: Int64) -> Bool {
        let (culprit, history) = (blame.host ?? host, fleet.history)
        switch blame.kind {
        case "unreachable", "timeout", "truncated":
            return history.has([.cut, .stalled, .unserved, .stopped], culprit, at: now, for: 200_000)
        case "http_status" where blame.status == 503: return history.has([.refusing], culprit, at: now, for: 200_000)
        case "http_status": return history.has([.frozen, .restored], culprit, at: now, for: 200_000)
        case "late" where blame.reason == "older":
            return history.has([.restored, .frozen, .stopped], culprit, at: now, for: 600_000)
        case "late":
            let kinds: [SoakEvent.Kind] = [.killed, .stopped, .restored, .unserved, .frozen]
            return history.has(kinds, culprit, at: now, for: 400_000)
        default: return false
        }
    }
}
