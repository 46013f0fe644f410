// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

/// Records that an answer says are gone. One that the same answer also brings stays.
extension RecordIntake {
    /// Notes that the decoded record is gone.
    ///
    /// - Parameter row: the record as it is served; nil where it is not.
    mutating func delete(_ row: Int?) throws(StoreError) {
        try releaseQuarantined()
        if let row { answers[answers.count - 1].delete(row) } else { noteUnserved(record.id) }
    }

    /// Reads the ids of gone records that a page has beside its records.
    mutating func readDeletions(_ bytes: RawSpan) throws(IntakeError) {
        guard let scope = answers.last?.scope,
            let reader = DeletionReader(
                plan.definition.source.deleted, root: root, isIncremental: scope.isIncremental, hasPages: seam != nil)
        else { return }
        let isCancelled = plan.isCancelled
        try reader.read(bytes, into: &self, isCancelled: isCancelled)
    }
}

extension RecordIntake: DeletionTaker {
    mutating func take(
        gone element: JSONElements.Element, _ tape: JSONTape, _ list: RawSpan, pointer: String
    ) throws(IntakeError) {
        let isIncremental = answers.last?.scope.isIncremental == true
        if isIncremental { try countElement() }
        do throws(StoreError) {
            if case .value = element, decoder.identify(deleted: tape, list, into: &record) {
                try delete(plan.base?.row(forID: record.id.rawSpan))
            } else if isIncremental {
                try quarantine(
                    list.extracting(element.range), id: nil, pointer: pointer,
                    reason: "neither an id nor a record with one")
            }
        } catch { throw .store(error) }
        // The ids that are noted beside records are counted with those.
        if answers[answers.count - 1].unservedIDs.count > plan.recordLimit {
            throw .tooManyRecords(plan.recordLimit)
        }
    }
}

extension RecordDecoder {
    /// Reads the id of an element of a list of gone records: a text, a number, or a record.
    mutating func identify(deleted tape: JSONTape, _ list: RawSpan, into record: inout DecodedRecord) -> Bool {
        guard tape.count > 0 else { return false }
        if case .object = tape[0].kind {
            guard case .accepted = identify(tape, list, into: &record) else { return false }
            return true
        }
        return identify(bare: tape, list, into: &record)
    }
}

extension RecordIntake.Answer {
    /// Notes that a record being served is gone.
    mutating func delete(_ row: Int) {
        guard !deleted.contains(row) else { return }
        deleted.insert(row)
        deletedRows.append(UInt32(truncatingIfNeeded: row))
    }
}

extension Source {
    /// The mark by which a record says that it is gone; nil where there is none.
    var deletionMark: JSONPointer? {
        if case .mark(let pointer) = deleted { pointer } else { nil }
    }
}

extension JSONTape {
    /// Whether the value at a pointer in the record is anything but null, false, 0 and "".
    func isMarked(_ pointer: JSONPointer, in bytes: RawSpan) -> Bool {
        guard let node = resolve(pointer, in: bytes) else { return false }
        switch self[node].kind {
        case .null, .false: return false
        case .string: return self[node].end - self[node].start > 2
        case .number:
            // Zero has no other digit before its exponent.
            for offset in self[node].start..<self[node].end {
                switch bytes.byte(at: offset) {
                case UInt8(ascii: "1")...UInt8(ascii: "9"): return true
                case UInt8(ascii: "e"), UInt8(ascii: "E"): return false
                default: continue
                }
            }
            return false
        default: return true
        }
    }
}
