// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsBrowse

@Suite struct FramePaceTests {
    @Test func `a key asks for a frame at once, and an event for one a little later`() {
        var pace = FramePace()
        #expect(pace.dueAt == 0)
        pace.drawn(at: 1000)
        #expect(pace.dueAt == nil)
        pace.eventHandled()
        #expect(pace.dueAt == 1000 + FramePace.minInterval)
        pace.keyHandled(at: 1010)
        #expect(pace.dueAt == 0)
        pace.drawn(at: 1020)
        #expect(pace.dueAt == nil)
    }

    @Test func `keys are taken without a frame for a while only`() {
        var pace = FramePace()
        pace.keyHandled(at: 1000)
        pace.keyHandled(at: 2000)
        #expect(!pace.mustDraw(at: 999 + FramePace.maxKeyDelay))
        #expect(pace.mustDraw(at: 1000 + FramePace.maxKeyDelay))
        pace.drawn(at: 1)
        #expect(!pace.mustDraw(at: .max))
    }
}
