// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

@Suite struct ForgettingFeedTests {
    private let fixture: FeedFixture

    init() throws {
        fixture = try FeedFixture()
        try fixture.take(ServedShelf.objects)
    }

    private func forget(_ id: String) throws {
        _ = try fixture.opener.forget(
            ForgetOrder(
                collection: "shelf", ids: [Array(id.utf8)], isDryRun: false, uid: 7,
                at: fixture.clock.with { $0 }))
    }

    /// The records, with another level of the second one.
    private var moved: [String] {
        var objects = ServedShelf.objects
        objects[1] = #"{"id":"2","title":"Book 2","state":"open","level":99,"extra":{"a":[2]}}"#
        return objects
    }

    @Test func `each feed is told, also one that did not have the record`() async throws {
        let one = try await fixture.changes(nil, #","filter":"level=2""#).clock
        let other = try await fixture.changes(nil, #","filter":"level=3""#).clock
        try forget("2")
        for (clock, level) in [(one, 2), (other, 3)] {
            let answer = try await fixture.changes(clock, #","filter":"level=\#(level)""#)
            #expect(answer.told == ["removed 2 gone"])
            #expect(answer["changes"]?.array?.first?["cause"]?.string == "forget")
            #expect(answer["changes"]?.array?.first?["was"] == nil)
        }
    }

    @Test func `a reader of a record that came back as another one does not keep what was erased`() async throws {
        let clock = try await fixture.changes(nil, #","filter":"level=2""#).clock
        try forget("2")
        try fixture.take(moved)
        let answer = try await fixture.changes(clock, #","filter":"level=2""#)
        #expect(answer.told == ["removed 2 no_longer_matches"])
        #expect(try await fixture.changes(nil).told.count == 8)
    }

    @Test func `a record that came back is added`() async throws {
        let clock = try await fixture.changes(nil).clock
        try forget("2")
        try fixture.take(moved)
        #expect(try await fixture.changes(clock).told == ["added 2"])
        let history = try await fixture.ask("history", #"{"collection":"shelf","id":"2"}"#)
        #expect(history["versions"]?.array?.compactMap { $0["op"]?.string } == ["added"])
        #expect(history["complete"]?.boolean == true)
    }
}
