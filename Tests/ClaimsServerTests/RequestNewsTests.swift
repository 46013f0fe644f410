// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@testable import ClaimsServer

/// When a peer is told how far its request is.
@Suite struct RequestNewsTests {
    private let id = Array("7".utf8)

    @Test func `a request is told of until it is answered`() {
        var state = ConnectionState(limits: ServingLimits())
        let token = state.begin(id, .query(Cancellation()))
        let (one, other) = (state.idForNews(of: token), state.idForNews(of: token + 1))
        #expect(one == id && other == nil)
        _ = state.complete(token)
        let after = state.idForNews(of: token)
        #expect(after == nil)
    }

    @Test func `nothing is told once the connection is closed`() {
        var state = ConnectionState(limits: ServingLimits())
        let token = state.begin(id, .query(Cancellation()))
        _ = state.close()
        let after = state.idForNews(of: token)
        #expect(after == nil)
    }

    @Test(arguments: [(0, true), (65_535, true), (65_536, false), (200_000, false)])
    func `nothing is told while 64 KiB wait for the peer`(count: Int, isTold: Bool) {
        var state = ConnectionState(limits: ServingLimits())
        let token = state.begin(id, .query(Cancellation()))
        state.output.append([UInt8](repeating: 0x20, count: count), from: 0)
        let found = state.idForNews(of: token)
        #expect(found == (isTold ? id : nil))
    }
}
