// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

/// Random writes over random objects.
struct WritePropertyTests {
    private let fixture: WriteFixture
    private let composer: WriteComposer
    private let comparison: FieldComparison

    init() throws {
        fixture = try WriteFixture(
            writes: """
                to: 'upstream', update: { url: 'https://d.example/{id}' },
                actions: { whole: { method: 'PUT', url: 'https://d.example/{id}', fields: [\(Self.names)] } },
                """, fields: Self.rules)
        composer = WriteComposer(fixture.definition)
        comparison = FieldComparison(fixture.definition)
    }

    private static let names =
        "'name','phase','state','pieces','weight','made_at','day','fragile','picture','parts','boxes'"
    private static let rules = """
        name: {}, phase: {}, state: {}, pieces: {}, weight: {}, made_at: {}, day: {}, fragile: {}, picture: {}, parts: {},
        boxes: {},
        """

    /// A value that each field takes, or null.
    private func fields(_ random: inout SeededGenerator) -> JSONObject {
        let values: [(String, [JSONValue])] = [
            ("name", ["a", "ż\"\\\n", "7", .null, " "]), ("phase", ["made", "ON-THE-WAY", "7", .null]),
            ("state", ["fine", .null]), ("pieces", [7, "12345678901234567890", -1, .null]),
            ("weight", [.number("1.50"), "0.000", .number("1e-3"), .null]),
            ("made_at", ["2026-11-20T09:00:00.1239+01:00", .null]), ("day", ["2026-02-28", .null]),
            ("fragile", [true, false, .null]), ("picture", ["https://x.example/ü", .null]),
            ("parts", [["a": 1, "b": ["c": [1, .null]]], [1, 2], 0, "x", [:], .null]),
            ("boxes", [["1", "2"], [], .null]),
        ]
        var object = JSONObject()
        for (name, choices) in values where Int.random(in: 0..<3, using: &random) == 0 {
            object[name] = choices.randomElement(using: &random)
        }
        return object
    }

    /// An upstream's object, with members that no field reads.
    private func base(_ random: inout SeededGenerator) -> String {
        let members = [
            #""id":"7""#, #""name":"n""#, #""title":"t""#, #""phase":1"#, #""phase":"gone""#, #""state":"fine""#,
            #""pieces":"3""#, #""pieces":3"#, #""size":{"weight":"1","x":1.00}"#, #""size":{"h":[{}]}"#,
            #""size":null"#,
            #""size":7"#, #""weight":2"#, #""madeAt":"2026-11-20T09:00:00Z""#, #""day":"2026-11-20""#,
            #""fragile":false"#, #""links":{"picture":"https://y","self":{"a":1}}"#, #""parts":{"a":2,"z":{"y":1}}"#,
            #""boxes":["1"]"#, #""other":12345678901234567890.10"#, #""o":{"name":[1e400,{"a":""}]}"#, #""madeat":"Ä""#,
        ]
        var chosen: [String] = [#""number":7"#]
        var names: Set<Substring> = []
        for member in members.shuffled(using: &random) where Bool.random(using: &random) {
            if names.insert(member.prefix { $0 != ":" }).inserted { chosen.append(member) }
        }
        return "{" + chosen.shuffled(using: &random).joined(separator: ",") + "}"
    }

    @Test func `a decoded record shows what a write gave, and all else as before`() throws {
        var random = SeededGenerator(12)
        for _ in 0..<RandomRounds.count(2000) {
            let (base, fields) = (base(&random), fields(&random))
            let write = try fixture.checker.check(try fixture.action("update"), fields: fields)
            let object = try composer.object(showing: write, over: Array(base.utf8))
            let before = comparison.values(of: Array(try fixture.document(Array(base.utf8)).utf8).rawSpan)
            let after = comparison.values(of: Array(try fixture.document(object).utf8).rawSpan)
            #expect(comparison.differing(write.shown, in: after).isEmpty, "\(base) \(fields)")
            for index in before.indices where !write.touched.contains(index) {
                #expect(before[index] == after[index], "\(base) \(fields)")
            }
            try expectKept(base, String(decoding: object, as: UTF8.self))
        }
    }

    /// Members that no field reads keep their text.
    private func expectKept(_ base: String, _ object: String) throws {
        for member in [
            #""other":12345678901234567890.10"#, #""o":{"name":[1e400,{"a":""}]}"#, #""madeat":"Ä""#, #""number":7"#,
        ]
        where base.contains(member) { #expect(object.contains(member)) }
    }

    @Test func `a merge patch makes of the object what a whole record would be`() throws {
        var random = SeededGenerator(7396)
        for _ in 0..<RandomRounds.count(2000) {
            let (base, fields) = (base(&random), fields(&random))
            let bytes = Array(base.utf8)
            let subject = WriteSubject(id: [0x37], operation: "op")
            func body(_ action: String) throws -> JSONValue {
                let write = try fixture.checker.check(try fixture.action(action), fields: fields)
                return try JSONValue.parse(
                    try #require(try composer.request(of: write, for: subject, over: bytes).body))
            }
            let patched = PatchedValue.apply(try body("update"), to: try JSONValue.parse(bytes))
            let whole = try body("whole")
            let isSame = patched.isEquivalent(to: whole)
            #expect(isSame, "\(base) \(fields)")
        }
    }

    @Test func `no bytes make the composer fail otherwise than by its error`() throws {
        var random = SeededGenerator(3)
        let write = try fixture.checker.check(try fixture.action("update"), fields: ["weight": 1, "name": .null])
        for _ in 0..<RandomRounds.count(2000) {
            var bytes = Array(base(&random).utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do throws(ComposeError) {
                let object = try composer.object(showing: write, over: bytes)
                #expect((try? JSONValue.parse(object, depth: 1024)) != nil)
            } catch {
                continue
            }
        }
    }
}
