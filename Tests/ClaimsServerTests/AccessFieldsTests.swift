// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// A peer that a rule shows a part of the fields, in worlds that differ in what it does not see.
///
/// The peer has user 1000 and group 100.
@Suite struct AccessFieldsTests {
    private static let words = ["water", "fire", "kitchen", "Łódź", "roof", "glass"]

    private static func rules(rows: AccessRules.Rows = .all) -> AccessRules {
        AccessRules([
            .init(
                .members(.init(users: ["1000"])), rows: rows, fields: ["title", "state", "kind", "place"],
                masks: ["day": .year, "link": .lastFour, "price": .hash(credential: "pseudonym"), "flag": .hidden])
        ]).resolved(user: { UInt32($0) }, group: { UInt32($0) }, key: { Array("key of \($0)".utf8) })
    }

    /// The parts of a record that the peer sees.
    private struct Shown {
        let title: String
        let state: String
        let kind: String
        let place: String
        let year: Int
        let tail: String
        let price: Int
        let flag: Bool

        init(_ random: inout SeededGenerator) {
            title = "\(random.pick(AccessFieldsTests.words)) \(random.pick(AccessFieldsTests.words))"
            state = random.pick(["new", "open", "shut", "gone", "weird"])
            kind = random.pick(["small", "large"])
            place = random.pick(["here", "there"])
            year = random.pick([2025, 2026])
            tail = random.pick(["/abc", "/xyz"])
            price = Int.random(in: 1..<5, using: &random)
            flag = random.oneIn(2)
        }

        /// A record with these parts, whose others are random.
        func object(_ id: Int, _ random: inout SeededGenerator) -> String {
            let note = random.oneIn(3) ? "null" : "\"\(random.pick(AccessFieldsTests.words)) x\""
            let level = random.oneIn(5) ? "null" : "\(Int.random(in: 0..<9, using: &random))"
            let day = Int.random(in: 1..<10, using: &random)
            let path = String(repeating: "p", count: Int.random(in: 4..<9, using: &random))
            return
                #"{"id":"\#(id)","title":"\#(title)","note":\#(note),"place":"\#(place)","state":"\#(state)","#
                + #""kind":"\#(kind)","level":\#(level),"day":"\#(year)-0\#(day)-11","price":\#(price),"#
                + #""at":"2026-0\#(day)-01T00:00:00Z","flag":\#(flag),"link":"https://a.example/\#(path)\#(tail)","#
                + #""extra":{"n":"\#(path)"}}"#
        }
    }

    private static func shelf(_ objects: [String], _ rules: AccessRules = rules()) throws -> ServedShelf {
        try ServedShelf(objects, definition: Shelf.definition.with(rules))
    }

