// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
@testable import ClaimsTerminal
import Testing

struct FreshnessLineTests {
    private func meta(_ freshness: String?, age: Int64 = 720_000, state: String = "ready") -> CollectionMeta {
        var meta = CollectionMeta(collection: "units", state: state)
        meta.freshness = freshness
        meta.age = age
        return meta
    }

    @Test func `fresh data says nothing`() {
        #expect(FreshnessLine.text(meta("fresh"), time: Example.time) == nil)
        #expect(FreshnessLine.text(meta(nil), time: Example.time) == nil)
    }

    @Test func `stale data says how old, why, and what comes next`() {
        var meta = meta("stale")
        meta.failure = .init(kind: "timeout", message: "The server timed out", at: Example.now - 722_000)
        meta.nextRefresh = Example.now + 40_000
        #expect(
            FreshnessLine.text(meta, time: Example.time)
                == "units: 12 min old; the server timed out at 08:01, next try in 40 s")
        meta.failure = .init(kind: "tls", message: "HTTP is not enough.", at: Example.now - 86_400_000)
        meta.nextRefresh = Example.now - 1
        #expect(
            FreshnessLine.text(meta, time: Example.time)
                == "units: 12 min old; HTTP is not enough at 2026-11-19 08:13, next try is due")
    }

    @Test func `data can be old without a failure, expired, or built in`() {
        var stale = meta("stale")
        stale.nextRefresh = Example.now + 3_600_000
        #expect(FreshnessLine.text(stale, time: Example.time) == "units: 12 min old; next refresh in 1 h")
        #expect(
            FreshnessLine.text(meta("expired", age: 90_000_000), time: Example.time) == "units: 1 day old (expired)")
        #expect(
            FreshnessLine.text(meta("bundle"), time: Example.time)
                == "units: built-in data; no upstream has answered yet")
    }

    @Test func `moments stand on the user's clock`() throws {
        let warsaw = LocalTime(zone: try TimeZoneRules.load("Europe/Warsaw"), now: Example.now)
        #expect(warsaw.clock(Example.now) == "09:13")
        #expect(warsaw.short(Example.now - 30 * 86_400_000) == "2026-10-21")
        #expect(warsaw.short(Example.now + 3 * 86_400_000) == "in 3 days")
        #expect(warsaw.long(Example.now - 7_200_000) == "2026-11-20 07:13:02 CET, 2 h ago")
        #expect(warsaw.short(.min) == "0000-01-01")
    }
}
