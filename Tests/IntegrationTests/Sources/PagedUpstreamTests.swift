// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

/// Pages of a real upstream: the wrong ones never become the truth, and the odd ones stop no refresh.
@Suite struct PagedUpstreamTests {
    /// A way to page, and what the upstream does.
    struct Manner: Sendable, CustomTestStringConvertible {
        /// `next` of the definition.
        let next: String
        /// Members of the upstream's step.
        let step: String
        /// The kind of the failure; nil if all records come.
        var kind: String?
        /// The number of requests.
        let requests: Int

        var testDescription: String { "\(next) \(step)" }
    }

    private static let page = #"{ page: "page", size: 2 }"#
    private static let offset = #"{ offset: "offset", size: 2 }"#
    private static let cursor = #"{ cursor: "/next", to: "cursor" }"#

    /// There are five records, in pages of two.
    static let manners = [
        Manner(next: cursor, step: #""style":"cursor""#, requests: 3),
        Manner(next: cursor, step: #""style":"cursor","last":"absent""#, requests: 3),
        Manner(next: cursor, step: #""style":"cursor","last":"empty""#, requests: 3),
        Manner(next: cursor, step: #""style":"cursor","numbers":true"#, requests: 3),
        Manner(
            next: #"{ cursor: "/next", to: "cursor", more: "/more" }"#,
            step: #""style":"cursor","last":"kept","more":"/more""#, requests: 3),
        Manner(next: cursor, step: #""style":"cursor","loop":true"#, kind: "protocol", requests: 2),
        Manner(next: page, step: #""style":"parameter""#, requests: 3),
        Manner(next: #"{ page: "page", size: 2, from: 0 }"#, step: #""style":"parameter","from":0"#, requests: 3),
        Manner(next: five, step: #""style":"parameter","size":5"#, requests: 2),
        Manner(next: five, step: #""style":"parameter","size":5,"past":404"#, requests: 2),
        Manner(
            next: #"{ page: "page", size: 5, more: "/more" }"#,
            step: #"\#(failing),"size":5,"items":"items","endless":true,"more":"/more","status":404"#,
            kind: "http_status", requests: 2),
        Manner(next: five, step: #""style":"parameter","size":5,"clamp":true"#, kind: "protocol", requests: 2),
        Manner(next: nine, step: #""style":"parameter","size":9"#, requests: 2),
        Manner(next: nine, step: #""style":"parameter","size":9,"clamp":true"#, requests: 2),
        Manner(next: nine, step: #""style":"parameter","size":9,"past":404"#, requests: 2),
        Manner(next: nine, step: #""style":"parameter""#, kind: "wrong_shape", requests: 2),
        Manner(next: page, step: #""style":"parameter","clamp":true"#, requests: 3),
        Manner(next: page, step: #""style":"parameter","ignore":true"#, kind: "protocol", requests: 2),
        Manner(next: page, step: #""style":"parameter","shift":1"#, requests: 5),
        Manner(next: page, step: #""style":"parameter","endless":true"#, kind: "protocol", requests: 50),
        Manner(next: offset, step: #""style":"offset""#, requests: 3),
        Manner(
            next: #"{ offset: "offset", size: 9, more: "/more" }"#,
            step: #""style":"offset","items":"items","more":"/more""#, requests: 3),
        Manner(
            next: #"{ offset: "offset", size: 2, more: "/nothing" }"#, step: #""style":"offset","items":"items""#,
            kind: "wrong_shape", requests: 1),
        Manner(next: page, step: #"\#(failing),"status":503,"fail_times":2"#, requests: 5),
        Manner(next: page, step: #"\#(failing),"status":503"#, kind: "http_status", requests: 5),
    ]

    private static let five = #"{ page: "page", size: 5 }"#
    private static let nine = #"{ page: "page", size: 9 }"#
    private static let failing = #""style":"parameter","fail_page":2,"fail_headers":{"Retry-After":"0"}"#

    private static func source(_ next: String) -> String {
        let root = next.contains("cursor") || next.contains("more") ? #"root: "/items", "# : ""
        return #"url: "UPSTREAM/things", \#(root)next: \#(next), limits: { pages: 50 }"#
    }

    @Test(arguments: manners)
    func `wrong pages never become the truth, and odd ones stop no refresh`(manner: Manner) throws {
        let site = try SourceSite(["things": Self.source(manner.next)])
        try site.upstream.folder.write("things", SourceSite.records(5))
        try site.upstream.misbehave("things", #"{"fault":"paged","size":2,\#(manner.step)}"#)
        try site.daemon.start()
        let result = try #require(try site.refresh("things").first)
        let told = "\(result) \(try site.upstream.requests("things").map(\.query))"
        #expect(result.at("meta", "last_error", "kind")?.string == manner.kind, "\(told)")
        if manner.kind == nil { #expect(try site.served("things").count == 5, "\(told)") }
        // The daemon's own first refresh may have ended before: then there is a second walk.
        let queries = try site.upstream.requests("things").map(\.query)
        let isExact = queries.count == manner.requests
        #expect(isExact || queries.count > manner.requests && queries[manner.requests] == queries[0], "\(told)")
    }

    /// A second refresh of five records that are here, whose first walk is odd.
    struct OddWalk: Sendable, CustomTestStringConvertible {
        var next = PagedUpstreamTests.page
        /// The steps of the upstream in that refresh; the last one goes on.
        let steps: [String]
        /// nil: the refresh fails.
        let outcome: String
        /// The number of records that are served then.
        var served = 5
        let requests: Int

        var testDescription: String { "\(next) \(steps)" }
    }

    private static let good = #"{"fault":"paged","style":"parameter","size":2}"#
    /// Each page begins one record further, as if another had been deleted: the third record is on none.
    private static let shifted = #"{"fault":"paged","style":"parameter","size":2,"shift":-1,"times":3}"#
    private static let offsets = #"{"fault":"paged","style":"offset","size":2}"#

    static let oddWalks = [
        OddWalk(steps: [shifted, good], outcome: "unchanged", requests: 6),
        OddWalk(
            next: offset, steps: [#"{"fault":"paged","style":"offset","size":2,"shift":-1,"times":3}"#, offsets],
            outcome: "unchanged", requests: 6),
        OddWalk(
            next: #"{ page: "page", size: 2, stable: true }"#, steps: [shifted, good], outcome: "updated", served: 4,
            requests: 3),
        // A page is not there for a moment.
        OddWalk(
            next: #"{ page: "page", size: 2, stable: true }"#,
            steps: [#"{"fault":"paged","style":"parameter","size":2,"fail_page":2,"status":404,"times":2}"#, good],
            outcome: "unchanged", requests: 5),
        OddWalk(steps: [shifted, #"{"fault":"status","status":400}"#], outcome: "failed", requests: 4),
        // The second walk lacks another record than the first.
        OddWalk(
            steps: [shifted, #"{"fault":"paged","style":"parameter","size":2,"fail_page":3,"status":404}"#],
            outcome: "unchanged", requests: 6),
        // Both lack it.
        OddWalk(
            steps: [#"{"fault":"paged","style":"parameter","size":2,"shift":-1}"#], outcome: "updated", served: 4,
            requests: 6),
    ]

    @Test(arguments: oddWalks)
    func `what one walk lacks is asked for once more`(walk: OddWalk) throws {
        let site = try SourceSite(["things": Self.source(walk.next)])
        try site.upstream.folder.write("things", SourceSite.records(5))
        try site.upstream.misbehave("things", walk.next.contains("offset") ? Self.offsets : Self.good)
        try site.daemon.start()
        _ = try site.refresh("things")
        #expect(try site.served("things").count == 5)
        try site.upstream.forgetRequests()
        let last = (walk.steps.last ?? "{}").dropLast() + #","times":1000}"#
        let steps = walk.steps.dropLast() + [String(last)]
        try site.upstream.misbehave("things", "[\(steps.joined(separator: ","))]")
        let result = try #require(try site.refresh("things", #","force":true"#).first)
        let told = "\(result) \(try site.upstream.requests("things").map(\.query))"
        #expect(result["outcome"]?.string == walk.outcome, "\(told)")
        #expect(try site.served("things").count == walk.served, "\(told)")
        #expect(try site.upstream.requests("things").count == walk.requests, "\(told)")
    }

    @Test func `elements that two pages share are no quarantine`() throws {
        let site = try SourceSite(["things": Self.source(Self.page)])
        try site.upstream.folder.write("things", SourceSite.records(5))
        try site.upstream.misbehave("things", #"{"fault":"paged","style":"parameter","size":2,"shift":1}"#)
        try site.daemon.start()
        let result = try #require(try site.refresh("things").first)
        #expect(result["quarantined"]?.integer == 0 && result.at("meta", "quarantined")?.integer == 0, "\(result)")
        #expect(try site.served("things").count == 5)
    }

    @Test func `a query by POST walks its pages, and its failure is told without its text`() throws {
        let site = try SourceSite([
            "things": """
            url: "UPSTREAM/graphql", method: "POST", root: "/data/things/nodes", fails: "/errors",
            body: { query: "query($a:String){…}", variables: { a: null, limit: 1.50 } },
            next: { cursor: "/data/things/pageInfo/endCursor", more: "/data/things/pageInfo/hasNextPage",
                    to: { body: "/variables/a" } }
            """
        ])
        try site.upstream.folder.write("graphql", SourceSite.records(5))
        let paged = """
            "fault":"paged","reads":true,"style":"cursor","size":2,"parameter":"/variables/a","last":"kept",
            "items":"/data/things/nodes","next":"/data/things/pageInfo/endCursor",
            "more":"/data/things/pageInfo/hasNextPage"
            """
        try site.upstream.misbehave("graphql", "{\(paged)}")
        try site.daemon.start()
        #expect(try site.refresh("things").first?.at("meta", "last_error") == .null)
        #expect(try site.served("things").count == 5)
        let bodies = try site.upstream.requests("graphql", count: 3).prefix(3).map(\.body)
        #expect(
            bodies.map { $0.replacing("query($a:String){…}", with: "q") } == [
                #"{"query":"q","variables":{"a":null,"limit":1.50}}"#,
                #"{"query":"q","variables":{"a":"next=2","limit":1.50}}"#,
                #"{"query":"q","variables":{"a":"next=4","limit":1.50}}"#,
            ])
        let failure = #""fail_page":2,"status":200,"fail_json":{"data":null,"errors":[{"message":"private"}]}"#
        try site.upstream.misbehave("graphql", "{\(paged),\(failure)}")
        let result = try #require(try site.refresh("things", #","force":true"#).first)
        #expect(result.at("meta", "last_error", "kind") == "reported")
        #expect(!"\(result)".contains("private") && !site.daemon.log.contains("private"))
        #expect(try site.served("things").count == 5)
    }
}
