// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsServer

@Suite struct FeedBoundaryTests {
    private let hour: Int64 = 3_600_000

    private func feed(_ filter: String, zone: String? = nil) throws -> Feed {
        let shelf = try ServedShelf()
        var parameters = FeedParameters()
        parameters.filter = ClaimsProtocol.FilterValue(filter)
        parameters.timeZone = zone
        return try Feed(FeedRequest(parameters, shelf.context.queries), of: Shelf.definition, within: nil)
    }

    private func snapshot(_ times: [Int64]) throws -> SnapshotFixture {
        try SnapshotFixture(
            times.enumerated().map { #"{"id":\#($0),"at":"\#(FeedObjects.instant(FeedFixture.now + $1))"}"# })
    }

    @Test func `the next boundary is the next value that a moving bound reaches`() throws {
        let now = FeedFixture.now
        let fixture = try snapshot([-hour, hour, 5 * hour])
        func next(_ filter: String, after time: Int64) throws -> Int64? {
            try FeedBoundary.next(after: time, of: feed(filter), in: [fixture.snapshot]).map { $0 - now }
        }
        #expect(try next("at<now", after: now) == hour)
        #expect(try next("at<now", after: now + hour) == hour + 1)
        #expect(try next("at<now", after: now + hour + 1) == 5 * hour)
        #expect(try next("at<now", after: now + 6 * hour) == nil)
        #expect(try next("not at>=-1d or at>+1w", after: now) == 23 * hour)
        #expect(try next("at<2027-01-01 level>3 title~now", after: now) == nil)
    }

    @Test func `days end at midnight of the zone, also where a day has another length`() throws {
        let spring = try #require(Instant.parse("2027-03-27T12:00:00Z")).ms
        func next(_ filter: String, _ zone: String?, after time: Int64) throws -> String? {
            try FeedBoundary.next(after: time, of: feed(filter, zone: zone), in: []).map { FeedObjects.instant($0) }
        }
        #expect(try next("day=today", nil, after: spring) == "2027-03-28T00:00:00.000Z")
        #expect(try next("day=today", "Europe/Warsaw", after: spring) == "2027-03-27T23:00:00.000Z")
        #expect(try next("at=-3d", "Europe/Warsaw", after: spring + 11 * hour) == "2027-03-28T22:00:00.000Z")
        #expect(try next("day<now", "Europe/Warsaw", after: spring) == "2027-03-27T23:00:00.000Z")
    }

    @Test(arguments: 0..<3)
    func `between two boundaries no record begins or ceases to match`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try SnapshotFixture((0..<60).map { FeedObjects.shelf($0, &random) })
        for filter in ["at<now", "at>-2d at<+1d", "at=today", "day>=today", "not at<=-1w or day=yesterday", "at=now"] {
            let feed = try feed(filter, zone: "Europe/Warsaw")
            func rows(_ time: Int64) throws -> [UInt32] {
                var query = PageQuery(predicate: try feed.predicate(at: time), order: Shelf.order("id"))
                query.limit = 1000
                return try fixture.snapshot.execute(
                    query, archive: RowBitmap(), scratch: QueryScratch(), budget: .unlimited
                ).rows
            }
            var time = FeedFixture.now - 5 * 24 * hour
            var steps = 0
            while let boundary = FeedBoundary.next(after: time, of: feed, in: [fixture.snapshot]), steps < 40 {
                let between = Int64.random(in: time..<boundary, using: &random)
                let (expected, before) = (try rows(time), try rows(between))
                #expect(before == expected, "\(filter) at \(between)")
                #expect(try rows(boundary - 1) == expected, "\(filter) before \(boundary)")
                time = boundary
                steps += 1
            }
            #expect(steps > 3, "\(filter)")
        }
    }

    @Test func `the fields that a filter reads are known where they do not depend on time`() throws {
        func names(_ filter: String) throws -> [String]? {
            try feed(filter).readFields?.map { Shelf.definition.fields[$0].name }
        }
        #expect(try names("not (state=odd or title~water)").map(Set.init) == ["state", "title"])
        #expect(try names("state.raw=what and state=odd") == ["state"])
        let searched = Shelf.definition.searchedFields.map { Shelf.definition.fields[$0].name }
        #expect(try names("water") == searched)
        #expect(try names("at<now") == nil)
    }
}
