// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct SiteReadingTests {
    /// A text in `source`, its key path, and what is said of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let source: String
        let keyPath: String
        let message: String
        var rest = ""

        init(_ source: String, _ keyPath: String, _ message: String, rest: String = "") {
            self.source = source
            self.keyPath = keyPath
            self.message = message
            self.rest = rest
        }

        var testDescription: String { source }
    }

    private static func definition(_ source: String, _ rest: String = "") -> String {
        """
        { source: { \(source) }, \(rest) fields: {
            id: { type: 'id', from: '/id' }, site: { type: 'text' }, name: { type: 'text', from: '/name' },
            size: { type: 'integer', from: '/size' } } }
        """
    }

    @Test func `each site is merged over the source`() throws {
        let configuration = ConfigurationFixture.shipments(
            """
            { source: {
                root: '/items', headers: { Accept: 'application/json', 'X-Tenant': '7' }, credential: 'common',
                sites: { field: 'site', each: {
                    warsaw: { url: 'https://warsaw.example/units' },
                    'gdansk-2': { url: 'https://gdansk.example/units', headers: { 'X-Tenant': null, 'X-Plant': 'g' },
                        credential: 'gdansk' } } } },
              fields: { id: { type: 'id', from: '/id' }, site: { type: 'text' } } }
            """)
        #expect(configuration.problems.map(\.description) == [])
        let definition = try #require(configuration.definitions.first)
        let sites = try #require(definition.source.sites)
        #expect(sites.field == 1)
        #expect(definition.source.isConfigured)
        #expect(definition.sources == [SourceID("parcels", site: "warsaw"), SourceID("parcels", site: "gdansk-2")])
        #expect(sites.sites.map(\.request.url) == ["https://warsaw.example/units", "https://gdansk.example/units"])
        #expect(sites.sites.map(\.request.root.text) == ["/items", "/items"])
        #expect(sites.sites.map(\.request.auth) == [.bearer("common"), .bearer("gdansk")])
        #expect(
            sites.sites.map { $0.request.headers.map(\.name) } == [["Accept", "X-Tenant"], ["Accept", "X-Plant"]])
        #expect(definition.source.request(of: "warsaw")?.url == "https://warsaw.example/units")
        #expect(definition.source.request(of: "berlin") == nil && definition.source.request(of: nil) == nil)
    }

    @Test func `sites may share one address`() throws {
        let configuration = ConfigurationFixture.shipments(
            Self.definition(
                "url: 'https://all.example', sites: { field: 'site', each: { a: { headers: { P: 'a' } }, b: {} } }"))
        #expect(configuration.problems.map(\.description) == [])
        let sites = try #require(configuration.definitions.first?.source.sites?.sites)
        #expect(sites.map(\.request.url) == ["https://all.example", "https://all.example"])
    }

    @Test(arguments: [
        Case(
            "sites: { each: { a: { url: 'https://a' } } }", "sites.field",
            "missing; expected the name of a field of the type text"),
        Case("sites: { field: 'site' }", "sites.each", "missing; expected an object of sites by name"),
        Case("sites: { field: 'site', each: {} }", "sites.each", "expected at least one site"),
        Case(
            "sites: { field: 'size', each: { a: { url: 'https://a' } } }", "sites.field",
            "'size' is of the type integer; expected a field of the type text"),
        Case(
            "sites: { field: 'name', each: { a: { url: 'https://a' } } }", "sites.field",
            "'name' has 'from'; expected a field without, because the site's name fills it"),
        Case(
            "sites: { field: 'site', each: { A: { url: 'https://a' } } }", "sites.each.A",
            "'A' is not the name of a site; expected a-z, 0-9, _ and -, at most 32, beginning with a letter"),
        Case(
            "sites: { field: 'site', each: { a: {} } }", "sites.each.a",
            "it has no 'url', and neither has the source; expected one of them to have it"),
        Case(
            "sites: { field: 'site', each: { a: { url: 'https://a', root: '/x' } } }", "sites.each.a.root",
            "unknown key 'root'; expected one of url, query, headers"),
        Case(
            "join: { url: 'https://o', on: ['name', '/n'], take: { size: '/s' } }, sites: { field: 'site', each: { a: { url: 'https://a' } } }",
            "sites", "a source with sites has no 'join.url'; expected one of them"),
        Case(
            "sites: { field: 'site', each: { a: { url: 'https://a' } } }", "sites",
            "a source with sites has no 'writes.to'; expected one of them",
            rest: "writes: { to: 'upstream', update: { method: 'PUT', url: 'https://a/{id}' } },"),
    ])
    func `a mistake in the sites is named where it stands`(mistake: Case) {
        let fields = mistake.keyPath == "sites.field" && mistake.message.hasPrefix("missing")
        let text = Self.definition(mistake.source, mistake.rest)
        let configuration = ConfigurationFixture.shipments(
            fields ? text.replacing("site: { type: 'text' }", with: "site: { type: 'text', from: '/s' }") : text)
        #expect(configuration.definitions.isEmpty)
        #expect(
            configuration.problems.contains {
                $0.keyPath == "source." + mistake.keyPath && $0.message.hasPrefix(mistake.message)
            })
    }

    @Test func `there are at most 256 sites`() {
        func count(_ sites: Int) -> [String] {
            let each = (0..<sites).map { "s\($0): { url: 'https://s\($0)' }" }.joined(separator: ", ")
            let source = "sites: { field: 'site', each: { \(each) } }"
            return ConfigurationFixture.shipments(Self.definition(source)).problems.map(\.message)
        }
        #expect(count(256) == [])
        #expect(count(257) == ["more than 256 sites"])
    }

    @Test func `a mistake in the source is told once, not for each site`() {
        let configuration = ConfigurationFixture.shipments(
            Self.definition(
                "root: 'x', sites: { field: 'site', each: { a: { url: 'https://a' }, b: { url: 'https://b' } } }"))
        #expect(configuration.problems.map(\.keyPath) == ["source.root"])
    }
}
