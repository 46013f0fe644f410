// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTestSupport
@testable import ClaimsTriggers
import Testing

/// A trigger of these tests, with the texts of its cut in memory.
struct CutBench {
    var definition: TriggerDefinition
    var reported: Reported?
    /// The texts that the cut keeps.
    private(set) var texts: [[UInt8]] = []

    init(_ more: String = "") throws {
        let text = "{ collection: \"books\", events: [\"added\", \"updated\", \"removed\", \"state\"], \(more) }"
        definition = try Self.definition(text)
    }

    static func definition(_ text: String) throws -> TriggerDefinition {
        let files = ConfigurationFiles(
            read: { $0 == "/d/triggers.d/t.json5" ? .bytes(Array(text.utf8)) : .missing },
            list: { $0 == "/d/triggers.d" ? .names(["t.json5"]) : .missing })
        let file = Configuration.loadTriggers(configDirectory: "/c", dataDirectory: "/d", files: files).files.first?
            .file
        return try #require(file?.value, "\(file?.problems.map(\.description) ?? [])")
    }

    /// Reads pages, commits what they tell, and returns the lines of the batch.
    mutating func cut(_ pages: [String], fields: [String], clock: String = "e.1") throws -> [JSONValue] {
        var cut = TriggerCut(
            definition, collection: "books", fields: fields.map { ComparedField($0) }, reported: reported,
            key: Reported.Key(first: 1, last: 2))
        texts = []
        for page in pages {
            let root = try AnswerDocument(Array(page.utf8)).root
            var kept = texts
            try cut.read(root) { text throws(SystemError) in
                kept.append(text)
                return TriggerCut.Kept(offset: kept.count - 1, length: text.count)
            }
            texts = kept
        }
        let plan = cut.finish()
        let lines = try (plan.added + plan.updated + plan.removed).map { try JSONValue.parse(text(of: $0)) }
        var next = reported ?? Reported(cut.head, Reported.Moment(at: 0))
        cut.forEachChange { next.apply($0) }
        next.apply(.settle(Reported.Moment(clock: clock, at: 0), hasForgotten: false))
        #expect(next.members.count == cut.memberCount)
        reported = next
        return lines
    }

    private func text(of line: TriggerCut.Line) throws -> [UInt8] {
        switch line {
        case .kept(let kept): return texts[kept.offset]
        case .gone(let id): return BatchText.entry("removed", id: String(decoding: id, as: UTF8.self))
        case .renamed(let from, _, let changed, let removed, let added):
            return BatchText.renamed(
                from: String(decoding: from, as: UTF8.self), added: try AnswerDocument(texts[added.offset]).root,
                removed: try removed.map { try AnswerDocument(texts[$0.offset]).root }, changed: changed)
        }
    }
}

