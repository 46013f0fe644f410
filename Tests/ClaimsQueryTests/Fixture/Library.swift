// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsQuery

/// A collection with a field of every type, and ten records that differ where operators may go wrong.
enum Library {
    /// Codes by vocabulary, with their ranks. Two share a rank.
    static let ranks: [String: [String: Int]] = [
        "state": ["lost": 10, "damaged": 20, "torn": 20, "on_shelf": 30, "on_loan": 40, "other": -1],
        "kind": ["book": 1, "film": 2, "other": 9],
    ]

    static let definition: Definition = {
        let fields: [Field] = [
            Field(name: "id", type: .id),
            Field(name: "title", type: .text, isSearched: true),
            Field(name: "author", type: .text, isSearched: true),
            Field(name: "state", type: .enum, vocabulary: 0),
            Field(name: "kind", type: .enum, vocabulary: 1),
            Field(name: "pages", type: .integer),
            Field(name: "price", type: .decimal),
            Field(name: "added", type: .instant),
            Field(name: "due", type: .date),
            Field(name: "lent", type: .bool),
            Field(name: "link", type: .url),
            Field(name: "extra", type: .json),
            Field(name: "note", type: .text),
        ]
        let vocabularies = ["state", "kind"].map { name in
            let codes = (ranks[name] ?? [:]).map { Code($0.key, rank: $0.value) }
            return Vocabulary(name: name, codes: codes, fallback: "other", absent: name == "kind" ? "book" : nil)
        }
        return Definition(
            name: "library", source: Source(), fields: fields,
            vocabularies: vocabularies.compactMap { $0 },
            orders: [
                // By title, the id not named.
                NamedOrder(name: "newest", order: RecordOrder([key("added", true)], idField: 0)),
                // A named order that shares its name with a field, the id named.
                NamedOrder(name: "state", order: RecordOrder([key("state"), key("id")], idField: 0), namesID: true),
            ])

        func key(_ name: String, _ descending: Bool = false) -> SortKey {
            SortKey(field: fields.firstIndex { $0.name == name } ?? 0, descending: descending)
        }
    }()

    /// 2026-11-20T12:00:00Z.
    static let now = NaiveCalendar.ms("2026-11-20T12:00:00Z")

    static let context = FilterContext(definition: definition, now: now)

    /// In the order of their ids.
    static let records: [LibraryRecord] = [
        LibraryRecord(
            "1",
            [
                "title": .text("Water damage"), "author": .text("Anna Łódź"), "state": .code("lost"),
                "kind": .code("book"), "pages": .number("100"), "price": .number("12.50"),
                "added": .instant("2026-11-20T08:01:02Z"), "due": .date("2026-11-21"), "lent": .bool(true),
                "link": .text("https://a.example/Q?x=1"), "extra": .json, "note": .text("One"),
            ]),
        LibraryRecord(
            "2",
            [
                "title": .text("Straße nach Réunion"), "author": .text("Jean d'Ivoire"), "state": .code("damaged"),
                "kind": .code("film"), "pages": .number("2"), "price": .number("12.5"),
                "added": .instant("2026-11-19T23:30:00Z"), "due": .date("2026-11-20"), "lent": .bool(false),
                "link": .text("http://b.example/ä"),
            ]),
        LibraryRecord(
            "02",
            [
                "title": .text("c++ primer"), "author": .text("Bo"), "state": .code("torn"), "kind": .code("book"),
                "pages": .number("10"), "price": .number("-3"),
            ]),
        LibraryRecord(
            "007",
            [
                "title": .text("WATER  DAMAGE II"), "author": .text("ångström"), "state": .code("lost"),
                "kind": .code("book"), "added": .instant("2026-12-20T11:00:00Z"), "note": .text(#"pack\slash"#),
            ]),
        LibraryRecord(
            "10",
            [
                "title": .text("Wysłana  paczka"), "author": .text("Åsa Öst"), "state": .code("on_shelf"),
                "kind": .code("film"), "pages": .number("1234567890123456789012345"), "price": .number("0.1"),
                "added": .instant("2026-11-20T00:00:00Z"), "due": .date("2026-11-19"),
            ]),
        LibraryRecord(
            "9999999999999999999999999",
            [
                "title": .text("Water"), "author": .text("Straßer"), "state": .code("on_shelf"),
                "kind": .code("film"), "pages": .number("3"), "price": .number("0.10"),
                "added": .instant("2026-10-21T12:00:00Z"),
            ]),
        LibraryRecord(
            "A1",
            [
                "title": .text("and or not"), "author": .text("a=b"), "state": .code("on_loan"),
                "kind": .code("book"), "pages": .number("-7"), "price": .number("1e2"),
                "added": .instant("2026-11-21T00:00:00Z"), "due": .date("2026-11-20"), "lent": .bool(true),
            ]),
        LibraryRecord(
            "a1",
            [
                "title": .text("Ui essay"), "state": .unknown("BROKEN_STATUS"), "kind": .unknown("Vinyl"),
                "pages": .number("0"), "price": .number("100"), "added": .instant("2026-11-20T12:00:00Z"),
            ]),
        LibraryRecord(
            "x-3",
            [
                "title": .text("(draft), a..b"), "author": .text("Anna"), "state": .code("on_loan"),
                "kind": .code("book"),
            ]),
        LibraryRecord(
            "x-20",
            [
                "kind": .code("book"), "due": .date("2026-11-22"), "lent": .bool(false),
                "note": .text(#"water "jug""#),
            ]),
    ]

    /// The ids of the records that `passes` is true of, in order; the long one as `big`.
    static func ids(where passes: (LibraryRecord) -> Bool) -> String {
        records.filter(passes).map { $0.id.count > 20 ? "big" : $0.id }.joined(separator: " ")
    }

    static let allIDs = ids { _ in true }

    /// The ids that a predicate is true of.
    static func ids(_ predicate: Predicate) -> String {
        let matcher = PredicateMatcher(predicate, definition: definition)
        return ids { matcher.matches($0.decoded) }
    }

    /// The ids that the naive evaluator finds.
    static func naiveIDs(_ node: FilterNode, calendar: NaiveCalendar = .utc) -> String {
        let evaluator = NaiveEvaluator(calendar: calendar)
        return ids { evaluator.isTrue(node, of: $0) }
    }
}
