// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsTerminal
import Testing

@Suite struct ProgressLinePaceTests {
    @Test func `what is done within a second needs no line, and lines that stay come every five seconds`() {
        var pace = ProgressLinePace()
        let second: UInt64 = 1_000_000_000
        let due = [0, 1, 9, 10, 11, 59, 60, 61].filter { pace.isDue(at: 7 * second + UInt64($0) * second / 10) }
        #expect(due == [10, 60])
    }
}
