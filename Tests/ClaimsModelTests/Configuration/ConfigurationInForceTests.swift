// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

/// The decision what is in force, over files in memory.
struct ConfigurationInForceTests {
    private static let fields = "fields: { id: { type: 'id', from: ['/id'] } }"
    private static let vendors = "/data/collections.d/parcels.json5"
    private static let sites = "/site/collections.d/parcels.json5"

    private static func disk() -> ConfigurationDisk {
        ConfigurationDisk([
            vendors: "{ title: 'Parcels', \(fields) }", sites: "{ source: { url: 'https://a.example/' } }",
            "/data/collections.d/other.json5": "{ \(fields) }",
        ])
    }

    @Test func `what is good is in force, and its text says the same when it is read again`() throws {
        var disk = Self.disk()
        let first = disk.decide()
        #expect(first.problems == [] && first.definitions.map(\.isPrevious) == [false, false])
        #expect(
            first.texts.last?.origins
                == [ConfigurationOrigin(.vendor, Self.vendors), ConfigurationOrigin(.site, Self.sites)])
        disk.files[Self.sites] = "{"
        let second = disk.decide()
        let (old, new) = (first.definitions[1], second.definitions[1])
        #expect(new.isPrevious && !second.definitions[0].isPrevious)
        #expect(old.title == new.title && old.source == new.source && old.shapeHash == new.shapeHash)
        #expect(second.texts == first.texts)
        #expect(second.problems.map(\.collection) == ["parcels"])
    }

    @Test(arguments: [
        "", "[]", "{ source: ", "{ titel: 'x' }", "{ sort: ['nothing'] }", "unreadable", "{ fields: null }",
    ])
    func `a mistake leaves the definition before it in force, and mending it is enough`(mistake: String) throws {
        var disk = Self.disk()
        _ = disk.decide()
        let good = try #require(disk.files[Self.sites])
        disk.files[Self.sites] = mistake
        for _ in 0..<2 {
            let force = disk.decide()
            #expect(force.definitions.map(\.name) == ["other", "parcels"])
            #expect(force.definitions.map(\.isPrevious) == [false, true])
            #expect(
                !force.problems.isEmpty
                    && force.problems.allSatisfy { $0.file == Self.sites || mistake.contains("null") })
        }
        disk.files[Self.sites] = good.replacing("a.example", with: "b.example")
        let mended = disk.decide()
        #expect(mended.problems == [] && mended.definitions.map(\.isPrevious) == [false, false])
        #expect(mended.definitions[1].source.request.url == "https://b.example/")
    }

    @Test func `rules of writes stay in force, references to other collections too`() throws {
        let fields = "fields: { id: { type: 'id', from: '/id' }, box: { type: 'text', from: '/box' } }"
        let writes =
            "writes: { to: 'local', fields: { box: { refs: 'other' } }, create: {}, update: { when: 'box=7' } }"
        var disk = ConfigurationDisk([
            Self.vendors: "{ \(fields), \(writes) }", "/data/collections.d/other.json5": "{ \(Self.fields) }",
        ])
        let rules = try #require(disk.decide().definitions.first { $0.name == "parcels" }?.writes)
        #expect(rules.fields.map(\.refs) == ["other"] && rules.offered.map(\.name) == ["create", "update"])
        disk.files[Self.vendors] = "{ \(fields), writes: 5 }"
        let previous = try #require(disk.decide().definitions.first { $0.name == "parcels" })
        #expect(previous.isPrevious && previous.writes?.fields == rules.fields)
        #expect(previous.writes?.actions.map(\.name) == ["create", "update"])
    }

    @Test func `without a definition before it, a collection with a mistake is left out`() {
        var disk = Self.disk()
        disk.files[Self.sites] = "{"
        let force = disk.decide()
        #expect(force.definitions.map(\.name) == ["other"])
        #expect(force.problems.map(\.collection) == ["parcels"])
        #expect(force.texts.map(\.name) == ["collections.d/other.json5"])
    }

    @Test func `a file that is gone is a removal`() {
        var disk = Self.disk()
        _ = disk.decide()
        disk.files[Self.sites] = nil
        var force = disk.decide()
        #expect(
            force.problems == [] && force.definitions[1].source.request.url == nil && !force.definitions[1].isPrevious)
        disk.files[Self.vendors] = nil
        force = disk.decide()
        #expect(force.problems == [] && force.definitions.map(\.name) == ["other"])
        #expect(force.texts.map(\.name) == ["collections.d/other.json5"])
    }

    @Test func `a collection is left out where its only definition has a mistake`() {
        var disk = Self.disk()
        disk.files["/data/collections.d/other.json5"] = "{"
        let force = disk.decide()
        #expect(force.leftOut == ["other"] && force.removed == [])
        #expect(force.definitions.map(\.name) == ["parcels"])
    }

    @Test func `at the first start a site's unreadable folder is one problem, and vendor definitions are served`() {
        var disk = Self.disk()
        disk.folders["/site/collections.d"] = .unreadable("no")
        let force = disk.decide()
        #expect(force.definitions.map(\.name) == ["other", "parcels"] && force.leftOut == [])
        #expect(force.definitions.map(\.isPrevious) == [false, false])
        #expect(force.problems.map(\.file) == ["/site/collections.d"])
    }

    @Test(arguments: [ConfigurationFolder.Listing.missing, .unreadable("no")])
    func `a folder that is gone or cannot be read removes nothing`(listing: ConfigurationFolder.Listing) {
        var disk = Self.disk()
        disk.files["/site/claimsd.json5"] = "{ language: 'pl' }"
        _ = disk.decide()
        disk.folders["/site/collections.d"] = listing
        var force = disk.decide()
        #expect(force.definitions.map(\.isPrevious) == [false, true])
        #expect(force.definitions[1].source.request.url == "https://a.example/")
        #expect(force.problems.map(\.file) == ["/site/collections.d"] && force.settings.language == "pl")
        #expect(force.problems.map(\.isWarning) == [listing == .missing])
        disk.folders["/site"] = listing
        disk.folders["/data/collections.d"] = listing
        force = disk.decide()
        #expect(force.definitions.map(\.isPrevious) == [true, true] && force.settings.language == "pl")
        #expect(force.problems.map(\.file) == ["/data/collections.d", "/site", "/site/collections.d"])
        #expect(force.problems.first?.isWarning == false)
        disk.folders = [:]
        #expect(disk.decide().problems == [])
    }

    @Test func `a folder that never was is no problem`() {
        var disk = Self.disk()
        disk.files[Self.sites] = nil
        disk.folders = ["/site": .missing, "/site/collections.d": .missing]
        for _ in 0..<2 { #expect(disk.decide().problems == []) }
    }

    @Test func `settings with a mistake yield to those before, and without any to the defaults`() {
        var disk = Self.disk()
        disk.files["/site/claimsd.json5"] = "{ language: 'pl', limits: { line: 'x' } }"
        var force = disk.decide()
        #expect(force.settings == Settings() && force.problems.map(\.keyPath) == ["limits.line"])
        #expect(force.definitions.count == 2)
        disk.files["/site/claimsd.json5"] = "{ language: 'pl' }"
        #expect(disk.decide().settings.language == "pl")
        disk.files["/site/claimsd.json5"] = "{ language: 'de' "
        force = disk.decide()
        #expect(force.settings.language == "pl" && force.problems.map(\.collection) == [nil])
        disk.files["/site/claimsd.json5"] = nil
        #expect(disk.decide().settings == Settings())
    }

    @Test func `a check outside of the reader counts as a mistake`() {
        var disk = Self.disk()
        disk.texts = ConfigurationInForce(disk.read(), before: []).texts
        var configuration = disk.read()
        configuration.check { file, definition in
            guard definition.name == "parcels" else { return [] }
            return [ConfigurationProblem(location: file.location(of: "title"), message: "no", collection: "parcels")]
        }
        #expect(configuration.problems.map(\.description) == ["/data/collections.d/parcels.json5:1:10: title: no"])
        #expect(configuration.definitions.map(\.name) == ["other"])
        let force = ConfigurationInForce(configuration, before: disk.texts)
        #expect(force.definitions.map(\.isPrevious) == [false, true] && force.texts == disk.texts)
    }

    @Test func `a bundle is found again, whichever file named it`() throws {
        var disk = Self.disk()
        disk.files[Self.vendors] = "{ bundle: 'bundles/p.json', \(Self.fields) }"
        #expect(disk.decide().definitions[1].bundle == "/data/bundles/p.json")
        disk.files[Self.vendors] = "{"
        #expect(disk.decide().definitions[1].bundle == "/data/bundles/p.json")
    }

    @Test func `a text of a version that knew more is no definition, and is kept`() {
        var disk = Self.disk()
        let text = TextInForce(
            name: "collections.d/parcels.json5", text: "{\"later\":1}",
            origins: [ConfigurationOrigin(.site, Self.sites)])
        disk.texts = [text]
        disk.files[Self.sites] = "{"
        let force = disk.decide()
        #expect(force.definitions.map(\.name) == ["other"] && force.texts.contains(text))
    }

    /// Puts a text into force as an older version did, over files that say the same.
    private static func inForce(_ text: String, isFilter: (String) -> Bool = { _ in true }) -> ConfigurationInForce {
        var disk = Self.disk()
        disk.files = [Self.vendors: text]
        disk.texts = [
            TextInForce(
                name: "collections.d/parcels.json5", text: text, origins: [ConfigurationOrigin(.vendor, Self.vendors)])
        ]
        return withoutActuallyEscaping(isFilter) { isFilter in
            ConfigurationInForce(disk.read(), before: disk.texts, isFilter: { text, _ in isFilter(text) })
        }
    }

    private static let reserved = """
        id: { type: 'id', from: '/id' }, name: { type: 'text', from: '/name' },
        archived: { type: 'bool', from: '/archived' }, collection: { type: 'text', from: '/collection' },
        pending: { type: 'integer', from: '/pending' }
        """

    @Test func `a field that answers have for themselves is left out of a definition in force, and that is told`()
        throws
    {
        var force = Self.inForce("{ fields: { \(Self.reserved) } }")
        for _ in 0..<2 {
            let definition = try #require(force.definitions.first)
            #expect(definition.isPrevious && definition.fields.map(\.name) == ["id", "name"])
            #expect(definition.list == [0, 1])
            #expect(
                force.problems.map(\.keyPath) == [
                    "fields.archived", "fields.collection", "fields.pending", "fields.archived",
                ])
            #expect(force.problems.allSatisfy { $0.collection == "parcels" && $0.file == Self.vendors })
            #expect(
                force.problems.last?.message
                    == "records are served without 'archived', 'collection', 'pending', which answers have for themselves"
            )
            // The text stays as it is, for the next start.
            let texts = force.texts
            force = Self.inForce(try #require(texts.first).text)
            #expect(force.texts == texts)
        }
    }

    @Test func `at the first sight a field that answers have for themselves is a mistake`() {
        var disk = Self.disk()
        disk.files[Self.vendors] = "{ fields: { \(Self.reserved) } }"
        let force = disk.decide()
        #expect(force.definitions.map(\.name) == ["other"] && force.problems.count == 3)
        disk = Self.disk()
        _ = disk.decide()
        disk.files[Self.vendors] = "{ title: 'New', fields: { \(Self.reserved) } }"
        let next = disk.decide()
        #expect(next.definitions.map(\.title).compactMap { $0.text("en") } == ["Other", "Parcels"])
        #expect(next.problems.count == 3)
    }

    @Test func `what refers to a field that is left out is left out, and told`() throws {
        let force = Self.inForce(
            """
            { fields: { \(Self.reserved), by: { type: 'enum', from: '/by', vocabulary: 'v' } },
              vocabularies: { v: { fallback: 'a', codes: { a: {} } } },
              list: ['archived', 'name'], sort: '-collection, name', sorts: { first: ['pending'], second: ['name'] },
              views: { mine: 'archived=true', named: 'name=x' }, deal: { message: '{collection}: {name}' },
              source: {
                url: 'https://a.example/', since: { to: 'since', field: 'pending' },
                join: { url: 'https://b.example/', on: ['collection', '/id'], take: { archived: '/a' } },
              } }
            """, isFilter: { !$0.contains("archived") })
        let definition = try #require(force.definitions.first)
        #expect(definition.list.map { definition.fields[$0].name } == ["name"])
        #expect(definition.defaultOrder.keys.map { definition.fields[$0.field].name } == ["name", "id"])
        #expect(definition.orders.map(\.name) == ["first", "second"] && definition.orders[0].order.keys.count == 1)
        #expect(definition.views.map(\.name) == ["named"])
        #expect(definition.source.since == nil && definition.source.join == nil)
        #expect(definition.source.request.url == "https://a.example/")
        #expect(
            force.problems.last?.message.hasSuffix(
                "; what refers to it is left out, too: sorts.first[0], sort, list[0], deal.message, "
                    + "source.join.on[0], source.join.take.archived, source.since.field, views.mine") == true,
            "\(force.problems)")
    }

    @Test func `a list of nothing but fields that are left out is as good as none`() throws {
        let definition = try #require(
            Self.inForce("{ fields: { \(Self.reserved) }, list: ['archived'] }").definitions.first)
        #expect(definition.list == [0, 1])
    }

    @Test func `sites go on without the field that has their names`() throws {
        let force = Self.inForce(
            """
            { fields: { id: { type: 'id', from: '/id' }, collection: { type: 'text' } },
              source: { sites: { field: 'collection', each: { a: { url: 'https://a.example/' } } } } }
            """)
        let sites = try #require(force.definitions.first?.source.sites)
        #expect(sites.field == nil && sites.sites.map(\.name) == ["a"])
    }

    @Test func `an action that needs a field that is left out is none`() throws {
        func writes(_ text: String, fields: String = Self.reserved) throws -> WriteRules {
            let text = "{ fields: { \(fields) }, writes: { to: 'local', \(text) } }"
            let force = Self.inForce(text, isFilter: { !$0.contains("archived") })
            return try #require(force.definitions.first?.writes, "\(force.problems)")
        }
        let some = try writes(
            """
            fields: { name: {}, archived: {} }, create: {}, update: { fields: ['name', 'archived'] },
            delete: { when: 'archived=true' },
            actions: { hide: { set: { archived: true } }, show: { set: { name: 'x' } }, tell: { shows: { archived: true } } }
            """)
        #expect(some.actions.map(\.name) == ["create", "update", "show"])
        #expect(some.fields.map(\.field) == [1] && some.actions.allSatisfy { $0.fields.allSatisfy { $0 == 1 } })
        // A new record would lack what each one has.
        let rule = try writes("fields: { name: {}, archived: { required: true } }, create: {}, update: {}")
        #expect(rule.actions.map(\.name) == ["update"])
        let field = "id: { type: 'id', from: '/id' }, collection: { type: 'text', from: '/c', required: true }"
        #expect(
            try writes("fields: { collection: {} }, create: {}, delete: {}", fields: field).actions.map(\.name) == [
                "delete"
            ])
        let files = "id: { type: 'id', from: '/id' }, archived: { type: 'json', from: '/c' }"
        let attached = try writes("attachments: { field: 'archived' }, create: {}, delete: {}", fields: files)
        #expect(attached.actions.map(\.name) == ["delete"] && attached.attachments == nil)
    }

    @Test func `what could not be put into force stays as it was`() {
        var disk = Self.disk()
        let before = disk.decide()
        disk.files[Self.sites] = "{ title: 'New' }"
        disk.files["/site/collections.d/third.json5"] = "{ \(Self.fields) }"
        let next = disk.decide()
        let kept = next.keeping(before, after: ["parcels": "no room", "third": "no room"])
        #expect(kept.definitions.map(\.name) == ["other", "parcels"])
        #expect(kept.definitions[1].title.text("en") == "Parcels" && kept.definitions[1].isPrevious)
        #expect(kept.problems.map(\.collection) == ["parcels", "third"])
        #expect(Set(kept.texts) == Set(before.texts))
    }
}

