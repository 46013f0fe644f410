// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@testable import ClaimsRefresh

@Suite struct ShrinkGuardTests {
    private let shrinkGuard = ShrinkGuard(GuardSettings())
    private let now: Int64 = 1_800_000_000_000

    private func verdict(
        _ before: Int, _ after: Int, missing: Int? = nil, quarantined: Int = 0, move: ShrinkGuard.Move? = nil,
        held: ShrinkGuard.Sighting? = nil, at: Int64? = nil
    ) -> ShrinkGuard.Verdict {
        shrinkGuard.verdict(
            .init(
                before: before, after: after, missing: missing ?? max(0, before - after), quarantined: quarantined,
                move: move, bodyHash: "b"), held: held, now: at ?? now)
    }

    private func reason(_ verdict: ShrinkGuard.Verdict) -> MessageKey? {
        if case .hold(_, _, let reason) = verdict { reason.key } else { nil }
    }

    @Test func `growth, sameness and small losses pass`() {
        for after in [50, 51, 99, 100, 101, 5000] { #expect(verdict(100, after) == .pass) }
        #expect(verdict(0, 0) == .pass)
    }

    @Test func `less than half of before is held`() {
        #expect(reason(verdict(100, 49)) == .heldShrunk)
        #expect(reason(verdict(2, 1)) == nil)
        #expect(reason(verdict(3, 1)) == .heldShrunk)
    }

    @Test func `nothing after something is held`() {
        #expect(reason(verdict(1, 0)) == .heldEmpty)
    }

    @Test func `a body in which more than half of the known ids are missing is held, whatever its size`() {
        #expect(reason(verdict(100, 100, missing: 50)) == nil)
        #expect(reason(verdict(100, 100, missing: 51)) == .heldMissing)
        #expect(reason(verdict(100, 5_000, missing: 100)) == .heldMissing)
        #expect(reason(verdict(1, 1, missing: 1)) == .heldMissing)
        #expect(reason(verdict(0, 7)) == nil)
        guard case .hold(_, _, let message) = verdict(10, 12, missing: 9) else {
            Issue.record("it was not held")
            return
        }
        #expect(message.arguments == ["9", "10"])
    }

    @Test func `after a change of the address the reason says so`() throws {
        let move = try #require(ShrinkGuard.Move(from: "https://a/", to: "https://b/"))
        #expect(reason(verdict(10, 10, missing: 5, move: move)) == nil)
        for (after, missing) in [(10, 10), (2, 8), (0, 10)] {
            guard case .hold(_, _, let message) = verdict(10, after, missing: missing, move: move) else {
                Issue.record("it was not held")
                return
            }
            #expect(message.key == .heldMissingElsewhere)
            #expect(message.arguments == ["\(missing)", "10", "https://a/", "https://b/"])
        }
        #expect(reason(verdict(10, 5, missing: 10, quarantined: 5, move: move)) == .heldQuarantinedElsewhere)
        #expect(ShrinkGuard.Move(from: "https://a/", to: "https://a/") == nil)
        #expect(ShrinkGuard.Move(from: nil, to: "https://a/") == nil)
    }

    @Test func `more than a fifth in quarantine is held`() {
        #expect(reason(verdict(100, 80, quarantined: 20)) == nil)
        #expect(reason(verdict(100, 79, quarantined: 21)) == .heldQuarantined)
        #expect(reason(verdict(100, 0, quarantined: 100)) == .heldQuarantined)
    }

    @Test func `the same body passes once it has been seen for as long as it takes to confirm it`() {
        guard case .hold(let since, let wait, _) = verdict(100, 10) else {
            Issue.record("it was not held")
            return
        }
        #expect(since == now && wait == 600_000)
        let held = ShrinkGuard.Sighting(bodyHash: "b", since: since)
        guard case .hold(let again, let rest, _) = verdict(100, 10, held: held, at: now + 100_000) else {
            Issue.record("it was not held")
            return
        }
        #expect(again == now && rest == 500_000)
        #expect(verdict(100, 10, held: held, at: now + 600_000) == .pass)
    }

    @Test func `another body begins anew`() {
        let held = ShrinkGuard.Sighting(bodyHash: "a", since: now - 3_600_000)
        guard case .hold(let since, let wait, _) = verdict(100, 10, held: held) else {
            Issue.record("it was not held")
            return
        }
        #expect(since == now && wait == 600_000)
    }

    @Test func `a first sight in the future comes from another clock, and does not count`() {
        let held = ShrinkGuard.Sighting(bodyHash: "b", since: now + 1)
        guard case .hold(let since, _, _) = verdict(100, 10, held: held) else {
            Issue.record("it was not held")
            return
        }
        #expect(since == now)
    }

    @Test func `the share that may be lost is a setting`() {
        let strict = makeGuard(loss: 0, quarantine: 1, confirm: .seconds(1))
        let candidate = ShrinkGuard.Candidate(before: 100, after: 99, missing: 1, quarantined: 900, bodyHash: "b")
        #expect(reason(strict.verdict(candidate, held: nil, now: now)) == .heldShrunk)
        let lax = makeGuard(loss: 1, quarantine: 1, confirm: .seconds(1))
        #expect(reason(lax.verdict(candidate, held: nil, now: now)) == nil)
    }

    private func makeGuard(loss: Double, quarantine: Double, confirm: Duration) -> ShrinkGuard {
        var settings = GuardSettings()
        (settings.loss, settings.quarantine, settings.confirm) = (loss, quarantine, confirm)
        return ShrinkGuard(settings)
    }
}
