// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// The examples that `describe` and the manual show work as they stand.
@Suite struct ExampleTests {
    /// The methods whose example names something that a daemon need not have, with the kind of their error then.
    private static let refusals = [
        "forget": "conflict", "cancel": "not_found", "unsubscribe": "not_found", "submit": "not_allowed",
        "attach": "not_allowed", "fetch_attachment": "not_found",
    ]

    @Test func `every documented example is answered as describe tells`() throws {
        // The examples are about the record 1.
        let packs = #"[{"id":"1","status":"CREATED","sender":"Nordlicht","shipmentType":"COURIER"}]"#
        let site = try Site(["units": Site.units, "packs": packs, "claims": Site.claims])
        let described = try site.daemon.connect().request("describe")
        let methods = try #require(described.at("result", "methods")?.array)
        for method in methods {
            let name = try #require(method["name"]?.string)
            let example = try #require(method["example"])
            #expect(example["method"]?.string == name)
            let answer = try answer(to: example, of: site)
            #expect(answer["id"] == example["id"], "\(name)")
            if let result = answer["result"] {
                let schema = try #require(method["result"])
                for problem in SchemaCheck.check(result, schema) { Issue.record("\(name): \(problem)") }
            } else {
                #expect(answer.at("error", "data", "kind")?.string == Self.refusals[name], "\(name): \(answer)")
                #expect(answer.at("error", "code")?.integer != nil && answer.at("error", "message")?.string != nil)
            }
        }
    }

    /// Each example has a connection of its own, so that what one begins does not concern another.
    private func answer(to example: JSONValue, of site: Site) throws -> JSONValue {
        let client = try site.daemon.connect()
        try client.send(String(decoding: example.compactBytes, as: UTF8.self))
        while let line = try client.receive() {
            let value = try JSONValue.parse(line)
            if value["method"] == nil { return value }
        }
        throw TestFailure("no answer to \(example)")
    }
}
