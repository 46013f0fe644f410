// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer

@Suite struct AnchorTests {
    private let shelf: ServedShelf

    init() throws { shelf = try ServedShelf() }

    private func ids(_ result: JSONValue) -> [String] {
        (result["records"]?.array ?? []).compactMap { $0["id"]?.string }
    }

    /// A search of the shelf for three records, with further parameters; by id where they name no order.
    private func page(_ params: String) async throws -> JSONValue {
        let sort = params.contains("sort") || params.contains("group") ? "" : #""sort":"id","#
        return try await shelf.ask("search", #"{"collection":"shelf","limit":3,\#(sort)\#(params)}"#)
    }

    @Test(arguments: [
        (#""start""#, ["1", "2", "3"], 0, true, false), (#""end""#, ["6", "7", "8"], 5, false, true),
        (#"{"rank":2}"#, ["3", "4", "5"], 2, true, true), (#"{"rank":6}"#, ["7", "8"], 6, false, true),
        (#"{"rank":99}"#, ["6", "7", "8"], 5, false, true), (#"{"id":"4"}"#, ["4", "5", "6"], 3, true, true),
        (#"{"id":8}"#, ["8"], 7, false, true),
    ]) func `a page at an anchor tells its rank and the pages beside it`(
        anchor: String, expected: [String], rank: Int, hasNext: Bool, hasPrevious: Bool
    ) async throws {
        let result = try await page(#""anchor":\#(anchor)"#)
        #expect(ids(result) == expected && result["rank"]?.integer == Int64(rank))
        #expect((result["next"] != nil) == hasNext && (result["prev"] != nil) == hasPrevious)
        #expect(result["anchored"]?.string == (anchor.contains("id") ? "exact" : nil))
        #expect(result["total"]?.integer == 8)
    }

    @Test func `an id that does not match begins with what follows, and one that is gone with the start`() async throws
    {
        let open = try await page(#""filter":"state=open","anchor":{"id":"3"}"#)
        #expect(ids(open) == ["4", "6", "8"] && open["anchored"]?.string == "after" && open["rank"]?.integer == 1)
        let gone = try await page(#""anchor":{"id":"77"}"#)
        #expect(ids(gone) == ["1", "2", "3"] && gone["anchored"]?.string == "gone" && gone["rank"]?.integer == 0)
        shelf.archive("4")
        let archived = try await page(#""anchor":{"id":"4"}"#)
        #expect(ids(archived) == ["5", "6", "7"] && archived["anchored"]?.string == "after")
        let only = try await page(#""archived":"only","anchor":{"id":"4"}"#)
        #expect(ids(only) == ["4"] && only["anchored"]?.string == "exact")
        let other = try await page(#""archived":"only","anchor":{"id":"5"}"#)
        #expect(ids(other) == [] && other["anchored"]?.string == "after" && other["rank"]?.integer == 1)
        let cursor = try #require(other["prev"]?.string)
        #expect(ids(try await page(#""archived":"only","cursor":"\#(cursor)""#)) == ["4"])
    }

    @Test(arguments: [
        #""sort":"level""#, #""sort":"-level""#, #""group":true"#, #""sort":"-state,level""#,
        #""sort":"-id","filter":"level!=4""#,
    ]) func `its cursors lead to the end and back to the start`(query: String) async throws {
        let all = ids(try await shelf.ask("search", #"{"collection":"shelf","limit":100,\#(query)}"#))
        var result = try await page(#"\#(query),"anchor":"start""#)
        var found = ids(result)
        while let cursor = result["next"]?.string {
            result = try await page(#"\#(query),"cursor":"\#(cursor)""#)
            #expect(result["rank"]?.integer == Int64(found.count))
            found += ids(result)
        }
        #expect(found == all)
        found = ids(result)
        while let cursor = result["prev"]?.string {
            result = try await page(#"\#(query),"cursor":"\#(cursor)""#)
            found = ids(result) + found
            #expect(result["rank"]?.integer == Int64(all.count - found.count))
        }
        #expect(found == all && result["next"] != nil)
    }

    @Test func `an answer without an anchor tells neither rank nor the page before`() async throws {
        let first = try await page(#""sort":"level""#)
        let cursor = try #require(first["next"]?.string)
        let second = try await page(#""sort":"level","cursor":"\#(cursor)""#)
        for result in [first, second] { #expect(result["rank"] == nil && result["prev"] == nil) }
    }

    @Test func `the page before tells that the data has changed`() async throws {
        let end = try await page(#""anchor":"end""#)
        #expect(end["moved"] == nil)
        shelf.archive("4")
        let previous = try await page(#""cursor":"\#(try #require(end["prev"]?.string))""#)
        #expect(ids(previous) == ["2", "3", "5"] && previous["moved"] == .bool(true))
    }

    @Test func `a page that ends early keeps the records next to its anchor`() async throws {
        let text = String(repeating: "x", count: 90_000)
        let objects = (1...9).map { #"{"id":"\#($0)","title":"\#(text)","state":"open"}"# }
        let shelf = try ServedShelf(objects, limits: ServingLimits.with(answer: 1 << 18))
        func page(_ params: String) async throws -> JSONValue {
            try await shelf.ask("search", #"{"collection":"shelf","sort":"id","fields":["id","title"],\#(params)}"#)
        }
        var result = try await page(#""anchor":"end""#)
        #expect(ids(result).last == "9" && ids(result).count < 9)
        var found = ids(result)
        while let cursor = result["prev"]?.string {
            result = try await page(#""cursor":"\#(cursor)""#)
            found = ids(result) + found
            #expect(result["rank"]?.integer == Int64(9 - found.count))
        }
        #expect(found == (1...9).map(String.init))
    }

    @Test(arguments: [
        #"{"anchor":"start"}"#, #"{"collection":"shelf","anchor":"middle"}"#, #"{"collection":"shelf","anchor":{}}"#,
        #"{"collection":"shelf","anchor":{"rank":-1}}"#, #"{"collection":"shelf","anchor":{"rank":"1"}}"#,
        #"{"collection":"shelf","anchor":{"id":"1","rank":1}}"#, #"{"collection":"shelf","anchor":{"id":[1]}}"#,
        #"{"collection":"shelf","anchor":"end","stream":true}"#, #"{"collection":"shelf","anchor":7}"#,
    ]) func `an anchor that cannot be is refused`(params: String) async {
        #expect(await shelf.refusal("search", params) == .badParams)
        #expect(await shelf.refusal("sort", params) == .badParams)
    }

    @Test func `an anchor excludes a cursor, and a stream does not go on from a page with one`() async throws {
        let cursor = try #require(try await page(#""anchor":"start""#)["next"]?.string)
        let both = #"{"collection":"shelf","anchor":"end","cursor":"\#(cursor)"}"#
        #expect(await shelf.refusal("search", both) == .badParams)
        let stream = #"{"collection":"shelf","sort":"id","stream":true,"cursor":"\#(cursor)"}"#
        #expect(await shelf.refusal("search", stream) == .badCursor)
    }
}

extension ServingLimits {
    /// The default limits, but for the size of an answer.
    fileprivate static func with(answer: Int) -> ServingLimits {
        var limits = ServingLimits()
        limits.answer = answer
        return limits
    }
}
