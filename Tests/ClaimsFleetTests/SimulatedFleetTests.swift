// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import Testing

@testable import ClaimsFleet

/// `CLAIMSD_FLEET_SEEDS` says how many fleets are simulated.
@Suite struct SimulatedFleetTests {
    private static let blocks: UInt64 = 20
    private static let seeds =
        Environment["CLAIMSD_FLEET_SEEDS"].flatMap { UInt64($0) } ?? UInt64(RandomRounds.count(200))

    @Test(
        "no data goes back or is mixed, and after all is mended one host asks, and all are fresh and equal",
        arguments: 0..<blocks)
    func simulated(block: UInt64) throws {
        var (deltas, bases) = (0, 0)
        for seed in stride(from: block, to: max(Self.seeds, Self.blocks), by: Int(Self.blocks)) {
            var fleet = try SimulatedFleet(seed: seed)
            let complaint = try Self.complaint(&fleet)
            if let complaint {
                Issue.record("seed \(seed): \(complaint)\n\(fleet.story.joined(separator: "\n"))")
                return
            }
            deltas += fleet.taken.deltas
            bases += fleet.taken.bases
        }
        #expect(deltas > 0 && bases > 0)
    }

    /// Runs a fleet through a storm and the calm after it.
    ///
    /// - Returns: what is wrong; nil where nothing is.
    private static func complaint(_ fleet: inout SimulatedFleet) throws -> String? {
        for second in 0..<600 {
            if second > 60, fleet.random.oneIn(20) { fleet.disturb() }
            try fleet.second()
            if !fleet.faults.isEmpty { return fleet.faults.joined(separator: ", ") }
        }
        fleet.calm()
        for _ in 0..<200 { try fleet.second() }
        let before = fleet.requests
        for _ in 0..<300 { try fleet.second() }
        if !(4...6).contains(fleet.requests - before) { return "\(fleet.requests - before) requests in five intervals" }
        // Once nothing changes any more, all have the same.
        fleet.changesUpstream = false
        for _ in 0..<90 { try fleet.second() }
        for host in fleet.hosts.indices {
            let age = fleet.time(host) - (fleet.hosts[host].disk.row.asOf ?? 0)
            guard (-1...75_000).contains(age) else { return "\(SimulatedFleet.names[host]) has an age of \(age) ms" }
            guard fleet.hosts[host].records == fleet.upstream else {
                return "\(SimulatedFleet.names[host]) has other records than the upstream"
            }
        }
        return fleet.faults.isEmpty ? nil : fleet.faults.joined(separator: ", ")
    }
}
