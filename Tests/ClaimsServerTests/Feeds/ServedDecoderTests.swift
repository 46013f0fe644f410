// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsServer

@Suite struct ServedDecoderTests {
    @Test(arguments: 0..<4)
    func `what is decoded of a served record is what was decoded of the upstream's`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var served = ServedDecoder(Shelf.definition)
        var record = DecodedRecord()
        let objects = (0..<300).map { FeedObjects.shelf($0, &random) }
        for (object, original) in zip(objects, try Shelf.decode(objects, Shelf.definition)) {
            #expect(served.decode(original.document.rawSpan, into: &record), "\(object)")
            #expect(record.document == original.document)
            for field in Shelf.definition.fields.indices {
                let (value, expected) = (record.values[field], original.values[field])
                #expect(value.isPresent == expected.isPresent && value.code == expected.code, "\(object)")
                #expect(record.keys[value.key] == original.keys[expected.key], "\(object)")
                #expect(value.raw.map { record.keys[$0] } == expected.raw.map { original.keys[$0] }, "\(object)")
                #expect(
                    value.folded.map { record.folded[$0] } == expected.folded.map { original.folded[$0] },
                    "\(object)")
            }
        }
    }

    @Test func `a decoder of some fields gives them the values that a decoder of all gives`() throws {
        var random = SeededGenerator(seed: 7)
        let asked = [Shelf.definition.fieldIndex("state"), Shelf.definition.fieldIndex("title")].compactMap { $0 }
        var some = ServedDecoder(Shelf.definition, fields: asked)
        var all = ServedDecoder(Shelf.definition)
        var (few, whole) = (DecodedRecord(), DecodedRecord())
        let objects = (0..<100).map { FeedObjects.shelf($0, &random) }
        for (object, original) in zip(objects, try Shelf.decode(objects, Shelf.definition)) {
            #expect(some.decode(original.document.rawSpan, into: &few) && few.id == original.id, "\(object)")
            #expect(all.decode(original.document.rawSpan, into: &whole))
            for field in asked {
                let (value, expected) = (few.values[field], whole.values[field])
                #expect(value.isPresent == expected.isPresent && value.code == expected.code, "\(object)")
                #expect(few.keys[value.key] == whole.keys[expected.key], "\(object)")
                #expect(value.raw.map { few.keys[$0] } == expected.raw.map { whole.keys[$0] }, "\(object)")
            }
        }
    }
}
