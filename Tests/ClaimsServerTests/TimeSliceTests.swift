// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsServer

@Suite struct TimeSliceTests {
    @Test func `a slice begins with the end of the first request, and lasts its length`() {
        var slice = TimeSlice()
        let answers = [0, TimeSlice.length - 1, TimeSlice.length].map { slice.isOver(at: 5_000_000 + $0) }
        #expect(answers == [false, false, true])
    }
}

@Suite struct OutputQueueTests {
    @Test func `bytes leave a queue in their order, in whatever pieces they are taken`() {
        var queue = OutputQueue()
        var taken: [UInt8] = []
        for round in 0..<50 {
            queue.append(Array(repeating: UInt8(round), count: 5_000), from: round)
            queue.drain { bytes, start in
                let count = min(bytes.count - start, 4_000 - taken.count % 4_000)
                guard taken.count < 3_000 * (round + 1) else { return 0 }
                taken += bytes[start..<start + count]
                return count
            }
        }
        queue.drain { bytes, start in
            taken += bytes[start...]
            return bytes.count - start
        }
        #expect(queue.count == 0)
        #expect(taken == (0..<50).flatMap { round in Array(repeating: UInt8(round), count: 5_000 - round) })
    }
}
