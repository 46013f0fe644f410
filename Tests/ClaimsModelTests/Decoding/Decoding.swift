// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import Testing

/// A decoder with its buffers, for texts instead of bytes.
struct Decoding {
    private(set) var decoder: RecordDecoder
    private(set) var record = DecodedRecord()
    private(set) var outcome = DecodeOutcome.accepted
    private let definition: Definition
    private var tape = JSONTape()

    init(_ definition: Definition = ShipmentFixture.definition(), joined: JoinTable? = nil) {
        self.definition = definition
        decoder = RecordDecoder(definition: definition, joined: joined)
    }

    /// The document of one record; empty if it went to quarantine.
    @discardableResult
    mutating func document(_ json: String) throws -> String {
        let bytes = Array(json.utf8)
        _ = try tape.parse(bytes.rawSpan, depth: 64)
        outcome = decoder.decode(tape, bytes.rawSpan, into: &record)
        return outcome == .accepted ? String(decoding: record.document, as: UTF8.self) : ""
    }

    func value(_ name: String) throws -> DecodedValue {
        record.values[try #require(definition.fieldIndex(name))]
    }

    func key(_ name: String) throws -> [UInt8] { Array(record.keys[try value(name).key]) }

    func foldedText(_ name: String) throws -> String {
        let text = record.foldedText(try #require(definition.fieldIndex(name)))
        return unsafe text.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
