// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsTerminal
import Testing

@testable import ClaimsBrowse

struct TabTitlesTests {
    /// The line of tabs over one collection, which is not the current one.
    private func line(_ entry: String) throws -> String {
        let status = try ScreenExample.value(#"{"collections":[{"name":"books","title":"Books"\#(entry)}]}"#)
        let books = CollectionDescription(name: "books", title: "Books", singular: "book", fields: [], list: ["id"])
        let titles = TabTitles(
            [.collection("books"), .status], current: .status, collections: [books], status: status, .english)
        return titles.pieces(width: 80).map(\.text).joined()
    }

    private func meta(_ state: String, _ freshness: String, _ more: String = "") -> String {
        #","meta":{"collection":"books","state":"\#(state)","freshness":"\#(freshness)"\#(more)}"#
    }

    private static let failed =
        #","last_error":{"kind":"http","message":"The server answered 503.","at":"2026-11-20T08:12:00.000Z"}"#

    @Test func `a failed refresh marks the tab while the data is still fresh`() throws {
        #expect(try line(meta("ready", "fresh")) == " 1 Books [2 Status]")
        #expect(try line(meta("ready", "fresh", Self.failed)) == " 1 Books! [2 Status]")
    }

    @Test func `shipped data is marked where its upstream failed, and not where none was ever set up`() throws {
        let hint = #","hint":"write source.url""#
        #expect(try line(hint + meta("ready", "bundle")) == " 1 Books [2 Status]")
        #expect(
            try line(#","hint":"write source.url","meta":{"collection":"books","state":"unconfigured"}"#)
                == " 1 Books [2 Status]")
        #expect(try line(meta("ready", "bundle", Self.failed)) == " 1 Books! [2 Status]")
    }

    @Test func `held or missing data and a mistaken definition are marked, and data that is only old is not`() throws {
        #expect(try line(#","held":{"before":1000,"after":12}"# + meta("ready", "fresh")) == " 1 Books! [2 Status]")
        #expect(try line(#","meta":{"collection":"books","state":"failed"\#(Self.failed)}"#) == " 1 Books! [2 Status]")
        #expect(try line(meta("withheld", "expired")) == " 1 Books! [2 Status]")
        #expect(try line(meta("ready", "fresh", #","definition":"previous""#)) == " 1 Books! [2 Status]")
        #expect(try line(meta("ready", "stale")) == " 1 Books [2 Status]")
    }
}
