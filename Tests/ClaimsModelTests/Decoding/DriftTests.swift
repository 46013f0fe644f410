// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct DriftTests {
    @Test func `new members, new values and changed types are named and counted`() throws {
        var decoding = Decoding()
        for _ in 0..<3 { try decoding.document(#"{"id":1,"colour":"red","phase":"LOST","name":7}"#) }
        try decoding.document(#"{"id":1,"phase":"GONE","name":true,"size":{"depth":1}}"#)
        let drift = decoding.decoder.drift
        #expect(drift.newMembers == [.init(name: "colour", count: 3)])
        #expect(
            drift.newValues == [
                .init(field: "phase", value: "LOST", count: 3), .init(field: "phase", value: "GONE", count: 1),
            ])
        #expect(
            drift.typeChanges == [
                .init(field: "name", expected: .text, found: .number, count: 3),
                .init(field: "name", expected: .text, found: .true, count: 1),
            ])
        #expect(drift.unlisted == 0)
    }

    @Test func `the lists are capped and what is over is only counted`() throws {
        var decoding = Decoding()
        let long = String(repeating: "x", count: 129)
        for number in 0..<100 { try decoding.document(#"{"id":1,"m\#(number)":1,"phase":"v\#(number)"}"#) }
        try decoding.document(#"{"id":1,"\#(long)":1,"phase":"\#(long)"}"#)
        let drift = decoding.decoder.drift
        #expect(drift.newMembers.count == DriftReport.maxListCount)
        #expect(drift.newValues.count == DriftReport.maxListCount)
        #expect(drift.unlisted == 2 * (100 - DriftReport.maxListCount) + 2)
    }

    @Test func `records without surprises make no drift`() throws {
        var decoding = Decoding()
        try decoding.document(#"{"id":1,"name":"a","phase":"MADE","number":2,"made_at":null}"#)
        #expect(decoding.decoder.drift.isEmpty)
    }
}
