// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct DefinitionReadingTests {
    private static let shipments = """
        // A comment.
        {
          title: 'Parcels', singular: "parcel",
          source: {
            url: "https://parcels.example/v1", interval: "10min", expires: "2h 30min", root: "/items/list",
            headers: { Accept: "application/json", "X-Tenant": "7", }, credential: "parcels-token",
            next: { parameter: "page", size: 200 },
            limits: { body: "1.5G", records: 7, connect: 2, },
            join: { url: "https://owners.example", root: "/owners", on: ["owner_id", "/id"], take: { owner: "/name" } },
          },
          bundle: "bundles/parcels.json",
          fields: {
            id: { type: "id", from: ["/id", "/number"] },
            name: { type: "text", from: "/name", search: true, required: true, bold: true, lines: 2,
                    title: { en: "Name", pl: "Nazwa" } },
            phase: { type: "enum", from: ["/phase"], vocabulary: "phase" },
            made_at: { type: "instant", from: ["/made~1at"] },
            owner_id: { type: "text", from: ["/ownerId"] },
            owner: { type: "text" },
          },
          vocabularies: {
            phase: { fallback: "odd", absent: "new", codes: {
              done: { rank: 30, group: "past", badge: "Done!" }, new: { rank: 10, group: "open", badge: true, label: "New" },
              ON_THE_WAY: { rank: 20, group: "open", badge: false }, odd: { rank: -1 } } },
          },
          groups: { past: { label: { en: "Past", pl: "Minione" } }, open: {} },
          group_by: "phase",
          sort: ["-phase", "name"],
          sorts: { recent: ["-made_at"], newest: "-made_at, -id" },
          views: { open: "phase=new,on_the_way", past: { filter: "phase=done", title: "Past ones" } },
          list: ["id", "name", "phase"], archive: true,
          deal: { message: { en: "Take {name}!", pl: "Weź {name}!" } },
        }
        """

    @Test func `every key of a definition is read`() throws {
        let configuration = ConfigurationFixture.shipments(Self.shipments)
        #expect(configuration.problems == [])
        let definition = try #require(configuration.definition(named: "parcels"))
        #expect(definition.title.text("pl") == "Parcels")
        #expect(definition.singular == "parcel")
        #expect(definition.bundle == "/data/bundles/parcels.json")
        #expect(definition.fields.map(\.name) == ["id", "name", "phase", "made_at", "owner_id", "owner"])
        #expect(definition.fields.map(\.type) == [.id, .text, .enum, .instant, .text, .text])
        #expect(definition.fields[0].from.map(\.text) == ["/id", "/number"])
        #expect(definition.fields[3].from.map(\.tokens) == [[Array("made/at".utf8)]])
        let name = definition.fields[1]
        #expect(name.isSearched && name.isRequired && name.isEmphasized && name.lines == 2)
        #expect(name.heading("pl_PL.UTF-8") == "Nazwa")
        #expect(definition.fields[3].heading("pl") == "Made at")
        #expect(definition.searchedFields == [1])
        #expect(definition.groupBy == 2)
        #expect(definition.groups.map(\.key) == ["past", "open"])
        #expect(definition.groups.map { $0.label.text("pl") } == ["Minione", "Open"])
        #expect(definition.list == [0, 1, 2])
        #expect(definition.isArchivable)
        #expect(definition.deal?.text("pl") == "Weź {name}!")
    }

    @Test func `codes are ordered by rank, then by code`() throws {
        let definition = try #require(ConfigurationFixture.shipments(Self.shipments).definitions.first)
        let vocabulary = try #require(definition.vocabulary(of: 2))
        #expect(vocabulary.codes.map(\.code) == ["odd", "new", "ON_THE_WAY", "done"])
        #expect(vocabulary.codes.map(\.group) == [nil, 1, 1, 0])
        #expect(vocabulary.codes.map { $0.badge?.text("en") } == [nil, "New", nil, "Done!"])
        #expect(vocabulary.codes.map { $0.label.text("en") } == ["Odd", "New", "On the way", "Done"])
        #expect(vocabulary.fallback == 0)
        #expect(vocabulary.absent == 1)
        #expect(vocabulary.index(matching: "on the-WAY") == 2)
        #expect(vocabulary.index(matching: "on the  way") == nil)
        let unranked = try #require(Vocabulary(name: "x", codes: ["b", "B2", "a"].map { Code($0) }, fallback: "a"))
        #expect(unranked.codes.map(\.code) == ["B2", "a", "b"])
    }

    @Test func `orders are total and named ones can be reversed`() throws {
        let definition = try #require(ConfigurationFixture.shipments(Self.shipments).definitions.first)
        #expect(
            definition.defaultOrder.keys
                == [SortKey(field: 2, descending: true), SortKey(field: 1), SortKey(field: 0)])
        let recent = try #require(definition.order(named: "recent"))
        #expect(recent.order.keys == [SortKey(field: 3, descending: true), SortKey(field: 0)])
        #expect(recent.reversed.keys == [SortKey(field: 3), SortKey(field: 0)])
        let newest = try #require(definition.order(named: "newest"))
        #expect(newest.order.keys == [SortKey(field: 3, descending: true), SortKey(field: 0, descending: true)])
        #expect(newest.reversed.keys == [SortKey(field: 3), SortKey(field: 0)])
    }

    @Test func `the source is read with its pages, its join and its own limits`() throws {
        let source = try #require(ConfigurationFixture.shipments(Self.shipments).definitions.first).source
        #expect(source.request.url == "https://parcels.example/v1")
        #expect(source.interval == .seconds(600))
        #expect(source.ttl == .seconds(1200))
        #expect(source.expires == .seconds(9000))
        #expect(source.request.root.text == "/items/list")
        #expect(source.request.headers.map(\.name) == ["Accept", "X-Tenant"])
        #expect(source.request.headers.map(\.value) == ["application/json", "7"])
        #expect(source.request.auth == .bearer("parcels-token"))
        #expect(source.request.next == .page(to: .query("page"), size: 200, from: 1, more: nil))
        let limits = source.limits.applied(to: TransferLimits())
        #expect(limits.body == 3 << 29)
        #expect(limits.records == 7)
        #expect(limits.connect == .seconds(2))
        #expect(limits.transfer == .seconds(60))
        let join = try #require(source.join)
        #expect(join.on == .init(field: 4, pointer: try JSONPointer("/id")))
        #expect(join.take == [.init(field: 5, pointer: try JSONPointer("/name"))])
        #expect(join.request.url == "https://owners.example")
        #expect(join.request.root.text == "/owners")
    }

    @Test func `views keep their text and where it stands`() throws {
        let definition = try #require(ConfigurationFixture.shipments(Self.shipments).definitions.first)
        #expect(definition.views.map(\.filter) == ["phase=new,on_the_way", "phase=done"])
        #expect(definition.view(named: "past")?.title?.text("en") == "Past ones")
        #expect(definition.views[1].location?.keyPath == "views.past.filter")
        #expect(definition.views[1].location?.line == 30)
    }

    @Test func `a title may be text by language`() throws {
        let configuration = ConfigurationFixture.shipments(
            "{ title: { en: 'Parcels', pl: 'Paczki' }, fields: { id: { type: 'id', from: ['/id'] } } }")
        let definition = try #require(configuration.definitions.first)
        #expect(configuration.problems == [])
        #expect(["en", "pl_PL.UTF-8", "de"].map { definition.title.text($0) } == ["Parcels", "Paczki", "Parcels"])
    }

    @Test func `what is left out has a default`() throws {
        let configuration = ConfigurationFixture.shipments("{ fields: { id: { type: 'id', from: ['/id'] } } }")
        #expect(configuration.problems == [])
        let definition = try #require(configuration.definitions.first)
        #expect(definition.title.text("pl") == "Parcels")
        #expect(definition.singular == "parcels")
        #expect(definition.source.request.url == nil)
        #expect(definition.source.interval == .seconds(300))
        #expect(definition.source.expires == .seconds(86_400))
        #expect(definition.defaultOrder.keys == [SortKey(field: 0)])
        #expect(definition.list == [0])
        #expect(!definition.isArchivable)
        #expect(definition.bundle == nil)
        #expect(definition.deal == nil)
    }

    @Test(arguments: [
        ("{ pointer: '/next' }", Paging.pointer(ShipmentFixture.pointer("/next"))), ("{ link: true }", .link),
        ("{ parameter: 'p', size: 5 }", .page(to: .query("p"), size: 5, from: 1, more: nil)),
    ])
    func `pages are found in three ways`(text: String, paging: Paging) throws {
        let configuration = ConfigurationFixture.shipments(
            "{ source: { next: \(text) }, fields: { id: { type: 'id', from: ['/id'] } } }")
        #expect(configuration.definitions.first?.source.request.next == paging)
    }

    @Test func `a named order stands for its keys in the default order`() throws {
        let configuration = ConfigurationFixture.shipments(
            """
            { fields: { id: { type: 'id', from: '/id' }, name: { type: 'text', from: '/name' },
                        size: { type: 'integer', from: '/size' } },
              sorts: { name: ['size', 'name'] }, sort: '-name' }
            """)
        #expect(configuration.problems == [])
        #expect(
            configuration.definitions.first?.defaultOrder.keys
                == [SortKey(field: 2, descending: true), SortKey(field: 1, descending: true), SortKey(field: 0)])
    }
}
