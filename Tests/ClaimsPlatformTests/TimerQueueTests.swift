// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsPlatform

@Suite struct TimerQueueTests {
    @Test func `random timers come out by time, without the cancelled ones`() {
        var random = SystemRandomNumberGenerator()
        var queue = TimerQueue()
        var expected: [UInt64] = []
        var seen: [UInt64] = []
        for _ in 0..<2000 {
            let deadline = UInt64.random(in: 0..<500, using: &random)
            let timer = queue.schedule(at: deadline) { seen.append(deadline) }
            if Int.random(in: 0..<3, using: &random) == 0 {
                queue.cancel(timer)
                queue.cancel(timer)
            } else {
                expected.append(deadline)
            }
        }
        #expect(queue.count == expected.count)
        while let work = queue.popDue(at: 499) { work() }
        #expect(seen == expected.sorted())
        #expect(queue.count == 0)
    }

    @Test func `a timer's name is not valid for the next that uses its place`() {
        var queue = TimerQueue()
        let old = queue.schedule(at: 1) {}
        queue.cancel(old)
        _ = queue.schedule(at: 2) {}
        queue.cancel(old)
        #expect(queue.count == 1)
    }

    @Test func `the time to sleep is rounded up to whole milliseconds`() {
        var queue = TimerQueue()
        #expect(queue.milliseconds(until: 5) == -1)
        _ = queue.schedule(at: 1_000_001) {}
        #expect(queue.milliseconds(until: 0) == 2)
        #expect(queue.milliseconds(until: 1) == 1)
        #expect(queue.milliseconds(until: 1_000_000) == 1)
        #expect(queue.milliseconds(until: 1_000_001) == 0)
        #expect(queue.milliseconds(until: 2_000_000) == 0)
        #expect(queue.popDue(at: 1_000_000) == nil)
    }
}
