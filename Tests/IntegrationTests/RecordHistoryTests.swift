// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Histories of records, and elements that come back from quarantine, asked of a real daemon.
@Suite struct RecordHistoryTests {
    private func site(required: Bool = false) throws -> Site {
        let site = try Site([:])
        try site.upstream.folder.write("boats.json", #"[{"id":1,"name":"Ada","crew":2},{"id":2,"name":"Bea"}]"#)
        try define(site, required: required)
        let answer = try site.daemon.connect().request("refresh", #"{"collection":"boats","wait":true}"#)
        guard answer["result"] != nil else { throw TestFailure("no refresh: \(answer)") }
        return site
    }

    private func define(_ site: Site, required: Bool) throws {
        let text = """
            { title: "Boats", singular: "boat", archive: true,
              source: { url: "\(site.upstream.url("boats.json"))", interval: "1h" },
              fields: { id: { type: "id", from: ["/id"] },
                        name: { type: "text", from: ["/name"], search: true, required: \(required) },
                        crew: { type: "integer", from: ["/crew"] } } }
            """
        try site.daemon.configure("collections.d/boats.json5", text)
        try site.daemon.reload()
    }

    private func versions(_ client: LineClient, _ id: String, _ rest: String = "") throws -> [JSONValue] {
        let answer = try client.request("history", #"{"collection":"boats","id":"\#(id)"\#(rest)}"#)
        return try #require(answer.at("result", "versions")?.array, "\(answer)")
    }

    private func operations(_ versions: [JSONValue]) -> [String] { versions.compactMap { $0["op"]?.string } }

    @Test func `a record is told from the generation that brought it to its end and back`() throws {
        let site = try site()
        let client = try site.daemon.connect()
        try site.serve("boats", #"[{"id":1,"name":"Ada","crew":3},{"id":2,"name":"Bea"}]"#)
        _ = try client.request("archive", #"{"collection":"boats","ids":["1"]}"#)
        _ = try client.request("unarchive", #"{"collection":"boats","ids":["1"]}"#)
        try site.serve("boats", #"[{"id":2,"name":"Bea"}]"#, #","accept":true"#)
        try site.serve("boats", #"[{"id":1,"name":"Eve"},{"id":2,"name":"Bea"}]"#)
        let all = try versions(client, "1")
        #expect(operations(all) == ["added", "removed", "unarchived", "archived", "updated", "added"])
        #expect(all[0]["record"]?["name"] == "Eve")
        #expect(all[1]["record"] == ["id": "1", "name": "Ada", "crew": 3])
        #expect(all[2]["by"]?.integer == Int64(ProcessUser.number) && all[2]["cause"] == "archive")
        #expect(all[2]["by_name"]?.string == Accounts.userName(UInt32(ProcessUser.number)))
        #expect(all[4]["changes"] == ["crew": [2, 3]])
        #expect(all[5]["record"] == ["id": "1", "name": "Ada", "crew": 2] && all[5]["cause"] == "refresh")
        let numbers = all.compactMap { $0["seq"]?.integer }
        #expect(numbers == numbers.sorted(by: >) && Set(numbers).count == 6)
        let untouched = try versions(client, "2")
        #expect(operations(untouched) == ["added"] && untouched[0]["record"]?["name"] == "Bea")

        // Pages of one, and after a restart, tell the same.
        _ = try site.daemon.stop()
        try site.daemon.start()
        let again = try site.daemon.connect()
        var paged: [JSONValue] = []
        var cursor = ""
        for _ in 0..<10 {
            let answer = try again.request(
                "history", #"{"collection":"boats","id":"1","limit":1\#(cursor)}"#)
            let result = try #require(answer["result"], "\(answer)")
            #expect(result["complete"] == true)
            paged += result["versions"]?.array ?? []
            guard let next = result["next"]?.string else { break }
            cursor = #","cursor":"\#(next)""#
        }
        #expect(paged == all)
        let other = try again.request("history", #"{"collection":"boats","id":"2"\#(cursor)}"#)
        #expect(other.at("error", "data", "kind") == "bad_cursor")
        let unknown = try again.request("history", #"{"collection":"boats","id":"3"}"#)
        #expect(unknown.at("error", "data", "kind") == "not_found")
    }

    @Test func `what is trimmed is told as missing`() throws {
        let site = try site()
        let client = try site.daemon.connect()
        try site.daemon.configure("claimsd.json5", "{ history: { changes: 2 } }")
        try site.daemon.reload()
        for crew in 3...8 { try site.serve("boats", #"[{"id":1,"name":"Ada","crew":\#(crew)},{"id":2,"name":"Bea"}]"#) }
        var answer = JSONValue.null
        // The log is trimmed behind the answers.
        for _ in 0..<100 {
            answer = try client.request("history", #"{"collection":"boats","id":"1"}"#)
            if answer.at("result", "complete") == false { break }
        }
        #expect(answer.at("result", "complete") == false)
        let kept = try #require(answer.at("result", "versions")?.array)
        #expect(kept.count < 7 && kept.allSatisfy { $0["op"] == "updated" })
        let quiet = try client.request("history", #"{"collection":"boats","id":"2"}"#)
        #expect(quiet["result"]?["complete"] == false && quiet["result"]?["versions"] == [])
    }

    @Test func `a quarantined record comes back by a corrected definition and a retry`() throws {
        let site = try site(required: true)
        let client = try site.daemon.connect()
        let body = #"[{"id":1,"name":"Ada","crew":2},{"id":2,"name":"Bea"},{"id":3},7]"#
        try site.serve("boats", body, #","accept":true"#)
        let listed = try client.request("quarantine", #"{"collection":"boats"}"#)
        let entries = try #require(listed.at("result", "entries")?.array)
        #expect(listed.at("result", "total") == 2)
        try #require(entries.map { $0["id"]?.string } == ["3", nil])
        let entry = try #require(entries[0]["entry"]?.integer)
        let refused = try client.request("quarantine", #"{"collection":"boats","action":"retry"}"#)
        #expect(refused.at("result", "accepted") == [] && refused.at("result", "refused")?.array?.count == 2)

        // An unchanged answer moves the last sight.
        try site.serve("boats", body, #","accept":true"#)
        let moved = try client.request("quarantine", #"{"collection":"boats"}"#)
        let lastSeen = try #require(entries[0]["last_seen"]?.string)
        #expect(moved.at("result", "entries", "0", "last_seen")?.string.map { $0 > lastSeen } == true)
        #expect(moved.at("result", "entries", "0", "entry")?.integer == entry)

        // A new definition has the source asked again, which would bring the record, too.
        site.upstream.stop()
        try define(site, required: false)
        let retried = try client.request("quarantine", #"{"collection":"boats","action":"retry"}"#)
        #expect(retried.at("result", "accepted") == [["entry": .integer(entry), "id": "3"]], "\(retried)")
        #expect(retried.at("result", "refused")?.array?.count == 1)
        let found = try client.request("search", #"{"collection":"boats"}"#)
        #expect(found.ids == ["1", "2", "3"] && found.at("result", "meta", "clock") == retried.at("result", "clock"))
        let told = try versions(client, "3")
        #expect(operations(told) == ["added"] && told[0]["cause"] == "refresh" && told[0]["record"] == ["id": "3"])
        // The same answer again changes nothing.
        try site.upstream.start()
        let same = try site.serve("boats", body, #","force":true,"accept":true"#)
        #expect(same.at("result", "collections", "0", "outcome") == "unchanged", "\(same)")
        let dropped = try client.request("quarantine", #"{"collection":"boats","action":"drop"}"#)
        #expect(dropped.at("result", "dropped")?.array?.count == 1)
        let count = try client.request("count", #"{"collection":"boats"}"#)
        #expect(count.at("result", "meta", "quarantined") == 0)
    }
}
