// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import Testing

struct JoinTests {
    private static let owners = [
        #"{"id":1,"person":{"name":"Ann  \"A\" Ł"}}"#, #"{"id":"two","person":{"name":"Old"}}"#,
        #"{"id":"two","person":{"name":"Ben"}}"#, #"{"id":3,"person":{"name":7}}"#, #"{"id":4}"#, "[]",
        #"{"id":null}"#, #"{"id":[]}"#, #"{"id":" "}"#,
    ]

    private static func table() throws -> JoinTable {
        var table = try #require(JoinTable(definition: definition))
        var tape = JSONTape()
        for owner in owners {
            let bytes = Array(owner.utf8)
            _ = try tape.parse(bytes.rawSpan, depth: 64)
            _ = table.add(tape, bytes.rawSpan)
        }
        return table
    }

    private static var definition: Definition { ShipmentFixture.definition(join: ShipmentFixture.ownerJoin) }

    @Test(arguments: [
        ("1", #","owner_id":"1","owner_name":"Ann  \"A\" Ł""#),
        (#""1""#, #","owner_id":"1","owner_name":"Ann  \"A\" Ł""#),
        (#""two""#, #","owner_id":"two","owner_name":"Ben""#),
        (#""t\u0077o""#, #","owner_id":"two","owner_name":"Ben""#),
        ("3", #","owner_id":"3""#), ("4", #","owner_id":"4""#), ("9", #","owner_id":"9""#), ("null", ""), ("true", ""),
    ])
    func `a second request fills fields by the key they share`(owner: String, expected: String) throws {
        var decoding = Decoding(Self.definition, joined: try Self.table())
        let document = try decoding.document(#"{"id":7,"ownerId":\#(owner)}"#)
        #expect(document == #"{"id":"7","state":"broken"\#(expected)}"#)
    }

    @Test func `a record's own value comes before the joined one`() throws {
        var decoding = Decoding(Self.definition, joined: try Self.table())
        let document = try decoding.document(#"{"id":7,"ownerId":1,"ownerName":"Own"}"#)
        #expect(document.hasSuffix(#""owner_name":"Own"}"#))
    }

    @Test func `without a second answer the fields stay empty, and the key is still text`() throws {
        var decoding = Decoding(Self.definition)
        #expect(try decoding.document(#"{"id":7,"ownerId":1}"#) == #"{"id":"7","state":"broken","owner_id":"1"}"#)
    }

    @Test func `a joined value of the wrong type is counted as drift`() throws {
        var decoding = Decoding(Self.definition, joined: try Self.table())
        try decoding.document(#"{"id":7,"ownerId":3}"#)
        #expect(decoding.decoder.drift.typeChanges.map(\.field) == ["owner_name"])
    }

    @Test func `a stored table is restored to the same`() throws {
        let table = try Self.table()
        #expect(table.count == 4)
        let restored = try #require(JoinTable(definition: Self.definition, stored: table.stored))
        #expect(restored.count == 4)
        var decoding = Decoding(Self.definition, joined: restored)
        #expect(try decoding.document(#"{"id":7,"ownerId":"two"}"#).hasSuffix(#""owner_name":"Ben"}"#))
        #expect(restored.stored == table.stored)
    }

    @Test(arguments: ["x", "[1,2]\n", #"["a"]"# + "\n", #"["a","b"]"#, #"{"a":1}"# + "\n"])
    func `bytes that are no stored table restore nothing`(stored: String) {
        #expect(JoinTable(definition: Self.definition, stored: Array(stored.utf8)) == nil)
    }

    @Test func `a definition without a join has no table`() {
        #expect(JoinTable(definition: ShipmentFixture.definition()) == nil)
    }
}
