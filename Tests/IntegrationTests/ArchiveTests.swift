// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

@Suite struct ArchiveTests {
    private func ids(_ answer: JSONValue, _ member: String) -> [String] {
        answer.at("result", member)?.array?.compactMap(\.string) ?? []
    }

    @Test func `an archived record leaves the lists and comes back`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        let archived = try client.request("archive", #"{"collection":"packs","ids":["7","404"]}"#)
        #expect(ids(archived, "changed") == ["7"])
        #expect(ids(archived, "unchanged") == [])
        #expect(ids(archived, "missing") == ["404"])
        let list = try client.request("search", #"{"collection":"packs"}"#)
        #expect(!list.ids.contains("7") && list.at("result", "total")?.integer == 5)
        let only = try client.request("search", #"{"collection":"packs","archived":"only"}"#)
        #expect(only.ids == ["7"] && only.at("result", "records", "0", "archived")?.boolean == true)
        let all = try client.request(
            "search", #"{"collection":"packs","archived":"include","filter":"status=delivered"}"#)
        #expect(all.ids == ["7"])
        let grouped = try client.request("search", #"{"collection":"packs","group":true,"facets":["status"]}"#)
        #expect(grouped.at("result", "groups", "1", "total")?.integer == 1)
        #expect(
            grouped.at("result", "facets", "status")?.array?.contains { $0["value"]?.string == "DELIVERED" } == false)
        let detail = try client.request("detail", #"{"collection":"packs","id":"7"}"#)
        #expect(detail.at("result", "provenance", "archived_at")?.string?.hasSuffix("Z") == true)
        #expect(detail.at("result", "provenance", "archived_by") != nil)
        let back = try client.request("unarchive", #"{"collection":"packs","ids":["7"]}"#)
        #expect(ids(back, "changed") == ["7"])
        #expect(try client.request("count", #"{"collection":"packs"}"#).at("result", "total")?.integer == 6)
    }

    @Test func `an id that is given twice is in one array, once`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        let params = #"{"collection":"packs","ids":["7","404",7,"7","404"]"#
        for (more, changed, unchanged) in [(#","dry_run":true}"#, ["7"], []), ("}", ["7"], []), ("}", [], ["7"])] {
            let answer = try client.request("archive", params + more)
            #expect(ids(answer, "changed") == changed && ids(answer, "unchanged") == unchanged)
            #expect(ids(answer, "missing") == ["404"])
        }
    }

    @Test func `the clock moves with each change`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        let first = try client.request("archive", #"{"collection":"packs","ids":["7"]}"#).at("result", "clock")
        let same = try client.request("archive", #"{"collection":"packs","ids":["7"]}"#).at("result", "clock")
        let second = try client.request("archive", #"{"collection":"packs","ids":["8"]}"#).at("result", "clock")
        #expect(first == same && second != first)
    }

    @Test func `a dry run tells what would change and changes nothing`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        let dry = try client.request(
            "archive", #"{"collection":"packs","filter":"status=delivered or status=created","dry_run":true}"#)
        #expect(Set(ids(dry, "changed")) == ["7", "9"])
        #expect(try client.request("count", #"{"collection":"packs"}"#).at("result", "total")?.integer == 6)
        let real = try client.request(
            "archive", #"{"collection":"packs","filter":"status=delivered or status=created"}"#)
        #expect(Set(ids(real, "changed")) == ["7", "9"])
        #expect(try client.request("count", #"{"collection":"packs"}"#).at("result", "total")?.integer == 4)
    }

    @Test func `archiving survives a refresh, and the record's disappearance and return`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        _ = try client.request("archive", #"{"collection":"packs","ids":["7"]}"#)
        let without =
            #"[{"id":"8","status":"CREATED"},{"id":"9","status":"CREATED"},{"id":"10","status":"CREATED"},{"id":"11","status":"CREATED"}]"#
        try site.serve("packs", without)
        #expect(
            try client.request("count", #"{"collection":"packs","archived":"include"}"#).at("result", "total")?.integer
                == 4)
        try site.serve("packs", Site.packs)
        let list = try client.request("search", #"{"collection":"packs"}"#)
        #expect(!list.ids.contains("7"))
    }

    @Test func `unarchiving an id that is gone upstream is a change`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        _ = try client.request("archive", #"{"collection":"packs","ids":["7"]}"#)
        try site.serve("packs", #"[{"id":"8"},{"id":"9"},{"id":"10"},{"id":"11"}]"#)
        #expect(ids(try client.request("unarchive", #"{"collection":"packs","ids":["7"]}"#), "changed") == ["7"])
        #expect(ids(try client.request("unarchive", #"{"collection":"packs","ids":["7"]}"#), "missing") == ["7"])
    }

    @Test func `an acknowledged archive is there after kill -9 and a lost cache`() throws {
        let site = try Site(["packs": Site.packs])
        let answer = try site.daemon.connect().request("archive", #"{"collection":"packs","ids":["7","8"]}"#)
        #expect(ids(answer, "changed") == ["7", "8"])
        site.daemon.kill()
        try site.daemon.loseCache()
        site.upstream.stop()
        try site.daemon.start()
        let list = try site.daemon.connect().request("search", #"{"collection":"packs","archived":"only","sort":"id"}"#)
        #expect(list.ids == ["7", "8"])
    }

    @Test func `a collection that says so is not archivable`() throws {
        let site = try Site(["units": Site.units], site: ["collections.d/countries.json5": "{ archive: false }"])
        let answer = try site.daemon.connect().request("archive", #"{"collection":"countries","ids":["PL"]}"#)
        #expect(answer.errorKind == "not_archivable")
    }
}
