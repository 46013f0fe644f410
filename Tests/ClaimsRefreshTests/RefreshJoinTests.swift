// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh

@Suite struct RefreshJoinTests {
    private let records = #"[{"id":1,"owner":7},{"id":2,"owner":"8"},{"id":3}]"#
    private let owners = #"[{"key":7,"label":"Ann"},{"key":8,"label":"Bob"},{"nokey":1},5]"#

    private func fixture(after other: RefreshFixture? = nil, isOn: Bool = true) throws -> RefreshFixture {
        let fixture = try RefreshFixture(after: other) { source, upstream in
            source.join = Join(
                ReadRequest(url: isOn ? upstream.url("owners.json") : nil, root: try JSONPointer("")),
                on: .init(field: 2, pointer: try JSONPointer("/key")),
                take: [.init(field: 3, pointer: try JSONPointer("/label"))])
        }
        if other == nil {
            try fixture.serve(records)
            try fixture.upstream.folder.write("owners.json", owners)
        }
        return fixture
    }

    private let joined = [
        #"{"id":"1","owner":"7","owner_name":"Ann"}"#, #"{"id":"2","owner":"8","owner_name":"Bob"}"#, #"{"id":"3"}"#,
    ]

    @Test func `a second request fills fields`() throws {
        let fixture = try fixture()
        let report = try fixture.refresh()
        #expect(report.failure == nil && report.ignoredJoinRecords == 2)
        #expect(fixture.documents == joined)
        let next = try fixture.refresh()
        #expect(next.outcome == .unchanged && next.ignoredJoinRecords == 0)
        #expect(try fixture.upstream.requests("things.json").last?.headers["if-none-match"] != nil)
    }

    @Test func `other joined values are a change, although the records are the same`() throws {
        let fixture = try fixture()
        try fixture.refresh()
        try fixture.upstream.folder.write("owners.json", #"[{"key":7,"label":"Ann"},{"key":8,"label":"Rob"}]"#)
        let report = try fixture.refresh()
        #expect(report.outcome == .updated && report.counts.updated == 1)
        #expect(fixture.documents[1] == #"{"id":"2","owner":"8","owner_name":"Rob"}"#)
    }

    @Test func `bad text in one record of the second request costs that record only`() throws {
        let fixture = try fixture()
        try fixture.upstream.folder.write("owners.json", #"[{"key":7,"label":"Ann"},{"key":8,"label":"\ud83d"}]"#)
        #expect(try fixture.refresh().failure == nil)
        #expect(fixture.documents.prefix(2) == [joined[0], #"{"id":"2","owner":"8"}"#])
    }

    @Test func `when only the join fails, the last good values stay, and the records are new`() throws {
        let first = try fixture()
        try first.refresh()
        try first.upstream.misbehave("owners.json", #"{"fault":"status","status":500}"#)
        try first.serve(#"[{"id":1,"owner":8},{"id":2,"owner":"8"},{"id":3}]"#)
        let report = try first.refresh()
        #expect(report.outcome == .updated && report.failure?.kind == .join && report.failure?.status == 500)
        #expect(first.documents[0] == #"{"id":"1","owner":"8","owner_name":"Bob"}"#)
        #expect(first.view?.condition.source.failures == 0)
        first.close()
        let second = try fixture(after: first)
        try second.serve(#"[{"id":1,"owner":7},{"id":2,"owner":"8"},{"id":3}]"#)
        #expect(try second.refresh().failure?.kind == .join)
        #expect(second.documents == joined)
        try second.upstream.behave()
        #expect(try second.refresh().failure == nil)
        #expect(second.meta?.lastError == nil)
    }

    @Test func `a join that never went well leaves its fields empty`() throws {
        let fixture = try fixture()
        try fixture.upstream.misbehave("owners.json", #"{"fault":"html"}"#)
        let report = try fixture.refresh()
        #expect(report.outcome == .updated && report.failure?.kind == .join)
        #expect(fixture.documents[0] == #"{"id":"1","owner":"7"}"#)
        try fixture.upstream.behave()
        #expect(try fixture.refresh().counts.updated == 2)
        #expect(fixture.documents == joined)
    }

    @Test func `a join that is switched off takes its values with it`() throws {
        let first = try fixture()
        try first.refresh()
        first.close()
        let second = try fixture(after: first, isOn: false)
        #expect(second.documents == joined)
        #expect(try second.refresh().counts.updated == 2)
        #expect(second.documents[0] == #"{"id":"1","owner":"7"}"#)
        #expect(try second.refresh().outcome == .unchanged)
    }
}
