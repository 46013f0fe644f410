// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// A peer that a rule shows a part of the records, in worlds that differ in all others.
///
/// The peer has user 1000 and group 100; records with `place` "here" are its own.
@Suite struct AccessRowsTests {
    private static let states = ["new", "open", "shut", "gone", "weird"]
    private static let words = ["water", "fire", "kitchen", "Łódź", "roof", "glass"]

    private static func object(_ id: Int, place: String, _ random: inout SeededGenerator) -> String {
        let title = "\(random.pick(words)) \(random.pick(words))"
        let note = random.oneIn(3) ? "null" : "\"\(random.pick(words))\""
        let level = random.oneIn(5) ? "null" : "\(Int.random(in: 0..<9, using: &random))"
        return
            #"{"id":"\#(id)","title":"\#(title)","note":\#(note),"place":"\#(place)","state":"\#(random.pick(states))","#
            + #""kind":"\#(random.pick(["small", "large"]))","level":\#(level),"day":"2026-0\#(1 + id % 9)-11"}"#
    }

    private static func rules(_ rows: AccessRules.Rows) -> AccessRules {
        AccessRules([.init(.members(.init(users: ["1000"])), rows: rows)])
            .resolved(user: { UInt32($0) }, group: { UInt32($0) })
    }

    private static func filter(_ text: String) -> AccessRules.RowFilter {
        AccessRules.RowFilter(text, at: ConfigurationLocation(file: "shelf.json5"))
    }

    private static let rows: [AccessRules.Rows] = [
        .filter(filter("place=here")),
        .groups([.init("100", filter("place=here")), .init("101", filter("place=there"))]),
    ]

    /// A shelf with these records.
    private static func shelf(_ objects: [String], _ rows: AccessRules.Rows) throws -> ServedShelf {
        try ServedShelf(objects, definition: Shelf.definition.with(rules(rows)))
    }

