// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

/// A collection whose records can be written, with a field of every type, read from a definition file.
struct WriteFixture {
    let definition: Definition
    let rules: WriteRules

    /// 2026-11-22T12:00:00.000Z.
    static let now = Instant.parse("2026-11-22T12:00:00Z")?.ms ?? 0

    private static let fields = """
        id: { type: 'id', from: ['/id', '/number'] },
        name: { type: 'text', from: ['/name', '/title'] },
        phase: { type: 'enum', from: ['/phase'], vocabulary: 'phase' },
        state: { type: 'enum', from: ['/state'], vocabulary: 'state' },
        pieces: { type: 'integer', from: ['/pieces'] },
        weight: { type: 'decimal', from: ['/size/weight', '/weight'] },
        made_at: { type: 'instant', from: ['/madeAt'] },
        day: { type: 'date', from: ['/day'] },
        fragile: { type: 'bool', from: ['/fragile'] },
        picture: { type: 'url', from: ['/links/picture'] },
        parts: { type: 'json', from: ['/parts'] },
        files: { type: 'json', from: ['/files'] },
        boxes: { type: 'json', from: ['/boxes'] },
        owner: { type: 'text', from: ['/owner'] },
        owner_name: { type: 'text' },
        seen_at: { type: 'instant', from: ['/seen'] },
        """

    private static let vocabularies = """
        phase: { fallback: 'other', codes: { made: { rank: 1 }, 'On the way': { rank: 2 }, '7': {}, other: {} } },
        state: { fallback: 'broken', absent: 'broken', codes: { fine: {}, broken: {} } },
        """

    /// Rules for a value of every type.
    static let ruled = """
        name: { required: true, max_length: 20 }, phase: {}, state: { codes: ['fine'] }, pieces: { min: 1, max: 9 },
        weight: { min: '0.01', max: '90000', scale: 2 }, made_at: { min: '-3d', max: 'now' },
        day: { min: 'today', max: '+2w' }, fragile: {}, picture: { max_length: 40 }, parts: { max_length: 64 },
        boxes: { refs: 'boxes', at: '/content/boxes' }, owner: { refs: 'owners' },
        """

    /// - Parameters:
    ///   - writes: the members of `writes` beside `fields`.
    ///   - source: the members of `source`.
    static func configuration(
        writes: String, fields: String = WriteFixture.ruled, source: String = "url: 'https://d.example/docs'",
        more: String = ""
    ) -> Configuration {
        ConfigurationFixture.load([
            "/data/collections.d/boxes.json5": "{ fields: { id: { type: 'id', from: '/id' } } }",
            "/data/collections.d/owners.json5": "{ fields: { id: { type: 'id', from: '/id' } } }",
            "/data/collections.d/parcels.json5": """
            { source: { \(source.isEmpty ? "" : source + ",") join: { on: ['owner', '/id'], take: { owner_name: '/name' } } },
              fields: { \(Self.fields) }, vocabularies: { \(Self.vocabularies) }, volatile: ['/seen'], \(more)
              writes: { fields: { \(fields) }, \(writes) } }
            """,
        ])
    }

    init(
        writes: String = """
        to: 'upstream',
        create: { url: 'https://d.example/docs', id: '/id', set: { fragile: true }, shows: { made_at: 'now' } },
        update: { url: 'https://d.example/docs/{id}' }, delete: { url: 'https://d.example/docs/{id}' },
        """,
        fields: String = WriteFixture.ruled, source: String = "url: 'https://d.example/docs'"
    ) throws {
        let configuration = Self.configuration(writes: writes, fields: fields, source: source)
        try #require(configuration.problems.map(\.description) == [])
        definition = try #require(configuration.definition(named: "parcels"))
        rules = try #require(definition.writes)
    }

    func action(_ name: String) throws -> WriteAction { try #require(rules.offered(name)) }

    /// The records of the other collections are `1`, `2` and `3`.
    var checker: WriteChecker {
        WriteChecker(definition, rules, calendar: CivilCalendar(now: Self.now)) { _, id in ["1", "2", "3"].contains(id)
        }
    }

    func check(_ action: String, _ fields: String, files: FileChange = FileChange()) throws -> CheckedWrite {
        let object = try #require(try JSONValue.parse(fields).object)
        return try checker.check(try self.action(action), fields: object, files: files)
    }

    /// The fields and kinds of all mistakes, such as `name required`.
    func problems(_ action: String, _ fields: String, files: FileChange = FileChange()) throws -> [String] {
        let object = try #require(try JSONValue.parse(fields).object)
        let action = try self.action(action)
        do throws(InvalidWrite) {
            _ = try checker.check(action, fields: object, files: files)
            return []
        } catch {
            return error.problems.map { "\($0.field) \($0.kind.rawValue)" }
        }
    }

    /// The fields that a record with this object shows.
    func document(_ object: [UInt8]) throws -> String {
        var decoding = Decoding(definition)
        return try decoding.document(String(decoding: object, as: UTF8.self))
    }
}
