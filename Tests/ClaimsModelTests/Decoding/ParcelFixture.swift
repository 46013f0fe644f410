// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

/// A collection of the tests' own, with a field of every type.
enum ShipmentFixture {
    static func definition(
        join: Join? = nil, fields extra: [Field] = [], requiring required: Set<String> = []
    ) -> Definition {
        let phase = Vocabulary(
            name: "phase",
            codes: [
                Code("MADE", rank: 10), Code("ON_THE_WAY", rank: 20), Code("Größe", rank: 30), Code("7", rank: 40),
                Code("OTHER", rank: -1),
            ], fallback: "OTHER")
        let state = Vocabulary(
            name: "state", codes: [Code("fine", rank: 20), Code("broken", rank: 10)], fallback: "broken",
            absent: "broken")
        var fields = [
            field("id", .id, "/id", "/number"), field("name", .text, "/name", isSearched: true),
            field("phase", .enum, "/phase", vocabulary: 0), field("state", .enum, "/state", vocabulary: 1),
            field("pieces", .integer, "/pieces"), field("weight", .decimal, "/size/weight"),
            field("made_at", .instant, "/madeAt", "/made_at"), field("day", .date, "/day"),
            field("fragile", .bool, "/fragile"), field("picture", .url, "/picture"), field("parts", .json, "/parts"),
            field("owner_id", .text, "/ownerId"), field("owner_name", .text, "/ownerName"),
        ]
        fields += extra
        for index in fields.indices where required.contains(fields[index].name) { fields[index].isRequired = true }
        return Definition(
            name: "parcels", source: Source(ReadRequest(root: pointer("")), join: join), fields: fields,
            vocabularies: [phase, state].compactMap(\.self))
    }

    static let ownerJoin = Join(
        ReadRequest(url: "https://owners.example/", root: pointer("")), on: .init(field: 11, pointer: pointer("/id")),
        take: [.init(field: 12, pointer: pointer("/person/name"))])

    static func pointer(_ text: String) -> JSONPointer {
        (try? JSONPointer(text)) ?? JSONPointer(tokens: [])
    }

    static func field(
        _ name: String, _ type: FieldType, _ from: String..., vocabulary: Int? = nil, isSearched: Bool = false
    ) -> Field {
        Field(name: name, type: type, from: from.map(pointer), isSearched: isSearched, vocabulary: vocabulary)
    }
}
