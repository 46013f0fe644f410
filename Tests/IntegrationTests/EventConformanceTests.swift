// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// A real daemon sends to subscribers exactly the events that `describe` tells.
@Suite struct EventConformanceTests {
    private let site: Site
    /// The schema of the `params` of each type of event.
    private let schemas: [String: JSONValue]

    init() throws {
        site = try Site([:], site: ["claimsd.json5": #"{ limits: { heartbeat: "200ms", stall: "1s" } }"#])
        var schemas: [String: JSONValue] = [:]
        let described = try site.daemon.connect().request("describe")
        for event in try #require(described.at("result", "events")?.array) {
            schemas[try #require(event["type"]?.string)] = event["params"]
            let problems = SchemaCheck.check(
                try #require(event["example"]?["params"]), try #require(event["params"]))
            #expect(problems.isEmpty, "the example of \(event["type"] ?? nil): \(problems)")
        }
        self.schemas = schemas
        try define("boats", fields: #"crew: { type: "integer", from: ["/crew"] },"#)
        try serve("boats", (1...3).map { #"{"id":\#($0),"name":"Boat \#($0)","crew":\#($0)}"# })
    }

    private func define(_ name: String, fields: String) throws {
        let text = """
            { title: "Boats", singular: "\(name)-one", archive: true,
              source: { url: "\(site.upstream.url("\(name).json"))", interval: "1h" },
              fields: { id: { type: "id", from: ["/id"] }, \(fields)
                        name: { type: "text", from: ["/name"], search: true } } }
            """
        try site.upstream.folder.write("\(name).json", "[]")
        try site.daemon.configure("collections.d/\(name).json5", text)
        try site.daemon.reload()
    }

    private func serve(_ name: String, _ records: [String]) throws {
        // It is unchanged where the refresh that follows a reload was faster.
        let answer = try site.serve(name, "[" + records.joined(separator: ",") + "]", #","accept":true"#)
        #expect(answer["result"] != nil, "\(answer)")
    }

    /// Reads events until one of that type has come, checks each, and returns their types.
    private func types(_ client: LineClient, until last: String) throws -> [String] {
        var types: [String] = []
        while types.last != last, let line = try client.receive() {
            let value = try JSONValue.parse(line)
            guard value["method"] == "event", let params = value["params"] else { continue }
            let type = try #require(params["type"]?.string)
            let schema = try #require(schemas[type], "\(type)")
            for problem in SchemaCheck.check(params, schema) { Issue.record("\(type): \(problem) in \(line)") }
            types.append(type)
        }
        #expect(types.last == last)
        return types
    }

    @Test func `every type of event has the shape that describe tells`() throws {
        let client = try site.daemon.connect()
        _ = try client.request("subscribe", #"{"collection":"boats","filter":"crew>0","initial":true}"#)
        var seen = Set(try types(client, until: "synced"))
        try serve("boats", [#"{"id":1,"name":"Boat 1","crew":9}"#, #"{"id":4,"name":"Boat 4","crew":4}"#])
        seen.formUnion(try types(client, until: "changes"))
        seen.formUnion(try types(client, until: "heartbeat"))
        // The field of the filter is taken away.
        try define("boats", fields: "")
        seen.formUnion(try types(client, until: "ended"))

        // A set of several MiB, of which nothing is read until another subscriber has had heartbeats for two seconds.
        try define("barges", fields: "")
        let name = String(repeating: "barge ", count: 200)
        try serve("barges", (1...4_000).map { #"{"id":\#($0),"name":"\#(name)\#($0)"}"# })
        let slow = try site.daemon.connect()
        _ = try slow.request("subscribe", #"{"collection":"barges","initial":true}"#)
        let other = try site.daemon.connect()
        _ = try other.request("subscribe", #"{"collection":"barges"}"#)
        for _ in 0..<10 { seen.formUnion(try types(other, until: "heartbeat")) }
        seen.formUnion(try types(slow, until: "lagged"))
        #expect(seen == Set(schemas.keys))
    }
}
