// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore

@testable import ClaimsFleet

/// The rules that hold after each step.
extension SimulatedFleet {
    /// Compares what a host has after a step with what it had, and with what the upstream has answered.
    mutating func judge(_ host: Int, after before: SimulatedDisk) {
        let disk = hosts[host].disk
        guard let asOf = disk.row.asOf else { return }
        if let old = before.row.asOf, asOf < old, !HeadJudgement.isAhead(old, now: time(host)) {
            faults.append("\(now / 1000) \(Self.names[host]): as of \(old) → \(asOf)")
        }
        guard disk.elements != before.elements || before.row.asOf == nil else { return }
        guard let number = disk.elements[0], let answer = answers[number] else {
            return faults.append("\(now / 1000) \(Self.names[host]) has records of no answer")
        }
        let records = hosts[host].records
        let strict = answer.records.filter { $0.key % 7 != 3 }
        if records != hosts[host].decoded(answer.records), records != strict {
            let wrong = Set(records.keys).union(answer.records.keys).filter { records[$0] != answer.records[$0] }
            faults.append("\(now / 1000) \(Self.names[host]) mixes generation \(number): \(wrong.sorted())")
        }
        // Its age is wrong by no more than a leader's clock is.
        let times = answer.first + clocks.lowerBound - Self.slack...answer.last + clocks.upperBound + Self.slack
        if !times.contains(asOf) {
            faults.append("\(now / 1000) \(Self.names[host]): as of \(asOf), and not in \(times)")
        }
        guard let old = before.elements[0], let earlier = answers[old], asOf >= before.row.asOf ?? 0 else { return }
        if earlier.first - answer.last > clocks.upperBound - clocks.lowerBound + Self.slack {
            faults.append("\(now / 1000) \(Self.names[host]): generation \(number) after \(old)")
        }
    }

    /// Sees that a host follows no older head than before, and takes none, but for one that was issued under a wrong clock, as
    /// it may be with data of such a clock.
    mutating func judgeTimes(_ host: Int, after newest: HeadEntry?, _ row: SourceRow) {
        let time = time(host)
        if let asOf = row.asOf, HeadJudgement.isAhead(asOf, now: time) { return }
        if let newest, let next = hosts[host].newest?.entry, next.issuedAt < newest.issuedAt,
            !HeadJudgement.isAhead(newest, now: time)
        {
            faults.append("\(now / 1000) \(Self.names[host]): head \(newest.issuedAt) → \(next.issuedAt)")
        }
        guard hosts[host].disk.row.position != row.position, let next = taken(host),
            let before = FollowedState(row.position, fleet: Self.fleet), next.issuedAt < before.issuedAt,
            !HeadJudgement.isAhead(before.issuedAt, now: time)
        else { return }
        faults.append("\(now / 1000) \(Self.names[host]): took \(before.issuedAt) → \(next.issuedAt)")
    }
}
