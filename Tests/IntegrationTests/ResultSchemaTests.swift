// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// The daemon's answers are as `describe` says.
@Suite struct ResultSchemaTests {
    @Test func `every result has the shape that describe tells, and no member besides`() throws {
        let site = try Site()
        let boats = """
            { title: "Boats", singular: "boat", source: { url: "\(site.upstream.url("units.json"))" },
              fields: { id: { type: "id", from: ["/id"] } } }
            """
        try site.daemon.configure("collections.d/boats.json5", boats)
        try site.daemon.configure("collections.d/letters.json5", Self.letters)
        try site.daemon.reload()
        let client = try site.daemon.connect()
        var schemas: [String: JSONValue] = [:]
        for method in try #require(try client.request("describe").at("result", "methods")?.array) {
            schemas[try #require(method["name"]?.string)] = method["result"]
        }
        var requests = [
            ("hello", "{}"), ("describe", "{}"), ("describe", #"{"method":"search","collection":"units"}"#),
            ("ping", "{}"), ("fleet", "{}"), ("access", "{}"), ("access", #"{"user":"root"}"#), ("status", "{}"),
            ("status", #"{"lang":"pl"}"#), ("count", "{}"),
            ("count", #"{"collection":"units"}"#), ("search", #"{"limit":2,"lang":"pl"}"#), ("sort", #"{"limit":2}"#),
            ("refresh", #"{"wait":true}"#), ("refresh", "{}"), ("try", #"{"collection":"units"}"#), ("deal", "{}"),
            ("refreshes", "{}"),
            ("refreshes", #"{"collection":"units","limit":1}"#),
            ("subscribe", #"{"collection":"units"}"#), ("unsubscribe", #"{"subscription":1}"#),
            ("subscribe", #"{"collection":"units","initial":true}"#),
        ]
        let collections = try #require(try client.request("describe").at("result", "collections")?.array)
        for collection in collections.compactMap({ $0["name"]?.string }) {
            requests.append(("search", #"{"collection":"\#(collection)","limit":3,"lang":"pl"}"#))
            let found = try client.request("search", #"{"collection":"\#(collection)","limit":1}"#)
            guard let id = found.at("result", "records", "0", "id")?.string else { continue }
            requests.append(("detail", #"{"collection":"\#(collection)","id":"\#(id)"}"#))
            requests.append(("history", #"{"collection":"\#(collection)","id":"\#(id)"}"#))
            requests.append(("explain", #"{"collection":"\#(collection)","filter":"a or not b","id":"\#(id)"}"#))
            requests.append(("archive", #"{"collection":"\#(collection)","ids":["\#(id)","-"]}"#))
            requests.append(("detail", #"{"collection":"\#(collection)","id":"\#(id)","lang":"pl"}"#))
            requests.append(("unarchive", #"{"collection":"\#(collection)","ids":["\#(id)"],"dry_run":true}"#))
        }
        requests += try written(client)
        requests.append(("changes", #"{"collection":"units","limit":2}"#))
        requests.append(("changes", #"{"since":"now"}"#))
        for action in ["list", "retry", "drop"] {
            requests.append(("quarantine", #"{"collection":"units","action":"\#(action)"}"#))
        }
        requests.append(("facets", #"{"collection":"units","fields":["status"]}"#))
        requests.append(("search", #"{"collection":"units","limit":1,"facets":["status"],"lang":"en"}"#))
        requests.append(("search", #"{"collection":"packs","group":true,"limit":2}"#))
        requests.append(("search", #"{"collection":"units","anchor":{"id":"1"},"limit":1}"#))
        var checked: Set<String> = []
        requests += [("status", "{}"), ("forget", #"{"collection":"boats"}"#)]
        for (index, (method, parameters)) in requests.enumerated() {
            if index == requests.count - 2 {
                Files.remove(site.daemon.folder("config/collections.d/boats.json5"))
                try site.daemon.reload()
            }
            guard let result = try client.request(method, parameters)["result"] else { continue }
            checked.insert(method)
            let schema = try #require(schemas[method])
            for problem in SchemaCheck.check(result, schema) { Issue.record("\(method) \(parameters): \(problem)") }
        }
        #expect(checked == Set(schemas.keys).subtracting(["cancel"]))
        _ = try client.request("unsubscribe", #"{"subscription":2}"#)
        // With mistakes in the configuration.
        try site.daemon.configure("collections.d/units.json5", "{ titel: 1 }")
        try site.daemon.configure("claimsd.json5", "[")
        try site.daemon.reload()
        for (method, parameters) in [("status", "{}"), ("count", #"{"collection":"units"}"#), ("count", "{}")] {
            let result = try #require(try client.request(method, parameters)["result"])
            let schema = try #require(schemas[method])
            for problem in SchemaCheck.check(result, schema) { Issue.record("\(method) \(parameters): \(problem)") }
        }
    }
}

extension ResultSchemaTests {
    /// A collection that this host is the truth of.
    private static let letters = """
        { title: "Letters", singular: "letter",
          fields: {
            id: { type: "id", from: ["/id"] }, title: { type: "text", from: ["/title"] },
            scans: { type: "json", from: ["/scans"] } },
          writes: {
            to: "local", fields: { title: {} }, create: {}, update: {}, delete: {},
            attachments: { field: "scans", types: ["application/pdf"] } } }
        """

    /// Writes a record with a file, and returns requests about them.
    private func written(_ client: LineClient) throws -> [(String, String)] {
        let first = #"{"collection":"letters","name":"a.pdf","size":9,"data":"JVBERi0xLjc="}"#
        let upload = try #require(try client.request("attach", first).at("result", "upload")?.string)
        let last = try client.request("attach", #"{"upload":"\#(upload)","offset":8,"data":"Cg=="}"#)
        let sha256 = try #require(last.at("result", "sha256")?.string)
        let create =
            #"{"collection":"letters","action":"create","fields":{"title":"Dear"},"attach":["\#(upload)"]}"#
        let created = try client.request("submit", create)
        let id = try #require(created.at("result", "id")?.string)
        let op = try #require(created.at("result", "op")?.string)
        return [
            ("attach", first),
            ("submit", #"{"collection":"letters","action":"update","id":"\#(id)","fields":{"title":"Sir"}}"#),
            ("submit", #"{"collection":"letters","action":"delete","id":"\#(id)","dry_run":true}"#),
            ("fetch_attachment", #"{"collection":"letters","id":"\#(id)","sha256":"\#(sha256)"}"#),
            ("outbox", "{}"), ("outbox", #"{"action":"get","ops":["\#(op)"]}"#),
            ("outbox", #"{"action":"wait","ops":["\#(op)"]}"#), ("outbox", #"{"action":"hold","ops":["\#(op)"]}"#),
        ]
    }

    @Test func `every event has the shape that describe tells, and so has its example`() throws {
        let settings = #"{ limits: { heartbeat: "200ms" } }"#
        let site = try Site(["units": Site.units, "packs": Site.packs], site: ["claimsd.json5": settings])
        let client = try site.daemon.connect()
        var schemas: [String: JSONValue] = [:]
        for event in try #require(try client.request("describe").at("result", "events")?.array) {
            let type = try #require(event["type"]?.string)
            let schema = try #require(event["params"])
            schemas[type] = schema
            let example = try #require(event.at("example", "params"))
            #expect(example["type"]?.string == type)
            for problem in SchemaCheck.check(example, schema) { Issue.record("the example of \(type): \(problem)") }
        }
        var seen: Set<String> = []
        func check(_ event: JSONValue) {
            let type = event["type"]?.string ?? ""
            seen.insert(type)
            #expect(schemas[type] != nil, "\(type) is not described")
            let problems = schemas[type].map { SchemaCheck.check(event, $0) } ?? []
            for problem in problems { Issue.record("\(type): \(problem)") }
        }
        let subscriber = Subscriber(client, #""collection":"units""#)
        try subscriber.subscribe(#""initial":true"#)
        while !seen.contains("synced") { check(try subscriber.event()) }
        try site.serve("units", Site.packs, #","accept":true"#)
        while !seen.isSuperset(of: ["state", "heartbeat"]) { check(try subscriber.event()) }
        #expect(seen.isSuperset(of: ["fresh_instance", "changes", "synced", "state", "heartbeat"]))
    }
}

/// As much of JSON Schema as `describe` uses. Members that a schema does not name are problems: a daemon must not answer
/// more than it tells.
enum SchemaCheck {
    static func check(_ value: JSONValue, _ schema: JSONValue, at path: String = "") -> [String] {
        if let choices = schema["anyOf"]?.array {
            let attempts = choices.map { check(value, $0, at: path) }
            return attempts.contains(where: \.isEmpty) ? [] : attempts.min { $0.count < $1.count } ?? []
        }
        let types = schema["type"]?.string.map { [$0] } ?? schema["type"]?.array?.compactMap(\.string)
        if let types, !types.contains(kind(value)) { return ["\(path) is \(kind(value)), not \(types)"] }
        var problems: [String] = []
        for element in value.array ?? [] {
            if let items = schema["items"] { problems += Self.check(element, items, at: path + "/-") }
        }
        let properties = schema["properties"]?.object
        for member in value.object?.members ?? [] {
            let inside = path + "/" + member.key
            if let own = properties?[member.key] {
                problems += Self.check(member.value, own, at: inside)
            } else if let others = schema["additionalProperties"], others.object != nil {
                problems += Self.check(member.value, others, at: inside)
            } else if properties != nil {
                problems.append("\(inside) is in no schema")
            }
        }
        let required = value.object == nil ? [] : schema["required"]?.array?.compactMap(\.string) ?? []
        for name in required where value.object?[name] == nil { problems.append("\(path)/\(name) is missing") }
        return problems
    }

    private static func kind(_ value: JSONValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .number(let digits): Int64(digits) == nil ? "number" : "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
