// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsServer

@Suite struct LoopBalanceTests {
    /// Has connections become heavy one after the other, each where it began, and tells where they end.
    private func spread(_ connections: Int, over loops: Int) -> [Int] {
        var balance = LoopBalance(loops: loops)
        var served = Array(repeating: 0, count: loops)
        for token in 0..<UInt64(connections) {
            let first = balance.firstLoop(token: token)
            balance.changeHeavyCount(of: first, by: 1)
            let loop = balance.betterLoop(isHeavy: true, token: token, current: first) ?? first
            balance.changeHeavyCount(of: first, by: -1)
            balance.changeHeavyCount(of: loop, by: 1)
            served[loop] += 1
        }
        return served
    }

    @Test(arguments: 1...8) func `heavy connections are spread evenly`(loops: Int) {
        for connections in [1, 2, 5, 16, 64] {
            let served = spread(connections, over: loops)
            #expect(served.reduce(0, +) == connections)
            #expect((served.max() ?? 0) - (served.min() ?? 0) <= 1, "\(served)")
        }
    }

    @Test func `a single heavy connection goes where the light ones are not, and stays there`() {
        var balance = LoopBalance(loops: 2)
        balance.changeHeavyCount(of: 0, by: 1)
        #expect(balance.betterLoop(isHeavy: true, token: 7, current: 0) == 1)
        balance.changeHeavyCount(of: 0, by: -1)
        balance.changeHeavyCount(of: 1, by: 1)
        #expect(balance.betterLoop(isHeavy: true, token: 7, current: 1) == nil)
    }

    @Test func `what became light comes back to the light ones`() {
        let balance = LoopBalance(loops: 4)
        for token in UInt64(0)..<8 {
            #expect(balance.betterLoop(isHeavy: false, token: token, current: balance.firstLoop(token: token)) == nil)
            #expect(balance.betterLoop(isHeavy: false, token: token, current: 3) == balance.firstLoop(token: token))
            #expect(balance.firstLoop(token: token) < balance.lightLoops)
        }
    }

    @Test func `when heavy ones leave a loop, others come`() {
        var balance = LoopBalance(loops: 2)
        balance.changeHeavyCount(of: 1, by: 4)
        #expect(balance.betterLoop(isHeavy: true, token: 1, current: 1) == 0)
    }

    @Test func `one loop serves everybody`() {
        let balance = LoopBalance(loops: 1)
        #expect(balance.betterLoop(isHeavy: true, token: 1, current: 0) == nil)
        #expect(balance.betterLoop(isHeavy: false, token: 1, current: 0) == nil)
    }
}
