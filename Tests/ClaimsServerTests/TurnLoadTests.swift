// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsServer

@Suite struct TurnLoadTests {
    /// The same turn again and again, until its connection is what it should be; nil where it never is.
    private func turns(of time: UInt64, in load: inout TurnLoad, until isHeavy: Bool) -> Int? {
        for turn in 1...1000 {
            _ = load.note(time)
            if load.isHeavy == isHeavy { return turn }
        }
        return nil
    }

    @Test func `long turns make a connection heavy soon, and short ones light again`() throws {
        var load = TurnLoad()
        #expect(try #require(turns(of: 2 * TurnLoad.heavy, in: &load, until: true)) < 16)
        #expect(try #require(turns(of: TurnLoad.light / 2, in: &load, until: false)) < 32)
    }

    @Test func `a single turn that was held up does not make a connection heavy`() {
        var load = TurnLoad()
        for _ in 0..<100 {
            _ = load.note(UInt64.max)
            #expect(!load.isHeavy)
            for _ in 0..<32 { _ = load.note(TurnLoad.light / 2) }
        }
    }

    @Test func `turns between light and heavy change nothing`() {
        var load = TurnLoad()
        #expect(turns(of: (TurnLoad.light + TurnLoad.heavy) / 2, in: &load, until: true) == nil)
        _ = turns(of: 3 * TurnLoad.heavy, in: &load, until: true)
        #expect(turns(of: (TurnLoad.light + TurnLoad.heavy) / 2, in: &load, until: false) == nil)
    }

    @Test func `the place is asked for when the load changes, and now and then`() {
        var load = TurnLoad()
        let asked = (1...640).filter { _ in load.note(1) }
        #expect(asked.count == 10)
        var changed: [Bool] = []
        for _ in 0..<16 {
            let wasHeavy = load.isHeavy
            let isAsked = load.note(2 * TurnLoad.heavy)
            if load.isHeavy != wasHeavy { changed.append(isAsked) }
        }
        #expect(changed == [true])
    }
}
