// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import ClaimsUpstream
import Synchronization
import Testing

@testable import ClaimsRefresh

@Suite struct SharedForgettingTests {
    /// Another host that has erased the record 2, once this host has records of its own.
    private final class OtherHost: SharedSources {
        private let hasAsked = Atomic<Bool>(false)

        func shares(_ source: SourceID) -> Bool { true }
        func permission(toAsk source: SourceID, now: Int64) -> AskPermission { .bySchedule }
        func postponed(_ ids: [[UInt8]], of source: SourceID) {}
        func forgot(in collection: String) {}
        func ended(_ report: RefreshReport) {}
        func accepts(_ permit: AskPermit, of source: SourceID) -> Bool { true }

        func step(for question: SharedQuestion) -> SharedStep {
            if !hasAsked.exchange(true, ordering: .sequentiallyConsistent) {
                return .ask(AskPermit(number: 1, floor: 0))
            }
            let state = SharedState(
                position: SourceRow.Position(key: 1, value: "1"), records: "1", asOf: question.now, fullAsOf: nil,
                next: nil, error: nil, join: nil)
            let page = FetchedBody(Array(#"{"records":[],"deleted":[]}"#.utf8))
            return .answer(
                SharedAnswer(
                    state: state, isIncremental: true, pages: [page], records: nil, joined: nil,
                    forgotten: [Array("2".utf8)]))
        }
    }

    @Test func `an answer whose erased records cannot be erased here is a failure that is told, and comes again`()
        throws
    {
        let fixture = try RefreshFixture(shared: OtherHost())
        #expect(try fixture.refresh().outcome == .updated)
        // A file that takes the folder's place: no record can be erased from a snapshot.
        let (cache, away) = (fixture.folder("cache"), fixture.folder("away"))
        try Files.rename(cache, to: away)
        try fixture.folder.write("cache", "")
        #expect(try fixture.refresh().outcome == .failed)
        #expect(fixture.meta?.lastError?.message.key == .storage)
        #expect(fixture.documents.count == 4)
        Files.remove(cache)
        try Files.rename(away, to: cache)
        #expect(try fixture.refresh().outcome == .unchanged)
        #expect(fixture.meta?.lastError == nil && fixture.documents.count == 3)
    }
}
