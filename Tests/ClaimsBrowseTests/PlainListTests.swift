// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

@Suite struct PlainListTests {
    private static func value(_ json: String) throws -> AnswerValue { try AnswerDocument(Array(json.utf8)).root }

    /// The feed of the list of books since a clock.
    private static var feed: SubscribeParameters {
        var parameters = SubscribeParameters()
        parameters.collection = "books"
        parameters.since = "e.1"
        return parameters
    }

    /// The changes of that feed, which the daemon has accepted.
    private static func followed() throws -> PlainChanges {
        var changes = PlainChanges()
        _ = changes.begin(feed)
        changes.subscribed(try value(#"{"subscription":1,"clock":"e.1"}"#))
        return changes
    }

    private static let now: Int64 = 1_795_000_000_000

    private static func time(_ messages: Messages = .english) -> LocalTime {
        LocalTime(zone: .utc, now: now, messages: messages)
    }

    private static let described = """
        {"name":"books","title":"Books","singular":"book","list":["id","title","status","pages"],"group_by":"status",
         "fields":[{"name":"id","type":"id"},{"name":"title","type":"text","bold":true},
          {"name":"status","type":"enum","vocabulary":"status"},{"name":"pages","type":"integer","title":"Pages"}],
         "vocabularies":{"status":{"codes":[{"code":"in","label":"In","group":"there"},{"code":"out","label":"Lent out"}]}},
         "groups":[{"key":"there","label":"On the shelf"}],
         "sorts":[{"name":"newest","keys":["-id"]}],"views":[{"name":"long","filter":"pages>100","title":"Long ones"}]}
        """

    private static func list(_ answer: String, _ change: (inout ListQuery) -> Void = { _ in }) throws -> PlainList {
        var list = PlainList(try #require(CollectionDescription(try value(described))))
        change(&list.query)
        list.show(try value(answer))
        return list
    }

    private static let page = """
        {"records":[{"id":"7","title":"Sea\\u001b[2J water","status":"in","pages":128},
          {"id":"9","title":"Atlas","status":"out","archived":true,"pending":{"state":"stuck"}}],
         "total":1200,"rank":10,"next":"N","prev":"P","groups":[{"key":"there","label":"On the shelf","total":1199},
          {"key":null,"label":null,"total":1}],"meta":{"collection":"books","state":"ready","freshness":"fresh","clock":"e.1"}}
        """

    @Test func `a record is a numbered line: title, labels, id, and the rest with its heading`() throws {
        #expect(
            PlainListText(try Self.list(Self.page), time: Self.time()).lines == [
                "On the shelf (1,199):", #"11. Sea\x1b[2J water; In; 7; Pages 128"#, "Others (1):",
                "12. Atlas; Lent out; 9; archived; needs attention", "11 to 12 of 1,200. Enter shows more.",
            ])
    }

    @Test func `the first page tells the query, in the language of the person`() throws {
        let first = Self.page.replacing(#""rank":10,"#, with: #""rank":0,"#)
        let list = try Self.list(first) { query in
            query.search = "sea water"
            query.view = "long"
            query.order = "newest"
            query.archived = .include
        }
        let english = PlainListText(list, time: Self.time()).lines
        #expect(english[0] == "Books: 1,200; search sea water; view Long ones; sorted by newest; with archived")
        #expect(english[1].hasPrefix("1. Sea"))
        let polish = PlainListText(list, time: Self.time(.polish)).lines
        #expect(
            polish.first == "Books: 1\u{A0}200; szukane: sea water; widok: Long ones; porządek: newest; z archiwum")
        #expect(polish.last == "Od 1 do 2 z 1\u{A0}200. Enter pokazuje dalsze.")
    }

    @Test func `no match, no records and no upstream are told apart`() throws {
        let empty =
            #"{"records":[],"total":0,"rank":0,"meta":{"collection":"books","state":"empty","freshness":"fresh"}}"#
        #expect(PlainListText(try Self.list(empty), time: Self.time()).lines == ["Books: 0", "Books: there are none."])
        let unmatched = try Self.list(empty) { $0.search = "pmup" }
        let told = PlainListText(unmatched, time: Self.time()).lines
        #expect(told[0] == "Books: 0; search pmup")
        #expect(told[1].hasPrefix("Books: nothing matches."))
        var found = try Self.list(empty) { $0.search = "9" }
        #expect(found.possibleID == "9")
        found.show(namesake: try Self.value(#"{"id":"9","title":"Atlas","status":"out"}"#))
        #expect(
            PlainListText(found, time: Self.time()).lines.suffix(2) == [
                "'9' is the id of a record:", "1. Atlas; Lent out; 9",
            ])
        #expect(found.id(1) == "9")
        let collection = try #require(CollectionDescription(try Self.value(Self.described)))
        func refusal(_ state: String) throws -> [String]? {
            let data = try Self.value(#"{"meta":{"collection":"books","state":"\#(state)"}}"#)
            let refusal = Refusal(kind: "no_data", message: "there is no data", hint: "write a url", data: data)
            return PlainListText.refusal(refusal, of: collection, Self.time())
        }
        #expect(try refusal("loading") == ["Loading Books… Enter asks again."])
        #expect(try refusal("unconfigured") == ["Books has no upstream.", "write a url"])
        #expect(try refusal("failed") == ["Unable to load Books: there is no data", "r tries again."])
        let withheld = Refusal(
            kind: "no_data", message: "books is withheld: older than 30 days",
            data: try Self.value(
                #"{"meta":{"collection":"books","state":"withheld","next_refresh":"2026-11-18T12:06:40Z"}}"#))
        #expect(
            PlainListText.refusal(withheld, of: collection, Self.time()) == [
                "Books is withheld: older than 30 days.", "Next refresh in 1 h", "r tries again.",
            ])
    }

    @Test func `a number stays what it was until the list begins anew, and the archive is known by it`() throws {
        let first = Self.page.replacing(#""rank":10,"#, with: #""rank":0,"#).replacing(#""7""#, with: #""5""#)
        var list = try Self.list(first)
        let isNext = list.goForward()
        #expect(isNext)
        list.show(try Self.value(Self.page))
        #expect([1, 2, 3, 11, 12].map { list.id($0) } == ["5", "9", nil, "7", "9"])
        #expect(!list.isArchived("7"))
        #expect(list.isArchived("9"))
        list.mark(["7"], isArchived: true)
        #expect(list.isArchived("7"))
        list.go(to: .start)
        list.show(try Self.value(first))
        #expect([1, 11].map { list.id($0) } == ["5", nil])
        #expect(!list.isArchived("7"))
    }

    @Test func `a long text is cut between words, and ids, labels, numbers and times are not`() throws {
        let words = Array(repeating: "water", count: 60).joined(separator: " ")
        let id = String(repeating: "7", count: 300)
        let list = try Self.list(
            Self.page.replacing("Atlas", with: words).replacing(#""id":"9""#, with: #""id":"\#(id)""#))
        let line = try #require(PlainListText(list, time: Self.time()).lines.first { $0.hasPrefix("12. ") })
        #expect(line.hasPrefix("12. water water "))
        #expect(line.contains("water…; Lent out; \(id); archived"))
        #expect(line.utf8.count < 520)
    }

    @Test func `pages are walked by the cursors of the answer`() throws {
        var list = try Self.list(Self.page)
        #expect(list.groupRanks == [0, 1199])
        let outcome1 = list.goForward()
        #expect(outcome1)
        #expect(list.parameters(language: nil, zone: nil).page.cursor == "N")
        let outcome2 = list.goBack()
        #expect(outcome2)
        #expect(list.parameters(language: nil, zone: nil).page.cursor == "P")
        list.go(to: .end)
        #expect(list.parameters(language: nil, zone: nil).page.anchor == .end)
        list.show(try Self.value(#"{"records":[],"total":0}"#))
        let outcome3 = list.goForward()
        #expect(!outcome3)
        let outcome4 = list.goBack()
        #expect(!outcome4)
    }

    @Test func `search words are literal, each must occur, and a filter keeps its own place`() throws {
        #expect(try Self.list(Self.page) { $0.filter = "pages>1 or id=2" }.filter == "pages>1 or id=2")
        let both = try Self.list(Self.page) { query in
            query.filter = "pages>1 or id=2"
            query.search = "sea"
        }
        #expect(both.filter == #"(pages>1 or id=2) "sea""#)
    }

    private static func event(_ changes: String) throws -> FeedEvent {
        FeedEvent(try value(#"{"subscription":1,"type":"changes","changes":[\#(changes)],"complete":true}"#))
    }

    @Test func `news counts each record once, keeps back its own changes, and comes every five seconds at most`() throws
    {
        var news = PlainNews()
        #expect(news.isEmpty)
        news.expect(["5"])
        news.read(
            try Self.event(
                #"{"op":"added","id":"1"},{"op":"updated","id":"1"},{"op":"updated","id":"2"},{"op":"removed","id":"3"},"#
                    + #"{"op":"removed","id":"5"},{"op":"added","id":"4"},{"op":"removed","id":"4"}"#))
        #expect(try #require(news.dueAt) <= 0)
        let outcome5 = news.nextLine(at: 1000, of: "Books", .english)
        #expect(outcome5 == "Books: new 1, changed 1, gone 1. g shows it.")
        #expect(news.isEmpty)
        news.read(try Self.event(#"{"op":"updated","id":"2"}"#))
        #expect(news.dueAt == 6000)
        let outcome6 = news.nextLine(at: 6000, of: "Książki", .polish)
        #expect(outcome6 == "Książki: zmienione 1. g pokazuje.")
    }

    @Test func `a fresh set is told as one, and its records are no news`() throws {
        var news = PlainNews()
        news.read(FeedEvent(try Self.value(#"{"type":"fresh_instance","reason":"definition"}"#)))
        news.read(try Self.event(#"{"op":"added","id":"1"}"#))
        news.read(FeedEvent(try Self.value(#"{"type":"synced","total":1,"clock":"e.2"}"#)))
        let outcome7 = news.nextLine(at: 0, of: "Books", .english)
        #expect(outcome7 == "Books: rebuilt. g shows it.")
        news.read(FeedEvent(try Self.value(#"{"type":"ended","error":{}}"#)))
        let outcome8 = news.nextLine(at: 0, of: "Books", .english)
        #expect(outcome8 == "Books: changes are not told any more.")
    }

    @Test func `after a loss the feed goes on from the last change, and what was not printed is still news`() throws {
        var parameters = SubscribeParameters()
        parameters.collection = "books"
        parameters.since = "e.1"
        var changes = PlainChanges()
        func change(_ id: String, clock: String) throws -> FeedEvent {
            FeedEvent(
                try Self.value(
                    #"{"subscription":1,"type":"changes","changes":[{"op":"updated","id":"\#(id)"}],"complete":true,"#
                        + #""clock":"\#(clock)"}"#))
        }
        #expect(changes.begin(parameters)?.since == "e.1")
        changes.subscribed(try Self.value(#"{"subscription":1,"clock":"e.1"}"#))
        changes.read(try change("7", clock: "e.2"))
        let first = changes.nextLine(at: 1000, of: "Books", .english)
        #expect(first == "Books: changed 1. g shows it.")
        changes.read(try change("9", clock: "e.3"))
        changes.lost()
        #expect(!changes.isFollowing)
        // The list may be on a later page by now, whose clock is a newer one.
        parameters.since = "e.9"
        #expect(changes.begin(parameters)?.since == "e.3")
        changes.subscribed(try Self.value(#"{"subscription":2,"clock":"e.3"}"#))
        changes.read(try change("5", clock: "e.4"))
        let second = changes.nextLine(at: 6000, of: "Books", .english)
        #expect(second == "Books: changed 1. g shows it.")
        // The list is shown as it is now.
        changes.stop()
        #expect(changes.begin(parameters)?.since == "e.9" && changes.news.isEmpty)
    }

    @Test
    func `after a loss in the middle of a set the feed asks for the whole set, and not for changes since a clock`()
        throws
    {
        var changes = try Self.followed()
        changes.read(FeedEvent(try Self.value(#"{"subscription":1,"type":"fresh_instance"}"#)))
        changes.lost()
        let next = changes.begin(Self.feed)
        #expect(next?.isInitial == true && next?.since == nil)
    }

    @Test func `entries of a set that was cut off are no news, and those after the list was shown anew are`() throws {
        var changes = try Self.followed()
        changes.read(FeedEvent(try Self.value(#"{"subscription":1,"type":"fresh_instance"}"#)))
        changes.lost()
        changes.stop()
        _ = changes.begin(Self.feed)
        changes.subscribed(try Self.value(#"{"subscription":2,"clock":"e.1"}"#))
        #expect(changes.news.isEmpty)
        changes.read(
            FeedEvent(
                try Self.value(
                    #"{"subscription":2,"type":"changes","changes":[{"op":"updated","id":"7"}],"complete":true}"#)))
        let line = changes.nextLine(at: 1000, of: "Books", .english)
        #expect(line == "Books: changed 1. g shows it.")
    }

    @Test func `a commit that a fresh set follows before its end is no news`() throws {
        var changes = try Self.followed()
        func read(_ event: String) throws { changes.read(FeedEvent(try Self.value(event))) }
        try read(#"{"subscription":1,"type":"changes","changes":[{"op":"updated","id":"7"}],"complete":false}"#)
        try read(#"{"subscription":1,"type":"fresh_instance"}"#)
        try read(#"{"subscription":1,"type":"synced","clock":"f.1"}"#)
        _ = changes.nextLine(at: 1000, of: "Books", .english)
        try read(#"{"subscription":1,"type":"changes","changes":[{"op":"updated","id":"9"}],"complete":true}"#)
        #expect(changes.nextLine(at: 100_000, of: "Books", .english) == "Books: changed 1. g shows it.")
    }

    @Test func `a commit that is cut off and sent again is counted once, and own changes in it not at all`() throws {
        func commit(_ subscription: Int, isComplete: Bool) throws -> FeedEvent {
            FeedEvent(
                try Self.value(
                    #"{"subscription":\#(subscription),"type":"changes","changes":[{"op":"updated","id":"7"},"#
                        + #"{"op":"removed","id":"8"}],"complete":\#(isComplete),"clock":"e.2"}"#))
        }
        var changes = try Self.followed()
        changes.expect(["7"])
        changes.read(try commit(1, isComplete: false))
        #expect(changes.news.isEmpty)
        changes.lost()
        #expect(changes.begin(Self.feed)?.since == "e.1")
        changes.subscribed(try Self.value(#"{"subscription":2,"clock":"e.1"}"#))
        changes.read(try commit(2, isComplete: true))
        let line = changes.nextLine(at: 1000, of: "Books", .english)
        #expect(line == "Books: gone 1. g shows it.")
    }
}
