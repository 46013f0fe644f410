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
        list.take(try value(answer))
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
            PlainListText(try Self.list(Self.page), time: Self.time()).text == """
                On the shelf (1,199):
                11. Sea\\x1b[2J water; In; 7; Pages 128
                Others (1):
                12. Atlas; Lent out; 9; archived; needs attention
                11 to 12 of 1,200. Enter shows more.

                """)
    }

    @Test func `the first page tells the query, in the language of the person`() throws {
        let first = Self.page.replacing(#""rank":10,"#, with: #""rank":0,"#)
        let list = try Self.list(first) { query in
            query.search = "sea water"
            query.view = "long"
            query.order = "newest"
            query.archived = .include
        }
        let english = PlainListText(list, time: Self.time()).text
        #expect(
            english.hasPrefix("Books: 1,200; search sea water; view Long ones; sorted by newest; with archived\n1. Sea")
        )
        #expect(!english.contains("On the shelf"))
        let polish = PlainListText(list, time: Self.time(.polish)).text
        #expect(
            polish.hasPrefix("Books: 1\u{A0}200; szukane: sea water; widok: Long ones; porządek: newest; z archiwum\n"))
        #expect(polish.hasSuffix("Od 1 do 2 z 1\u{A0}200. Enter pokazuje dalsze.\n"))
    }

    @Test func `no match, no records and no upstream are told apart`() throws {
        let empty =
            #"{"records":[],"total":0,"rank":0,"meta":{"collection":"books","state":"empty","freshness":"fresh"}}"#
        #expect(PlainListText(try Self.list(empty), time: Self.time()).text == "Books: 0\nBooks: there are none.\n")
        let unmatched = try Self.list(empty) { $0.search = "pmup" }
        #expect(
            PlainListText(unmatched, time: Self.time()).text.hasPrefix("Books: 0; search pmup\nBooks: nothing matches.")
        )
        let collection = try #require(CollectionDescription(try Self.value(Self.described)))
        func refusal(_ state: String) throws -> String? {
            let data = try Self.value(#"{"meta":{"collection":"books","state":"\#(state)"}}"#)
            let refusal = Refusal(kind: "no_data", message: "there is no data", hint: "write a url", data: data)
            return PlainListText.refusal(refusal, of: collection, Self.time())
        }
        #expect(try refusal("loading") == "Loading Books…\n")
        #expect(try refusal("unconfigured") == "Books has no upstream.\nwrite a url\n")
        #expect(try refusal("failed") == "Unable to load Books: there is no data\nr tries again.\n")
    }

    @Test func `pages are walked by the cursors of the answer, and numbers belong to the page`() throws {
        var list = try Self.list(Self.page)
        #expect(list.record(11)?["id"]?.text == "7")
        #expect(list.record(1) == nil)
        #expect(list.groupRanks == [0, 1199])
        let outcome1 = list.goForward()
        #expect(outcome1)
        #expect(list.parameters(language: nil, zone: nil).page.cursor == "N")
        let outcome2 = list.goBack()
        #expect(outcome2)
        #expect(list.parameters(language: nil, zone: nil).page.cursor == "P")
        list.go(to: .end)
        #expect(list.parameters(language: nil, zone: nil).page.anchor == .end)
        list.take(try Self.value(#"{"records":[],"total":0}"#))
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

    private static func event(_ changes: String) throws -> AnswerValue {
        try value(#"{"subscription":1,"type":"changes","changes":[\#(changes)],"complete":true}"#)
    }

    @Test func `news counts each record once, keeps back its own changes, and comes every five seconds at most`() throws
    {
        var news = PlainNews()
        #expect(news.isEmpty)
        news.expect(["5"])
        news.take(
            try Self.event(
                #"{"op":"added","id":"1"},{"op":"updated","id":"1"},{"op":"updated","id":"2"},{"op":"removed","id":"3"},"#
                    + #"{"op":"removed","id":"5"},{"op":"added","id":"4"},{"op":"removed","id":"4"}"#))
        #expect(try #require(news.dueAt) <= 0)
        let outcome5 = news.takeLine(at: 1000, of: "Books", .english)
        #expect(outcome5 == "Books: new 1, changed 1, gone 1. g shows it.")
        #expect(news.isEmpty)
        news.take(try Self.event(#"{"op":"updated","id":"2"}"#))
        #expect(news.dueAt == 6000)
        let outcome6 = news.takeLine(at: 6000, of: "Książki", .polish)
        #expect(outcome6 == "Książki: zmienione 1. g pokazuje.")
    }

    @Test func `a fresh set is told as one, and its records are no news`() throws {
        var news = PlainNews()
        news.take(try Self.value(#"{"type":"fresh_instance","reason":"definition"}"#))
        news.take(try Self.event(#"{"op":"added","id":"1"}"#))
        news.take(try Self.value(#"{"type":"synced","total":1,"clock":"e.2"}"#))
        let outcome7 = news.takeLine(at: 0, of: "Books", .english)
        #expect(outcome7 == "Books: rebuilt. g shows it.")
        news.take(try Self.value(#"{"type":"ended","error":{}}"#))
        let outcome8 = news.takeLine(at: 0, of: "Books", .english)
        #expect(outcome8 == "Books: changes are not told any more.")
    }
}
