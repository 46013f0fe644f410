// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

@Suite struct ChangesTests {
    private func object(_ id: Int, _ state: String = "open", _ level: Int = 1) -> String {
        #"{"id":\#(id),"state":"\#(state)","level":\#(level)}"#
    }

    /// Entries as text, without their times.
    private func entries(_ page: JSONValue) -> [String] {
        (page["changes"]?.array ?? []).map { entry in
            var writer = JSONWriter()
            writer.beginObject()
            for member in entry.object?.members ?? [] where member.key != "at" {
                writer.key(member.key)
                member.value.write(to: &writer)
            }
            writer.endObject()
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    @Test func `a page tells what was added, updated and removed, and what was before`() async throws {
        let fixture = try FeedFixture()
        try fixture.take([object(1), object(2), object(3)])
        let first = try await fixture.changes(nil, #","fields":"state,level""#)
        #expect(first["fresh_instance"] == .bool(true))
        #expect(first["reasons"]?["shelf"]?.string == "start")
        #expect(entries(first).first == #"{"op":"added","id":"1","record":{"id":"1","state":"open","level":1}}"#)
        try fixture.take([object(1, "shut"), object(2, "open", 5), object(4, "what")])
        let second = try await fixture.changes(first.clock, #","fields":"state,level""#)
        #expect(second["fresh_instance"] == nil)
        #expect(second["more"] == .bool(false))
        #expect(
            entries(second) == [
                #"{"op":"updated","id":"1","seq":2,"cause":"refresh","changed":["state"],"was":{"state":"open"},"#
                    + #""record":{"id":"1","state":"shut","level":1}}"#,
                #"{"op":"updated","id":"2","seq":3,"cause":"refresh","changed":["level"],"was":{"level":1},"#
                    + #""record":{"id":"2","state":"open","level":5}}"#,
                #"{"op":"added","id":"4","seq":4,"cause":"refresh","#
                    + #""record":{"id":"4","state":"odd","state.raw":"what","level":1}}"#,
                #"{"op":"removed","id":"3","seq":5,"cause":"refresh","was":{"state":"open","level":1},"#
                    + #""reason":"gone"}"#,
            ])
        #expect(second["changes"]?.array?.first?["at"]?.string == "2027-01-15T08:00:00.000Z")
    }

    @Test func `a change of fields that are not told, and one that was taken back, are nothing`() async throws {
        let fixture = try FeedFixture()
        try fixture.take([object(1), object(2)])
        let clock = try await fixture.changes("now", #","fields":"state""#).clock
        try fixture.take([object(1, "open", 2), object(2, "shut")])
        #expect(try await fixture.changes(clock, #","fields":"state""#).told == ["updated 2"])
        try fixture.take([object(1, "open", 2), object(2, "open")])
        #expect(try await fixture.changes(clock, #","fields":"state""#).told == [])
        #expect(try await fixture.changes(clock, #","fields":"state""#).clock?.hasPrefix(prefix(fixture)) == true)
    }

    private func prefix(_ fixture: FeedFixture) -> String { fixture.store.catalog.current().revision.text + "-" }

    @Test func `reasons tell why a record is in the set no longer`() async throws {
        let fixture = try FeedFixture()
        try fixture.take((1...4).map { object($0) })
        try fixture.archive(["3"])
        let open = #","filter":"state=open""#
        let excluding = try await fixture.changes("now", open).clock
        let only = try await fixture.changes("now", #","archived":"only""#).clock
        let including = try await fixture.changes("now", #","archived":"include","fields":"level""#).clock
        try fixture.archive(["1"])
        try fixture.archive(["3"], false)
        try fixture.take([object(1), object(2, "shut"), object(3)])
        #expect(
            try await fixture.changes(excluding, open).told == [
                "removed 1 archived", "added 3", "removed 2 no_longer_matches", "removed 4 gone",
            ])
        let marks = try await fixture.changes(only, #","archived":"only""#)
        #expect(marks.told == ["added 1", "removed 3 unarchived"])
        #expect(marks["changes"]?.array?.first?["record"]?["archived"] == .bool(true))
        let all = try await fixture.changes(including, #","archived":"include","fields":"level""#)
        #expect(
            entries(all) == [
                #"{"op":"updated","id":"1","seq":3,"cause":"archive","changed":["archived"],"was":{},"#
                    + #""record":{"id":"1","level":1,"archived":true}}"#,
                #"{"op":"updated","id":"3","seq":4,"cause":"archive","changed":["archived"],"was":{"archived":true},"#
                    + #""record":{"id":"3","level":1}}"#,
                #"{"op":"removed","id":"4","seq":6,"cause":"refresh","was":{"level":1},"reason":"gone"}"#,
            ])
    }

    @Test func `time alone takes records in and out, and is told with its cause`() async throws {
        let fixture = try FeedFixture()
        let times = [-86_400_000, -1, 1_000, 86_400_000].map { Instant(ms: FeedFixture.now + Int64($0)) }
        try fixture.take(
            times.enumerated().map { index, time in
                var text: [UInt8] = []
                time.append(to: &text)
                return #"{"id":\#(index),"at":"\#(String(decoding: text, as: UTF8.self))"}"#
            })
        let due = #","filter":"at<now""#
        let first = try await fixture.changes(nil, due)
        #expect(first.told == ["added 0", "added 1"])
        fixture.clock.with { $0 += 2_000 }
        let second = try await fixture.changes(first.clock, due)
        #expect(second.told == ["added 2"])
        #expect(second["changes"]?.array?.first?["cause"]?.string == "time")
        #expect(second["changes"]?.array?.first?["seq"]?.integer == 1)
        // Back before all but one.
        fixture.clock.with { $0 = FeedFixture.now - 5_000 }
        #expect(
            try await fixture.changes(second.clock, due).told == [
                "removed 1 no_longer_matches", "removed 2 no_longer_matches",
            ])
        #expect(try await fixture.changes(first.clock, due).told == ["removed 1 no_longer_matches"])
        // A bare clock does not tell the time.
        let bare = String(try #require(first.clock).prefix { $0 != "-" })
        #expect(try await fixture.changes(bare, due)["reasons"]?["shelf"]?.string == "filter")
    }

    @Test func `each reason for a fresh set is given where it applies, and only there`() async throws {
        let fixture = try FeedFixture()
        #expect(await fixture.refusal("changes", #"{"collection":"shelf"}"#) == .noData)
        try fixture.take([object(1)])
        try fixture.take([#"{"id":"a","level":1}"#], into: "notes")
        let bare = fixture.store.catalog.current().revision.text
        #expect(try await fixture.changes(bare)["fresh_instance"] == nil)
        func reason(_ since: String?, _ rest: String = "", of name: String = "shelf") async throws -> String? {
            try await fixture.changes(since, rest, of: name)["reasons"]?[name]?.string
        }
        #expect(try await reason(nil) == "start")
        #expect(try await reason("1." + bare.split(separator: ".")[1]) == "epoch")
        #expect(try await reason(bare + "0") == "ahead")
        #expect(try await reason(String(bare.split(separator: ".")[0]) + ".0") == "start")
        let clock = try await fixture.changes("now").clock
        #expect(try await reason(clock) == nil)
        #expect(try await reason(clock, #","filter":"state=open""#) == "filter")
        #expect(try await reason(clock, of: "notes") == "filter")
        // Zones count only where days are used.
        #expect(try await reason(clock, #","time_zone":"Europe/Warsaw""#) == nil)
        let daily = try await fixture.changes("now", #","filter":"day=2027-01-01""#).clock
        #expect(try await reason(daily, #","filter":"day=2027-01-01","time_zone":"Europe/Warsaw""#) == nil)
        let since = try await fixture.changes("now", #","filter":"at>2027-01-01""#).clock
        #expect(try await reason(since, #","filter":"at>2027-01-01","time_zone":"Europe/Warsaw""#) == "filter")
        for level in 2...4 { try fixture.take([object(1, "open", level)]) }
        try fixture.trim("shelf", changes: 2)
        #expect(try await reason(clock) == "compacted")
        #expect(try await reason(try await fixture.changes("now").clock) == nil)
        let floor = "\(bare.split(separator: ".")[0]).\(try fixture.view("shelf").condition.row.floor)"
        #expect(try await reason(floor) == nil)
        // A view that a reload changes.
        let view = { (level: Int) in NamedView(name: "high", filter: "level>\(level)") }
        fixture.reload([Shelf.definition, FeedFixture.notes(views: [view(3)])])
        let high = try await fixture.changes("now", #","view":"high""#, of: "notes").clock
        #expect(try await reason(high, #","view":"high""#, of: "notes") == nil)
        fixture.reload([Shelf.definition, FeedFixture.notes(views: [view(4)])])
        #expect(try await reason(high, #","view":"high""#, of: "notes") == "filter")
    }

    @Test func `clocks are refused when a character differs, and cursors with another feed`() async throws {
        let fixture = try FeedFixture()
        try fixture.take((1...5).map { object($0) })
        let clock = try #require(try await fixture.changes("now").clock)
        let dash = try #require(clock.firstIndex(of: "-"))
        for index in clock.indices where clock[index] != "." && index > dash {
            var changed = clock
            changed.replaceSubrange(index...index, with: clock[index] == "A" ? "B" : "A")
            #expect(await fixture.refusal("changes", #"{"collection":"shelf","since":"\#(changed)"}"#) == .badCursor)
        }
        for text in ["", "later", "1.2.3", clock + "A", String(clock.dropLast()), clock + "-", " " + clock] {
            #expect(
                await fixture.refusal("changes", #"{"collection":"shelf","since":"\#(text)"}"#) == .badCursor, "\(text)"
            )
        }
        try fixture.take([#"{"id":"a"}"#], into: "notes")
        let next = try #require(try await fixture.changes(nil, #","limit":2"#)["next"]?.string)
        for rest in [#""collection":"notes""#, #""limit":2"#, #""collection":"shelf","filter":"level>0""#] {
            #expect(await fixture.refusal("changes", #"{"cursor":"\#(next)",\#(rest)}"#) == .badCursor)
        }
        #expect(
            await fixture.refusal("changes", #"{"cursor":"\#(next)","collection":"shelf","since":"now"}"#) == .badParams
        )
        #expect(await fixture.refusal("changes", #"{"cursor":"\#(next)A","collection":"shelf"}"#) == .badCursor)
        #expect(
            try await fixture.ask("changes", #"{"cursor":"\#(next)","collection":"shelf","limit":9}"#).told
                == ["added 3", "added 4", "added 5"])
    }

    @Test func `without a collection all are told, those that come later too`() async throws {
        let fixture = try FeedFixture()
        try fixture.take([object(1)])
        let first = try await fixture.changes(nil, of: nil)
        #expect(first["changes"]?.array?.first?["collection"]?.string == "shelf")
        try fixture.take([#"{"id":"a","level":1}"#], into: "notes")
        let second = try await fixture.changes(first.clock, of: nil)
        #expect(second.told == ["added a"])
        #expect(second["reasons"]?.object?.members.map(\.key) == ["notes"])
        try fixture.take([object(1), object(2)])
        try fixture.archive(["a"], in: "notes")
        let third = try await fixture.changes(second.clock, of: nil)
        #expect(third.told == ["removed a archived", "added 2"])
        #expect(third["fresh_instance"] == nil)
        fixture.reload([Shelf.definition])
        let fourth = try await fixture.changes(third.clock, of: nil)
        #expect(fourth.told == ["added 1", "added 2"])
        #expect(fourth["reasons"]?["shelf"]?.string == "definition")
    }

    @Test func `another definition begins a fresh set, and one with other texts does not`() async throws {
        let fixture = try FeedFixture([FeedFixture.notes()])
        try fixture.take([#"{"id":"a","title":"x","level":1}"#], into: "notes")
        let high = #","filter":"level>0""#
        let (clock, filtered) = (
            try await fixture.changes("now", of: "notes").clock,
            try await fixture.changes("now", high, of: "notes").clock
        )
        fixture.reload([FeedFixture.notes(views: [NamedView(name: "high", filter: "level>3")])])
        #expect(try await fixture.changes(clock, of: "notes")["fresh_instance"] == nil)
        #expect(try await fixture.changes(filtered, high, of: "notes")["fresh_instance"] == nil)
        let page = try await fixture.changes(nil, #","limit":1"#, of: "notes").clock
        fixture.reload([FeedFixture.notes(isTextual: true)])
        let fresh = try await fixture.changes(clock, of: "notes")
        #expect(fresh["reasons"]?["notes"]?.string == "definition")
        #expect(fresh.told == ["added a"])
        #expect(try await fixture.changes(page, of: "notes")["reasons"]?["notes"]?.string == "definition")
        #expect(try await fixture.changes(fresh.clock, of: "notes").told == [])
        try fixture.restart()
        #expect(try await fixture.changes(fresh.clock, of: "notes")["fresh_instance"] == nil)
        // Also where the files changed while the daemon was down.
        try fixture.restart(with: [FeedFixture.notes()])
        #expect(try await fixture.changes(fresh.clock, of: "notes")["reasons"]?["notes"]?.string == "definition")
    }

    @Test func `a volatile field is told with other changes, and is in no filter`() async throws {
        let notes = FeedFixture.notes(views: [NamedView(name: "high", filter: "level>3")], volatile: ["/level"])
        let fixture = try FeedFixture([notes])
        try fixture.take([#"{"id":"a","title":"x","level":1}"#], into: "notes")
        let clock = try await fixture.changes("now", of: "notes").clock
        try fixture.take([#"{"id":"a","title":"x","level":2}"#], into: "notes")
        #expect(try await fixture.changes(clock, of: "notes").told == [])
        try fixture.take([#"{"id":"a","title":"y","level":3}"#], into: "notes")
        let page = try await fixture.changes(clock, of: "notes")
        #expect(
            entries(page) == [
                #"{"op":"updated","id":"a","seq":2,"cause":"refresh","changed":["title"],"was":{"title":"x"},"#
                    + #""record":{"id":"a","title":"y","level":3}}"#
            ])
        try fixture.take([], into: "notes")
        let gone = try await fixture.changes(page.clock, of: "notes")
        #expect(gone["changes"]?.array?.first?["was"]?["level"] == nil)
        for rest in [#""filter":"level=2""#, #""filter":["not",["gt","level",1]]"#, #""view":"high""#] {
            #expect(await fixture.refusal("changes", #"{"collection":"notes",\#(rest)}"#) == .badFilter)
        }
    }

    @Test func `another way of writing the same JSON value is no change`() async throws {
        let fixture = try FeedFixture()
        try fixture.take([#"{"id":1,"extra":{"a":1,"b":"x"}}"#, #"{"id":2,"extra":1}"#])
        let clock = try await fixture.changes("now").clock
        try fixture.take([#"{"id":2,"extra":1}"#])
        try fixture.take([#"{"id":1,"extra":{"b":"\u0078","a":1}}"#, #"{"id":2,"extra":1.0}"#])
        #expect(try await fixture.changes(clock).told == ["updated 2"])
    }

    @Test func `a clock is good after a restart`() async throws {
        let fixture = try FeedFixture()
        try fixture.take([object(1), object(2)])
        let page = try await fixture.changes(nil, #","limit":1"#)
        let clock = try await fixture.changes("now").clock
        try fixture.take([object(1), object(3)])
        try fixture.restart()
        #expect(try await fixture.changes(clock).told == ["added 3", "removed 2 gone"])
        let next = try #require(page["next"]?.string)
        let rest = try await fixture.ask("changes", #"{"collection":"shelf","cursor":"\#(next)"}"#)
        #expect(
            rest.told == ["added 3", "added 3", "removed 2 gone"]
                || rest.told == ["added 3", "updated 3", "removed 2 gone"])
        #expect(rest["more"] == .bool(false))
    }
}
