// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

@testable import ClaimsServer

/// The actions of a collection in the answer of `describe`.
struct WriteDescriptionTests {
    private static func definition(_ writes: String) throws -> Definition {
        let text = """
            { source: { url: 'https://books.example/' },
              fields: {
                id: { type: 'id', from: '/id' }, name: { type: 'text', from: '/name', title: { en: 'Name', pl: 'Nazwa' } },
                shelf: { type: 'enum', from: '/shelf', vocabulary: 'shelf' }, price: { type: 'decimal', from: '/price' },
                pages: { type: 'integer', from: '/pages' }, lent_at: { type: 'instant', from: '/lent' },
                day: { type: 'date', from: '/day' }, old: { type: 'bool', from: '/old' },
                parts: { type: 'json', from: '/parts' }, scans: { type: 'json', from: '/scans' },
              },
              vocabularies: { shelf: { fallback: 'x', codes: { a: {}, b: {}, x: {} } } },
              writes: { \(writes) } }
            """
        let configuration = Configuration.load(
            configDirectory: "/site", dataDirectory: "/data",
            files: ConfigurationFiles(
                read: { $0 == "/data/collections.d/books.json5" ? .bytes(Array(text.utf8)) : .missing },
                list: { .names($0 == "/data/collections.d" ? ["books.json5"] : []) }))
        try #require(configuration.problems.map(\.description) == [])
        return try #require(configuration.definition(named: "books"))
    }

    private func described(
        _ writes: String, language: String = "en", mayWrite: @escaping (WriteScope?) -> Bool = { _ in true }
    ) throws -> JSONValue? {
        var writer = JSONWriter()
        let definition = try Self.definition(writes)
        let description = DefinitionWriter(definition, language: language, knows: { _ in true }) {
            mayWrite(WriteScope(of: $0, in: definition))
        }
        description.write(to: &writer)
        return try JSONValue.parse(writer.bytes)["writes"]
    }

    @Test func `a collection without a destination tells of no actions`() throws {
        #expect(try described("create: {}") == nil)
        #expect(try described("to: 'upstream'") == ["to": "upstream", "actions": []])
    }

    @Test func `the fields of an action are a JSON Schema in the definition's order`() throws {
        let writes = """
            to: 'upstream', create: { url: 'https://books.example/', id: '/id' },
            update: { url: 'https://books.example/{id}', label: { en: 'Change', pl: 'Zmień' } },
            fields: {
              parts: { max_length: 99, refs: 'books' }, name: { required: true, max_length: 9 }, shelf: {},
              price: { min: '0', max: 9.50, scale: 2 }, pages: {}, lent_at: { min: '-3d' }, day: { max: 'today' }, old: {},
            }
            """
        let schema = """
            {"type":"object","properties":{"name":{"title":"Nazwa","type":["string"],"maxLength":9},\
            "shelf":{"title":"Shelf","enum":["a","b",null]},"price":{"title":"Price","type":["number","string","null"],\
            "minimum":0,"maximum":9.50,"x-scale":2},"pages":{"title":"Pages","type":["integer","string","null"]},\
            "lent_at":{"title":"Lent at","type":["string","null"],"format":"date-time","x-minimum":"-3d"},\
            "day":{"title":"Day","type":["string","null"],"format":"date","x-maximum":"today"},\
            "old":{"title":"Old","type":["boolean","null"]},"parts":{"title":"Parts","x-max-bytes":99,"x-refs":"books"}},\
            "required":["name"],"additionalProperties":false}
            """
        let actions = try #require(try described(writes, language: "pl")?["actions"]?.array)
        #expect(
            actions.map { $0["name"] } == ["create", "update"] && actions.map { $0["title"] } == ["Dodaj", "Zmień"])
        #expect(actions[0]["fields"].map { String(decoding: $0.compactBytes, as: UTF8.self) } == schema)
        #expect(actions[1]["fields"]?["required"] == nil)
    }

    @Test func `each action tells its role, its condition and its rules for files`() throws {
        let writes = """
            to: 'upstream', role: { groups: ['clerks'] }, delete: { url: 'https://books.example/{id}' },
            actions: {
              lend: {
                url: 'https://books.example/{id}/lend', when: 'shelf=a', role: { users: ['ann'] }, attachments: true,
              },
            },
            attachments: { field: 'scans', min: 1, max: 3, size: '1M', types: ['image/png'],
              send: { url: 'https://books.example/{id}/scans' } },
            """
        let own = WriteScope(collection: "books", action: "lend")
        let actions = try #require(try described(writes, mayWrite: { $0 == own })?["actions"]?.array)
        #expect(actions.map { $0["role"] } == ["write:books", "write:books"])
        #expect(actions.map { $0["granted"] } == [false, true])
        #expect(actions.map { $0["when"] } == [nil, "shelf=a"])
        #expect(
            actions.map { $0["files"] } == [
                nil, ["field": "scans", "types": ["image/png"], "min": 1, "max": 3, "size": 1_048_576],
            ])
    }
}
