// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsServer

@Suite struct FeedMatchersTests {
    private let shelf: ServedShelf

    init() throws {
        shelf = try ServedShelf()
    }

    private func feed(_ filter: String?) throws -> Feed {
        var parameters = FeedParameters()
        parameters.filter = filter.map { ClaimsProtocol.FilterValue($0) }
        return try Feed(FeedRequest(parameters, shelf.context.queries), of: Shelf.definition, within: nil)
    }

    @Test func `each feed gets the matcher of its own filter, more of them than are kept too`() throws {
        var matchers = FeedMatchers()
        var record = try #require(try Shelf.decode([#"{"id":"7","title":"seven"}"#], Shelf.definition).first)
        let feeds = try (0..<FeedMatchers.maxCount + 20).map { try feed("id=\($0)") }
        for round in 0..<2 {
            for (index, feed) in feeds.enumerated() {
                let matches = try matchers.matcher(of: feed, at: 0)?.matches(record)
                #expect(matches == (index == 7), "\(index) in round \(round)")
            }
        }
        record = try #require(try Shelf.decode([#"{"id":"8","title":"eight"}"#], Shelf.definition).first)
        #expect(try matchers.matcher(of: feeds[8], at: 0)?.matches(record) == true)
    }

    @Test func `a feed without a filter has no matcher, and one that depends on time another at each time`() throws {
        var matchers = FeedMatchers()
        #expect(try matchers.matcher(of: feed(nil), at: 0) == nil)
        let moving = try feed("at<now")
        let record = try #require(
            try Shelf.decode([#"{"id":"1","title":"a","at":"2020-01-01T00:00:00Z"}"#], Shelf.definition).first)
        #expect(try matchers.matcher(of: moving, at: 0)?.matches(record) == false)
        #expect(try matchers.matcher(of: moving, at: 1_800_000_000_000)?.matches(record) == true)
    }
}
