// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@testable import ClaimsServer

/// When the progress of a request is reported to its peer.
@Suite struct RequestProgressTests {
    private let id = Array("7".utf8)

    @Test func `progress is reported until the request is answered`() {
        var state = ConnectionState(limits: ServingLimits())
        let token = state.begin(id, .query(Cancellation()))
        let (one, other) = (state.idForProgress(of: token), state.idForProgress(of: token + 1))
        #expect(one == id && other == nil)
        _ = state.complete(token)
        let after = state.idForProgress(of: token)
        #expect(after == nil)
    }

    @Test func `nothing is reported once the connection is closed`() {
        var state = ConnectionState(limits: ServingLimits())
        let token = state.begin(id, .query(Cancellation()))
        _ = state.close()
        let after = state.idForProgress(of: token)
        #expect(after == nil)
    }

    @Test(arguments: [(0, true), (65_535, true), (65_536, false), (200_000, false)])
    func `nothing is reported while 64 KiB wait for the peer`(count: Int, isReported: Bool) {
        var state = ConnectionState(limits: ServingLimits())
        let token = state.begin(id, .query(Cancellation()))
        state.output.append([UInt8](repeating: 0x20, count: count), from: 0)
        let found = state.idForProgress(of: token)
        #expect(found == (isReported ? id : nil))
    }
}
