// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// Requests about a collection of eight records, over which lie: 2 changed and stuck, 3 with its deletion under way,
/// `new` accepted, and 4 gone.
@Suite struct OverlayHandlerTests {
    private let shelf: ServedShelf

    init() throws {
        shelf = try ServedShelf(definition: Shelf.written)
        let changed = entry("2", #"{"id":"2","title":"Changed book","state":"shut","level":20}"#, .stuck)
        var deleted = entry("3", #"{"id":"3","title":"Book 3"}"#, .queued)
        deleted.isHidden = true
        var added = entry("new", #"{"id":"new","title":"New book","state":"gone","level":0}"#, .accepted)
        added.written = RecordWrite(operation: OperationID(time: 0, random: (0, 0)), submittedAt: 0, uid: 4_000_000)
        try lay([changed, deleted, added, entry("4", nil)])
    }

    private func entry(_ id: String, _ upstream: String?, _ state: PendingState? = nil) -> OverlayEntry {
        OverlayEntry(
            id: Array(id.utf8), upstream: upstream.map { Array($0.utf8) }, firstSeen: 0, changedAt: 1000,
            pending: state.map {
                PendingRecord(state: $0, json: Array(#"{"state":"\#($0)","ops":[],"fields":[]}"#.utf8))
            })
    }

    private func lay(_ entries: [OverlayEntry], withoutData: Bool = false) throws {
        let base = withoutData ? nil : shelf.fixture.snapshot
        let overlay = try RecordOverlay.build(
            entries, over: base.map { CommittedRecords(file: $0) }, definition: shelf.fixture.definition, joined: nil)
        let view = try #require(shelf.publisher.current()["shelf"])
        shelf.publisher.publish(
            CollectionView(
                definition: view.definition, snapshot: base, archive: view.archive.rebuilt(for: base),
                condition: view.condition, overlay: overlay))
        shelf.context.served.refresh()
    }

    private func ids(_ result: JSONValue) -> [String] {
        (result["records"]?.array ?? []).compactMap { $0["id"]?.string }
    }

    private func search(_ params: String) async throws -> JSONValue {
        try await shelf.ask("search", #"{"collection":"shelf","sort":"level",\#(params)"limit":100}"#)
    }

    @Test func `lists have the records as written, and not those that are deleted`() async throws {
        let result = try await search("")
        #expect(ids(result) == ["new", "1", "5", "6", "7", "8", "2"] && result["total"]?.integer == 7)
        let records = result["records"]?.array ?? []
        #expect(records[0]["pending"]?["state"]?.string == "accepted" && records[1]["pending"] == nil)
        #expect(records[6]["title"]?.string == "Changed book")
        let pending = result["meta"]?["pending"]
        #expect(pending?["queued"]?.integer == 1 && pending?["accepted"]?.integer == 1)
        #expect(pending?["stuck"]?.integer == 1)
        let reduced = try await search(#""fields":["id","pending"],"#)
        #expect(reduced["records"]?.array?.last?.object?.members.map(\.key) == ["id", "pending"])
        #expect(try await ids(search(#""filter":"changed book","#)) == ["2"])
        #expect(try await shelf.ask("count", #"{"collection":"shelf","filter":"level=3"}"#)["total"]?.integer == 0)
        let status = try await shelf.ask("status")["collections"]?.array?.last { $0["name"]?.string == "shelf" }
        #expect(status?["total"]?.integer == 7)
    }

    @Test func `facets, groups and labels count what is served`() async throws {
        let result = try await search(#""facets":["state","title"],"group":true,"lang":"en","#)
        let states = result["facets"]?["state"]?.array?.map {
            "\($0["value"]?.string ?? "") \($0["count"]?.number ?? "")"
        }
        #expect(states == ["open 2", "shut 4", "gone 1"])
        let titles = result["facets"]?["title"]?.array?.compactMap { $0["value"]?.string }
        #expect(titles == ["Book 1", "Book 5", "Book 6", "Book 7", "Book 8", "Changed book", "New book"])
        #expect(result["groups"]?.array?.map { $0["total"]?.integer } == [2, 5])
        #expect(result["labels"]?["state"]?["gone"] != nil)
        let facets = try await shelf.ask("facets", #"{"collection":"shelf","fields":"level"}"#)
        #expect(facets["facets"]?["level"]?.array?.compactMap { $0["value"]?.integer } == [0, 1, 5, 6, 7, 8, 20])
    }

    @Test(arguments: [
        ("pending=stuck", ["2"]), ("pending=stuck,accepted", ["new", "2"]), ("pending.any", ["new", "2"]),
        ("pending.none", ["1", "5", "6", "7", "8"]), ("pending!=stuck", ["new", "1", "5", "6", "7", "8"]),
        ("pending=queued", []), ("not pending=stuck level>6", ["7", "8"]),
        ("(pending.any or level=5)", ["new", "5", "2"]),
    ])
    func `the state of operations filters`(filter: String, expected: [String]) async throws {
        #expect(try await ids(search(#""filter":"\#(filter)","#)) == expected)
    }

    @Test func `the state of operations neither sorts nor is counted, and has three codes`() async throws {
        let search = #""collection":"shelf""#
        #expect(await shelf.refusal("search", "{\(search),\"sort\":\"pending\"}") == .badSort)
        #expect(await shelf.refusal("search", "{\(search),\"facets\":\"pending\"}") == .badParams)
        #expect(await shelf.refusal("facets", "{\(search),\"fields\":\"pending\"}") == .badParams)
        for filter in ["pending=lost", "pending~x", "pending>stuck", "pending=queued..stuck", "pending.raw=stuck"] {
            #expect(await shelf.refusal("count", "{\(search),\"filter\":\"\(filter)\"}") == .badFilter, "\(filter)")
        }
        let plain = try ServedShelf()
        #expect(await plain.refusal("count", "{\(search),\"filter\":\"pending.any\"}") == .badFilter)
    }

    @Test func `detail tells a record as it is served, and the upstream's object`() async throws {
        let changed = try await shelf.ask("detail", #"{"collection":"shelf","id":"2"}"#)
        #expect(changed["record"]?["title"]?.string == "Changed book")
        #expect(changed["record"]?["pending"]?["state"]?.string == "stuck")
        #expect(changed["upstream"]?["title"]?.string == "Book 2")
        let added = try await shelf.ask("detail", #"{"collection":"shelf","id":"new","lang":"pl"}"#)
        #expect(added["upstream"] == .null && added["provenance"]?["submitted_by"]?.string == "4000000")
        #expect(added["provenance"]?["submitted_at"]?.string == "1970-01-01T00:00:00.000Z")
        #expect(added["provenance"]?["op"]?.string?.count == 36 && added["labels"]?["state"] != nil)
        let deleted = try await shelf.ask("detail", #"{"collection":"shelf","id":"3"}"#)
        #expect(deleted["record"]?["pending"]?["state"]?.string == "queued")
        #expect(await shelf.refusal("detail", #"{"collection":"shelf","id":"4"}"#) == .notFound)
        let other = try await shelf.ask("detail", #"{"collection":"shelf","id":"5"}"#)
        #expect(other["record"]?["pending"] == nil && other["upstream"]?["title"]?.string == "Book 5")
    }

    @Test func `repeated requests for one record after the other see the overlay`() throws {
        func line(_ id: String) -> String {
            #"{"id":1,"method":"detail","params":{"collection":"shelf","id":"\#(id)"}}"#
        }
        var shape = DetailShape()
        let bytes = Array(line("1").utf8)
        for _ in 0..<2 {
            let request = try shelf.router.read(bytes.rawSpan, maxDepth: 64)
            var writer = JSONWriter()
            _ = try shelf.router.answer(
                request, in: bytes.rawSpan, from: ServedShelf.peer(), shelf.context, to: &writer)
            shape.learn(request, in: bytes.rawSpan, shelf.router.tape, shelf.context.served, from: ServedShelf.peer())
        }
        for (id, isFast) in [("1", true), ("2", false), ("3", false), ("4", false), ("new", false), ("8", true)] {
            var fastPath = FastPath<SilentClient>()
            var writer = JSONWriter()
            let text = Array((line(id) + "\n").utf8)
            let taken = fastPath.answer(text.rawSpan, shape, shelf.context.served, to: &writer)
            #expect(taken == (isFast ? text.count : 0), "\(id)")
        }
    }

    @Test func `archive marks hold for written records`() async throws {
        let marked = try await shelf.ask("archive", #"{"collection":"shelf","ids":["new","4","2"],"dry_run":true}"#)
        #expect(marked["changed"]?.array?.compactMap(\.string) == ["new", "2"])
        #expect(marked["missing"]?.array?.compactMap(\.string) == ["4"])
        shelf.archive("2", "new", "5")
        #expect(try await ids(search("")) == ["1", "6", "7", "8"])
        let only = try await search(#""archived":"only","#)
        #expect(ids(only) == ["new", "5", "2"] && only["records"]?.array?.first?["archived"] == true)
        #expect(only["records"]?.array?.first?["pending"] != nil)
        let detail = try await shelf.ask("detail", #"{"collection":"shelf","id":"2"}"#)
        #expect(detail["record"]?["archived"] == true && detail["provenance"]?["archived_at"] != nil)
        _ = try await shelf.ask("archive", #"{"collection":"shelf","filter":"level<6"}"#)
        let order = try #require(shelf.archived.last)
        #expect(Set(order.ids) == Set(["new", "1", "5"].map { Array($0.utf8) }))
    }

    @Test func `pages end and begin between the layers, and tell that the overlay has changed`() async throws {
        var (found, cursor): ([String], String) = ([], "")
        for _ in 0..<10 {
            let params = cursor.isEmpty ? "" : #","cursor":"\#(cursor)""#
            let page = try await shelf.ask("search", #"{"collection":"shelf","sort":"level","limit":1\#(params)}"#)
            found += ids(page)
            guard let next = page["next"]?.string else { break }
            cursor = next
        }
        #expect(found == ["new", "1", "5", "6", "7", "8", "2"])
        let first = try await shelf.ask("search", #"{"collection":"shelf","sort":"level","limit":3}"#)
        let next = try #require(first["next"]?.string)
        let asked = #"{"collection":"shelf","sort":"level","limit":9,"cursor":"\#(next)"}"#
        #expect(try await shelf.ask("search", asked)["moved"] == nil)
        try lay([entry("5", #"{"id":"5","level":30}"#, .queued)])
        let moved = try await shelf.ask("search", asked)
        #expect(moved["moved"] == true && ids(moved) == ["6", "7", "8", "5"])
    }

    @Test func `a stream and a search of all collections have the records of both layers`() async throws {
        let all = try await shelf.ask("search", #"{"limit":50}"#)
        #expect(all["total"]?.integer == 7 && all["totals"]?["shelf"]?.integer == 7)
        #expect(all["records"]?.array?.contains { $0["id"]?.string == "new" && $0["pending"] != nil } == true)
        let streamed = try await shelf.ask("search", #"{"collection":"shelf","stream":true}"#)
        #expect(streamed["total"]?.integer == 7)
    }

    @Test func `explain counts both layers and tries written records`() async throws {
        let result = try await shelf.ask(
            "explain", #"{"collection":"shelf","filter":"level>6 pending.none","id":"2"}"#)
        #expect(result["total"]?.integer == 2 && result["listed"] == false)
        let parts = result["tree"]?["of"]?.array ?? []
        #expect(parts.map { $0["matches"]?.integer } == [3, 5])
        #expect(parts.last?["field"]?.string == "pending" && parts.last?["value"]?.string == "stuck")
        #expect(parts.first?["verdict"] == true && parts.last?["verdict"] == false)
        let deleted = try await shelf.ask("explain", #"{"collection":"shelf","filter":"book","id":"3"}"#)
        #expect(deleted["listed"] == false && deleted["because"]?.string == "pending")
    }

    @Test func `an old id stands for the one that the upstream gave`() async throws {
        shelf.publisher.record(in: "shelf") { condition in
            condition.operationsChanged([], aliases: [Array("old".utf8): Array("2".utf8)])
        }
        shelf.context.served.refresh()
        let detail = try await shelf.ask("detail", #"{"collection":"shelf","id":"old"}"#)
        #expect(detail["record"]?["id"]?.string == "2")
        let explained = try await shelf.ask("explain", #"{"collection":"shelf","filter":"changed","id":"old"}"#)
        #expect(explained["listed"] == true)
        let marked = try await shelf.ask("archive", #"{"collection":"shelf","ids":["old"],"dry_run":true}"#)
        #expect(marked["changed"]?.array?.compactMap(\.string) == ["2"])
    }

    @Test func `feeds test the state of operations on documents as they are served`() throws {
        var decoder = ServedDecoder(Shelf.written)
        var record = DecodedRecord()
        let stuck = Array(#"{"id":"2","title":"x","pending":{"state":"stuck","ops":[],"fields":[]}}"#.utf8)
        let matcher = PredicateMatcher(.pending([.stuck]), definition: Shelf.written)
        #expect(decoder.decode(stuck.rawSpan, into: &record) && matcher.matches(record))
        #expect(matcher.readsPending && matcher.fields.isEmpty)
        let settled = Array(#"{"id":"2","title":"x"}"#.utf8)
        #expect(decoder.decode(settled.rawSpan, into: &record) && !matcher.matches(record))
    }

    @Test func `without upstream data new records are served alone`() async throws {
        try lay([entry("new", #"{"id":"new","title":"New book"}"#, .queued)], withoutData: true)
        #expect(try await ids(search("")) == ["new"])
        let detail = try await shelf.ask("detail", #"{"collection":"shelf","id":"new"}"#)
        #expect(detail["upstream"] == .null)
        #expect(await shelf.refusal("detail", #"{"collection":"shelf","id":"2"}"#) == .notFound)
        try lay([], withoutData: true)
        #expect(await shelf.refusal("search", #"{"collection":"shelf"}"#) == .noData)
    }

    @Test func `a collection of which this host is the truth has no age`() async throws {
        let local = try ServedShelf(definition: Shelf.local)
        let meta = try await local.ask("count", #"{"collection":"shelf"}"#)["meta"]
        #expect(meta?["state"]?.string == "ready" && meta?["source"]?.string == "local")
        #expect(meta?["freshness"]?.string == "fresh" && meta?["age_ms"]?.integer == 0 && meta?["pending"] == nil)
        let view = CollectionView(
            definition: Shelf.local, snapshot: nil, archive: ArchiveOverlay(),
            condition: CollectionCondition(row: CollectionRow(number: 1, name: "shelf")))
        local.publisher.publish(view)
        local.context.served.refresh()
        let empty = try await local.ask("search", #"{"collection":"shelf","facets":"state"}"#)
        #expect(empty["total"]?.integer == 0 && empty["meta"]?["state"]?.string == "empty")
        #expect(empty["facets"]?["state"]?.array?.isEmpty == true)
    }
}

/// A connection that gathers nothing.
private final class SilentClient {}
