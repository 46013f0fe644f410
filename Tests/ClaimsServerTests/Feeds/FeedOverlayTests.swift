// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// Feeds over a snapshot with records that lie over it.
@Suite struct FeedOverlayTests {
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

    private let pending = #""pending":{"state":"queued","ops":[],"fields":["level"]}"#

    @Test func `a write is told when it shows, and its end when it is settled`() async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        try fixture.take([object(1), object(2)])
        let fields = #","fields":"level""#
        let first = try await fixture.changes("now", fields)
        try fixture.write([FeedFixture.entry("2", object(2, "open", 7), fields: ["level"])])
        let second = try await fixture.changes(first.clock, fields)
        #expect(
            entries(second) == [
                #"{"op":"updated","id":"2","seq":2,"cause":"write","changed":["level","pending"],"was":{"level":1},"#
                    + #""record":{"id":"2","level":7,\#(pending)}}"#
            ])
        // The upstream has said yes; a refresh shows the values.
        try fixture.write([FeedFixture.entry("2", object(2, "open", 7), .accepted, fields: ["level"])])
        let accepted = pending.replacing("queued", with: "accepted")
        #expect(
            entries(try await fixture.changes(second.clock, fields)) == [
                #"{"op":"updated","id":"2","seq":3,"cause":"write","changed":["pending"],"was":{\#(pending)},"#
                    + #""record":{"id":"2","level":7,\#(accepted)}}"#
            ])
        try fixture.write([FeedFixture.entry("2", object(2, "open", 7), nil)])
        #expect(
            entries(try await fixture.changes(second.clock, fields)) == [
                #"{"op":"updated","id":"2","seq":4,"cause":"write","changed":["pending"],"was":{\#(pending)},"#
                    + #""record":{"id":"2","level":7}}"#
            ])
        #expect(
            entries(try await fixture.changes(first.clock, fields)) == [
                #"{"op":"updated","id":"2","seq":4,"cause":"write","changed":["level"],"was":{"level":1},"#
                    + #""record":{"id":"2","level":7}}"#
            ])
    }

    @Test func `what an overlay shows and is given up again is nothing`() async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        try fixture.take([object(1), object(2)])
        let clock = try await fixture.changes("now").clock
        try fixture.write([
            FeedFixture.entry("2", object(2, "shut")), FeedFixture.entry("new", #"{"id":"new","state":"open"}"#),
        ])
        #expect(try await fixture.changes(clock).told == ["updated 2", "added new"])
        try fixture.write([], settling: ["2", "new"])
        #expect(try await fixture.changes(clock).told == [])
    }

    @Test func `a record whose deletion is under way is gone, and returns if it is given up`() async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        try fixture.take([object(1), object(2, "open", 3)])
        let clock = try await fixture.changes("now").clock
        let levels = try await fixture.changes("now", #","fields":"level""#).clock
        try fixture.write([FeedFixture.entry("2", nil, isHidden: true)])
        #expect(try await fixture.changes(nil).told == ["added 1"])
        #expect(
            entries(try await fixture.changes(levels, #","fields":"level""#)) == [
                #"{"op":"removed","id":"2","seq":2,"cause":"write","was":{"level":3},"reason":"gone"}"#
            ])
        let second = try await fixture.changes("now").clock
        try fixture.write([FeedFixture.entry("2", nil, .stuck, isHidden: true)])
        #expect(try await fixture.changes(second).told == [])
        try fixture.write([], settling: ["2"])
        #expect(try await fixture.changes(second).told == ["added 2"])
        #expect(try await fixture.changes(clock).told == [])
    }

    @Test func `a set is told by id over both layers, page by page`() async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        try fixture.take((1...12).map { object($0) })
        try fixture.write([
            FeedFixture.entry("2", object(2, "shut")), FeedFixture.entry("3", nil, isHidden: true),
            FeedFixture.entry("4", object(4)), FeedFixture.entry("10", object(10, "shut")),
            FeedFixture.entry("11", nil, nil), FeedFixture.entry("7a", #"{"id":"7a","state":"open"}"#),
            FeedFixture.entry("20", object(20)), FeedFixture.entry("0", object(0)),
        ])
        let all = ["0", "1", "2", "4", "5", "6", "7", "7a", "8", "9", "10", "12", "20"]
        for (filter, ids) in [("", all), (#","filter":"state=open""#, all.filter { !["2", "10"].contains($0) })] {
            for limit in [1, 2, 3, 5, 1000] {
                var page = try await fixture.changes(nil, #"\#(filter),"limit":\#(limit)"#)
                var told = page.told
                while page["more"] == .bool(true) {
                    #expect((page["changes"]?.array?.count ?? 0) <= limit)
                    let next = try #require(page["next"]?.string)
                    page = try await fixture.ask(
                        "changes", #"{"collection":"shelf"\#(filter),"limit":\#(limit),"cursor":"\#(next)"}"#)
                    told += page.told
                }
                #expect(told == ids.map { "added \($0)" }, "\(filter) \(limit)")
            }
        }
    }

    @Test func `without data pending creates are told alone, and begin anew with the first data`() async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        #expect(await fixture.refusal("changes", #"{"collection":"shelf"}"#) == .noData)
        let before = try await fixture.changes("now", of: nil)
        try fixture.write([FeedFixture.entry("new", #"{"id":"new","state":"open"}"#)])
        let spanning = try await fixture.changes(before.clock, of: nil)
        #expect(spanning["fresh_instance"] == nil && spanning.told == ["added new"])
        let first = try await fixture.changes(nil)
        #expect(first.told == ["added new"])
        try fixture.write([FeedFixture.entry("other", #"{"id":"other"}"#)], settling: ["new"])
        #expect(try await fixture.changes(first.clock).told == ["added other", "removed new gone"])
        // All were given up: who held them is told.
        try fixture.write([], settling: ["other"])
        #expect(try await fixture.changes(first.clock).told == ["removed new gone"])
        #expect(try await fixture.changes(spanning.clock, of: nil).told == ["removed new gone"])
        try fixture.take([object(1)])
        let anew = try await fixture.changes(first.clock)
        #expect(anew["reasons"]?["shelf"]?.string == "start" && anew.told == ["added 1"])
    }

    @Test func `records of the overlay are archived like others`() async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        try fixture.take([object(1), object(2)])
        try fixture.write([FeedFixture.entry("2", object(2, "open", 7)), FeedFixture.entry("3", object(3))])
        let clock = try await fixture.changes("now").clock
        let only = try await fixture.changes(nil, #","archived":"only""#)
        let including = try await fixture.changes("now", #","archived":"include","fields":"level""#)
        try fixture.archive(["2"])
        #expect(try await fixture.changes(clock).told == ["removed 2 archived"])
        #expect(try await fixture.changes(nil).told == ["added 1", "added 3"])
        #expect(try await fixture.changes(only.clock, #","archived":"only""#).told == ["added 2"])
        #expect(try await fixture.changes(nil, #","archived":"only""#).told == ["added 2"])
        let marked = try await fixture.changes(including.clock, #","archived":"include","fields":"level""#)
        #expect(marked["changes"]?.array?.first?["changed"]?.array == [.string("archived")])
        #expect(marked["changes"]?.array?.first?["record"]?["archived"] == .bool(true))
        #expect(marked["changes"]?.array?.first?["record"]?["pending"] != nil)
    }

    @Test func `time moves records of the overlay too`() async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        func timed(_ id: Int, _ offset: Int64) -> String {
            #"{"id":\#(id),"at":"\#(FeedObjects.instant(FeedFixture.now + offset))"}"#
        }
        try fixture.take([timed(1, 2_000), timed(2, 90_000), timed(3, -5_000)])
        try fixture.write([FeedFixture.entry("2", timed(2, 1_000)), FeedFixture.entry("1", timed(1, 95_000))])
        let due = #","filter":"at<now""#
        let first = try await fixture.changes(nil, due)
        #expect(first.told == ["added 3"])
        fixture.clock.with { $0 += 3_000 }
        let second = try await fixture.changes(first.clock, due)
        #expect(second.told == ["added 2"])
        #expect(second["changes"]?.array?.first?["cause"]?.string == "time")
        fixture.clock.with { $0 -= 60_000 }
        #expect(
            try await fixture.changes(second.clock, due).told == [
                "removed 2 no_longer_matches", "removed 3 no_longer_matches",
            ])
    }

    @Test func `a folded overlay tells nothing`() async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        try fixture.take([object(1), object(2)])
        try fixture.write([FeedFixture.entry("2", object(2, "shut"), nil), FeedFixture.entry("3", object(3), nil)])
        let first = try await fixture.changes(nil)
        #expect(first.told == ["added 1", "added 2", "added 3"])
        let other = try FeedFixture([Shelf.written, FeedFixture.notes()])
        try other.take([object(1), object(2, "shut"), object(3)])
        // The snapshot of the other store has what the overlay had: the clock stays.
        let folded = try other.view("shelf").snapshot
        let view = try fixture.view("shelf")
        fixture.store.catalog.publish(
            CollectionView(
                definition: view.definition, snapshot: folded, archive: view.archive, condition: view.condition))
        let second = try await fixture.changes(first.clock)
        #expect(second.told == [] && second["fresh_instance"] == nil)
        #expect(try await fixture.changes(nil).told == first.told)
    }

    @Test func `history has the writes with their users, and no version that differs in pending alone`() async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        try fixture.take([object(1), object(2)])
        try fixture.write([FeedFixture.entry("2", object(2, "open", 7), fields: ["level"])], uid: 7)
        try fixture.write([FeedFixture.entry("2", object(2, "open", 7), .accepted, fields: ["level"])], uid: 8)
        try fixture.write([FeedFixture.entry("2", object(2, "open", 7), nil)], uid: 9)
        let history = try await fixture.ask("history", #"{"collection":"shelf","id":"2"}"#)
        let versions = try #require(history["versions"]?.array)
        #expect(versions.count == 2)
        #expect(versions.first?["cause"]?.string == "write" && versions.first?["by"]?.integer == 7)
        #expect(versions.first?["changes"]?.object?.members.map(\.key) == ["level"])
        #expect(versions.last?["op"]?.string == "added" && versions.last?["record"]?["level"]?.integer == 1)
        try fixture.write([FeedFixture.entry("new", #"{"id":"new","level":3}"#)], uid: 7)
        let added = try await fixture.ask("history", #"{"collection":"shelf","id":"new"}"#)
        #expect(added["versions"]?.array?.count == 1 && added["complete"] == .bool(true))
        let record = added["versions"]?.array?.first?["record"]?.object
        #expect(record?.members.map(\.key) == ["id", "kind", "level"])
        try fixture.write([], settling: ["new"])
        let removed = try await fixture.ask("history", #"{"collection":"shelf","id":"new"}"#)
        #expect(removed["versions"]?.array?.compactMap { $0["op"]?.string } == ["removed", "added"])
        #expect(removed["versions"]?.array?.first?["record"]?["pending"] == nil)
    }

    @Test func `pending is a field of filters, and its steps take records in and out`() async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        try fixture.take([object(1), object(2), object(3)])
        let stuck = #","filter":"pending=stuck","fields":"level""#
        let none = #","filter":"pending.none state=open","fields":"level""#
        let first = try await fixture.changes(nil, stuck)
        #expect(first.told == [])
        let settled = try await fixture.changes(nil, none)
        #expect(settled.told == ["added 1", "added 2", "added 3"])
        try fixture.write([FeedFixture.entry("2", object(2)), FeedFixture.entry("new", #"{"id":"new"}"#, .stuck)])
        #expect(try await fixture.changes(first.clock, stuck).told == ["added new"])
        #expect(try await fixture.changes(settled.clock, none).told == ["removed 2 no_longer_matches"])
        try fixture.write([FeedFixture.entry("2", object(2), .stuck)])
        let second = try await fixture.changes(first.clock, stuck)
        #expect(second.told == ["added new", "added 2"])
        #expect(try await fixture.changes(nil, stuck).told == ["added 2", "added new"])
        #expect(try await fixture.changes(nil, none).told == ["added 1", "added 3"])
        try fixture.write([FeedFixture.entry("2", object(2), .queued)], settling: ["new"])
        let third = try await fixture.changes(second.clock, stuck)
        #expect(third.told == ["removed 2 no_longer_matches", "removed new gone"])
        #expect(third["changes"]?.array?.first?["was"]?["pending"]?["state"]?.string == "stuck")
        try fixture.write([FeedFixture.entry("2", object(2), nil)])
        #expect(try await fixture.changes(settled.clock, none).told == [])
    }

    @Test(arguments: [false, true])
    func `a record that gets another id is removed as renamed, and added`(isArchived: Bool) async throws {
        let fixture = try FeedFixture([Shelf.written, FeedFixture.notes()])
        try fixture.take([object(1)])
        let old = "0190a1b2-0000-7000-8000-000000000001"
        try fixture.write([FeedFixture.entry(old, #"{"id":"\#(old)","level":4}"#)], uid: 7)
        if isArchived { try fixture.archive([old]) }
        let clock = try await fixture.changes("now", #","fields":"level""#).clock
        let only = try await fixture.changes("now", #","archived":"only""#).clock
        try fixture.write(
            [FeedFixture.entry("77", #"{"id":"77","level":4}"#, .accepted)], renaming: (old, "77"), uid: 7)
        let told = ["added 77", "removed \(old) renamed"]
        let page = try await fixture.changes(clock, #","fields":"level""#)
        #expect(page.told == (isArchived ? [] : told))
        if !isArchived { #expect(page["changes"]?.array?.last?["to"]?.string == "77") }
        #expect(try await fixture.changes(only, #","archived":"only""#).told == (isArchived ? told : []))
        // A mark that comes later is none of the old id.
        try fixture.archive(["77"], !isArchived)
        #expect(
            try await fixture.changes(clock, #","fields":"level""#).told
                == (isArchived ? ["added 77"] : ["removed \(old) renamed"]))
        #expect(
            try await fixture.changes(only, #","archived":"only""#).told
                == (isArchived ? ["removed \(old) renamed"] : ["added 77"]))
        for id in [old, "77"] {
            let history = try await fixture.ask("history", #"{"collection":"shelf","id":"\#(id)"}"#)
            let versions = try #require(history["versions"]?.array?.compactMap { $0["op"]?.string })
            let marks = isArchived ? ["unarchived", "added", "removed", "archived"] : ["archived", "added", "removed"]
            #expect(Set(versions.dropLast()) == Set(marks) && versions.last == "added")
            #expect(history["complete"] == .bool(true) && versions.count == marks.count + 1)
        }
    }
}
