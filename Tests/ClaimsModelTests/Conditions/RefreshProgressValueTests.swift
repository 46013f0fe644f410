// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@Suite struct RefreshProgressValueTests {
    @Test func `The phases are in their order, and one of a newer daemon is after none`() {
        let phases = RefreshProgress.Phase.allCases
        #expect(phases.map(\.rawValue) == ["queued", "connect", "receive", "read", "write"])
        for (index, phase) in phases.enumerated() {
            for (other, before) in phases.enumerated() { #expect(phase.isAfter(before) == (index > other)) }
            #expect(!RefreshProgress.Phase(rawValue: "digest").isAfter(phase))
        }
    }

    @Test func `Of the outcomes two are successes, and two are failures`() {
        #expect(RefreshOutcome.allCases.filter(\.isSuccess) == [.updated, .unchanged])
        #expect(RefreshOutcome.allCases.filter(\.isFailure) == [.failed, .held])
        #expect(TrialOutcome.allCases.map(\.rawValue) == ["would_update", "unchanged", "held", "failed", "invalid"])
    }
}