    private static func params(_ random: inout SeededGenerator) -> (method: String, params: String) {
        let terms = [
            "water", "state=open", "state!=open", "level>3", "note.any", "place=here", "-fire", "roof | x", "x",
            "(state=new | title~wat)", "day<2026-05-01", "day.none", "id=17", "price>2", "at>2026-03-01", "extra.any",
            "flag=true", "link~abc", "state.raw=weird", "flag.raw=x", "pric=2", "not=1", "",
        ]
        let filter = random.pick(terms) + " " + random.pick(terms)
        let archived = random.pick(["exclude", "include", "only"])
        let id = Int.random(in: 0..<40, using: &random)
        let select = #""collection":"shelf","filter":"\#(filter)","archived":"\#(archived)""#
        let sort = random.pick(["-level", "title,level", "leveled", "-titled", "id", "-state,day", "price", "place"])
        let fields = random.pick([
            "", #","fields":["title","day"]"#, #","fields":["note"]"#, #","fields":["link","price"]"#,
        ])
        let facet = random.pick(["state", "kind", "level", "day", "price", "place"])
        let anchor = random.oneIn(3) ? #","anchor":\#(random.pick([#"{"id":"\#(id)"}"#, #""end""#]))"# : ""
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return ("detail", #"{"collection":"shelf","id":"\#(id)"}"#)
        case 1: return ("detail", #"{"collection":"shelf","id":"\#(id)","lang":"pl"}"#)
        case 2: return ("count", "{\(select)}")
        case 3: return ("facets", #"{\#(select),"fields":["\#(facet)"]}"#)
        case 4: return ("explain", "{\(select),\"id\":\"\(id)\"}")
        case 5: return ("explain", "{\(select)}")
        case 6: return ("search", #"{"filter":"\#(random.pick(["water", "level=1", "x"]))","limit":5\#(fields)}"#)
        case 7: return ("search", #"{\#(select),"stream":true,"limit":7\#(fields)}"#)
        case 8, 9: return ("sort", #"{\#(select),"by":"\#(sort)","limit":4\#(anchor)\#(fields)}"#)
        case 10: return ("describe", #"{"collection":"shelf"}"#)
        default:
            let group = random.oneIn(2) ? #","group":true"# : ""
            return (
                "search", #"{\#(select),"limit":3,"facets":"\#(facet)","lang":"en"\#(group)\#(anchor)\#(fields)}"#
            )
        }
    }

    /// An answer or an error, as text.
    private func answer(_ shelf: ServedShelf, _ method: String, _ params: String) async -> String {
        do {
            var answer = try await shelf.ask(method, params, roles: [.read, .archive]).object ?? JSONObject()
            if var provenance = answer["provenance"]?.object {
                // The times are told; those of this shelf depend on the size of records.
                (provenance["first_seen"], provenance["changed_at"]) = (nil, nil)
                answer["provenance"] = .object(provenance)
            }
            return String(decoding: JSONValue.object(answer).compactBytes, as: UTF8.self)
        } catch {
            guard let error = error as? RequestError else { return "\(error)" }
            return String(decoding: error.line(id: [0x31], in: "en"), as: UTF8.self)
        }
    }

    @Test(arguments: 0..<8) func `worlds that differ in what is hidden or masked give the same bytes`(
        seed: Int
    ) async throws {
        var random = SeededGenerator(seed: UInt64(seed) + 500)
        let filter = AccessRules.RowFilter("flag=true", at: ConfigurationLocation(file: "shelf.json5"))
        let rules = Self.rules(rows: random.oneIn(2) ? .filter(filter) : .all)
        let shown = (0..<40).map { _ in Shown(&random) }
        let shelves = try (0..<2).map { _ in
            try Self.shelf(shown.enumerated().map { $0.element.object($0.offset, &random) }, rules)
        }
        for shelf in shelves { shelf.archive(["3", "4", "5"]) }
        for _ in 0..<RandomRounds.count(200) {
            var (method, params) = Self.params(&random)
            for _ in 0..<3 {
                let first = await answer(shelves[0], method, params)
                let second = await answer(shelves[1], method, params)
                #expect(first == second, "\(method) \(params)")
                guard let next = try? JSONValue.parse(first)["next"]?.string, !params.contains("cursor"),
                    !params.contains("anchor")
                else { break }
                params = #"{"cursor":"\#(next)","# + params.dropFirst()
                method = method == "sort" ? "sort" : "search"
            }
        }
    }

    private static let object =
        #"{"id":"1","title":"Water","note":"secret words","place":"here","state":"open","kind":"small","level":3,"#
        + #""price":7,"at":"2026-03-01T00:00:00Z","day":"2026-03-11","flag":true,"link":"https://a.example/abcd","#
        + #""extra":{"a":1}}"#

    @Test func `masked fields are shown masked, and hidden ones not at all`() async throws {
        let shelf = try Self.shelf([Self.object])
        let expected = try JSONValue.parse(
            #"{"id":"1","title":"Water","place":"here","state":"open","kind":"small","#
                + #""price":"\#(FieldMask.hash(key: Array("key of pseudonym".utf8)).shown("7"))","day":"2026","#
                + #""link":"…abcd"}"#)
        let detail = try await shelf.ask("detail", #"{"collection":"shelf","id":"1"}"#, roles: [.read])
        #expect(detail["record"] == expected && detail["upstream"] == nil && detail["provenance"] != nil)
        for params in [#"{"collection":"shelf"}"#, #"{"collection":"shelf","filter":"water"}"#] {
            let found = try await shelf.ask("search", params, roles: [.read])
            #expect(found["records"]?.array == [expected] && found["meta"]?["limited"] == true)
        }
        // Free text looks into fields only that are shown whole.
        for text in ["secret", "abcd", "words"] {
            let params = #"{"collection":"shelf","filter":"\#(text)"}"#
            #expect(try await shelf.ask("count", params, roles: [.read])["total"] == 0)
        }
    }

    @Test func `masked fields are compared by nothing, and hidden ones are unknown`() async throws {
        let shelf = try Self.shelf([Self.object])
        func refusal(_ method: String, _ rest: String) async -> ErrorKind? {
            await shelf.refusal(method, #"{"collection":"shelf",\#(rest)}"#, roles: [.read])
        }
        for field in ["day", "price", "link", "note", "level"] {
            #expect(await refusal("count", #""filter":"\#(field).any""#) == .badFilter, "\(field)")
            #expect(await refusal("sort", #""by":"\#(field)""#) == .badSort, "\(field)")
            #expect(await refusal("facets", #""fields":["\#(field)"]"#) == .badParams, "\(field)")
        }
        #expect(await refusal("search", #""fields":["note"]"#) == .badParams)
        let page = try await shelf.ask("search", #"{"collection":"shelf","fields":["day"]}"#, roles: [.read])
        #expect(page["records"]?.array == [["day": "2026"]])
    }

    @Test func `describe has what is shown, and what rests on nothing else`() async throws {
        let shelf = try Self.shelf([Self.object])
        let answer = try await shelf.ask("describe", #"{"collection":"shelf"}"#, roles: [.read])
        let entry = try #require(answer["collections"]?.array?.first)
        let fields = try #require(entry["fields"]?.array)
        #expect(
            fields.compactMap { $0["name"]?.string }
                == ["id", "title", "place", "state", "kind", "price", "day", "link"])
        #expect(fields.compactMap { $0["mask"]?.string } == ["hash", "year", "last4"])
        // The order "leveled" has no key left, and the others lack those that are not shown whole.
        #expect(entry["sorts"]?.array?.compactMap { $0["name"]?.string } == ["titled"])
        #expect(entry["sort"]?.array?.compactMap(\.string) == ["-state", "-id"])
        // An administrator sees what the rule shows, too.
        let whole = try await shelf.ask("describe", #"{"collection":"shelf"}"#)
        #expect(whole["collections"]?.array?.first?["fields"]?.array?.count == 8)
    }

    @Test func `access names the fields that are shown whole, and the masks`() async throws {
        let filter = AccessRules.RowFilter("flag=true", at: ConfigurationLocation(file: "shelf.json5"))
        let shelf = try Self.shelf([Self.object], Self.rules(rows: .filter(filter)))
        for roles in [[.read], .all] as [RoleSet] {
            let answer = try await shelf.ask("access", roles: roles)
            let entry = try #require(answer["collections"]?.array?.first { $0["collection"] == "shelf" })
            #expect(entry["sees"] == "limited" && entry["rows"] == (roles == .all ? ["flag=true"] : nil))
            #expect(entry["fields"] == ["id", "title", "place", "state", "kind"])
            #expect(entry["masks"] == ["price": "hash", "day": "year", "link": "last4"])
        }
    }

    // MARK: - What rests on fields

    /// The limit of a rule that shows the title and the kind, and a part of the link, of a definition with these parts.
    private func limit(views: [String], actions: [String]) throws -> ViewLimit {
        let fields = Shelf.definition.fields
        let writes = WriteRules(
            to: .local,
            actions: actions.map { WriteAction(name: "on", kind: .named, condition: .init(filter: $0)) }
                + [WriteAction(name: "create", kind: .create)],
            attachments: AttachmentRules(field: 12, minCount: 1))
        let definition = Definition(
            name: "shelf", source: Source(), fields: fields, vocabularies: Shelf.definition.vocabularies,
            views: views.map { NamedView(name: $0, filter: $0) }, writes: writes)
        let sights = fields.map { field -> FieldSight in
            switch field.name {
            case "id", "title", "kind": .whole
            case "link": .masked(.lastFour)
            default: .hidden
            }
        }
        return try ViewLimit(rule: 1, filters: nil, sights: sights, of: definition)
    }

    @Test func `a view, an action or a create that needs what is not shown whole is missing`() throws {
        // Free text is looked for in the note, too.
        let views = ["kind=small", "level>1", "link~x", "water", "kind=small | note.any"]
        let seen = try limit(views: views, actions: ["kind=small"]).definition
        #expect(seen.views.map(\.name) == ["kind=small"])
        #expect(seen.writes?.actions.map(\.name) == ["on"] && seen.writes?.attachments == nil)
        for condition in ["water", "-water", "state=open"] {
            #expect(try limit(views: [], actions: [condition]).definition.writes?.actions.isEmpty == true)
        }
    }

    @Test func `the message of an operation names fields that are shown, and keeps what names none`() throws {
        let shelf = try Self.shelf([])
        let peer = ServedShelf.peer(.read)
        shelf.context.served.enter(peer)
        let text = OutboxText(peer: peer, isWhole: false, language: "en", served: shelf.context.served)
        func message(_ argument: String) throws -> String {
            let id = try #require(OperationID("0192f0c1-2b3d-7a54-8c1e-6f0a9d3b5e71"))
            let operation = Operation(id, .update, on: "1", of: "shelf", state: .conflict)
                .with(.conflict, message: Message(.writeOverChanged, argument))
            return try #require(text.message(of: operation))
        }
        let all = try message("title, note, day")
        #expect(all.contains("title, day") && !all.contains("note"), "\(all)")
        #expect(try !message("note, flag").contains("flag"))
        #expect(try message("the upstream, or so").contains("the upstream, or so"))
    }

    @Test func `pending operations do not name fields, files and actions that are not shown`() throws {
        let json =
            #"{"state":"queued","ops":[{"op":"1","action":"on","state":"queued"}],"#
            + #""fields":["title","note"],"attachments":[{"name":"a"}]}"#
        let shown = ShownMembers.pending(Array(json.utf8), try limit(views: [], actions: ["level>1"]).definition)
        #expect(
            String(decoding: shown, as: UTF8.self)
                == #"{"state":"queued","ops":[{"op":"1","action":"update","state":"queued"}],"fields":["title"]}"#)
    }
}
