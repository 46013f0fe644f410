// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import Testing

struct DriftTests {
    @Test func `new members, new values and changed types are named and counted`() throws {
        var decoding = Decoding()
        for id in 1...3 { try decoding.document(#"{"id":\#(id),"colour":"red","phase":"LOST","name":7}"#) }
        try decoding.document(#"{"id":4,"phase":"GONE","name":true,"size":{"depth":1}}"#)
        let drift = decoding.decoder.drift
        #expect(drift.newMembers == [.init(name: "colour", sight: .init(count: 3, example: "1"))])
        #expect(
            drift.newValues == [
                .init(field: "phase", value: "LOST", sight: .init(count: 3, example: "1")),
                .init(field: "phase", value: "GONE", sight: .init(count: 1, example: "4")),
            ])
        #expect(
            drift.typeChanges == [
                .init(field: "name", expected: .text, found: .number, sight: .init(count: 3, example: "1")),
                .init(field: "name", expected: .text, found: .true, sight: .init(count: 1, example: "4")),
            ])
        #expect(drift.unlisted == 0)
    }

    @Test func `a position that is later than its answer is no wrong type`() throws {
        var decoding = Decoding()
        try decoding.document(#"{"id":1,"name":"a"}"#)
        var decoder = decoding.decoder
        decoder.countAhead(1, of: decoding.record)
        let drift = decoder.drift
        #expect(drift.typeChanges.map(\.isAhead) == [true])
        #expect(drift.typeChanges.first?.sight.count == 1)
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

    @Test func `a record without an id is no example`() throws {
        var decoding = Decoding()
        _ = try? decoding.document(#"{"colour":"red"}"#)
        try decoding.document(#"{"id":2}"#)
        #expect(decoding.decoder.drift.newMembers == [.init(name: "colour", sight: .init(count: 1))])
        try decoding.document(#"{"id":3,"colour":"red"}"#)
        #expect(decoding.decoder.drift.newMembers == [.init(name: "colour", sight: .init(count: 2, example: "3"))])
    }

    @Test func `what a definition knows is no drift any more`() throws {
        let sight = DriftSight(count: 1)
        let definition = Definition(
            name: "parts", source: Source(),
            fields: [
                Field(name: "id", type: .id, from: [try JSONPointer("/id")]),
                Field(name: "phase", type: .enum, from: [try JSONPointer("/phase")], vocabulary: 0),
                Field(name: "size", type: .integer, from: [try JSONPointer("/body/size")]),
            ],
            vocabularies: [Vocabulary(name: "phase", codes: [Code("LOST", rank: 1)], fallback: "LOST")].compactMap {
                $0
            })
        let report = DriftReport(
            newValues: [
                .init(field: "phase", value: "LOST", sight: sight), .init(field: "phase", value: "GONE", sight: sight),
                .init(field: "state", value: "GONE", sight: sight),
            ],
            newMembers: [.init(name: "body", sight: sight), .init(name: "colour", sight: sight)],
            typeChanges: [
                .init(field: "size", expected: .integer, found: .string, sight: sight),
                .init(field: "size", expected: .text, found: .number, sight: sight),
                .init(field: "depth", expected: .text, found: .number, sight: sight),
            ], unlisted: 1)
        let unknown = report.unknown(to: definition)
        #expect(unknown.newValues == [report.newValues[1]])
        #expect(unknown.newMembers == [report.newMembers[1]])
        #expect(unknown.typeChanges == [report.typeChanges[0]])
    }

    @Test func `an unchanged answer moves the last sight of what the newest data has`() {
        #expect(DriftSight(count: 1, lastSeen: 5).lastSeen(confirmedAt: 9) == 9)
        #expect(DriftSight(count: 1, lastSeen: 9).lastSeen(confirmedAt: 5) == 9)
        #expect(DriftSight(count: 1, lastSeen: 5, isCurrent: false).lastSeen(confirmedAt: 9) == 5)
        #expect(DriftSight(count: 1, lastSeen: 5).lastSeen(confirmedAt: nil) == 5)
    }

    @Test func `records without surprises make no drift`() throws {
        var decoding = Decoding()
        try decoding.document(#"{"id":1,"name":"a","phase":"MADE","number":2,"made_at":null}"#)
        #expect(decoding.decoder.drift.isEmpty)
    }
}
