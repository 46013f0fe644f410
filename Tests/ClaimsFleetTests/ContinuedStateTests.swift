// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsRefresh
import ClaimsStore
import ClaimsTestSupport
import Testing

@testable import ClaimsFleet

@Suite struct ContinuedStateTests {
    private static let mark = ExportMark(number: 3, generation: .max, seq: 1 << 63, key: 7)

    private func state(join: String? = "j", isWhole: Bool = true) -> ContinuedState {
        let taken = FollowedState(state: "s", issuedAt: 5, host: "desk-a", join: join, definition: "d", version: "1")
        return ContinuedState(taken, joinHash: "h", mark: Self.mark, isWhole: isWhole)
    }

    @Test("what was taken comes back as it was kept") func roundTrip() {
        for state in [state(), state(join: nil), state(isWhole: false)] {
            #expect(ContinuedState(stored: state.stored) == state)
        }
        #expect(ContinuedState(stored: "{}") == nil && ContinuedState(stored: "") == nil)
    }

    @Test("a host goes on from a state only with the same definition and version, and if it lacks nothing")
    func conditions() {
        #expect(state().isGood(definition: "d", version: "1"))
        #expect(!state().isGood(definition: "other", version: "1"))
        #expect(!state().isGood(definition: "d", version: "2"))
        #expect(!state(isWhole: false).isGood(definition: "d", version: "1"))
    }

    @Test("a state that an older version has taken has neither definition nor version") func older() throws {
        let taken = FollowedState(state: "s", issuedAt: 5, host: "desk-a", join: nil)
        var position = taken.position(in: "north")
        #expect(FollowedState(position, fleet: "north") == taken)
        position.value = #"{"state":"s","issued_at":5,"host":"desk-a"}"#
        #expect(FollowedState(position, fleet: "north") == taken)
        let continued = ContinuedState(taken, joinHash: nil, mark: Self.mark, isWhole: true)
        #expect(!continued.isGood(definition: "d", version: "1"))
    }

    @Test("a state that is only confirmed keeps the definition under which it was taken") func confirmed() {
        let taken = FollowedState(state: "s", issuedAt: 5, host: "desk-a", join: nil, definition: "old", version: "0")
        let newest = NewestEntry(
            issuer: Issuer(host: "desk-a", epoch: "e"), leader: 0, entry: headEntry(issuedAt: 9), seenAt: 9,
            isSeenFresh: true)
        let judgement = EntryJudgement(
            newest: newest, taken: taken, known: SourceRow(), hasData: true, isForced: false, now: 10)
        guard case .confirmed(let state) = judgement.outcome(nil, in: "north") else {
            Issue.record("not confirmed")
            return
        }
        let next = FollowedState(state.position, fleet: "north")
        #expect(next?.issuedAt == 9 && next?.definition == "old" && next?.version == "0")
        #expect(
            FollowedState(judgement.state(nil, join: nil, in: "north").position, fleet: "north")?.definition == "d")
    }
}
