// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// Requests to a collection whose data is withheld once it is 1,000 s old.
@Suite struct WithholdingHandlerTests {
    private let fixture: FeedFixture

    init() throws {
        var source = Source(ttl: .seconds(10), expires: .seconds(100))
        source.withhold = .seconds(1000)
        source.request.url = "https://shelf.example/"
        let shelf = Shelf.definition
        let definition = Definition(
            name: shelf.name, singular: shelf.singular, source: source, fields: shelf.fields,
            vocabularies: shelf.vocabularies, views: shelf.views, isArchivable: true,
            deal: LocalizedText("{title}"))
        fixture = try FeedFixture([definition, FeedFixture.notes()])
        try fixture.take(ServedShelf.objects)
        try fixture.take([#"{"id":"a"}"#], into: "notes")
        try confirm()
    }

    /// The upstream confirms the data.
    private func confirm() throws {
        var source = try fixture.view("shelf").condition.source
        source.asOf = fixture.clock.with { $0 }
        try fixture.store.record(source, of: "shelf", isConfirmed: true)
    }

    private func pass(seconds: Int64) { fixture.clock.with { $0 += seconds * 1000 } }

    private static let requests = [
        ("search", ""), ("count", ""), ("sort", ""), ("facets", #","fields":["state"]"#), ("detail", #","id":"1""#),
        ("history", #","id":"1""#), ("explain", #","filter":"state=open""#), ("changes", ""), ("deal", ""),
        ("archive", #","ids":["1"]"#), ("unarchive", #","filter":"state=open""#), ("quarantine", #","action":"list""#),
    ]

    @Test func `each method on records answers no_data as long as they are withheld`() async throws {
        for (method, more) in Self.requests {
            #expect(await fixture.refusal(method, #"{"collection":"shelf"\#(more)}"#) == nil, "\(method)")
        }
        pass(seconds: 1000)
        for (method, more) in Self.requests {
            #expect(await fixture.refusal(method, #"{"collection":"shelf"\#(more)}"#) == .noData, "\(method)")
        }
        try confirm()
        for (method, more) in Self.requests {
            #expect(await fixture.refusal(method, #"{"collection":"shelf"\#(more)}"#) == nil, "\(method)")
        }
    }

    @Test func `nothing is told of the quarantine, and nothing done with it, while its collection is withheld`() async {
        pass(seconds: 1000)
        for action in ["list", "get", "retry", "drop"] {
            let asked = #"{"collection":"shelf","action":"\#(action)","entry":1}"#
            #expect(await fixture.refusal("quarantine", asked) == .noData, "\(action)")
        }
    }

    @Test func `it begins without a change of any data, and a step of the clock ends it`() async throws {
        let asked = #"{"collection":"shelf"}"#
        pass(seconds: 2000)
        #expect(await fixture.refusal("search", asked) == .noData)
        pass(seconds: -1500)
        #expect(await fixture.refusal("search", asked) == nil)
        pass(seconds: -1101)
        #expect(await fixture.refusal("search", asked) == .noData)
    }

    @Test func `a restart forgets nothing of it`() async throws {
        pass(seconds: 1000)
        try fixture.restart()
        #expect(await fixture.refusal("search", #"{"collection":"shelf"}"#) == .noData)
    }

    @Test func `a search over all skips the collection, and says so`() async throws {
        pass(seconds: 1000)
        let found = try await fixture.ask("search", "{}")
        #expect(found["records"]?.array?.compactMap { $0["id"]?.string } == ["a"])
        let skipped = found["meta"]?["skipped"]?.array ?? []
        #expect(skipped.map { $0["collection"]?.string } == ["shelf"])
        #expect(skipped.map { $0["state"]?.string } == ["withheld"])
        #expect(skipped.first?["reason"]?.string == "shelf is withheld: older than 1000 s")
        #expect(try await fixture.ask("count", "{}")["total"]?.integer == 1)
    }

    @Test func `the error says why, and meta tells the state`() async throws {
        pass(seconds: 1000)
        do {
            _ = try await fixture.ask("count", #"{"collection":"shelf"}"#)
            Issue.record("there was an answer")
        } catch {
            #expect((error as? RequestError)?.text.english == "shelf is withheld: older than 1000 s")
        }
        let status = try await fixture.ask("status")
        let metas = status["collections"]?.array?.compactMap { $0["meta"] } ?? []
        #expect(metas.first { $0["collection"]?.string == "shelf" }?["state"]?.string == "withheld")
    }

    @Test func `a client of changes over all holds what is told, before and after`() async throws {
        let first = try await fixture.changes(nil, of: nil)
        let clock = try #require(first.clock)
        try fixture.take([ServedShelf.objects[0]])
        try confirm()
        pass(seconds: 1000)
        let withheld = try await fixture.changes(clock, of: nil)
        #expect(withheld["changes"]?.array?.allSatisfy { $0["collection"]?.string == "notes" } == true)
        try confirm()
        let last = try await fixture.changes(withheld.clock, of: nil)
        // The changes that came before it was withheld are in the set.
        #expect(last["fresh_instance"]?.boolean == true && last["reasons"]?["shelf"]?.string == "definition")
    }
}
