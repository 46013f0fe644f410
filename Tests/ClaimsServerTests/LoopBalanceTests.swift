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
            let first = balance.first(token: token)
            balance.count(1, heavyOf: first)
            let place = balance.place(isHeavy: true, token: token, now: first) ?? first
            balance.count(-1, heavyOf: first)
            balance.count(1, heavyOf: place)
            served[place] += 1
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
        balance.count(1, heavyOf: 0)
        #expect(balance.place(isHeavy: true, token: 7, now: 0) == 1)
        balance.count(-1, heavyOf: 0)
        balance.count(1, heavyOf: 1)
        #expect(balance.place(isHeavy: true, token: 7, now: 1) == nil)
    }

    @Test func `what became light comes back to the light ones`() {
        let balance = LoopBalance(loops: 4)
        for token in UInt64(0)..<8 {
            #expect(balance.place(isHeavy: false, token: token, now: balance.first(token: token)) == nil)
            #expect(balance.place(isHeavy: false, token: token, now: 3) == balance.first(token: token))
            #expect(balance.first(token: token) < balance.lightLoops)
        }
    }

    @Test func `when heavy ones leave a loop, others come`() {
        var balance = LoopBalance(loops: 2)
        balance.count(4, heavyOf: 1)
        #expect(balance.place(isHeavy: true, token: 1, now: 1) == 0)
    }

    @Test func `one loop serves everybody`() {
        let balance = LoopBalance(loops: 1)
        #expect(balance.place(isHeavy: true, token: 1, now: 0) == nil)
        #expect(balance.place(isHeavy: false, token: 1, now: 0) == nil)
    }
}
