// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// Finds the largest value of the field by which an upstream gives the state of its data.
///
/// A value later than its page, beyond the difference between clocks, is no state: it would hide all changes until that
/// time.
struct PositionScan {
    private let field: Int
    private let name: [UInt8]
    private let type: FieldType
    private let base: CommittedRecords?
    /// The key of the largest value that counts.
    private var limit: [UInt8] = []
    /// The number of values in the served snapshot that count.
    private var countedOrdinals = 0
    /// The key of the largest value of a new or changed record, and the record's document.
    private var best: (key: [UInt8], document: [UInt8])?
    /// The largest value of a record that has not changed, and the record's row.
    private var carried: (ordinal: Int, row: Int)?

    /// nil if the definition names no such field.
    init?(_ definition: Definition, base: CommittedRecords?) {
        guard case .field(let field, _) = definition.source.since?.position else { return nil }
        self.field = field
        self.base = base
        name = Array(definition.fields[field].name.utf8)
        type = definition.fields[field].type
    }

    /// Begins a page that was sent at `sentAt`, in milliseconds since 1970.
    mutating func beginPage(sentAt: Int64) {
        let maximum = sentAt.addingReportingOverflow(IncrementalRules.maxLead.wholeMilliseconds).partialValue
        limit.removeAll(keepingCapacity: true)
        switch type {
        case .date:
            let day = Instant.msPerDay
            KeyEncoding.date(Int(maximum >= 0 ? maximum / day : (maximum - day + 1) / day), into: &limit)
        case .integer: limit += KeyEncoding.number("\(Int64.max)") ?? []
        default: KeyEncoding.instant(maximum, into: &limit)
        }
        countedOrdinals = base?.file.ordinals(field: field, through: limit) ?? 0
    }

    /// Checks a new or changed record.
    mutating func observe(_ record: borrowing DecodedRecord, _ decoder: inout RecordDecoder) {
        guard record.values[field].isPresent else { return }
        let key = record.keys.rawSpan.extracting(record.values[field].key)
        if key.compare(limit.rawSpan) > 0 { return decoder.countAhead(field, of: record) }
        if let best, key.compare(best.key.rawSpan) <= 0 { return }
        best = (key.array, record.document)
    }

    /// Checks a record that has not changed.
    mutating func observe(_ served: ServedRecord) {
        let (snapshot, row) = (served.snapshot, served.row)
        guard let ordinal = snapshot.ordinal(row, field: field) else { return }
        if snapshot === base?.file {
            if ordinal < countedOrdinals, ordinal > carried?.ordinal ?? -1 { carried = (ordinal, row) }
            return
        }
        let key = snapshot.key(ofOrdinal: ordinal, field: field)
        guard key.rawSpan.compare(limit.rawSpan) <= 0 else { return }
        if let best, key.rawSpan.compare(best.key.rawSpan) <= 0 { return }
        best = (key, snapshot.document(row).array)
    }

    /// The value in its form in documents; nil if there is none.
    var value: String? {
        if let base = base?.file, let carried {
            let key = base.key(ofOrdinal: carried.ordinal, field: field)
            if best.map({ $0.key.rawSpan.compare(key.rawSpan) <= 0 }) ?? true {
                return value(in: base.document(carried.row))
            }
        }
        return best.flatMap { value(in: $0.document.rawSpan) }
    }

    private func value(in document: RawSpan) -> String? {
        var tape = JSONTape()
        guard (try? tape.parse(document, from: 0, depth: JSONElements.bodyDepth)) != nil,
            let node = tape.member(name, of: 0, in: document)
        else { return nil }
        return document.extracting(tape[node].range).text
    }
}
