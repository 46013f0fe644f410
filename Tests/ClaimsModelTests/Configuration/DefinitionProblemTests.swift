// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

struct DefinitionProblemTests {
    /// A text put into a sound definition, where it stands there, and what is said of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let keyPath: String
        let message: String

        init(_ text: String, _ keyPath: String, _ message: String) {
            self.text = text
            self.keyPath = keyPath
            self.message = message
        }

        var testDescription: String { text }
    }

    private static let id = "id: { type: 'id', from: ['/id'] }"
    private static let phase = "phase: { type: 'enum', from: ['/phase'], vocabulary: 'phase' }"
    private static let ways = """
        expected one of { pointer: "/next" }, { link: true }, { cursor: "/cursor", to: "after" }, \
        { page: "page", size: 200 } or { offset: "offset", size: 200 }
        """
    private static let vocabulary = "vocabularies: { phase: { fallback: 'a', codes: { a: {} } } }"

    private static func definition(_ rest: String, fields: String = "") -> String {
        "{ \(rest)\(rest.isEmpty ? "" : ",")\nfields: { \(id), \(fields) } }"
    }

    private func expect(_ definition: String, _ keyPath: String, _ message: String) {
        let configuration = ConfigurationFixture.shipments(definition)
        #expect(configuration.definitions.isEmpty)
        #expect(configuration.names == ["parcels"])
        #expect(configuration.problems.map(\.keyPath) == [keyPath])
        #expect(configuration.problems.map(\.message) == [message])
        #expect(configuration.problems.allSatisfy { $0.collection == "parcels" && $0.line != nil && $0.column != nil })
    }

    @Test(arguments: [
        Case("titel: 'x'", "titel", "unknown key 'titel'; did you mean 'title'?"),
        Case(
            "title: 5", "title",
            "expected a text, or an object of texts by language such as { en: \"…\", pl: \"…\" }, found 5"),
        Case("title: { en: 'A', pl: '' }", "title", "expected a title, found an object"),
        Case("title: ' '", "title", "expected a title, found ' '"),
        Case("archive: 'yes'", "archive", "expected true or false, found 'yes'"),
        Case(
            "singular: 'Two Words'", "singular",
            "expected a word of a-z, 0-9, _ and - that begins with a letter, found 'Two Words'"),
        Case("singular: 'sort'", "singular", "'sort' is an option of claimsctl; expected another word as the singular"),
        Case(
            "singular: 'max-age'", "singular",
            "'max-age' is an option of claimsctl; expected another word as the singular"),
        Case("bundle: []", "bundle", "expected the path of a file, such as \"bundles/NAME.json\", found an array"),
        Case("list: 'id'", "list", "expected an array of field names, found 'id'"),
        Case("list: []", "list", "expected at least one name of a field"),
        Case("list: ['id', 'idd']", "list[1]", "no field is called 'idd'; did you mean 'id'?"),
        Case("list: ['id', 'id']", "list[1]", "'id' is in the list already"),
        Case("list: [7]", "list[0]", "expected the name of a field, found 7"),
        Case("group_by: 'id'", "group_by", "'id' is no enum field"),
        Case("group_by: 'phase'", "group_by", "no field is called 'phase'; there are id"),
        Case(
            "groups: { 'A b': {} }", "groups.\"A b\"",
            "'A b' is not a name; expected a-z, 0-9 and _, beginning with a letter"),
        Case("groups: { open: { labl: 'x' } }", "groups.open.labl", "unknown key 'labl'; did you mean 'label'?"),
        Case(
            "groups: { open: { label: { english: '', en: 3 } } }", "groups.open.label.en", "expected a string, found 3"),
        Case(
            "groups: { open: { label: { EN: 'x' } } }", "groups.open.label.EN",
            "'EN' is not a language; expected a tag such as en or pl"),
        Case(
            "groups: { open: { label: {} } }", "groups.open.label",
            "expected a text, or an object of texts by language such as { en: \"…\", pl: \"…\" }, found an object"),
        Case("sort: ['-nme']", "sort[0]", "no field is called 'nme'; there are id"),
        Case("sort: ['id', 'id']", "sort[1]", "'id' is in the order already"),
        Case("sort: 5", "sort", "expected an array of sort keys, such as [\"-name\", \"id\"], found 5"),
        Case(
            "sorts: { 'a-b': ['id'] }", "sorts.a-b",
            "'a-b' is not a name; expected a-z, 0-9 and _, beginning with a letter"),
        Case("sorts: { a: ['b'], b: ['id'] }", "sorts.a[0]", "no field is called 'b'; there are id"),
        Case("views: { a: 5 }", "views.a", "expected an object, found 5"),
        Case("views: { a: {} }", "views.a.filter", "missing; expected a filter"),
        Case("deal: { message: 'Take {nam}!' }", "deal.message", "no field is called 'nam'; there are id"),
        Case("deal: {}", "deal.message", "missing; expected a text with {field} for the values of a record"),
        Case(
            "vocabularies: { p: { codes: { a: {} } } }", "vocabularies.p.fallback",
            "missing; expected the code that unknown values become"),
        Case("vocabularies: { p: { fallback: 'a' } }", "vocabularies.p.codes", "missing; expected an object of codes"),
        Case(
            "vocabularies: { p: { fallback: 'b', codes: { abc: {}, bcd: {} } } }", "vocabularies.p.fallback",
            "no code is called 'b'; there are abc, bcd"),
        Case(
            "vocabularies: { p: { fallback: 'A', codes: { a: {} } } }", "vocabularies.p.fallback",
            "no code is called 'A'; did you mean 'a'?"),
        Case(
            "vocabularies: { p: { fallback: 'a', absent: 'x1', codes: { a: {} } } }", "vocabularies.p.absent",
            "no code is called 'x1'; there are a"),
        Case(
            "vocabularies: { p: { fallback: 'a b', codes: { 'a b': {}, A_B: {} } } }", "vocabularies.p.codes",
            "two codes differ only in letter case, or in spaces, '-' and '_'"),
        Case(
            "vocabularies: { p: { fallback: 'a', codes: { a: { rank: 1.5 } } } }", "vocabularies.p.codes.a.rank",
            "expected a whole number from -1000000 to 1000000, found 1.5"),
        Case(
            "vocabularies: { p: { fallback: 'a', codes: { a: { group: 'g' } } } }", "vocabularies.p.codes.a.group",
            "no group is called 'g'; there are none"),
        Case(
            "vocabularies: { p: { fallback: 'a', codes: { a: { badge: 1 } } } }", "vocabularies.p.codes.a.badge",
            "expected a text, or an object of texts by language such as { en: \"…\", pl: \"…\" }, found 1"),
    ])
    func `a mistake is named with its key path and what was expected`(mistake: Case) {
        expect(Self.definition(mistake.text), mistake.keyPath, mistake.message)
    }

    @Test(arguments: [
        Case("url: 5", "url", "expected an address, or null, found 5"),
        Case(
            "interval: '50ms'", "interval",
            "expected a span of time of at least 0.1 seconds, such as \"5min\" or \"1h 30min\", found '50ms'"),
        Case("ttl: -5", "ttl", "expected a span of time, such as \"5min\" or \"1h 30min\", found -5"),
        Case("root: 'items'", "root", "expected a JSON Pointer, such as \"/a/b\" or \"\", found 'items'"),
        Case("headers: { 'A b': 'x' }", "headers.\"A b\"", "'A b' cannot be the name of a header"),
        Case(
            "headers: { 'content-Length': '5' }", "headers.content-Length",
            "'content-Length' is set by claimsd itself, for each connection"),
        Case("headers: { Host: 'x' }", "headers.Host", "'Host' is set by claimsd itself, for each connection"),
        Case(
            "headers: { 'Transfer-Encoding': 'x' }", "headers.Transfer-Encoding",
            "'Transfer-Encoding' is set by claimsd itself, for each connection"),
        Case(
            "join: { headers: { connection: 'close' }, on: ['id', '/id'], take: {} }", "join.headers.connection",
            "'connection' is set by claimsd itself, for each connection"),
        Case("ttl: '2h', expires: '1h 30min'", "ttl", "longer than 'expires', 90min"),
        Case("ttl: '2d'", "ttl", "longer than 'expires', 24h"),
        Case("headers: { A: 'x\\ny' }", "headers.A", "a header cannot hold control characters"),
        Case("credential: '../x'", "credential", "expected the name of a credential, not a path, found '../x'"),
        Case(
            "next: {}", "next",
            Self.ways),
        Case(
            "next: { link: true, pointer: '/a' }", "next",
            Self.ways),
        Case("next: { parameter: 'page' }", "next.size", "missing; expected the number of records of a full page"),
        Case("next: { link: true, size: 5 }", "next.size", "only 'page' and 'offset' have a size"),
        Case(
            "join: { take: {} }", "join.on",
            "missing; expected a field and a JSON Pointer, such as [\"owner_id\", \"/id\"]"),
        Case("join: { on: ['id', '/id'] }", "join.take", "missing; expected an object of fields and JSON Pointers"),
        Case("join: { on: ['id'], take: {} }", "join.on", "expected two elements: a field and a JSON Pointer"),
        Case("join: { on: ['ix', '/id'], take: {} }", "join.on[0]", "no field is called 'ix'; did you mean 'id'?"),
        Case(
            "join: { on: ['id', '/id'], take: { id: '/x' } }", "join.take.id", "the id cannot come from another request"
        ),
        Case(
            "join: { on: ['id', '/id'], take: { nam: '/x' } }", "join.take.nam",
            "no field is called 'nam'; there are id"),
        Case(
            "limits: { body: '64MB' }", "limits.body",
            "expected a size from 1 to 1125899906842624 bytes, such as \"64M\" or 4096, found '64MB'"),
        Case(
            "limits: { clients: 5 }", "limits.clients",
            "unknown key 'clients'; expected one of body, records, expansion, redirects, connect, first_byte, transfer, "
                + "pages, pause"),
        Case("limits: { redirects: -1 }", "limits.redirects", "expected a whole number from 0 to 50, found -1"),
    ])
    func `a mistake in the source is named likewise`(mistake: Case) {
        expect(Self.definition("source: { \(mistake.text) }"), "source." + mistake.keyPath, mistake.message)
    }

    @Test(arguments: [
        Case(
            "a: { from: '/a' }", "a.type",
            "missing; expected one of id, text, enum, integer, decimal, instant, date, bool, url, json"),
        Case("a: { type: 'txt', from: '/a' }", "a.type", "no type is called 'txt'; did you mean 'text'?"),
        Case("a: { type: 'text' }", "a.from", "missing; expected an array of JSON Pointers, such as [\"/name\"]"),
        Case("a: { type: 'text', from: [] }", "a.from", "expected at least one JSON Pointer"),
        Case(
            "a: { type: 'text', from: ['/a', 'b'] }", "a.from[1]",
            "expected a JSON Pointer, such as \"/a/b\" or \"\", found 'b'"),
        Case(
            "a: { type: 'text', from: ['/a~2'] }", "a.from[0]",
            "expected a JSON Pointer, such as \"/a/b\" or \"\", found '/a~2'"),
        Case(
            "a: { type: 'integer', from: '/a', search: true }", "a.search",
            "free text cannot look into the type integer; expected text, id or url"),
        Case("a: { type: 'enum', from: '/a' }", "a.vocabulary", "missing; expected the name of a vocabulary"),
        Case(
            "a: { type: 'enum', from: '/a', vocabulary: 'b' }", "a.vocabulary",
            "no vocabulary is called 'b'; there are none"),
        Case(
            "a: { type: 'text', from: '/a', vocabulary: 'b' }", "a.vocabulary",
            "only fields of the type enum have a vocabulary"),
        Case(
            "and: { type: 'text', from: '/a' }", "and", "'and' is a word of the filter language; expected another name"),
        Case(
            "none: { type: 'text', from: '/a' }", "none",
            "'none' is a word of the filter language; expected another name"),
        Case(
            "collection: { type: 'text', from: '/a' }", "collection",
            "records of answers have a member 'collection' of their own; expected another name, such as collection_value"
        ),
        Case(
            "archived: { type: 'bool', from: '/a' }", "archived",
            "records of answers have a member 'archived' of their own; expected another name, such as archived_value"),
        Case(
            "pending: { type: 'text', from: '/a' }", "pending",
            "records of answers have a member 'pending' of their own; expected another name, such as pending_value"),
        Case(
            "aB: { type: 'text', from: '/a' }", "aB",
            "'aB' is not a name; expected a-z, 0-9 and _, beginning with a letter"),
        Case(
            "other: { type: 'id', from: '/a' }", "",
            "'other' is of the type id; expected only the field called 'id' to be"),
        Case("a: { type: 'text', from: '/a', lines: 0 }", "a.lines", "expected a whole number from 1 to 20, found 0"),
        Case("a: 'text'", "a", "expected an object, found 'text'"),
        Case("a: { type: 'text', from: '/a', serch: true }", "a.serch", "unknown key 'serch'; did you mean 'search'?"),
    ])
    func `a mistake in a field is named likewise`(mistake: Case) {
        let keyPath = mistake.keyPath.isEmpty ? "fields" : "fields." + mistake.keyPath
        expect(Self.definition("", fields: mistake.text), keyPath, mistake.message)
    }

    @Test(arguments: [
        Case("{}", "fields", "missing; expected an object of fields by name"),
        Case("{ fields: {} }", "fields", "expected a field called 'id' of the type id"),
        Case(
            "{ fields: { id: { type: 'text', from: '/id' } } }", "fields", "expected a field called 'id' of the type id"
        ),
        Case("{ fields: [] }", "fields", "expected an object of fields by name, found an array"),
    ])
    func `a definition without an id is none`(mistake: Case) {
        let configuration = ConfigurationFixture.shipments(mistake.text)
        #expect(configuration.definitions.isEmpty)
        #expect(configuration.problems.map(\.keyPath).first == mistake.keyPath)
        #expect(configuration.problems.map(\.message).first == mistake.message)
    }

    @Test func `a json field cannot be sorted by`() {
        expect(
            Self.definition("sort: ['parts']", fields: "parts: { type: 'json', from: '/parts' }"), "sort[0]",
            "'parts' is of the type json, by which nothing can be sorted")
    }

    @Test func `nothing can follow the id in an order`() {
        expect(
            Self.definition("sort: ['-id', 'name']", fields: "name: { type: 'text', from: '/name' }"), "sort[1]",
            "nothing can follow the id, which no two records share")
    }

    @Test func `all problems of all files are found at once`() {
        let configuration = ConfigurationFixture.load([
            "/data/claimsd.json5": "{ languag: 'en', limits: { line: 'x' } }",
            "/data/collections.d/a.json5":
                "{ titel: 1, list: ['x'], archive: 2, fields: { \(Self.id), b: { type: 'c' } } }",
            "/data/collections.d/b.json5": "{ a: 1, a: 2 }",
            "/data/collections.d/c.json5": "{ fields: { \(Self.id) } }",
            "/site/collections.d/c.json5": "{ title:",
            "/site/collections.d/d.json5": "[]",
            "/site/collections.d/E f.json5": "{ fields: { \(Self.id) } }",
            "/site/collections.d/g.json5":
                "{ fields: { \(Self.id), \(Self.phase) }, \(Self.vocabulary), group_by: 'phase' }",
        ])
        #expect(configuration.names == ["E f", "a", "b", "c", "d", "g"])
        #expect(configuration.definitions.map(\.name) == ["g"])
        #expect(
            configuration.problems.map { "\($0.collection ?? "-") \($0.keyPath)" } == [
                "- languag", "- limits.line", "E f ", "a titel", "a list[0]", "a archive", "a fields.b.from",
                "a fields.b.type",
                "b ", "c ", "d ",
            ])
        #expect(configuration.problems.map(\.line).dropFirst(2).allSatisfy { $0 == 1 || $0 == nil })
        #expect(configuration.problems[8].description.hasPrefix("/data/collections.d/b.json5:1:9: "))
    }

    @Test(arguments: [("unit", "units"), ("untis", "units"), ("country", "countries")])
    func `a new definition without fields may be a misspelt file`(written: String, meant: String) {
        let configuration = ConfigurationFixture.load([
            "/data/collections.d/units.json5": "{ fields: { \(Self.id) } }",
            "/data/collections.d/countries.json5": "{ fields: { \(Self.id) } }",
            "/site/collections.d/\(written).json5": "{ source: { url: 'https://example.com' } }",
        ])
        #expect(configuration.definitions.map(\.name) == ["countries", "units"])
        #expect(
            configuration.problems.map(\.description) == [
                "/site/collections.d/\(written).json5:1:1: fields: missing; expected an object of fields by name; "
                    + "did you mean \(meant).json5?"
            ])
    }

    @Test func `a new definition without fields is not taken for another new one`() {
        let configuration = ConfigurationFixture.load([
            "/site/collections.d/bad1.json5": "{ title: { en: 'A' } }", "/site/collections.d/bad10.json5": "{}",
            "/site/collections.d/bad11.json5": "{ fields: { \(Self.id) } }",
        ])
        let missing = configuration.problems.map(\.description).filter { $0.contains("fields: missing") }
        #expect(missing.count == 2 && !missing.joined().contains("did you mean"), "\(missing)")
    }

    @Test func `a bundle that cannot be read is a problem, and other files are not looked at`() {
        let path = "/data/collections.d/a.json5"
        let configuration = Configuration.load(
            configDirectory: "/site", dataDirectory: "/data",
            files: ConfigurationFiles(
                read: { file in
                    file == path ? .bytes(Array("{ bundle: 'b/a.json', fields: { \(Self.id) } }".utf8)) : .missing
                },
                list: { .names($0 == "/data/collections.d" ? ["a.json5"] : []) },
                obstacle: { $0 == "/data/b/a.json" ? "cannot open it" : "is \($0)" }))
        #expect(configuration.problems.map(\.description) == ["\(path):1:11: bundle: cannot open it"])
        #expect(configuration.definitions.isEmpty)
    }

    @Test func `two collections cannot have one singular`() {
        let configuration = ConfigurationFixture.load([
            "/data/collections.d/a.json5": "{ singular: 'thing', fields: { \(Self.id) } }",
            "/site/collections.d/b.json5": "{ singular: 'thing', fields: { \(Self.id) } }",
        ])
        #expect(configuration.definitions.map(\.name) == ["a"])
        #expect(
            configuration.problems.map(\.description) == [
                "/site/collections.d/b.json5:1:13: singular: 'thing' is the singular of 'a' already; expected another word"
            ])
    }

    @Test func `a file that cannot be read is a problem, not a missing file`() {
        let configuration = Configuration.load(
            configDirectory: "/site", dataDirectory: "/data",
            files: ConfigurationFiles(
                read: { $0 == "/site/collections.d/a.json5" ? .unreadable("permission denied") : .missing },
                list: { .names($0 == "/site/collections.d" ? ["a.json5"] : []) }))
        #expect(
            configuration.problems.map(\.description) == [
                "/site/collections.d/a.json5: cannot be read: permission denied"
            ])
        #expect(configuration.definitions.isEmpty)
    }
}
