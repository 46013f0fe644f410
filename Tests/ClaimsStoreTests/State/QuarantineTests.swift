// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore
import ClaimsTestSupport
import Testing

@Suite struct QuarantineTests {
    @Test func `the records in quarantine are listed as they came`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1}, 7, {"name" : "x"}]"#)
        let records = try fixture.store.quarantine(of: 1, limit: 10)
        #expect(records.map { String(decoding: $0.bytes, as: UTF8.self) } == ["7", #"{"name" : "x"}"#])
        #expect(records.map(\.pointer) == ["/1", "/2/id"])
        #expect(records.map(\.reason) == ["expected an object, found a number", "no id"])
        #expect(records.allSatisfy { $0.firstSeen == OpenerFixture.now && $0.lastSeen == OpenerFixture.now })
        #expect(try fixture.store.quarantine(of: 1, after: records[0].number, limit: 10) == [records[1]])
        #expect(try fixture.store.quarantine(of: 1, limit: 1) == [records[0]])
    }

    @Test func `a dropped one is gone, and counted no more`() throws {
        let fixture = try OpenerFixture()
        try fixture.take("[7,8]")
        let first = try #require(try fixture.store.quarantine(of: 1, limit: 1).first)
        #expect(try fixture.store.dropQuarantined(first.number, of: "things"))
        #expect(try !fixture.store.dropQuarantined(first.number, of: "things"))
        #expect(try fixture.store.quarantine(of: 1, limit: 9).count == 1)
        #expect(fixture.view?.condition.row.quarantined == 1)
    }
}
