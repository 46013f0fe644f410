// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsPlatform

@Suite struct PatienceTests {
    /// Patience after pauses that have ended in sleep.
    private func patience(_ pauses: [UInt64]) -> Patience {
        var patience = Patience()
        for pause in pauses { patience.note(pause, wasInVain: false) }
        return patience
    }

    @Test func `a loop sleeps at once until several pauses have been short`() {
        #expect(!Patience().isWorthIt)
        let short = [UInt64](repeating: Patience.brief, count: Patience.enough)
        #expect(!patience(short.dropLast()).isWorthIt)
        #expect(patience(short).isWorthIt)
    }

    @Test func `one long pause among the short ones begins the count anew`() {
        let short = [UInt64](repeating: 1_000, count: Patience.enough - 1)
        #expect(!patience(short + [Patience.brief + 1] + short).isWorthIt)
        #expect(patience(short + [Patience.brief + 1] + short + [1_000]).isWorthIt)
    }

    @Test func `who has looked in vain sleeps, however soon the next report came`() {
        var patience = patience([UInt64](repeating: 1_000, count: 100))
        patience.note(Patience.most + 1, wasInVain: true)
        #expect(!patience.isWorthIt)
    }

    @Test func `it lasts while what is looked for comes`() {
        var patience = patience([UInt64](repeating: 1_000, count: Patience.enough))
        for _ in 0..<1_000 {
            patience.note(Patience.most, wasInVain: false)
            #expect(patience.isWorthIt)
        }
    }
}
