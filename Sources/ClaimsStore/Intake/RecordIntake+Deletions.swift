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

    /// Reads the ids of gone records that a page has beside its records. An answer with all records needs none, but as a
    /// reason why one is not in its pages; there a list that cannot be read is no fault.
    mutating func readDeletions(_ bytes: RawSpan) throws(IntakeError) {
        guard case .ids(let pointer) = plan.definition.source.deleted, let scope = answers.last?.scope else { return }
        if scope.isIncremental { return try readDeletions(bytes, at: pointer) }
        guard seam != nil else { return }
        do throws(IntakeError) { try readDeletions(bytes, at: pointer) } catch {
            switch error {
            case .notJSON, .noRoot, .rootIsNoArray, .deletedIsNoArray: break
            case .tooManyRecords, .store, .cancelled: throw error
            }
        }
    }

    private mutating func readDeletions(_ bytes: RawSpan, at pointer: JSONPointer) throws(IntakeError) {
        let found: Range<Int>?
        do throws(JSONError) { found = try JSONElements.locate(pointer, in: bytes, elementsOf: root) } catch {
            throw .notJSON(error)
        }
        guard let found else { return }
        let list = bytes.extracting(found)
        if list.equals(Array("null".utf8).rawSpan) { return }
        var elements: JSONElements
        do throws(JSONRootError) { elements = try JSONElements(list, root: JSONPointer(tokens: [])) } catch {
            if case .notAnArray(let kind) = error { throw .deletedIsNoArray(pointer, kind) }
            throw IntakeError(error)
        }
        var index = 0
        while true {
            if index % Self.recordsPerLook == 0 { try look() }
            let element: JSONElements.Element?
            do throws(JSONError) { element = try elements.next(into: &tape) } catch { throw .notJSON(error) }
            guard let element else { return }
            if answers.last?.scope.isIncremental == true { try countElement() }
            do throws(StoreError) {
                try takeDeletion(element, list, pointer: "\(pointer.text)/\(index)")
            } catch { throw .store(error) }
            // The ids that are noted beside records are counted with those.
            if answers[answers.count - 1].unservedIDs.count > plan.recordLimit {
                throw .tooManyRecords(plan.recordLimit)
            }
            index += 1
        }
    }

    private mutating func takeDeletion(
        _ element: JSONElements.Element, _ list: RawSpan, pointer: String
    ) throws(StoreError) {
        if case .value = element, decoder.identify(deleted: tape, list, into: &record) {
            return try delete(plan.base?.row(forID: record.id.rawSpan))
        }
        if answers.last?.scope.isIncremental == false { return }
        try quarantine(
            list.extracting(element.range), id: nil, pointer: pointer, reason: "neither an id nor a record with one")
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
