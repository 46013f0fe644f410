// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore
import ClaimsTestSupport
import Testing

@Suite struct QuarantineTests {
    @Test func `the records in quarantine are seen as they came`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1}, 7, {"name" : "x"}]"#)
        func look(_ column: String) throws -> [String] {
            try fixture.rows("SELECT \(column) FROM quarantined WHERE collection = 'things' ORDER BY number")
        }
        #expect(try look("bytes") == ["7", #"{"name" : "x"}"#])
        #expect(try look("pointer") == ["/1", "/2/id"])
        #expect(try look("reason") == ["expected an object, found a number", "no id"])
        #expect(try look("size") == ["1", "14"])
        #expect(try look("first_seen = last_seen") == ["1", "1"])
        #expect(fixture.view?.condition.row.quarantined == 2)
    }
}
