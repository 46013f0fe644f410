// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
@testable import ClaimsTerminal
import Testing

/// The lines that `watch` prints, and where it goes on after a lost connection.
struct PrintedFeedTests {
    private static let begin = #"{"type":"fresh_instance","reason":"start"}"#

    private func entry(_ id: String) -> String { #"{"op":"added","id":"\#(id)","record":{"id":"\#(id)"}}"# }

    private func changes(_ ids: String..., clock: String? = nil) -> String {
        let end = clock.map { #","complete":true,"clock":"\#($0)""# } ?? ""
        return #"{"type":"changes","changes":[\#(ids.map(entry).joined(separator: ","))]\#(end)}"#
    }

    private func synced(_ clock: String) -> String { #"{"type":"synced","total":1,"clock":"\#(clock)"}"# }

    /// The ids and beginnings that a feed prints after an event.
    private func take(_ feed: inout PrintedFeed, _ event: String) throws -> [String] {
        try feed.handle(FeedEvent(Example.value(event))).split(separator: UInt8(ascii: "\n")).map { line in
            let value = try AnswerDocument(Array(line)).root
            return value["op"]?.string == "fresh_instance"
                ? "set of \(value["collection"]?.string ?? "")"
                : value["id"]?.string ?? ""
        }
    }

    @Test func `a commit is printed when it is complete`() throws {
        var feed = PrintedFeed(.now, collection: "books")
        try feed.feed.subscribed(Example.value(#"{"clock":"e.1-a"}"#))
        #expect(feed.feed.start == .since("e.1-a"))
        #expect(try take(&feed, changes("1", "2")) == [])
        #expect(try take(&feed, changes("3", clock: "e.4-a")) == ["1", "2", "3"])
        #expect(feed.feed.start == .since("e.4-a"))
    }

    @Test func `a commit that is cut off is not printed, and told again from the clock before it`() throws {
        var feed = PrintedFeed(.since("e.1"), collection: "books")
        try feed.feed.subscribed(Example.value("{}"))
        #expect(try take(&feed, changes("1")) == [])
        feed.lost()
        #expect(feed.feed.start == .since("e.1"))
        #expect(try take(&feed, changes("1", clock: "e.2-a")) == ["1"])
    }

    @Test func `a set is printed as it comes, and begins again where it is cut off`() throws {
        var feed = PrintedFeed(.initial, collection: "books")
        try feed.feed.subscribed(Example.value("{}"))
        #expect(try take(&feed, Self.begin) == ["set of books"])
        #expect(try take(&feed, changes("1")) == ["1"])
        feed.lost()
        #expect(feed.feed.start == .initial)
        #expect(try take(&feed, Self.begin) == ["set of books"])
        #expect(try take(&feed, changes("1")) == ["1"])
        #expect(try take(&feed, synced("e.5-a")) == [])
        #expect(feed.feed.start == .since("e.5-a"))
        feed.lost()
        #expect(feed.feed.start == .since("e.5-a"))
    }

    @Test func `what came since a clock is printed when it is synced, if no line of it was complete`() throws {
        var feed = PrintedFeed(.since("e.1"), collection: "books")
        #expect(try take(&feed, changes("1")) == [])
        #expect(try take(&feed, synced("e.3-a")) == ["1"])
        #expect(feed.feed.start == .since("e.3-a"))
    }

    @Test func `a set that begins amid a commit takes its place`() throws {
        var feed = PrintedFeed(.since("e.1"), collection: "books")
        #expect(try take(&feed, changes("1")) == [])
        #expect(try take(&feed, Self.begin) == ["set of books"])
        #expect(try take(&feed, changes("2")) == ["2"])
        #expect(try take(&feed, synced("e.3-a")) == [])
    }

    @Test func `a commit beyond the bound is printed as it comes, and begins a set where it is cut off`() throws {
        let id = String(repeating: "x", count: 1 << 20)
        var feed = PrintedFeed(.since("e.1"), collection: "books")
        var printed = 0
        for _ in 0..<6 { printed += try take(&feed, changes(id)).count }
        #expect(printed > 0 && printed < 6)
        var whole = feed
        #expect(try take(&whole, changes(id, clock: "e.9-a")).count == 7 - printed)
        #expect(whole.feed.start == .since("e.9-a"))
        feed.lost()
        #expect(feed.feed.start == .initial)
    }

    @Test func `a heartbeat moves the clock, and a kind of event that is not known does nothing`() throws {
        var feed = PrintedFeed(.now, collection: "books")
        try feed.feed.subscribed(Example.value(#"{"clock":"e.1-a"}"#))
        #expect(try take(&feed, #"{"type":"heartbeat","clock":"e.7-a"}"#) == [])
        #expect(feed.feed.start == .since("e.7-a"))
        #expect(try take(&feed, #"{"type":"something","clock":"e.8-a"}"#) == [])
        #expect(try take(&feed, #"{"type":"state","change":"started"}"#) == [])
        #expect(feed.feed.start == .since("e.7-a"))
        let isMended = feed.feed.isMended(after: Refusal(kind: "bad_cursor", message: ""))
        #expect(isMended && feed.feed.start == .initial)
    }
}

/// When a screen is drawn.
struct ScreenPaceTests {
    @Test func `a screen is drawn at once, and after changes at most five times a second`() {
        var pace = ScreenPace()
        #expect(pace.nextDrawing == 0)
        pace.drawn(at: 1_000)
        #expect(pace.nextDrawing == nil)
        pace.changed()
        pace.changed()
        #expect(pace.nextDrawing == 200_001_000)
    }
}
