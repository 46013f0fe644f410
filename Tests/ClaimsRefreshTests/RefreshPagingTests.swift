// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore
import ClaimsTestSupport
import ClaimsUpstream
import Testing

@testable import ClaimsRefresh

@Suite struct RefreshPagingTests {
    private func fixture(_ paging: Paging, root: String = "", _ behaviour: String) throws -> RefreshFixture {
        let fixture = try RefreshFixture { source, _ in
            source.request.next = paging
            source.request.root = try JSONPointer(root)
        }
        try fixture.upstream.misbehave("things.json", behaviour)
        return fixture
    }

    @Test func `links lead through all pages`() throws {
        let fixture = try fixture(.link, #"{"fault":"paged","style":"link","size":3}"#)
        #expect(try fixture.refresh().counts.records == 4)
        #expect(try fixture.refresh().outcome == .unchanged)
        #expect(try fixture.upstream.requests("things.json").map(\.query) == ["", "page=2", "", "page=2"])
    }

    @Test func `a pointer leads through all pages`() throws {
        let pointer = try JSONPointer("/next")
        let fixture = try fixture(
            .pointer(pointer), root: "/items", #"{"fault":"paged","style":"pointer","size":1}"#)
        #expect(try fixture.refresh().counts.records == 4)
        #expect(try fixture.upstream.requests("things.json").count == 4)
    }

    @Test(arguments: [(2, ["page=1", "page=2", "page=3"]), (3, ["page=1", "page=2"]), (10, ["page=1", "page=2"])])
    func `a parameter counts pages until one is not full`(size: Int, queries: [String]) throws {
        let fixture = try fixture(
            .page(to: .query("page"), size: size, from: 1, more: nil),
            #"{"fault":"paged","style":"parameter","size":\#(size)}"#)
        #expect(try fixture.refresh().counts.records == 4)
        #expect(try fixture.upstream.requests("things.json").map(\.query) == queries)
    }

    @Test func `all pages or no change`() throws {
        let fixture = try fixture(.link, #"{"fault":"paged","style":"link","size":1}"#)
        try fixture.refresh()
        try fixture.serve(#"[{"id":7},{"id":8},{"id":9}]"#)
        try fixture.upstream.misbehave("things.json", #"{"fault":"paged","style":"link","size":1,"fail_page":3}"#)
        let report = try fixture.refresh(RefreshOptions(accept: true))
        #expect(report.outcome == .failed && report.failure?.status == 500)
        #expect(fixture.documents.count == 4)
    }

    @Test func `a record with bad text does not end the pages`() throws {
        let pointer = try JSONPointer("/next")
        let fixture = try RefreshFixture { source, _ in
            source.request.next = .pointer(pointer)
            source.request.root = try JSONPointer("/items")
        }
        let second = fixture.upstream.url("second.json")
        try fixture.serve(#"{"items":[{"id":1,"name":"\ud83d"},{"id":2}],"next":"\#(second)"}"#)
        try fixture.upstream.folder.write("second.json", #"{"items":[{"id":3},{"id":4}]}"#)
        #expect(try fixture.refresh().counts.records == 3)
        #expect(fixture.meta?.quarantined == 1)
    }

    @Test func `a record that a page repeats goes to quarantine only where it differs`() throws {
        let pointer = try JSONPointer("/next")
        let fixture = try RefreshFixture { source, _ in
            source.request.next = .pointer(pointer)
            source.request.root = try JSONPointer("/items")
        }
        let second = fixture.upstream.url("second.json")
        func serve(_ last: String, _ repeated: String) throws {
            try fixture.serve(#"{"items":[{"id":1,"name":"a"},\#(last)],"next":"\#(second)"}"#)
            try fixture.upstream.folder.write("second.json", #"{"items":[\#(repeated),{"id":3,"name":"c"}]}"#)
        }
        try serve(#"{"id":2,"name":"b"}"#, #"{"id":2,"name":"b"}"#)
        let first = try fixture.refresh().counts
        #expect(first.records == 3 && first.quarantined == 0)
        // Now the same record is known, and carried.
        try serve(#"{"id":2,"name":"b"}"#, #"{"id":2,"name":"b"},{"id":4,"name":"d"}"#)
        let again = try fixture.refresh().counts
        #expect(again.records == 4 && again.quarantined == 0)
        try serve(#"{"id":2,"name":"b"}"#, #"{"id":2,"name":"B"}"#)
        #expect(try fixture.refresh(RefreshOptions(accept: true)).counts.quarantined == 1)
        // Within a page it is a mistake of the server.
        try serve(#"{"id":2,"name":"b"},{"id":2,"name":"b"}"#, #"{"id":5,"name":"e"}"#)
        #expect(try fixture.refresh(RefreshOptions(accept: true)).counts.quarantined == 1)
    }

    @Test func `pages without end are a failure`() throws {
        let fixture = try fixture(.link, #"{"fault":"paged","style":"link","size":1,"loop":true}"#)
        #expect(try fixture.refresh().failure?.kind == .protocol)
    }
}
