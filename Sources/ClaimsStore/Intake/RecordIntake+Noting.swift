// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

/// The parts of an answer beside its records: changes, elements that are no records, and records that are gone.
extension RecordIntake {
    mutating func countElement() throws(IntakeError) {
        guard answers[answers.count - 1].elements < plan.recordLimit else { throw .tooManyRecords(plan.recordLimit) }
        answers[answers.count - 1].elements += 1
    }

    mutating func quarantine(
        _ bytes: RawSpan, at location: Location, id: [UInt8]? = nil, reason: String, detail: String = ""
    ) throws(StoreError) {
        try quarantine(
            bytes.extracting(location.start..<location.end), id: id, pointer: pointer(location.index) + detail,
            reason: reason)
    }

    /// Sends an element to quarantine. In an answer with what has changed it takes the place of earlier elements with
    /// its id, and one that an earlier answer had adds none.
    mutating func quarantine(
        _ element: RawSpan, id: [UInt8]?, pointer: String, reason: String
    ) throws(StoreError) {
        // Elements of the first of two walks that are no records are in the second, too, or gone.
        if isFilling, id == nil { return }
        let last = answers.count - 1
        answers[last].quarantined += 1
        if let id {
            if let row = plan.base?.row(forID: id.rawSpan) {
                answers[last].quarantinedRows.insert(row)
            } else {
                noteUnserved(id)
            }
        }
        let digest = Checksum.of(element)
        switch answers[last].earlier?.note(digest) {
        case .repeated: return
        case .known(let entry):
            stage.seeAgain(entry)
            if let id { try release(id, except: entry) }
        case .new, nil:
            if let id { try release(id) }
            try stage.quarantine(element, id: id, pointer: pointer, reason: reason)
        }
    }

    /// Takes the entries of earlier answers about the decoded record out of quarantine.
    mutating func releaseQuarantined() throws(StoreError) {
        try release(record.id)
    }

    private mutating func release(_ id: [UInt8], except entry: Int64? = nil) throws(StoreError) {
        guard let released = answers[answers.count - 1].earlier?.release(id, except: entry) else { return }
        stage.released += released
    }

    /// Notes in which values the decoded record differs from the one being served; nil: in none.
    mutating func noteUpdate(_ values: [UInt8]?, differsUpstream: Bool) throws(StoreError) {
        let values = values ?? Array("{}".utf8)
        remember(try Self.noteUpdate(of: record, values, differsUpstream: differsUpstream, in: &stage))
    }

    static func noteUpdate(
        of record: borrowing DecodedRecord, _ values: [UInt8], differsUpstream: Bool,
        in stage: inout GenerationStage
    ) throws(StoreError) -> Int64 {
        try stage.note(
            .updated, id: record.id.rawSpan, values: values.rawSpan, differsUpstream: differsUpstream)
    }

    static func noteAddition(
        of record: borrowing DecodedRecord, in stage: inout GenerationStage
    ) throws(StoreError) -> Int64 {
        try stage.note(.added, id: record.id.rawSpan)
    }

    /// Remembers a change of the record that comes next, so that it can be taken back.
    mutating func remember(_ ordinal: Int64) {
        notes.append(Note(number: UInt32(clamping: seen.count), ordinal: UInt32(clamping: ordinal)))
    }
}