    private static func params(_ random: inout SeededGenerator) -> (method: String, params: String) {
        let terms = [
            "water", "state=open", "state!=open", "level>3", "level=3..6", "place=here", "place!=here", "-fire",
            "(state=new | note.any)", "day<2026-05-01", "note.none", "id=17", "title~water", "kind=small,large", "",
        ]
        let filter = random.pick(terms) + " " + random.pick(terms)
        let archived = random.pick(["exclude", "include", "only"])
        let id = Int.random(in: 0..<40, using: &random)
        let select = #""collection":"shelf","filter":"\#(filter)","archived":"\#(archived)""#
        let sort = random.pick(["-level", "title,level", "leveled", "id", "-state,day"])
        let anchor = random.oneIn(3) ? #","anchor":\#(random.pick([#"{"id":"\#(id)"}"#, #""end""#]))"# : ""
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return ("detail", #"{"collection":"shelf","id":"\#(id)"}"#)
        case 1: return ("detail", #"{"collection":"shelf","id":"\#(id)","lang":"en"}"#)
        case 2: return ("count", "{\(select)}")
        case 3: return ("facets", #"{\#(select),"fields":["state","level","place"]}"#)
        case 4: return ("explain", "{\(select),\"id\":\"\(id)\"}")
        case 5: return ("explain", "{\(select)}")
        case 6: return ("search", #"{"filter":"\#(random.pick(["water", "open", "glass"]))","limit":5}"#)
        case 7: return ("search", #"{\#(select),"stream":true,"limit":7}"#)
        case 8: return ("sort", #"{\#(select),"by":"\#(sort)","limit":4\#(anchor)}"#)
        default:
            let group = random.oneIn(2) ? #","group":true"# : ""
            return ("search", #"{\#(select),"limit":3,"facets":"kind","lang":"en"\#(group)\#(anchor)}"#)
        }
    }

    /// An answer or an error, as text.
    private func answer(
        _ shelf: ServedShelf, _ method: String, _ params: String, _ roles: RoleSet = [.read, .archive]
    ) async -> String {
        do {
            return String(decoding: try await shelf.ask(method, params, roles: roles).compactBytes, as: UTF8.self)
        } catch {
            guard let error = error as? RequestError else { return "\(error)" }
            return String(decoding: error.line(id: [0x31], in: "en"), as: UTF8.self)
        }
    }

    @Test(arguments: 0..<8) func `worlds that differ in hidden records give the same bytes`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let rows = random.pick(Self.rows)
        var worlds: [[(id: Int, object: String)]] = [[], []]
        for id in 0..<40 where random.oneIn(2) {
            let own = Self.object(id, place: "here", &random)
            for world in worlds.indices { worlds[world].append((id, own)) }
        }
        let taken = Set(worlds[0].map(\.id))
        for id in 0..<40 where !taken.contains(id) {
            for world in worlds.indices where random.oneIn(2) {
                worlds[world].append((id, Self.object(id, place: random.pick(["there", "elsewhere"]), &random)))
            }
        }
        let shelves = try worlds.map { try Self.shelf($0.sorted { $0.id < $1.id }.map(\.object), rows) }
        for shelf in shelves { shelf.archive(worlds[0].prefix(3).map { "\($0.id)" }) }
        for _ in 0..<RandomRounds.count(150) {
            var (method, params) = Self.params(&random)
            // Cursors lead to the same pages, and are the same.
            for _ in 0..<3 {
                let first = await answer(shelves[0], method, params)
                let second = await answer(shelves[1], method, params)
                #expect(first == second, "\(method) \(params)")
                guard let next = try? JSONValue.parse(first)["next"]?.string, params.hasPrefix("{"),
                    !params.contains("cursor"), !params.contains("anchor")
                else { break }
                params = #"{"cursor":"\#(next)","# + params.dropFirst()
                method = method == "sort" ? "sort" : "search"
            }
        }
    }

    @Test func `figures are of the records that are shown, and others are not told`() async throws {
        var random = SeededGenerator(seed: 9)
        let objects = (0..<30).map { Self.object($0, place: $0 % 3 == 0 ? "here" : "there", &random) }
        let shelf = try Self.shelf(objects, Self.rows[0])
        let meta = try await shelf.ask("count", #"{"collection":"shelf"}"#, roles: [.read])["meta"]
        #expect(meta?["limited"] == true && meta?["quarantined"] == nil && meta?["unsupported"] == nil)
        #expect(try await shelf.ask("count", #"{"collection":"shelf"}"#, roles: [.read])["total"] == 10)
        let status = try await shelf.ask("status", roles: [.read])["collections"]?.array?.last
        #expect(status?["total"] == 10 && status?["history"] == nil)
        let explained = try await shelf.ask("explain", #"{"collection":"shelf","filter":"water"}"#, roles: [.read])
        #expect(explained["plan"] == nil && explained["tree"]?["estimate"] == nil)
        // An administrator has no other records than the rule shows.
        #expect(try await shelf.ask("count", #"{"collection":"shelf"}"#)["total"] == 10)
        #expect(await shelf.refusal("quarantine", #"{"collection":"shelf","action":"list"}"#) == .forbidden)
    }

    @Test func `no record but its own is archived, by id or by filter`() async throws {
        var random = SeededGenerator(seed: 9)
        let objects = (0..<30).map { Self.object($0, place: $0 % 3 == 0 ? "here" : "there", &random) }
        let shelf = try Self.shelf(objects, Self.rows[0])
        let ids = #"{"collection":"shelf","ids":["0","1","77"],"dry_run":true}"#
        let preview = try await shelf.ask("archive", ids, roles: [.read, .archive])
        #expect(preview["changed"] == ["0"] && preview["missing"] == ["1", "77"])
        let all = #"{"collection":"shelf","filter":"","dry_run":true}"#
        #expect(try await shelf.ask("archive", all, roles: [.read, .archive])["changed"]?.array?.count == 10)
    }

    @Test func `a cursor or a stream of other rules is refused`() async throws {
        let shelf = try Self.shelf(ServedShelf.objects, .filter(Self.filter("level>0")))
        let pages = #""collection":"shelf","limit":2"#
        let first = try await shelf.ask("search", "{\(pages)}", roles: [.read])
        let next = #"{\#(pages),"cursor":"\#(try #require(first["next"]?.string))"}"#
        #expect(try await shelf.ask("search", next, roles: [.read])["records"]?.array?.count == 2)
        let (disposition, _) = try shelf.dispose(
            #"{"id":1,"method":"search","params":{"collection":"shelf","stream":true}}"#, roles: [.read])
        guard case .stream(let stream) = disposition else { throw TestFailure("no stream") }
        let other = Self.rules(.filter(Self.filter("level>1")))
        shelf.publisher.redefine("shelf") { $0.with(other) }
        shelf.context.served.refresh()
        #expect(await shelf.refusal("search", next, roles: [.read]) == .badCursor)
        shelf.context.served.enter(ServedShelf.peer([.read]))
        var writer = JSONWriter()
        #expect(throws: RequestError.self) {
            try stream.next(shelf.context.queries, id: [0x31], to: &writer)
        }
    }

    @Test func `a filter that has no meaning any more shows nothing`() async throws {
        let shelf = try Self.shelf(ServedShelf.objects, .filter(Self.filter("nothing=here")))
        #expect(await shelf.refusal("count", #"{"collection":"shelf"}"#, roles: [.read]) == .unknownCollection)
    }
}
