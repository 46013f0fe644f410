// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct MergingTests {
    private static let vendor = """
        {
          title: "Parcels", singular: "parcel",
          source: { interval: "10min", headers: { Accept: "a", Other: "o" }, join: { on: ["name", "/x"], take: {} } },
          bundle: "bundles/parcels.json",
          fields: {
            id: { type: "id", from: ["/id"] },
            name: { type: "text", from: ["/name"], search: true },
            size: { type: "integer", from: ["/size"] },
          },
          list: ["id", "name"],
        }
        """

    @Test func `a site that only has another address writes only that`() throws {
        let configuration = ConfigurationFixture.shipments(
            Self.vendor, site: #"{ source: { url: "https://site.example" } }"#)
        #expect(configuration.problems == [])
        let definition = try #require(configuration.definitions.first)
        #expect(definition.source.request.url == "https://site.example")
        #expect(definition.source.interval == .seconds(600))
        #expect(definition.fields.map(\.name) == ["id", "name", "size"])
    }

    @Test func `the key of a request is located where it is written: by a site, or in the source`() throws {
        let configuration = ConfigurationFixture.shipments(
            "{ source: { auth: { bearer: 'a' } } }",
            site: "{ source: {\n sites: { field: 'site', each: { west: { url: 'https://a.example/' } } } } }")
        let file = try #require(configuration.file(of: "parcels"))
        let inherited = file.location(ofRequestKey: "source.sites.each.west.credential")
        #expect(inherited.keyPath == "source.auth.bearer" && inherited.file == "/data/collections.d/parcels.json5")
        #expect(file.location(ofRequestKey: "writes.credential") == inherited)
        let own = file.location(ofRequestKey: "source.sites.each.west.url")
        #expect(own.keyPath == "source.sites.each.west.url" && own.line == 2)
        let nowhere = file.location(ofRequestKey: "source.tls.ca")
        #expect(nowhere.keyPath == "source.tls.ca" && nowhere.line == nil)
        #expect(nowhere.file == "/site/collections.d/parcels.json5" && configuration.file(of: "others") == nil)
    }

    @Test func `null removes, objects merge, anything else replaces, and order is kept`() throws {
        let configuration = ConfigurationFixture.shipments(
            Self.vendor,
            site: """
                { source: { headers: { Other: null, New: "n" }, interval: null, join: null, ttl: null },
                  fields: { size: null, weight: { type: "decimal", from: ["/weight"] }, name: { from: ["/title"] } },
                  list: ["name"], bundle: "own.json" }
                """)
        #expect(configuration.problems == [])
        let definition = try #require(configuration.definitions.first)
        #expect(definition.source.request.headers.map(\.name) == ["Accept", "New"])
        #expect(definition.source.interval == .seconds(300))
        #expect(definition.source.join == nil)
        #expect(definition.fields.map(\.name) == ["id", "name", "weight"])
        #expect(definition.fields[1].from.map(\.text) == ["/title"])
        #expect(definition.fields[1].isSearched)
        #expect(definition.list == [1])
        #expect(definition.bundle == "/site/own.json")
    }

    @Test func `a name without a vendor's file is a new collection`() throws {
        let configuration = ConfigurationFixture.load([
            "/data/collections.d/parcels.json5": Self.vendor,
            "/site/collections.d/boxes.json5": "{ fields: { id: { type: 'id', from: '/id' } } }",
            "/site/collections.d/boxes.json5.bak": "{", "/site/collections.d/.hidden.json5": "{",
            "/site/collections.d/notes.txt": "x",
        ])
        #expect(configuration.problems == [])
        #expect(configuration.names == ["boxes", "parcels"])
        #expect(configuration.definitions.map(\.name) == ["boxes", "parcels"])
    }

    @Test func `a problem names the file that its value came from`() {
        let configuration = ConfigurationFixture.shipments(
            Self.vendor,
            site: "{ source: {\n  interval: 'soon',\n  intervall: null },\n fields: { size: { lines: 'x' } } }")
        #expect(
            configuration.problems.map(\.description) == [
                "/site/collections.d/parcels.json5:2:13: source.interval: expected a span of time of at least 0.1 seconds, "
                    + "such as \"5min\" or \"1h 30min\", found 'soon'",
                "/site/collections.d/parcels.json5:3:3: source.intervall: unknown key 'intervall'; "
                    + "did you mean 'interval'?",
                "/site/collections.d/parcels.json5:4:27: fields.size.lines: "
                    + "expected a whole number from 1 to 20, found 'x'",
            ])
        let shadowed = ConfigurationFixture.shipments(
            "{ list: ['nam'], fields: { id: { type: 'id', from: '/id' } } }", site: "{ archive: true }")
        #expect(
            shadowed.problems.map(\.description) == [
                "/data/collections.d/parcels.json5:1:10: list[0]: no field is called 'nam'; there are id"
            ])
    }
}