/// Pages of `changes`, as the daemon writes them.
enum Pages {
    static func page(_ entries: [String], fresh: String? = nil) -> String {
        let reason = fresh.map { #","fresh_instance":true,"reasons":{"books":"\#($0)"}"# } ?? ""
        return #"{"changes":[\#(entries.joined(separator: ","))]\#(reason)}"#
    }

    static func added(_ id: String, _ members: String, seq: Int? = 7) -> String {
        let stamp = seq.map { #""seq":\#($0),"at":"2026-11-20T08:01:02.000Z","cause":"refresh","# } ?? ""
        return #"{"op":"added","id":"\#(id)",\#(stamp)"record":{"id":"\#(id)",\#(members)}}"#
    }

    static func updated(_ id: String, _ members: String, was: String = "", changed: String = #""title""#) -> String {
        #"{"op":"updated","id":"\#(id)","seq":8,"at":"2026-11-20T08:01:02.000Z","cause":"refresh","changed":["#
            + #"\#(changed)],"was":{\#(was)},"record":{"id":"\#(id)",\#(members)}}"#
    }

    static func removed(_ id: String, reason: String = "gone", more: String = "", cause: String = "refresh") -> String {
        #"{"op":"removed","id":"\#(id)","seq":9,"at":"2026-11-20T08:01:02.000Z","cause":"\#(cause)","#
            + #""was":{"title":"old"},"reason":"\#(reason)"\#(more)}"#
    }
}

struct TriggerCutTests {
    private func ops(_ lines: [JSONValue]) -> [String] {
        lines.map { "\($0["op"]?.string ?? "?") \($0["id"]?.string ?? "?")" }
    }

    @Test func `a first run takes what matches as told, or tells it, as the file says`() throws {
        var skipping = try CutBench()
        let page = Pages.page(
            [Pages.added("b", #""title":"B""#, seq: nil), Pages.added("a", #""title":"A""#, seq: nil)], fresh: "start")
        #expect(try skipping.cut([page], fields: ["title"]).isEmpty)
        var telling = try CutBench("first: \"all\"")
        let lines = try telling.cut([page], fields: ["title"])
        #expect(ops(lines) == ["added a", "added b"])
        #expect(lines.first?["record"]?["title"]?.string == "A" && lines.first?["seq"] == nil)
    }

    @Test func `entries of the daemon are passed on as they came, in the order of kinds and ids`() throws {
        var bench = try CutBench("first: \"all\"")
        _ = try bench.cut(
            [Pages.page([Pages.added("a", #""title":"A""#), Pages.added("b", #""title":"B""#)], fresh: "start")],
            fields: ["title"])
        let entry = Pages.updated("b", #""title":"B2""#, was: #""title":"B""#)
        let lines = try bench.cut(
            [
                Pages.page([Pages.removed("a"), entry, Pages.added("d", #""title":"D""#)]),
                Pages.page([Pages.added("c", #""title":"C""#)]),
            ],
            fields: ["title"])
        #expect(ops(lines) == ["added c", "added d", "updated b", "removed a"])
        #expect(try lines[2] == JSONValue.parse(Array(entry.utf8)))
    }

    @Test func `a record that flaps back, and one that comes and goes, are not told`() throws {
        var bench = try CutBench()
        _ = try bench.cut([Pages.page([Pages.added("a", #""title":"A""#)], fresh: "start")], fields: ["title"])
        let lines = try bench.cut(
            [
                Pages.page([Pages.updated("a", #""title":"X""#), Pages.added("b", #""title":"B""#)]),
                Pages.page([Pages.updated("a", #""title":"A""#), Pages.removed("b")]),
            ], fields: ["title"])
        #expect(lines.isEmpty)
    }

    @Test func `an entry that pages tell twice counts once, by comparing`() throws {
        var bench = try CutBench()
        _ = try bench.cut(
            [Pages.page([Pages.added("a", #""title":"A","size":1"#)], fresh: "start")], fields: ["title", "size"])
        let lines = try bench.cut(
            [
                Pages.page([Pages.updated("a", #""title":"X","size":1"#)]),
                Pages.page([Pages.updated("a", #""title":"A","size":2"#)]),
            ], fields: ["title", "size"])
        #expect(ops(lines) == ["updated a"])
        #expect(lines.first?["changed"]?.array?.compactMap(\.string) == ["size"])
        for member in ["seq", "at", "cause", "was", "reason"] { #expect(lines.first?[member] == nil, "\(member)") }
    }

    @Test(arguments: ["epoch", "compacted", "definition"]) func `a fresh set tells just what differs`(_ reason: String)
        throws
    {
        var bench = try CutBench()
        _ = try bench.cut(
            [Pages.page(["a", "b", "c"].map { Pages.added($0, #""title":"\#($0)""#) }, fresh: "start")],
            fields: ["title"])
        let same = #"{"op":"added","id":"a","record":{"title" : "\u0061","id":"a"}}"#
        let lines = try bench.cut(
            [
                Pages.page(
                    [same, Pages.added("b", #""title":"new""#, seq: nil), Pages.added("d", #""title":"d""#, seq: nil)],
                    fresh: reason)
            ],
            fields: ["title"])
        #expect(ops(lines) == ["added d", "updated b", "removed c"])
        #expect(lines.last == .object(["op": "removed", "id": "c"]))
    }

    @Test func `pages before a fresh set are void`() throws {
        var bench = try CutBench()
        _ = try bench.cut([Pages.page([Pages.added("a", #""title":"A""#)], fresh: "start")], fields: ["title"])
        let lines = try bench.cut(
            [
                Pages.page([Pages.removed("a"), Pages.added("x", #""title":"X""#)]),
                Pages.page([Pages.added("a", #""title":"A""#, seq: nil)], fresh: "definition"),
            ], fields: ["title"])
        #expect(lines.isEmpty && bench.reported?.members.count == 1)
    }

    @Test func `what a commit changes within a fresh set counts as it is at its end`() throws {
        var bench = try CutBench()
        _ = try bench.cut(
            [Pages.page(["a", "b"].map { Pages.added($0, #""title":"\#($0)""#) }, fresh: "start")], fields: ["title"])
        let lines = try bench.cut(
            [
                Pages.page(["a", "c"].map { Pages.added($0, #""title":"\#($0)""#, seq: nil) }, fresh: "epoch"),
                Pages.page([Pages.removed("a"), Pages.removed("c"), Pages.added("b", #""title":"b""#)]),
            ], fields: ["title"])
        #expect(ops(lines) == ["removed a"])
    }

    @Test func `a create that gets its id is one update, and no news where updates are not told`() throws {
        for (events, expected) in [("[\"updated\"]", ["updated 7"]), ("[\"added\", \"removed\"]", [])] {
            var bench = try CutBench()
            bench.definition = try CutBench.definition("{ collection: \"books\", events: \(events) }")
            _ = try bench.cut(
                [Pages.page([Pages.added("tmp", #""title":"T","size":1"#)], fresh: "start")], fields: ["title", "size"])
            let lines = try bench.cut(
                [
                    Pages.page([
                        Pages.removed("tmp", reason: "renamed", more: #","to":"7""#),
                        Pages.added("7", #""title":"T2","size":1"#),
                    ])
                ], fields: ["title", "size"])
            #expect(ops(lines) == expected)
            #expect(bench.reported?.members.index(of: Array("7".utf8)) != nil && bench.reported?.members.count == 1)
            guard let line = lines.first else { continue }
            #expect(line["changed"]?.array?.compactMap(\.string) == ["id", "title"])
            #expect(line["was"] == .object(["id": "tmp", "title": "old"]))
            #expect(line["seq"] != nil && line["reason"] == nil)
        }
    }

    @Test func `a field that is compared only then or only now makes no update`() throws {
        var bench = try CutBench()
        _ = try bench.cut(
            [Pages.page([Pages.added("a", #""title":"A","size":1"#)], fresh: "start")], fields: ["title", "size"])
        let page = Pages.page([Pages.added("a", #""title":"A","size":2,"shelf":"x""#, seq: nil)], fresh: "definition")
        #expect(try bench.cut([page], fields: ["title", "shelf"]).isEmpty)
        #expect(bench.reported?.head.fields == ["title", "shelf"])
        // From now on it is compared.
        let moved = Pages.page([Pages.updated("a", #""title":"A","size":2,"shelf":"y""#, changed: #""shelf""#)])
        #expect(ops(try bench.cut([moved], fields: ["title", "shelf"])) == ["updated a"])
    }

    @Test func `a change of what is not compared is not told`() throws {
        var bench = try CutBench()
        _ = try bench.cut([Pages.page([Pages.added("a", #""title":"A","rssi":1"#)], fresh: "start")], fields: ["title"])
        let page = Pages.page([Pages.updated("a", #""title":"A","rssi":2,"pending":"queued""#, changed: #""pending""#)])
        #expect(try bench.cut([page], fields: ["title"]).isEmpty)
    }

    @Test func `a removal by forget is told, and marks that no file may keep the id`() throws {
        var bench = try CutBench()
        _ = try bench.cut([Pages.page([Pages.added("a", #""title":"A""#)], fresh: "start")], fields: ["title"])
        var cut = TriggerCut(
            bench.definition, collection: "books", fields: [ComparedField("title")], reported: bench.reported,
            key: .random)
        #expect(!cut.hasForgotten)
        let page = try AnswerDocument(Array(Pages.page([Pages.removed("a", cause: "forget")]).utf8)).root
        try cut.read(page) { text throws(SystemError) in TriggerCut.Kept(offset: 0, length: text.count) }
        #expect(cut.hasForgotten && cut.finish().removed.count == 1 && cut.memberCount == 0)
    }

    @Test func `another collection begins as a first run`() throws {
        var bench = try CutBench()
        _ = try bench.cut([Pages.page([Pages.added("a", #""title":"A""#)], fresh: "start")], fields: ["title"])
        let other = try CutBench.definition("{ collection: \"films\" }")
        let cut = TriggerCut(
            other, collection: "films", fields: [ComparedField("title")], reported: bench.reported, key: .random)
        #expect(cut.since == nil)
    }

    @Test(arguments: 0..<40) func `random sets are told by their difference, however the daemon tells them`(_ seed: Int)
        throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        var bench = try CutBench("first: \"all\"")
        var daemon = ModelFeed()
        var reported: [String: [String]] = [:]
        for _ in 0..<12 {
            let pages = daemon.pages(&random, isFresh: bench.reported == nil || random.oneIn(4))
            let lines = try bench.cut(pages, fields: ["title", "size"])
            var expected: [String] = []
            let now = daemon.set
            for id in now.keys.sorted() where reported[id] == nil { expected.append("added \(id)") }
            for id in now.keys.sorted() {
                if let old = reported[id], old != now[id] { expected.append("updated \(id)") }
            }
            for id in reported.keys.sorted() where now[id] == nil { expected.append("removed \(id)") }
            #expect(ops(lines) == expected, "seed \(seed)")
            for line in lines where line["op"]?.string != "removed" {
                let record = line["record"]
                let id = line["id"]?.string ?? ""
                #expect([record?["title"]?.string, record?["size"]?.string] == now[id].map { [$0[0], $0[1]] })
            }
            reported = now
        }
    }
}

/// A feed as the daemon tells it: a set with commits between its pages.
private struct ModelFeed {
    private(set) var set: [String: [String]] = [:]

    /// The pages from the set before to the one after a few commits.
    mutating func pages(_ random: inout SeededGenerator, isFresh: Bool) -> [String] {
        let before = set
        for _ in 0..<Int.random(in: 0...6, using: &random) { change(&random) }
        var pages: [String] = []
        if isFresh {
            let entries = set.keys.sorted().map { entry("added", $0, seq: nil) }
            pages.append(Pages.page(entries, fresh: "epoch"))
        } else {
            let ids = Set(before.keys).union(set.keys).filter { before[$0] != set[$0] }.sorted()
            pages.append(Pages.page(ids.map { entry(op(before[$0], set[$0]), $0, seq: 7) }))
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let earlier = set
            for _ in 0..<Int.random(in: 1...3, using: &random) { change(&random) }
            let ids = Set(earlier.keys).union(set.keys).filter { earlier[$0] != set[$0] }.sorted()
            pages.append(Pages.page(ids.map { entry(op(earlier[$0], set[$0]), $0, seq: 8) }))
        }
        return pages
    }

    private mutating func change(_ random: inout SeededGenerator) {
        let id = "\(Int.random(in: 0..<8, using: &random))"
        if random.oneIn(3) {
            set[id] = nil
        } else {
            set[id] = ["\(Int.random(in: 0..<3, using: &random))", "\(Int.random(in: 0..<2, using: &random))"]
        }
    }

    private func op(_ before: [String]?, _ after: [String]?) -> String {
        after == nil ? "removed" : before == nil ? "added" : "updated"
    }

    private func entry(_ op: String, _ id: String, seq: Int?) -> String {
        guard let values = set[id] else { return Pages.removed(id) }
        let members = #""title":"\#(values[0])","size":"\#(values[1])""#
        return op == "added" ? Pages.added(id, members, seq: seq) : Pages.updated(id, members)
    }
}
