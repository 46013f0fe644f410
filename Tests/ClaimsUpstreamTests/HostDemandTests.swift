// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsUpstream

struct HostDemandTests {
    /// Fri, 20 Nov 2026 08:01:02 GMT
    private static let now: Int64 = 1_795_161_662

    private func seconds(
        _ remaining: String, _ reset: String, date: Int64? = nil, status: Int = 200, retryAfter: Int? = nil
    ) -> Int? {
        let window = HTTPPaceHeaders.Window(remaining: remaining, reset: reset)
        return HostDemand.seconds(
            status: status, retryAfter: retryAfter, pace: HTTPPaceHeaders(windows: [window], date: date), now: Self.now)
    }

    @Test func `only a 429 binds the whole host by Retry-After`() {
        let none = HTTPPaceHeaders()
        #expect(HostDemand.seconds(status: 429, retryAfter: 30, pace: none, now: Self.now) == 30)
        #expect(HostDemand.seconds(status: 503, retryAfter: 30, pace: none, now: Self.now) == nil)
        #expect(HostDemand.seconds(status: 429, retryAfter: 0, pace: none, now: Self.now) == nil)
        #expect(HostDemand.seconds(status: 429, retryAfter: nil, pace: none, now: Self.now) == nil)
        #expect(HostDemand.seconds(status: nil, retryAfter: 30, pace: none, now: Self.now) == nil)
    }

    @Test(arguments: [
        ("0", "7", 7), ("00", "3600", 3600), ("1", "7", nil), ("0", "3601", nil), ("0", "0", nil), ("0", "-5", nil),
        ("0", "soon", nil), ("0", "", nil), ("", "7", nil), ("none", "7", nil), ("0", "2.25", 3), ("0", "2.0", 2),
        ("0", "2.x", nil), ("0", "2.", nil), ("0", ".5", nil), ("0", "1795161762", 100), ("0", "1795161761.2", 100),
        ("0", "1795161600", nil), ("0", "1795161762000", nil), ("0", "99999999999999999999", nil),
    ])
    func `a limit that is used up binds the host until its reset`(remaining: String, reset: String, expected: Int?) {
        #expect(seconds(remaining, reset) == expected)
    }

    @Test func `a time counts from the answer's own date, and of several demands the longest holds`() {
        #expect(seconds("0", "1795161762", date: 1_795_161_722) == 40)
        #expect(seconds("0", "60", status: 429, retryAfter: 5) == 60)
        #expect(seconds("0", "5", status: 429, retryAfter: 60) == 60)
        let windows = [("0", "5"), ("0", "9"), ("1", "90")].map { HTTPPaceHeaders.Window(remaining: $0, reset: $1) }
        let pace = HTTPPaceHeaders(windows: windows)
        #expect(HostDemand.seconds(status: 200, retryAfter: nil, pace: pace, now: Self.now) == 9)
    }
}
