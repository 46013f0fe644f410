// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSystemd

@Suite struct StartExtensionTests {
    @Test func `a start is given more time only while it uses the processor`() {
        var progress = StartProgress(processorTime: .zero)
        let times = [40, 40, 41, 43]
        #expect(times.map { progress.isExtended(at: .milliseconds($0)) } == [true, false, false, true])
    }

    @Test func `a start that works without end is given up`() {
        var progress = StartProgress(processorTime: .zero)
        let extensions = (1...10_000).count { progress.isExtended(at: .seconds($0)) }
        #expect(extensions == StartProgress.maxExtensions)
    }

    @Test func `time is asked for again and again, and not after the end`() throws {
        let count = Monitor(0)
        let start = try StartExtension(firstLook: .milliseconds(1), interval: .milliseconds(1)) {
            count.update { $0 += 1 }
        }
        var work: UInt64 = 0
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while count.read({ $0 }) < 3 {
            for value in 0..<100_000 as Range<UInt64> { work = work &* 31 &+ value }
            try #require(SystemClock.monotonic < deadline, "\(work)")
        }
        start.end()
        let told = count.read { $0 }
        for value in 0..<1_000_000 as Range<UInt64> { work = work &* 31 &+ value }
        #expect(count.read { $0 } == told, "\(work)")
    }
}
