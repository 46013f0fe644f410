// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
@testable import ClaimsTerminal
import Testing

struct FreshnessLineTests {
    private func meta(_ freshness: String?, age: Int64 = 720_000, state: String = "ready") -> AnswerMeta {
        var meta = AnswerMeta(collection: "units", state: state)
        meta.freshness = freshness
        meta.age = age
        return meta
    }

    @Test func `fresh data says nothing`() {
        #expect(FreshnessLine(Example.time).text(meta("fresh")) == nil)
        #expect(FreshnessLine(Example.time).text(meta(nil)) == nil)
    }

    @Test func `a part of the records says so, beside what is to be said of its age`() {
        var meta = meta("fresh")
        meta.isLimited = true
        #expect(FreshnessLine(Example.time).text(meta) == "units: the rules show you a part of the records")
        meta.freshness = "stale"
        #expect(
            FreshnessLine(Example.time).text(meta) == "units: 12 min old; the rules show you a part of the records")
    }

    @Test func `data that is withheld says so, and when the upstream is asked next`() {
        var meta = meta("expired", state: "withheld")
        meta.nextRefresh = Example.now + 40_000
        #expect(
            FreshnessLine(Example.time).text(meta)
                == "units: withheld: its data is too old to be shown; next refresh in 40 s")
    }

    @Test func `stale data says how old, why, and what comes next`() {
        var meta = meta("stale")
        meta.failure = .init(kind: "timeout", message: "The server timed out", at: Example.now - 722_000)
        meta.nextRefresh = Example.now + 40_000
        #expect(
            FreshnessLine(Example.time).text(meta)
                == "units: 12 min old; the server timed out at 08:01, next try in 40 s")
        meta.failure = .init(kind: "tls", message: "HTTP is not enough.", at: Example.now - 86_400_000)
        meta.nextRefresh = Example.now - 1
        #expect(
            FreshnessLine(Example.time).text(meta)
                == "units: 12 min old; HTTP is not enough at 2026-11-19 08:13, next try is due")
    }

    @Test func `the time of data that is held stands before what it is held for`() {
        var meta = meta("stale")
        meta.failure = .init(
            kind: "held", message: "The server has no records where there were 7: held until it is accepted",
            at: Example.now - 722_000)
        #expect(
            FreshnessLine(Example.time).text(meta)
                == "units: 12 min old; at 08:01 the server has no records where there were 7: held until it is accepted"
        )
    }

    @Test func `data can be old without a failure, expired, or built in`() {
        var stale = meta("stale")
        stale.nextRefresh = Example.now + 3_600_000
        #expect(FreshnessLine(Example.time).text(stale) == "units: 12 min old; next refresh in 1 h")
        #expect(
            FreshnessLine(Example.time).text(meta("expired", age: 90_000_000)) == "units: 1 day old (expired)")
        #expect(
            FreshnessLine(Example.time).text(meta("bundle"))
                == "units: built-in data; no upstream has answered yet")
    }

    @Test func `in Polish the whole line is Polish`() {
        func line(_ meta: AnswerMeta) -> String? { FreshnessLine(Example.polishTime).text(meta) }
        var meta = meta("stale")
        meta.failure = .init(
            kind: "timeout", message: "Serwer nie odpowiedział w ciągu 15 s", at: Example.now - 722_000)
        meta.nextRefresh = Example.now + 40_000
        #expect(
            line(meta)
                == "units: dane sprzed 12 min; serwer nie odpowiedział w ciągu 15 s (08:01), następna próba za 40 s")
        meta.failure = nil
        meta.nextRefresh = Example.now
        meta.freshness = "expired"
        meta.age = 86_400_000
        #expect(line(meta) == "units: dane sprzed 1 dnia (przeterminowane); następne odświeżenie zaraz")
        #expect(
            line(self.meta("bundle")) == "units: dane wbudowane; żaden serwer jeszcze nie odpowiedział")
        let year: Int64 = 365 * 86_400_000
        let spans = [1, 3, 5, 12, 22].map { Messages.polish.span($0 * year) }
        #expect(spans == ["1 rok", "3 lata", "5 lat", "12 lat", "22 lata"])
        #expect(Messages.polish.spanAfterPreposition(3 * year) == "3 lat")
        #expect(LeftOut.text([("x", "brak pola")], .polish) == "pominięto: x (brak pola)")
    }

    @Test func `collections that are told the same share a line`() {
        func meta(_ name: String, _ age: Int64) -> AnswerMeta {
            var meta = self.meta("stale", age: age)
            meta.collection = name
            return meta
        }
        let line = FreshnessLine(Example.time)
        #expect(
            line.texts([meta("a", 720_000), meta("b", 60_000), self.meta("fresh"), meta("c", 721_000)])
                == ["a, c: 12 min old", "b: 1 min old"])
    }

    @Test func `data without a source says so however fresh it is, and which file to write`() {
        var meta = meta("fresh", age: 5_000, state: "unconfigured")
        meta.failure = .init(
            kind: "other", message: "The definition has no source any more, so nobody asks for newer data",
            at: Example.now)
        #expect(
            FreshnessLine(Example.time).text(meta)
                == "units: 5 s old; the definition has no source any more, so nobody asks for newer data; "
                + "name one in /etc/claimsd/collections.d/units.json5")
    }

    @Test func `moments stand on the user's clock`() throws {
        let warsaw = LocalTime(
            zone: try TimeZoneRules.load("Europe/Warsaw"), now: Example.now, messages: .english)
        #expect(warsaw.clock(Example.now) == "09:13")
        #expect(warsaw.short(Example.now - 30 * 86_400_000) == "2026-10-21")
        #expect(warsaw.short(Example.now + 3 * 86_400_000) == "in 3 days")
        #expect(warsaw.long(Example.now - 7_200_000) == "2026-11-20 07:13:02 CET, 2 h ago")
        #expect(warsaw.short(.min) == "0000-01-01")
    }
}
