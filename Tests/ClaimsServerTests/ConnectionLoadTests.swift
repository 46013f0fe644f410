// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsServer

@Suite struct ConnectionLoadTests {
    /// The same time slice again and again, until its connection is what it should be; nil where it never is.
    private func slices(of time: UInt64, in load: inout ConnectionLoad, until isHeavy: Bool) -> Int? {
        for slice in 1...1000 {
            _ = load.record(time)
            if load.isHeavy == isHeavy { return slice }
        }
        return nil
    }

    @Test func `long slices make a connection heavy soon, and short ones light again`() throws {
        var load = ConnectionLoad()
        #expect(try #require(slices(of: 2 * ConnectionLoad.heavyThreshold, in: &load, until: true)) < 16)
        #expect(try #require(slices(of: ConnectionLoad.lightThreshold / 2, in: &load, until: false)) < 32)
    }

    @Test func `a single slice that was held up does not make a connection heavy`() {
        var load = ConnectionLoad()
        for _ in 0..<100 {
            _ = load.record(UInt64.max)
            #expect(!load.isHeavy)
            for _ in 0..<32 { _ = load.record(ConnectionLoad.lightThreshold / 2) }
        }
    }

    @Test func `slices between light and heavy change nothing`() {
        var load = ConnectionLoad()
        let between = (ConnectionLoad.lightThreshold + ConnectionLoad.heavyThreshold) / 2
        #expect(slices(of: between, in: &load, until: true) == nil)
        _ = slices(of: 3 * ConnectionLoad.heavyThreshold, in: &load, until: true)
        #expect(slices(of: between, in: &load, until: false) == nil)
    }

    @Test func `the place is asked for when the load changes, and now and then`() {
        var load = ConnectionLoad()
        let asked = (1...640).filter { _ in load.record(1) }
        #expect(asked.count == 10)
        var changed: [Bool] = []
        for _ in 0..<16 {
            let wasHeavy = load.isHeavy
            let isAsked = load.record(2 * ConnectionLoad.heavyThreshold)
            if load.isHeavy != wasHeavy { changed.append(isAsked) }
        }
        #expect(changed == [true])
    }
}
