// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct VolatilityTests {
    private static let base = """
        { source: { url: "https://a", join: { on: ["owner_id", "/id"], take: { owner: "/o" } } },
          fields: { id: { type: "id", from: ["/key"] }, name: { type: "text", from: ["/a/b", "/c"], search: true },
                    phase: { type: "enum", from: ["/p"], vocabulary: "phase" }, owner: { type: "text" },
                    owner_id: { type: "text", from: "/o" }, radio: { type: "json", from: "/radio" },
                    rssi: { type: "integer", from: "/radio/rssi" } },
          vocabularies: { phase: { fallback: "a", codes: { a: { rank: 1, group: "g" }, b: { rank: 2 } } } },
          groups: { g: {}, h: {} }, group_by: "phase", sort: ["name"], sorts: { x: ["phase"] }, views: { v: "name=x" } }
        """

    private static func definition(_ site: String = "{}") throws -> Definition {
        let configuration = ConfigurationFixture.shipments(base, site: site)
        #expect(configuration.problems == [])
        return try #require(configuration.definitions.first)
    }

    @Test func `a field read at, below or above a volatile place is volatile`() throws {
        func volatileFields(_ pointers: String) throws -> [String] {
            try Self.definition("{ volatile: [\(pointers)] }").fields.filter(\.isVolatile).map(\.name)
        }
        #expect(try volatileFields("'/radio/rssi'") == ["radio", "rssi"])
        #expect(try volatileFields("'/radio'") == ["radio", "rssi"])
        #expect(try volatileFields("'/radio/rssi/x'") == ["radio", "rssi"])
        #expect(try volatileFields("'/radio/other', '/p'") == ["phase", "radio"])
        #expect(try volatileFields("'/elsewhere'") == [])
        #expect(try volatileFields("") == [])
    }

    @Test(arguments: [
        ("'/key'", "volatile[0]", "the id is read there, and cannot be volatile"),
        ("'/x', '/a'", "volatile[1]", "'name' is read there, and free text looks into it; it cannot be volatile"),
        ("'/o/x'", "volatile[0]", "'owner_id' is read there, and the join is on it; it cannot be volatile"),
    ])
    func `what records are found by cannot be volatile`(pointers: String, keyPath: String, message: String) {
        let configuration = ConfigurationFixture.shipments(Self.base, site: "{ volatile: [\(pointers)] }")
        #expect(configuration.problems.map(\.keyPath) == [keyPath])
        #expect(configuration.problems.map(\.message) == [message])
        #expect(configuration.problems.allSatisfy { $0.line != nil })
    }

    @Test func `more than 64 places are too many`() {
        let pointers = (0..<65).map { "'/v\($0)'" }.joined(separator: ",")
        let configuration = ConfigurationFixture.shipments(Self.base, site: "{ volatile: [\(pointers)] }")
        #expect(configuration.problems.map(\.message) == ["more than 64 JSON Pointers"])
    }

    @Test(arguments: [
        "{ fields: { radio: { from: ['/b', '/a'] } } }", "{ fields: { radio: { required: true } } }",
        "{ fields: { extra: { type: 'text', from: '/x' } } }", "{ fields: { rssi: null } }",
        "{ vocabularies: { phase: { codes: { a: { rank: 5 } } } } }", "{ vocabularies: { phase: { fallback: 'b' } } }",
        "{ vocabularies: { phase: { absent: 'a' } } }", "{ source: { join: { take: { owner: '/x' } } } }",
        "{ volatile: ['/p'] }",
    ])
    func `what decides the values that are served changes the hash of values`(site: String) throws {
        #expect(try Self.definition(site).valuesHash != Self.definition().valuesHash)
    }

    @Test(arguments: [
        "{ title: 'Other', list: ['id'], archive: true, history: { keep: '1h' } }", "{ sort: ['-name'] }",
        "{ sorts: { y: ['name'] } }", "{ group_by: null }", "{ groups: { i: {} } }", "{ views: { w: 'name=z' } }",
        "{ vocabularies: { phase: { codes: { a: { group: 'h', label: 'A', badge: true } } } } }",
        "{ fields: { name: { title: 'Name', bold: true, lines: 3 } } }", "{ source: { interval: '1h' } }",
        "{ source: { join: { url: 'https://c' } } }",
    ])
    func `labels, groups, orders and views do not`(site: String) throws {
        #expect(try Self.definition(site).valuesHash == Self.definition().valuesHash)
    }

    @Test func `the order of fields does not count`() {
        func hash(_ fields: String) -> UInt64? {
            ConfigurationFixture.shipments("{ fields: { \(fields) } }").definitions.first?.valuesHash
        }
        let (id, name) = ("id: { type: 'id', from: '/id' }", "name: { type: 'text', from: '/n' }")
        #expect(hash("\(id), \(name)") == hash("\(name), \(id)") && hash(id) != nil)
    }

    @Test func `the history of a collection has limits of its own`() throws {
        let definition = try Self.definition("{ history: { keep: '1h', bytes: '1M' } }")
        var expected = HistorySettings()
        (expected.keep, expected.bytes) = (.seconds(3600), 1 << 20)
        #expect(definition.history.applied(to: HistorySettings()) == expected)
    }
}
