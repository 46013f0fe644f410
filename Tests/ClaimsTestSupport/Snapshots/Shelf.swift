// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel

/// A collection with a field of every type, searched and not, with groups and orders of every kind.
public enum Shelf {
    public static let definition = make(searchesIDs: false)
    /// The same with ids and addresses among the searched fields.
    public static let searchingIDs = make(searchesIDs: true)
    /// The same as a collection that is written to its upstream.
    public static let written = make(searchesIDs: false, writes: WriteRules(to: .upstream))
    /// The same as a collection of which this host is the truth.
    public static let local = make(searchesIDs: false, writes: WriteRules(to: .local))

    public static let id = 0
    public static let title = 1
    public static let state = 4
    public static let level = 6
    public static let price = 7
    public static let link = 11

    private static func make(searchesIDs: Bool, writes: WriteRules? = nil) -> Definition {
        let fields: [Field] = [
            field("id", .id, isSearched: searchesIDs),
            field("title", .text, isSearched: true),
            field("note", .text, isSearched: true),
            field("place", .text),
            field("state", .enum, vocabulary: 0),
            field("kind", .enum, vocabulary: 1),
            field("level", .integer),
            field("price", .decimal),
            field("at", .instant),
            field("day", .date),
            field("flag", .bool),
            field("link", .url, isSearched: searchesIDs),
            field("extra", .json),
        ]
        let states = [
            Code("new", rank: 10, group: 0), Code("open", rank: 20, group: 0), Code("shut", rank: 30, group: 1),
            Code("gone", rank: 40, group: 1), Code("odd", rank: -1),
        ]
        let kinds = [Code("small", rank: 1), Code("large", rank: 1), Code("other", rank: 5)]
        return Definition(
            name: "shelf", source: Source(), fields: fields,
            vocabularies: [
                Vocabulary(name: "state", codes: states, fallback: "odd"),
                Vocabulary(name: "kind", codes: kinds, fallback: "other", absent: "small"),
            ].compactMap { $0 },
            groups: [RecordGroup(key: "second"), RecordGroup(key: "first")], groupBy: state,
            defaultOrder: order("-state", "-at", "day", "-id"),
            orders: [
                NamedOrder(name: "titled", order: order("title", "-price")),
                NamedOrder(name: "leveled", order: order("-level")),
            ], isArchivable: true, writes: writes)
    }

    private static func field(
        _ name: String, _ type: FieldType, isSearched: Bool = false, vocabulary: Int? = nil
    ) -> Field {
        Field(
            name: name, type: type, from: [JSONPointer(tokens: [Array(name.utf8)])], isSearched: isSearched,
            vocabulary: vocabulary)
    }

    private static let names = [
        "id", "title", "note", "place", "state", "kind", "level", "price", "at", "day", "flag", "link", "extra",
    ]

    /// An order by field names; `-` descends.
    public static func order(_ keys: String...) -> RecordOrder { order(keys) }

    public static func order(_ keys: [String]) -> RecordOrder {
        RecordOrder(
            keys.map { key in
                let name = key.hasPrefix("-") ? String(key.dropFirst()) : key
                return SortKey(field: names.firstIndex(of: name) ?? 0, descending: key.hasPrefix("-"))
            }, idField: 0)
    }

    /// Decodes upstream objects, all of which must be accepted.
    public static func decode(_ objects: [String], _ definition: Definition) throws -> [DecodedRecord] {
        var decoder = RecordDecoder(definition: definition)
        var tape = JSONTape()
        var records: [DecodedRecord] = []
        for object in objects {
            let bytes = Array(object.utf8)
            _ = try tape.parse(bytes.rawSpan, depth: 64)
            var record = DecodedRecord()
            guard decoder.decode(tape, bytes.rawSpan, into: &record) == .accepted else {
                throw TestFailure("not accepted: \(object)")
            }
            records.append(record)
        }
        return records
    }
}
