// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// `kill -9` at random moments. `SOAK_SECONDS` has it go on for so long, with other moments each time; `SOAK_SEED`
/// repeats a run, as far as the machine lets it.
@Suite struct KillTests {
    private static let rounds = 25
    private static let seconds = Environment["SOAK_SECONDS"].flatMap { Int($0) }

    @Test func `nothing acknowledged is lost, and no generation is mixed, whenever the daemon is killed`() throws {
        let isSoaking = Self.seconds != nil
        let seed = Environment["SOAK_SEED"].flatMap { UInt64($0) } ?? (isSoaking ? RandomBytes.integer() : 4)
        var chance = SeededGenerator(seed: seed)
        let site = try MortalDaemon()
        let end = Self.seconds.map { SystemClock.monotonic &+ Duration.seconds($0).wholeNanoseconds }
        var rounds = 0
        var slowest = Duration.zero
        while end.map({ SystemClock.monotonic < $0 }) ?? (rounds < Self.rounds), site.findings.all.isEmpty {
            slowest = max(slowest, try site.round(&chance))
            rounds += 1
            if isSoaking, rounds % 100 == 0 { print("\(rounds) rounds, \(site.acknowledged) changes acknowledged") }
        }
        try site.conclude()
        if isSoaking {
            print(
                """
                \(rounds) rounds of seed \(seed): \(site.acknowledged) changes acknowledged, \(site.editions) editions \
                published, the slowest start took \(slowest)
                """)
        }
        #expect(site.findings.all.isEmpty, "seed \(seed), round \(rounds)\n\(site.log.suffix(4000))")
        #expect(site.acknowledged > 0 && site.editions > 2, "seed \(seed)")
    }
}
