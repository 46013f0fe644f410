// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// An upstream's answer: what is accepted of it is one line of JSON, and has an id.
enum RecordTarget {
    static func check(_ input: [UInt8]) throws {
        var joined = JoinTable(definition: FuzzCollection.definition)
        var tape = JSONTape()
        // The same answer serves as the second one first, so that the join has something to give.
        try eachRecord(of: input, &tape) { tape, bytes in
            _ = joined?.add(tape, bytes)
        }
        if let joined {
            let restored = JoinTable(definition: FuzzCollection.definition, stored: joined.stored)
            try FuzzFinding.unless(restored?.stored == joined.stored, "a join table is not restored")
            try FuzzFinding.unless(restored?.count == joined.count, "a join table is restored with other keys")
        }
        var decoder = RecordDecoder(definition: FuzzCollection.definition, joined: joined)
        var record = DecodedRecord()
        try eachRecord(of: input, &tape) { tape, bytes in
            switch decoder.decode(tape, bytes, into: &record) {
            case .accepted: try check(record)
            case .quarantined(let reason, _): try FuzzFinding.unless(!reason.isEmpty, "quarantine without a reason")
            }
        }
        _ = decoder.drift
    }

    private static func eachRecord(
        of input: [UInt8], _ tape: inout JSONTape, do action: (JSONTape, RawSpan) throws -> Void
    ) throws {
        do {
            var elements = try JSONElements(input.rawSpan, root: JSONPointer(tokens: []))
            while let element = try elements.next(into: &tape) {
                if case .value = element { try action(tape, input.rawSpan) }
            }
        } catch is JSONError {} catch is JSONRootError {}
    }

    private static func check(_ record: DecodedRecord) throws {
        try FuzzFinding.unless(!record.id.isEmpty && !record.idKey.isEmpty, "a record without an id")
        for text in [record.document, record.upstream] {
            try FuzzFinding.unless(!text.contains(0x0A), "a record of two lines")
            do { try JSONValidator.validate(text.rawSpan, depth: 66) } catch {
                throw FuzzFinding("a record that is not JSON: \(error.message)")
            }
        }
        let definition = FuzzCollection.definition
        try FuzzFinding.unless(record.values.count == definition.fields.count, "values and fields differ")
        for (index, value) in record.values.enumerated() {
            let room = 0...record.keys.count
            for range in [value.key, value.tie, value.raw ?? 0..<0] {
                try FuzzFinding.unless(room.contains(range.lowerBound) && room.contains(range.upperBound), "a range")
            }
            if let vocabulary = definition.vocabulary(of: index), value.isPresent {
                try FuzzFinding.unless(vocabulary.codes.indices.contains(value.code), "a code of none")
            }
            _ = record.foldedText(index)
        }
    }
}
