// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct ShapeHashTests {
    private static let base = """
        { title: "T", source: { url: "https://a", join: { on: ["name", "/id"], take: { owner: "/o" } } },
          fields: { id: { type: "id", from: ["/id"] }, name: { type: "text", from: ["/a", "/b"] },
                    phase: { type: "enum", from: ["/p"], vocabulary: "phase" }, owner: { type: "text" } },
          vocabularies: { phase: { fallback: "a", codes: { a: { rank: 1, group: "g" }, b: { rank: 2 } } } },
          groups: { g: {}, h: {} }, group_by: "phase", sort: ["name"], sorts: { x: ["phase"] }, views: { v: "name=x" } }
        """

    private static func hash(_ site: String = "{}") throws -> UInt64 {
        let configuration = ConfigurationFixture.shipments(base, site: site)
        #expect(configuration.problems == [])
        return try #require(configuration.definitions.first).shapeHash
    }

    @Test(arguments: [
        "{ fields: { name: { from: ['/b', '/a'] } } }", "{ fields: { name: { search: true } } }",
        "{ fields: { name: { required: true } } }", "{ fields: { owner: { from: '/x' } }, source: { join: null } }",
        "{ fields: { extra: { type: 'text', from: '/x' } } }", "{ sort: ['-name'] }", "{ sort: ['phase'] }",
        "{ sorts: { x: ['-phase'] } }", "{ sorts: { y: ['name'] } }", "{ group_by: null }", "{ groups: { i: {} } }",
        "{ vocabularies: { phase: { codes: { a: { rank: 5 } } } } }", "{ vocabularies: { phase: { fallback: 'b' } } }",
        "{ vocabularies: { phase: { absent: 'a' } } }", "{ vocabularies: { phase: { codes: { c: { rank: 3 } } } } }",
        "{ vocabularies: { phase: { codes: { a: { group: 'h' } } } } }", "{ source: { join: { on: ['name', '/x'] } } }",
        "{ source: { join: { take: { owner: '/x' } } } }",
    ])
    func `what decides a snapshot's content changes the hash`(site: String) throws {
        #expect(try Self.hash(site) != Self.hash())
    }

    @Test(arguments: [
        "{ title: 'Other', singular: 'other', list: ['id'], archive: true, bundle: 'b.json' }",
        "{ source: { url: 'https://b', interval: '1h', root: '/x', headers: { A: 'b' }, join: { url: 'https://c' } } }",
        "{ views: { v: 'name=y', w: 'name=z' } }", "{ groups: { g: { label: 'Label' } } }",
        "{ vocabularies: { phase: { codes: { a: { label: 'A', badge: true } } } } }",
        "{ fields: { name: { title: 'Name', bold: true, lines: 3 } } }", "{ deal: { message: '{name}' } }",
    ])
    func `addresses, labels, titles, views and lists do not change it`(site: String) throws {
        #expect(try Self.hash(site) == Self.hash())
    }

    @Test func `the hash is the same in every process`() throws {
        let definition = ShipmentFixture.definition()
        #expect(definition.shapeHash == ShipmentFixture.definition().shapeHash)
        #expect(String(definition.shapeHash, radix: 16) == "5e3a2b611300c54b")
    }
}