/// The collection, of several, that has a singular.
struct SingularRivalTests {
    private static func text(_ singular: String) -> String {
        "{ singular: '\(singular)', fields: { id: { type: 'id', from: ['/id'] } } }"
    }

    private static func load(_ files: [String: String]) -> Configuration {
        ConfigurationFixture.load(
            Dictionary(
                uniqueKeysWithValues: files.map { path, singular in
                    let parts = path.split(separator: "/")
                    return ("/\(parts[0])/collections.d/\(parts[1]).json5", text(singular))
                }))
    }

    private static func names(_ force: ConfigurationInForce) -> [String] {
        force.definitions.map { "\($0.name) \($0.singular)\($0.isPrevious ? " before" : "")" }
    }

    @Test func `at first the vendor's has it, then the first by name`() {
        let force = ConfigurationInForce(
            Self.load(["site/a": "thing", "data/z": "thing", "site/b": "book", "site/c": "book"]), before: [])
        #expect(Self.names(force) == ["b book", "z thing"])
        #expect(
            force.problems.map { "\($0.collection ?? "") \($0.keyPath) \($0.line ?? 0)" }
                == ["a singular 1", "c singular 1"])
    }

    @Test func `what is in force keeps it, also from the vendor's and from an earlier name`() {
        let before = ConfigurationInForce(Self.load(["site/m": "thing", "data/a": "other"]), before: [])
        let after = ConfigurationInForce(
            Self.load(["site/m": "thing", "data/a": "thing", "site/b": "thing"]), before: before.texts)
        #expect(Self.names(after) == ["a other before", "m thing"])
        #expect(after.problems.map(\.collection) == ["a", "b"])
        #expect(after.problems.allSatisfy { $0.message.contains("is the singular of 'm'") && $0.rival == "m" })
    }

    @Test func `one that falls back takes its singular back`() {
        let before = ConfigurationInForce(Self.load(["site/a": "x", "site/b": "y", "site/c": "z"]), before: [])
        // a wants c's, which stays; so b cannot have a's.
        let after = ConfigurationInForce(
            Self.load(["site/a": "z", "site/b": "x", "site/c": "z"]), before: before.texts)
        #expect(Self.names(after) == ["a x before", "b y before", "c z"])
        #expect(Set(after.problems.compactMap(\.collection)) == ["a", "b"])
    }

    @Test func `two may swap`() {
        let before = ConfigurationInForce(Self.load(["site/a": "x", "site/b": "y"]), before: [])
        let after = ConfigurationInForce(Self.load(["site/a": "y", "site/b": "x"]), before: before.texts)
        #expect(after.problems == [] && Self.names(after) == ["a y", "b x"])
    }
}
