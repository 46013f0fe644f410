// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsQuery

/// A collection with a field of every type, a join, groups and orders, and some records that were decoded by it.
enum FuzzCollection {
    static let definition: Definition = {
        let vocabulary = Vocabulary(
            name: "states",
            codes: [
                Code("lost", rank: 1, group: 0), Code("late", rank: 2, group: 0), Code("home", rank: 3, group: 1),
                Code("other", rank: 9),
            ],
            fallback: "other")
        let fields: [Field] = [
            field("id", .id),
            field("title", .text, isSearched: true),
            field("note", .text, isSearched: true),
            Field(
                name: "state", type: vocabulary == nil ? .text : .enum, from: [JSONPointer(tokens: [bytes("state")])],
                vocabulary: vocabulary == nil ? nil : 0),
            field("size", .integer),
            field("price", .decimal),
            field("seen", .instant),
            field("due", .date),
            field("open", .bool),
            field("link", .url, isSearched: true),
            field("more", .json),
            field("owner", .text),
        ]
        return Definition(
            name: "things",
            source: Source(
                join: Join(
                    ReadRequest(root: JSONPointer(tokens: [])),
                    on: .init(field: 0, pointer: JSONPointer(tokens: [bytes("id")])),
                    take: [.init(field: 11, pointer: JSONPointer(tokens: [bytes("more"), bytes("owner")]))])),
            fields: fields, vocabularies: vocabulary.map { [$0] } ?? [],
            groups: [RecordGroup(key: "away"), RecordGroup(key: "here")], groupBy: 3,
            defaultOrder: RecordOrder([SortKey(field: 3), SortKey(field: 6, descending: true)], idField: 0),
            orders: [
                NamedOrder(name: "newest", order: RecordOrder([SortKey(field: 6, descending: true)], idField: 0)),
                NamedOrder(name: "price", order: RecordOrder([SortKey(field: 5), SortKey(field: 1)], idField: 0)),
            ],
            isArchivable: true)
    }()

    /// 2026-11-20T12:00:00Z, in a time zone without rules.
    static let context = FilterContext(definition: definition, now: 1_795_176_000_000)

    /// A few records, for what looks at each of them.
    static let records = records(12)

    /// The records of an answer.
    static func records(_ count: Int) -> [DecodedRecord] {
        var records: [DecodedRecord] = []
        var decoder = RecordDecoder(definition: definition, joined: JoinTable(definition: definition))
        var tape = JSONTape()
        let answer = answer(count)
        do {
            var elements = try JSONElements(answer.rawSpan, root: JSONPointer(tokens: []))
            while let element = try elements.next(into: &tape) {
                var record = DecodedRecord()
                guard case .value = element, case .accepted = decoder.decode(tape, answer.rawSpan, into: &record)
                else { continue }
                records.append(record)
            }
        } catch {
            return []
        }
        return records
    }

    /// The body that the collection's upstream would send.
    static func answer(_ count: Int) -> [UInt8] {
        let terms = ["Wysłana", "paczka", "water", "damage", "Straße", "d'Ivoire", "c++", "réunion", "the", "of"]
        var writer = JSONWriter()
        writer.beginArray()
        for number in 0..<count {
            writer.beginObject()
            writer.member("id", number % 3 == 0 ? "a-\(number)" : "\(number * 7)")
            writer.member("title", "\(terms[number % 10]) \(terms[(number / 3) % 10]) \(number)")
            if number % 4 != 0 { writer.member("note", "\(terms[(number * 3) % 10]) and the rest") }
            writer.member("state", ["lost", "Late", "home", "BROKEN", "  "][number % 5])
            writer.member("size", number * number - 100)
            writer.member("price", "\(number).\(number % 7)0")
            if number % 6 != 0 { writer.member("seen", "2026-11-\(10 + number % 15)T08:01:02.5Z") }
            if number % 5 != 0 { writer.member("due", "2026-12-\(10 + number % 20)") }
            if number % 2 != 0 { writer.member("open", number % 4 == 1) }
            if number % 3 != 0 { writer.member("link", "https://example.org/\(number)?q=\(number % 3)") }
            writer.member("more", ["owner": .string(terms[number % 9]), "n": .integer(number)])
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes
    }

    private static func field(_ name: String, _ type: FieldType, isSearched: Bool = false) -> Field {
        Field(name: name, type: type, from: [JSONPointer(tokens: [bytes(name)])], isSearched: isSearched)
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
