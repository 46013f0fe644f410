// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsPlatform

@Suite struct BusyPollingTests {
    /// BusyPolling after pauses that have ended in sleep.
    private func polling(_ pauses: [UInt64]) -> BusyPolling {
        var polling = BusyPolling()
        for pause in pauses { polling.record(pause, wasInVain: false) }
        return polling
    }

    @Test func `a loop sleeps at once until several pauses have been short`() {
        #expect(!BusyPolling().isWorthIt)
        let short = [UInt64](repeating: BusyPolling.brief, count: BusyPolling.enough)
        #expect(!polling(short.dropLast()).isWorthIt)
        #expect(polling(short).isWorthIt)
    }

    @Test func `one long pause among the short ones begins the count anew`() {
        let short = [UInt64](repeating: 1_000, count: BusyPolling.enough - 1)
        #expect(!polling(short + [BusyPolling.brief + 1] + short).isWorthIt)
        #expect(polling(short + [BusyPolling.brief + 1] + short + [1_000]).isWorthIt)
    }

    @Test func `who has looked in vain sleeps, however soon the next report came`() {
        var polling = polling([UInt64](repeating: 1_000, count: 100))
        polling.record(BusyPolling.maxDuration + 1, wasInVain: true)
        #expect(!polling.isWorthIt)
    }

    @Test func `it lasts while what is looked for comes`() {
        var polling = polling([UInt64](repeating: 1_000, count: BusyPolling.enough))
        for _ in 0..<1_000 {
            polling.record(BusyPolling.maxDuration, wasInVain: false)
            #expect(polling.isWorthIt)
        }
    }
}
