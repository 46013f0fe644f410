// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// A record of `Library`: values as people write them, and the same encoded as the decoder does it.
struct LibraryRecord: Sendable {
    enum Value: Sendable {
        case text(String)
        case code(String)
        /// A value that is none of the vocabulary's codes.
        case unknown(String)
        case number(String)
        case instant(String)
        case date(String)
        case bool(Bool)
        case json
    }

    let id: String
    let values: [String: Value]
    let decoded: DecodedRecord

    init(_ id: String, _ values: [String: Value]) {
        self.id = id
        self.values = values.merging(["id": .text(id)]) { $1 }
        decoded = Self.encode(id, self.values)
    }

    private static func encode(_ id: String, _ values: [String: Value]) -> DecodedRecord {
        var record = DecodedRecord()
        record.id = Array(id.utf8)
        record.idKey = KeyEncoding.natural(id)
        for (index, field) in Library.definition.fields.enumerated() {
            var value = DecodedValue()
            if let written = values[field.name] {
                value.isPresent = true
                encode(written, as: field.type, vocabulary: Library.definition.vocabulary(of: index), &value, &record)
            }
            record.values.append(value)
        }
        return record
    }

    private static func encode(
        _ written: Value, as type: FieldType, vocabulary: Vocabulary?, _ value: inout DecodedValue,
        _ record: inout DecodedRecord
    ) {
        let start = record.keys.count
        switch written {
        case .text(let text) where type == .text: record.keys += Folding.fold(text)
        case .text(let text):
            record.keys += type == .id ? KeyEncoding.natural(text) : Array(text.utf8)
            let foldedStart = record.folded.count
            record.folded += Folding.fold(text)
            value.folded = foldedStart..<record.folded.count
        case .code(let code): value.code = vocabulary?.index(matching: code) ?? -1
        case .unknown(let raw):
            value.code = vocabulary?.fallback ?? -1
            record.keys += Array(raw.utf8)
            value.raw = start..<record.keys.count
            return
        case .number(let digits): record.keys += KeyEncoding.number(digits) ?? []
        case .instant(let text): KeyEncoding.instant(Instant.parse(text)?.ms ?? 0, into: &record.keys)
        case .date(let text): KeyEncoding.date(CivilDate.parse(text) ?? 0, into: &record.keys)
        case .bool(let flag): KeyEncoding.bool(isTrue: flag, into: &record.keys)
        case .json: break
        }
        value.key = start..<record.keys.count
    }
}
